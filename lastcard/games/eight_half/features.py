"""What a learner sees: a seat's view as numbers, each with a name.

Seats come in playing order from the observer on, so that all seats learn the same game.
"""

from __future__ import annotations

from typing import Any

from lastcard.kernel import NOBODY, Numbered, Record, beside, inlined, rule, wide

from .components import (
    CARDS,
    EMPTY,
    HALF,
    KINDS,
    LOWEST_POINTS,
    NINE,
    NO_POT,
    SEATS,
    SLOTS,
    WINNER_POINTS,
)
from .pot import fitting, policeman

observed: Numbered[str] = Numbered()
POT = observed.row(f"pot {card}" for card in CARDS)
GONE = observed.row(f"gone {card}" for card in CARDS)
FITS = observed.row(f"fits {card}" for card in CARDS)
POLICEMAN = observed.row(f"policeman {card}" for card in CARDS[:HALF])
VALUE = observed.add("value")
EMPTY_POT = observed.add("empty")
EXCHANGE = observed.add("exchange")
FIRST_POT = observed.add("first pot")

of_seat: Numbered[str] = Numbered()
HERE = of_seat.add("here")
TURN = of_seat.add("turn")
IN_HAND = of_seat.add("hand")
IN_BANK = of_seat.add("bank")
BLIND = of_seat.add("blind")
BURNED = of_seat.add("burned")
FROM_TABLE = of_seat.add("table")
LOSER = of_seat.add("loser")
SCORE = of_seat.add("score")
PER_SEAT = len(of_seat)
OF_SEATS = observed.row(f"{what} {place}" for place in range(SEATS) for what in of_seat)
OPEN = observed.row(f"open {place} {card}" for place in range(SEATS) for card in CARDS)
HAND = observed.row(f"hand {place} {card}" for place in range(SEATS) for card in CARDS)

OBSERVED = tuple(observed)
N_OBSERVED = len(OBSERVED)


@rule
def observe(s: Record, seat: int, out: Any) -> None:
    """Cards in eighths, sizes in tens, the value in nines, scores in points of a round won."""
    for i in range(N_OBSERVED):
        out[i] = 0.0
    for i in range(s.pot_size):
        out[POT + wide(s.pot[i])] += 1 / 8
    fits = fitting(s.value)
    for card in range(KINDS):
        for other in range(s.players):
            out[GONE + card] += s.burned[other, card] / 8
        out[FITS + card] = fits >> card & 1
    if policeman(s.value) != NOBODY:
        out[POLICEMAN + policeman(s.value)] = 1.0
    out[VALUE] = max(s.value, 0) / (2 * NINE)
    out[EMPTY_POT] = s.value == NO_POT
    out[EXCHANGE] = s.winner != NOBODY
    out[FIRST_POT] = s.turns == 0
    there = max(seat, 0)
    for place in range(s.players):
        _observe_seat(s, there, out, OF_SEATS + PER_SEAT * place)
        for slot in range(SLOTS):
            if s.open[there, slot] != EMPTY:
                out[OPEN + KINDS * place + wide(s.open[there, slot])] += 1 / 3
        for card in range(KINDS):
            out[HAND + KINDS * place + card] = s.hands[there, card] / 8
        there = beside(there, 1, s.players)


@inlined
def _observe_seat(s: Record, seat: int, out: Any, n: int) -> None:
    out[n + HERE] = 1.0
    out[n + TURN] = s.turn == seat
    out[n + IN_HAND] = s.sizes[seat] / 10
    out[n + IN_BANK] = s.bank_sizes[seat] / 10
    for slot in range(SLOTS):
        out[n + BLIND] += (s.blind[seat, slot] != EMPTY) / 3
    out[n + BURNED] = s.burned_sizes[seat] / 10
    out[n + FROM_TABLE] = s.table >> seat & 1
    out[n + LOSER] = s.loser == seat
    out[n + SCORE] = s.scores[seat] / (WINNER_POINTS + LOWEST_POINTS)
