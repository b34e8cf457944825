"""What a learner sees: a seat's view as numbers, each with a name.

Seats come in playing order from the observer on, so that all seats learn the same game.
"""

from __future__ import annotations

from typing import Any

from lastcard.kernel import Numbered, Record, beside, inlined, rule, wide

from .chain import holds, started, tile_laid
from .components import CARDS, CLOSED, ENDS, HALVES, KINDS_REMEMBERED, N_HALVES, N_TILES, SEATS
from .knowledge import COUNTED_FROM

of_end: Numbered[str] = Numbered()
END_SHOWS = of_end.row(HALVES)
END_CLOSED = of_end.add("closed")
LONGER = of_end.add("longer")
PER_END = len(of_end)

observed: Numbered[str] = Numbered()
OF_ENDS = observed.row(f"end {end} {what}" for end in range(ENDS) for what in of_end)
LENGTH = observed.row(f"length {end}" for end in range(ENDS))
USED = observed.row(f"used {end}" for end in range(ENDS))
DIRECTION = observed.add("direction")
BEGUN = observed.add("begun")
BAZAAR = observed.add("bazaar")
START = observed.add("start")
LAID = observed.row(f"laid {tile}" for tile in CARDS)

of_seat: Numbered[str] = Numbered()
HERE = of_seat.add("here")
TURN = of_seat.add("turn")
HELD = of_seat.add("hand")
MISSING = of_seat.add("missing")
FACE = of_seat.add("face")
SCORE = of_seat.add("score")
OPENER = of_seat.add("opener")
PER_SEAT = len(of_seat)
OF_SEATS = observed.row(f"{what} {place}" for place in range(SEATS) for what in of_seat)
HAND = observed.row(f"hand {place} {tile}" for place in range(SEATS) for tile in CARDS)
LACKS = observed.row(f"lacks {place} {half}" for place in range(SEATS) for half in HALVES)

OBSERVED = tuple(observed)
N_OBSERVED = len(OBSERVED)


@rule
def observe(s: Record, seat: int, out: Any) -> None:
    """Lengths and sizes in tens, the bazaar in whole sets, scores in tens; `lacks` is the share of
    a hand that is known not to fit an end."""
    for i in range(N_OBSERVED):
        out[i] = 0.0
    for end in range(ENDS):
        shown = wide(s.ends[end])
        if shown < N_HALVES:
            out[OF_ENDS + PER_END * end + END_SHOWS + shown] = 1.0
        out[OF_ENDS + PER_END * end + END_CLOSED] = shown == CLOSED
        out[OF_ENDS + PER_END * end + LONGER] = s.lengths[end] > s.lengths[end ^ 1]
        out[LENGTH + end] = s.lengths[end] / 10
        out[USED + end] = s.used >> end & 1
    out[DIRECTION] = s.direction
    out[BEGUN] = s.begun
    out[BAZAAR] = s.stock_size / N_TILES
    out[START] = not started(s)
    for i in range(s.laid_size):
        out[LAID + tile_laid(s, i)] = 1.0
    there = max(seat, 0)
    for place in range(s.players):
        _observe_seat(s, there, out, OF_SEATS + PER_SEAT * place)
        for tile in range(N_TILES):
            out[HAND + N_TILES * place + tile] = holds(s, there, tile)
        _observe_lacks(s, there, out, LACKS + N_HALVES * place)
        there = beside(there, 1, s.players)


@inlined
def _observe_seat(s: Record, seat: int, out: Any, n: int) -> None:
    out[n + HERE] = 1.0
    out[n + TURN] = s.turn == seat
    out[n + HELD] = s.sizes[seat] / 10
    out[n + MISSING] = s.missing[seat] / 2
    out[n + FACE] = s.owes == seat
    out[n + SCORE] = s.scores[seat] / 10
    out[n + OPENER] = s.opener == seat


@inlined
def _observe_lacks(s: Record, seat: int, out: Any, n: int) -> None:
    for i in range(KINDS_REMEMBERED):
        kind = s.memory[seat, i]
        for half in range(N_HALVES):
            if kind >> half & 1:
                out[n + half] += (kind >> COUNTED_FROM) / s.sizes[seat]
