"""What `render` does in every interface that has it."""

from __future__ import annotations

from typing import Any

from lastcard.errors import BadOption
from lastcard.kernel.texts import show

from . import drawing
from .single import Single, read_choice
from .spaces import agents_of

FPS = 2


class Renderer:
    """Draws a match as one observer sees it: a seat, or a spectator."""

    def __init__(self, match: Single, mode: str | None, observer: int | None) -> None:
        if mode is not None:
            read_choice("render_mode", mode, drawing.MODES)
        whole = isinstance(observer, int) and not isinstance(observer, bool)
        if observer is not None and not (whole and 0 <= observer < match.players):
            raise BadOption(
                "observer",
                f"is a seat, 0 to {match.players - 1}, or None for a spectator, "
                f"not {show(observer)}.",
            )
        self.match, self.mode, self.observer = match, mode, observer
        self.names = [name.replace("_", " ").capitalize() for name in agents_of(match.players)]

    def render(self) -> Any:
        """None if it is shown at once, or there is no mode."""
        if self.mode is None:
            return None
        what = self.match.game, self.match.view(self.observer), self.names
        if self.mode == "rgb_array":
            return drawing.pixels_of(*what)
        if self.mode == "svg":
            return drawing.svg_of(*what)
        text = drawing.text_of(*what)
        if self.mode == "ansi":
            return text
        print(text)
        return None
