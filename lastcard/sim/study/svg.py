"""Plots as SVG inside a page: dots with intervals, lines with bands, and histograms.

Drawn for the width of a phone and scaled up from there. Colours and strokes are the page's
(page.css), series differ by shape as well as by colour, and every plot has its text beside it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from .estimates import Estimate

WIDTH = 360
ROW = 20  # from one dot to the next
TOP = 6
AXIS = 34  # below the plot: ticks and what they measure
LETTER = 6.4  # a letter's width, about
MOST_LABEL = 150
SHAPES = 5  # that the dots of series can have


@dataclass(frozen=True)
class Row:
    """A dot with its interval. `series` is its shape and colour."""

    label: str
    found: Estimate
    series: int = 0


def dots(rows: Sequence[Row], unit: str, says: str, zero: float | None = None) -> str:
    """One row below the other, each with its interval; a line at `zero` if given."""
    rows = [row for row in rows if math.isfinite(row.found.value)]
    if not rows:
        return ""
    left = min(max(len(row.label) for row in rows) * LETTER + 8, MOST_LABEL)
    height = TOP + ROW * len(rows) + AXIS
    low, high = _ends([row.found for row in rows], zero)
    scale = Scale(low, high, left + 8, WIDTH - 10)
    parts = [*_ticks(scale, TOP, height - AXIS, unit)]
    if zero is not None:
        parts.append(_line("zero", scale(zero), TOP, scale(zero), height - AXIS))
    for place, row in enumerate(rows):
        y = TOP + ROW * place + ROW / 2
        label = escape(_shortened(row.label, left))
        parts.append(f'<text class="label" x="{left:.1f}" y="{y + 4:.1f}">{label}</text>')
        if row.found.low is not None and row.found.high is not None:
            ends = scale(row.found.low), scale(row.found.high)
            parts.append(_line(f"bar s{row.series}", ends[0], y, ends[1], y))
        parts.append(_mark(scale(row.found.value), y, row.series))
    return _svg(height, says, parts)


@dataclass(frozen=True)
class Line:
    """A series: a name, and an estimate for each place on the axis."""

    name: str
    found: Sequence[Estimate]


def lines(places: Sequence[int], series: Sequence[Line], across: str, unit: str, says: str) -> str:
    """Lines with bands of their intervals, over whole numbers."""
    height, bottom, left = 220, 220 - AXIS, 44
    low, high = _ends([one for line in series for one in line.found], 0.0)
    y_scale = Scale(low, high, bottom, TOP)
    x_scale = Scale(places[0], places[-1], left + 14, WIDTH - 14)
    parts = []
    for tick in y_scale.ticks(5):
        y = y_scale(tick)
        parts.append(_line("grid", left, y, WIDTH - 6, y))
        parts.append(f'<text class="label" x="{left - 4}" y="{y + 4:.1f}">{_number(tick)}</text>')
    parts += [
        f'<text class="tick" x="{x_scale(place):.1f}" y="{bottom + 15}">{place}</text>'
        for place in places
    ]
    parts.append(_words(left, height, f"{across}; up: {unit}"))
    for number, line in enumerate(series):
        parts += _banded(places, line, number, x_scale, y_scale)
    return _svg(height, says, parts)


def _banded(places: Sequence[int], line: Line, number: int, x: Scale, y: Scale) -> Iterator[str]:
    known = [
        (x(place), y(one.value), one)
        for place, one in zip(places, line.found, strict=True)
        if math.isfinite(one.value)
    ]
    sure = [(at, one) for at, _, one in known if one.low is not None and one.high is not None]
    over = [f"{at:.1f},{y(one.high or 0):.1f}" for at, one in sure]
    under = [f"{at:.1f},{y(one.low or 0):.1f}" for at, one in reversed(sure)]
    if len(sure) > 1:
        yield f'<polygon class="band s{number}" points="{" ".join(over + under)}"/>'
    elif sure:
        at, one = sure[0]
        yield _line(f"bar s{number}", at, y(one.low or 0), at, y(one.high or 0))
    points = " ".join(f"{at:.1f},{up:.1f}" for at, up, _ in known)
    yield f'<polyline class="line s{number}" points="{points}"/>'
    for at, up, _ in known:
        yield _mark(at, up, number)


@dataclass(frozen=True)
class Bin:
    """A bar of a histogram, from `start` to before `end`."""

    start: int
    end: int
    share: Estimate


def histogram(bins: Sequence[Bin], unit: str, says: str) -> str:
    height, bottom, left = 150, 150 - AXIS, 40
    y_scale = Scale(0, max(bin.share.value for bin in bins) or 1, bottom, TOP)
    x_scale = Scale(bins[0].start, bins[-1].end, left, WIDTH - 8)
    parts = []
    for tick in y_scale.ticks(3):
        y = y_scale(tick)
        text = f"{100 * tick:g} %"
        parts.append(_line("grid", left, y, WIDTH - 8, y))
        parts.append(f'<text class="label" x="{left - 4}" y="{y + 4:.1f}">{text}</text>')
    for bin in bins:
        x, wide = x_scale(bin.start), x_scale(bin.end) - x_scale(bin.start)
        y = y_scale(bin.share.value)
        parts.append(
            f'<rect class="fill s0" x="{x:.1f}" y="{y:.1f}" '
            f'width="{max(wide - 0.6, 0.4):.1f}" height="{bottom - y:.1f}"/>'
        )
    middle = 0.5 if bins[0].end - bins[0].start == 1 else 0  # of a bar for a single number
    last = bins[-1].end - 2 * middle
    for tick in Scale(bins[0].start, last, 0, 1).ticks(6 if last - bins[0].start >= 6 else 3):
        at = f'x="{x_scale(tick + middle):.1f}" y="{bottom + 15}"'
        parts.append(f'<text class="tick" {at}>{_number(tick)}</text>')
    parts.append(_words(left, height, unit))
    return _svg(height, says, parts)


def mark(series: int) -> str:
    """The sign of a series, for a legend."""
    size = 'viewBox="0 0 14 14" width="14" height="14"'
    return f'<svg class="key" {size} aria-hidden="true">{_mark(7, 7, series)}</svg>'


# --- What plots are made of -----------------------------------------------------------------------


@dataclass(frozen=True)
class Scale:
    """From numbers to places in the picture."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        if self.high == self.low:
            return (self.start + self.end) / 2
        part = (value - self.low) / (self.high - self.low)
        return self.start + part * (self.end - self.start)

    def ticks(self, most: int) -> list[float]:
        """Round numbers, so many at most."""
        if self.high == self.low:
            return [self.low]
        step = 10.0 ** math.floor(math.log10((self.high - self.low) / most))
        while (self.high - self.low) / step > most:
            step *= 2.5 if f"{step:e}".startswith("2") else 2
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [number * step for number in range(first, last + 1)]


