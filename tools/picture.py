"""Draws docs/<game>.svg: a moment of every game as the terminal shows it.

usage: .venv/bin/python tools/picture.py
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from rich.console import Console

import lastcard
from lastcard.core.registry import games
from lastcard.terminal import HUMAN, LeaveSession, Session

DOCS = Path(__file__).parent.parent / "docs"
PLAYERS = 4
SEED = 12
MOVES = 5  # before the picture; always the first action of the menu
WIDTH = 92  # columns

# System fonts only, so that a picture loads nothing.
FRAME = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"
     aria-label="TITLE in the terminal: the log, the table, your hand and a menu of actions">
<style>
.{unique_id}-matrix {{
  font: {char_height}px monospace; line-height: {line_height}px; white-space: pre;
}}
{styles}
</style>
<rect width="{width}" height="{height}" rx="12" fill="#1c2230"/>
<defs>{lines}</defs>
<g transform="translate({terminal_x}, {terminal_y})">
{backgrounds}
<g class="{unique_id}-matrix">{matrix}</g>
</g>
</svg>
"""


class Scripted(Console):
    """Answers by itself, and keeps only what is printed after its last answer."""

    session: Session

    def __init__(self) -> None:
        super().__init__(
            record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, highlight=False
        )
        self.left = MOVES

    def input(self, prompt: object = "", **_: object) -> str:
        if self.left == 0:
            self.print(prompt, end="")
            raise LeaveSession
        self.left -= 1
        self.export_text()  # clears the record
        return next(iter(self.session.menu(0)), "")


def draw(id: str) -> None:
    game = lastcard.game(id)
    players = min(PLAYERS, game.most)
    seats = [HUMAN] + ["normal"] * (players - 1)
    screen = Scripted()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "match.json"
        screen.session = Session(screen, game.match(players, SEED), seats, path)
        try:
            screen.session.play()
        except LeaveSession:
            frame = FRAME.replace("TITLE", game.title)
            (DOCS / f"{id}.svg").write_text(screen.export_svg(code_format=frame, unique_id="t"))


if __name__ == "__main__":
    for id in games():
        draw(id)
