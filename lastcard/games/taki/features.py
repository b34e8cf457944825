"""What a learner sees: a seat's view as numbers, each with a name.

Seats come in playing order from the observer on, so that all seats learn the same game.
"""

from __future__ import annotations

from typing import Any

from lastcard.kernel import NOBODY, Numbered, Record, beside, lowest, rule, wide

from .components import CARDS, COLOURS, DECK_SIZE, KINDS, NO_SHAPE, SEATS, SHAPES

observed: Numbered[str] = Numbered()
OWN = observed.row(f"own {card}" for card in CARDS)
PILE = observed.row(f"pile {card}" for card in CARDS)
COLOUR = observed.row(f"colour {colour}" for colour in COLOURS)
SHAPE = observed.row(f"shape {shape}" for shape in SHAPES)
OPEN = observed.row(f"open {colour}" for colour in COLOURS)
DIRECTION = observed.add("direction")
DEBT = observed.add("debt")
RUN = observed.add("run")
PLUS = observed.add("plus")
STOCK = observed.add("stock")

of_seat: Numbered[str] = Numbered()
HERE = of_seat.add("here")
TURN = of_seat.add("turn")
HELD = of_seat.add("cards")
CALLED = of_seat.add("called")
EXPOSED = of_seat.add("exposed")
ASKED = of_seat.add("asked")
SCORE = of_seat.add("score")
PER_SEAT = len(of_seat)
OF_SEATS = observed.row(f"{what} {place}" for place in range(SEATS) for what in of_seat)
KNOWN = observed.row(f"known {place} {card}" for place in range(1, SEATS) for card in CARDS)

OBSERVED = tuple(observed)
N_OBSERVED = len(OBSERVED)
BIG_HAND = 20  # cards that are 1 to a learner


@rule
def observe(s: Record, seat: int, out: Any) -> None:
    """Cards in halves (there are two of most), sizes in big hands, scores in hundreds."""
    for i in range(N_OBSERVED):
        out[i] = 0.0
    for i in range(s.pile_size):
        out[PILE + wide(s.pile[i])] += 0.5
    out[COLOUR + wide(s.lead_colour)] = 1.0
    if s.lead_shape != NO_SHAPE:
        out[SHAPE + wide(s.lead_shape)] = 1.0
    if s.open != NOBODY:
        out[OPEN + wide(s.open)] = 1.0
    out[DIRECTION] = s.direction
    out[DEBT] = s.debt / 2
    out[RUN] = s.run
    out[PLUS] = s.plus
    out[STOCK] = s.stock_size / DECK_SIZE
    there = max(seat, 0)
    for place in range(s.players):
        _observe_seat(s, there, out, OF_SEATS + PER_SEAT * place)
        if place > 0:
            _observe_hand(s, there, out, KNOWN + KINDS * (place - 1))
        elif seat != NOBODY:
            _observe_hand(s, there, out, OWN)
        there = beside(there, 1, s.players)


@rule
def _observe_seat(s: Record, seat: int, out: Any, n: int) -> None:
    out[n + HERE] = 1.0
    out[n + TURN] = s.turn == seat
    out[n + HELD] = s.sizes[seat] / BIG_HAND
    out[n + CALLED] = s.called >> seat & 1
    out[n + EXPOSED] = s.exposed == seat
    out[n + ASKED] = s.asked == seat
    out[n + SCORE] = s.scores[seat] / 100


@rule
def _observe_hand(s: Record, seat: int, out: Any, n: int) -> None:
    cards = s.holds[seat]
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        out[n + card] = s.hands[seat, card] / 2
