"""Draws docs/terminal.svg: a moment of Chiko as the terminal shows it.

usage: .venv/bin/python tools/picture.py
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from rich.console import Console

import lastcard
from lastcard.terminal import Leave, Session

TARGET = Path(__file__).parent.parent / "docs" / "terminal.svg"
ANSWERS = ["1", "1", "1", "1"]

# System fonts only: a picture that loads nothing from elsewhere.
FRAME = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"
     aria-label="Chiko in the terminal: the log, the table, your hand and numbered actions">
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

    answers = iter(ANSWERS)

    def input(self, prompt: object = "", **_: object) -> str:
        answer = next(self.answers, None)
        if answer is None:
            self.print(prompt, end="")
            raise Leave
        self.export_text()  # clears the record
        return answer


screen = Scripted(record=True, width=64, file=io.StringIO(), force_terminal=True, highlight=False)
with tempfile.TemporaryDirectory() as folder:
    match = lastcard.game("chiko").match(3, 12)
    try:
        Session(screen, match, ["human", "greedy", "greedy"], Path(folder) / "m.json").play()
    except Leave:
        TARGET.write_text(screen.export_svg(code_format=FRAME, unique_id="t"))
