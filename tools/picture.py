"""Draws docs/chiko.svg and so on: moments of the games as the terminal shows them.

usage: .venv/bin/python tools/picture.py
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from rich.console import Console

import lastcard
from lastcard.terminal import Leave, Session

DOCS = Path(__file__).parent.parent / "docs"
# Game, players, seed, width in letters, and what is answered until the moment shown.
MOMENTS = [
    ("chiko", 3, 12, 64, ["a", "a", "a", "a"]),
    ("eight_half", 3, 150, 84, ["a"] * 6),
    ("sixth_sense", 4, 12, 92, ["a"] * 5),
    ("chichiko", 4, 12, 92, ["c"] * 4),
    ("taki", 4, 12, 92, ["e", "e", "e", "e", "e", "e"]),
]

# System fonts only: a picture that loads nothing from elsewhere.
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
    """Answers by itself, and begins its record anew with the last question."""

    def __init__(self, answers: list[str], width: int) -> None:
        super().__init__(
            record=True, width=width, file=io.StringIO(), force_terminal=True, highlight=False
        )
        self.answers = iter(answers)

    def input(self, prompt: object = "", **_: object) -> str:
        answer = next(self.answers, None)
        if answer is None:
            self.print(prompt, end="")
            raise Leave
        self.export_text()  # clears the record
        return answer


for id, players, seed, width, answers in MOMENTS:
    screen = Scripted(answers, width)
    game = lastcard.game(id)
    seats = ["human"] + ["greedy"] * (players - 1)
    with tempfile.TemporaryDirectory() as folder:
        try:
            Session(screen, game.match(players, seed), seats, Path(folder) / "m.json").play()
        except Leave:
            frame = FRAME.replace("TITLE", game.title)
            (DOCS / f"{id}.svg").write_text(screen.export_svg(code_format=frame, unique_id="t"))
