"""What a learner sees: a seat's view as numbers, each with a name.

Seats come in playing order from the observer on, so that all seats learn the same game.
"""

from __future__ import annotations

from typing import Any

from lastcard.kernel import Numbered, Record, beside, rule, wide

from .components import CARDS, DECK_SIZE, KINDS, ROUNDS, SEATS

observed: Numbered[str] = Numbered()
OWN = observed.row(f"own {card}" for card in CARDS)
GONE = observed.row(f"gone {card}" for card in CARDS)
TOP = observed.row(f"top {card}" for card in CARDS)
STOCK = observed.add("stock")
PASSED = observed.add("passed")
ROUNDS_LEFT = observed.add("rounds left")
OVER = observed.add("over")

of_seat: Numbered[str] = Numbered()
HERE = of_seat.add("here")
TURN = of_seat.add("turn")
HELD = of_seat.add("cards")
SCORE = of_seat.add("score")
OPENER = of_seat.add("opener")
PER_SEAT = len(of_seat)
OF_SEATS = observed.row(f"{what} {place}" for place in range(SEATS) for what in of_seat)

OBSERVED = tuple(observed)
N_OBSERVED = len(OBSERVED)


@rule
def observe(s: Record, seat: int, out: Any) -> None:
    """Cards in quarters, the stock in decks, hands and scores in tens; of the rounds that are left,
    with this one, this one's share."""
    for i in range(N_OBSERVED):
        out[i] = 0.0
    there = max(seat, 0)
    for card in range(KINDS):
        if seat >= 0:
            out[OWN + card] = s.hands[there, card] / 4
        out[GONE + card] = s.gone[card] / 4
    out[TOP + s.top] = 1.0
    out[STOCK] = s.stock_size / DECK_SIZE
    out[PASSED] = s.passed / SEATS
    out[ROUNDS_LEFT] = 1 / (wide(s.options[ROUNDS]) + 1 - wide(s.round_number))
    out[OVER] = s.over
    for place in range(s.players):
        _observe_seat(s, there, out, OF_SEATS + PER_SEAT * place)
        there = beside(there, 1, s.players)


@rule
def _observe_seat(s: Record, seat: int, out: Any, n: int) -> None:
    out[n + HERE] = 1.0
    out[n + TURN] = s.turn == seat
    out[n + HELD] = s.sizes[seat] / 10
    out[n + SCORE] = s.scores[seat] / 10
    out[n + OPENER] = s.opener == seat
