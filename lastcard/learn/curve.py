"""The picture of a training: its strength as it grew."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from lastcard.core.game import Game

from .strength import Strength

WIDTH, HEIGHT = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 56, 24, 36, 44
COLOURS = ("#1b6ca8", "#c2571a", "#3a7d44")
GRID, INK = "#d5d9de", "#333a42"


def curve(game: Game, measured: Sequence[tuple[int, Strength]], against: str) -> str:
    """An SVG: a line with its intervals for each number of players, and where an even share is."""
    most = max((done for done, _ in measured), default=1)
    across = (WIDTH - LEFT - RIGHT) / most
    down = HEIGHT - TOP - BOTTOM

    def x(done: float) -> float:
        return LEFT + done * across

    def y(share: float) -> float:
        return TOP + (1 - min(max(share, 0.0), 1.0)) * down

    parts = []
    for tick in range(0, 101, 20):
        at = y(tick / 100)
        parts.append(_line(LEFT, at, WIDTH - RIGHT, at, GRID))
        parts.append(_text(LEFT - 8, at + 4, f"{tick} %", "end"))
    for part in range(5):
        done = most * part / 4
        parts.append(_text(x(done), HEIGHT - BOTTOM + 18, f"{done / 1e6:.0f}", "middle"))
    middle = LEFT + (WIDTH - LEFT - RIGHT) / 2
    parts.append(_text(middle, HEIGHT - 8, "million decisions learned from", "middle"))
    numbers = sorted({one.players for _, one in measured})
    for colour, players in zip(COLOURS, numbers, strict=False):
        parts.append(_line(LEFT, y(1 / players), WIDTH - RIGHT, y(1 / players), colour, "2 5"))
        row = [(done, one) for done, one in measured if one.players == players]
        for done, one in row:
            ends = y(one.share - one.margin), y(one.share + one.margin)
            parts.append(_line(x(done), ends[0], x(done), ends[1], colour))
        points = " ".join(f"{x(done):.1f},{y(one.share):.1f}" for done, one in row)
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )
        last = row[-1][1]
        said = f"{players} players: {100 * last.share:.1f} %"
        parts.append(_text(WIDTH - RIGHT, y(last.share) - 8, said, "end", colour))
    title = f"{game.title}: share of wins against {against} (dotted: an even share)"
    parts.append(_text(LEFT, 20, title, "start"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="sans-serif" font-size="13" role="img" aria-label="{escape(title)}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, dashes: str = "") -> str:
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"{dashed}/>'
    )


def _text(x: float, y: float, words: str, anchor: str, colour: str = INK) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} fill="{colour}">{escape(words)}</text>'
