"""What `render` does in every interface that has it."""

from __future__ import annotations

from typing import Any

from . import drawing
from .single import Single, read_choice, read_seat
from .spaces import agents_of

FPS = 2


class Renderer:
    """Draws a match as one observer sees it: a seat, or a spectator."""

    def __init__(self, match: Single, mode: str | None, observer: int | None) -> None:
        if mode is not None:
            read_choice("render_mode", mode, drawing.MODES)
        if observer is not None:
            observer = read_seat("observer", observer, match.players, ", or None for a spectator")
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
