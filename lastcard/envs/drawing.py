"""A match as text, as SVG and as pixels: all three are the terminal's drawing of a view."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

import numpy as np
from rich.color import Color
from rich.console import Console
from rich.terminal_theme import MONOKAI

from lastcard.core.game import Game
from lastcard.terminal.drawing import table_of

MODES = ("human", "ansi", "rgb_array", "svg")
COLUMNS, ROWS = 100, 28  # every picture has the same size, so that many make a film
WIDTH, HEIGHT, EDGE = 9, 18, 12  # of a character, and around them all, in pixels
FELT, INK = "#1f4d36", "#f4f1e8"
ROUND = 3
PLAIN = str.maketrans("↓↑┌├└…", "v^+++~")  # for what the raster's font lacks


class Run(NamedTuple):
    """Characters in a row that look alike."""

    row: int
    column: int
    text: str
    ink: str
    paper: str | None
    bold: bool


def text_of(game: Game, view: dict[str, Any], names: Sequence[str]) -> str:
    """With colours, as a terminal shows them."""
    console = _console()
    console.print(table_of(game, view, names))
    return console.file.getvalue()  # type: ignore[attr-defined]


def svg_of(game: Game, view: dict[str, Any], names: Sequence[str]) -> str:
    width, height = _size()
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' font-family="monospace" font-size="{HEIGHT - 4}">',
        f'<rect width="{width}" height="{height}" fill="{FELT}"/>',
    ]
    for run in _runs(game, view, names):
        x, y = EDGE + WIDTH * run.column, EDGE + HEIGHT * run.row
        long = WIDTH * len(run.text)
        if run.paper:
            parts.append(
                f'<rect x="{x}" y="{y + 1}" width="{long}" height="{HEIGHT - 2}" rx="{ROUND}"'
                f' fill="{run.paper}"/>'
            )
        text = run.text.rstrip()
        if shown := text.lstrip():
            start = x + WIDTH * (len(text) - len(shown))
            weight = ' font-weight="bold"' if run.bold else ""
            parts.append(
                f'<text x="{start}" y="{y + HEIGHT - 5}" fill="{run.ink}"{weight}'
                f' textLength="{WIDTH * len(shown)}" lengthAdjust="spacingAndGlyphs">'
                f"{escape(shown)}</text>"
            )
    return "\n".join([*parts, "</svg>\n"])


def pixels_of(game: Game, view: dict[str, Any], names: Sequence[str]) -> Any:
    """Height x width x RGB, as bytes."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", _size(), FELT)
    draw = ImageDraw.Draw(image)
    for run in _runs(game, view, names):
        x, y = EDGE + WIDTH * run.column, EDGE + HEIGHT * run.row
        if run.paper:
            corners = (x, y + 1, x + WIDTH * len(run.text) - 1, y + HEIGHT - 2)
            draw.rounded_rectangle(corners, ROUND, run.paper)
        for place, letter in enumerate(run.text.translate(PLAIN)):
            if letter != " ":
                middle = (x + WIDTH * place + WIDTH / 2, y + HEIGHT / 2)
                width = 0.3 if run.bold else 0
                draw.text(
                    middle, letter, run.ink, _font(), "mm", stroke_width=width, stroke_fill=run.ink
                )
    return np.array(image)


def _console() -> Console:
    return Console(
        file=io.StringIO(),
        width=COLUMNS,
        force_terminal=True,
        color_system="truecolor",
        legacy_windows=False,
        _environ={},  # what is drawn depends on the match alone
    )


def _runs(game: Game, view: dict[str, Any], names: Sequence[str]) -> Iterator[Run]:
    for row, line in enumerate(_console().render_lines(table_of(game, view, names), pad=False)):
        column = 0
        for segment in line:
            style, text = segment.style, segment.text
            ink = _hex(style.color, INK) if style else INK
            paper = _hex(style.bgcolor, None) if style else None
            if text.strip() or paper:
                yield Run(row, column, text, ink or INK, paper, bool(style and style.bold))
            column += segment.cell_length


def _hex(color: Color | None, otherwise: str | None) -> str | None:
    if color is None or color.is_default:
        return otherwise
    return color.get_truecolor(MONOKAI).hex


def _size() -> tuple[int, int]:
    return WIDTH * COLUMNS + 2 * EDGE, HEIGHT * ROWS + 2 * EDGE


@cache
def _font() -> Any:
    from PIL import ImageFont

    return ImageFont.load_default(HEIGHT - 4)
