"""What a learner sees: a seat's view as numbers, each with a name.

Seats come in playing order from the observer on, so that all seats learn the same game.
"""

from __future__ import annotations

from typing import Any

from lastcard.kernel import Numbered, Record, beside, rule, wide

from .components import CARDS, DECK_SIZE, LAST_ROUND, RANKS, SEATS, TARGET

observed: Numbered[str] = Numbered()
OWN = observed.row(f"own {card}" for card in CARDS)
GONE = observed.row(f"gone {card}" for card in CARDS)
TOP = observed.row(f"top {card}" for card in CARDS[:RANKS])
STOCK = observed.add("stock")
AIM = observed.add("target")
ROUNDS_LEFT = observed.add("rounds left")
OVER = observed.add("over")

of_seat: Numbered[str] = Numbered()
HERE = of_seat.add("here")
TURN = of_seat.add("turn")
HELD = of_seat.add("cards")
QUIT = of_seat.add("quit")
SCORE = of_seat.add("score")
LAST = of_seat.add("last")
OPENER = of_seat.add("opener")
PER_SEAT = len(of_seat)
OF_SEATS = observed.row(f"{what} {place}" for place in range(SEATS) for what in of_seat)

OBSERVED = tuple(observed)
USUAL_TARGET = 50  # is half to a learner


@rule
def observe(s: Record, seat: int, out: Any) -> None:
    """Counts of cards in sevenths, of the stock and hands in deck sizes, scores in targets; of the
    rounds that are left, with this one, this one's share."""
    there = max(seat, 0)
    for card in range(len(CARDS)):
        if seat >= 0:
            out[OWN + card] = s.hands[there, card] / 7
        out[GONE + card] = s.gone[card] / 7
    out[TOP + s.top] = 1.0
    out[STOCK] = s.stock_size / DECK_SIZE
    out[AIM] = USUAL_TARGET / (USUAL_TARGET + wide(s.options[TARGET]))
    out[ROUNDS_LEFT] = 1 / (LAST_ROUND + 1 - wide(s.round_number))
    out[OVER] = s.over
    for place in range(s.players):
        _observe_seat(s, there, out, OF_SEATS + PER_SEAT * place)
        there = beside(there, 1, s.players)


@rule
def _observe_seat(s: Record, seat: int, out: Any, n: int) -> None:
    out[n + HERE] = 1.0
    out[n + TURN] = s.turn == seat
    out[n + HELD] = s.sizes[seat] / DECK_SIZE
    out[n + QUIT] = s.quit >> seat & 1
    out[n + SCORE] = s.scores[seat] / s.options[TARGET]
    out[n + LAST] = s.last == seat
    out[n + OPENER] = s.opener == seat