def _ends(found: Sequence[Estimate], zero: float | None) -> tuple[float, float]:
    values = [value for one in found for value in (one.value, one.low, one.high)]
    there = [value for value in values if value is not None and math.isfinite(value)]
    there += [] if zero is None else [zero]
    low, high = min(there), max(there)
    room = (high - low) * 0.04 or abs(high) * 0.1 or 1.0
    return low - room, high + room


def _ticks(scale: Scale, top: float, bottom: float, unit: str) -> Iterator[str]:
    for tick in scale.ticks(5):
        x = scale(tick)
        yield _line("grid", x, top, x, bottom)
        yield f'<text class="tick" x="{x:.1f}" y="{bottom + 15:.1f}">{_number(tick)}</text>'
    yield _words(scale.start, bottom + AXIS, unit)


def _words(left: float, height: float, text: str) -> str:
    x = (left + WIDTH) / 2
    return f'<text class="tick unit" x="{x:.1f}" y="{height - 4:.1f}">{escape(text)}</text>'


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _mark(x: float, y: float, series: int) -> str:
    """Circle, square, triangle, diamond, triangle upside down."""
    kind = f'class="mark s{series}"'
    if series % SHAPES == 0:
        return f'<circle {kind} cx="{x:.1f}" cy="{y:.1f}" r="4"/>'
    corners = (
        ((-3.6, -3.6), (3.6, -3.6), (3.6, 3.6), (-3.6, 3.6)),
        ((0, -4.8), (4.4, 3.4), (-4.4, 3.4)),
        ((0, -5), (5, 0), (0, 5), (-5, 0)),
        ((0, 4.8), (4.4, -3.4), (-4.4, -3.4)),
    )[series % SHAPES - 1]
    points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
    return f'<polygon {kind} points="{points}"/>'


def _shortened(label: str, room: float) -> str:
    most = int(room / LETTER)
    return label if len(label) <= most else label[: most - 1] + "…"


def _number(value: float) -> str:
    return f"{0.0 if abs(value) < 1e-12 else value:,.10g}".replace("-", "\N{MINUS SIGN}")


def _svg(height: float, says: str, parts: Sequence[str]) -> str:
    return (
        f'<svg class="plot" viewBox="0 0 {WIDTH} {height:g}" role="img" '
        f'aria-label="{escape(says)}">{"".join(parts)}</svg>'
    )
