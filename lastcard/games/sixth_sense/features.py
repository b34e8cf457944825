"""What a learner sees: a seat's view as numbers, each with a name.

Seats come in playing order from the observer on, so that all seats learn the same game.

Cards that are out of play are gone, wherever they lie: played before, turned up for the trump, or
laid as a prediction that the observer knows.
"""

from __future__ import annotations

from typing import Any

from lastcard.kernel import NOBODY, UNKNOWN, Numbered, Record, beside, inlined, rule, wide

from .components import (
    BEGINNER,
    CARDS,
    COLOUR_OF,
    COLOURS,
    DOUBLES,
    HAND_SIZES,
    KINDS,
    LAST_ROUND,
    LATE_TRUMP,
    N_COLOURS,
    NO_CARD,
    NUMBER_OF,
    PLACE_OF,
    ROUNDS,
    SEATS,
    SIX,
    TARGET,
)
from .rules import place_in_trick, powers_of

observed: Numbered[str] = Numbered()
OWN = observed.row(f"own {card}" for card in CARDS)
GONE = observed.row(f"gone {card}" for card in CARDS)
TRUMP = observed.row(f"trump {colour}" for colour in COLOURS)
ASKED = observed.row(f"asked {colour}" for colour in COLOURS)
PREDICTING = observed.add("predicting")
SPLITTING = observed.add("splitting")
REVERSED = observed.add("reversed")
DOUBLE = observed.add("double")
STOCK = observed.add("stock")
ROUNDS_LEFT = observed.add("rounds left")
OVER = observed.add("over")
WITH_BEGINNER = observed.add("beginner")
WITH_LATE_TRUMP = observed.add("late trump")
AIM = observed.add("target")

of_seat: Numbered[str] = Numbered()
HERE = of_seat.add("here")
TURN = of_seat.add("turn")
LEADER = of_seat.add("leader")
HELD = of_seat.add("cards")
TRICKS = of_seat.add("tricks")
SCORE = of_seat.add("score")
OPENER = of_seat.add("opener")
LAID = of_seat.add("laid")
KNOWN = of_seat.add("known")
PREDICTED = of_seat.add("predicted")
PREDICTED_SIX = of_seat.add("predicted six")
TRICK_NUMBER = of_seat.add("trick number")
BLOCKED = of_seat.add("blocked")
BLOCK = of_seat.add("block")
TRICK = of_seat.row(f"trick {colour}" for colour in COLOURS)
VOID = of_seat.row(f"void {colour}" for colour in COLOURS)
PER_SEAT = len(of_seat)
OF_SEATS = observed.row(f"{what} {place}" for place in range(SEATS) for what in of_seat)
PEEKED = observed.row(f"peeked {place} {other}" for place in range(SEATS) for other in range(SEATS))

OBSERVED = tuple(observed)
BIG_SCORE = 20  # is 1 to a learner; as a target it is half


@rule
def observe(s: Record, seat: int, out: Any) -> None:
    """Numbers and tricks in 14ths, cards in full hands, the stock in decks, scores in big ones; of
    the rounds that are left, with this one, this one's share."""
    for card in range(KINDS):
        if seat != NOBODY:
            out[OWN + card] = s.hands[seat, COLOUR_OF[card]] >> PLACE_OF[card] & 1
        out[GONE + card] = s.outside[COLOUR_OF[card]] >> PLACE_OF[card] & 1
    if s.trump != NOBODY:
        out[TRUMP + wide(s.trump)] = 1.0
        if s.stock_size > 0:
            out[GONE + wide(s.stock[s.stock_size - 1])] = 1.0
    if s.asked != NOBODY:
        out[ASKED + wide(s.asked)] = 1.0
    out[PREDICTING] = s.predicting != 0
    out[SPLITTING] = s.trick_size == s.players
    out[REVERSED] = powers_of(s) & 1
    out[DOUBLE] = powers_of(s) >= DOUBLES
    out[STOCK] = s.stock_size / KINDS
    _observe_match(s, out)
    there = max(seat, 0)
    for place in range(s.players):
        _observe_seat(s, there, out, OF_SEATS + PER_SEAT * place)
        _observe_peeks(s, there, out, PEEKED + SEATS * place, max(seat, 0))
        there = beside(there, 1, s.players)


@inlined
def _observe_match(s: Record, out: Any) -> None:
    """How long it lasts, and its options."""
    target = wide(s.options[TARGET])
    rounds = LAST_ROUND if target else ROUNDS[s.players]
    out[ROUNDS_LEFT] = 1 / (rounds + 1 - wide(s.round_number))
    out[OVER] = s.over
    out[WITH_BEGINNER] = s.options[BEGINNER]
    out[WITH_LATE_TRUMP] = s.options[LATE_TRUMP]
    if target:
        out[AIM] = BIG_SCORE / (BIG_SCORE + target)


@inlined
def _observe_seat(s: Record, seat: int, out: Any, n: int) -> None:
    out[n + HERE] = 1.0
    out[n + TURN] = s.turn == seat and not s.predicting
    out[n + LEADER] = s.leader == seat
    out[n + HELD] = s.sizes[seat] / HAND_SIZES[s.players]
    out[n + TRICKS] = s.tricks[seat] / 14
    out[n + SCORE] = s.scores[seat] / BIG_SCORE
    out[n + OPENER] = s.opener == seat
    card = wide(s.predictions[seat])
    out[n + LAID] = card != NO_CARD
    if card != NO_CARD and card != UNKNOWN:
        out[GONE + card] = 1.0
        out[n + KNOWN] = 1.0
        out[n + PREDICTED] = NUMBER_OF[card] / 14
        out[n + PREDICTED_SIX] = NUMBER_OF[card] == SIX
    place = place_in_trick(s, seat)
    if place < s.trick_size:
        out[n + TRICK_NUMBER] = NUMBER_OF[s.trick[place]] / 14
        out[n + BLOCKED] = place == s.blocked
        out[n + BLOCK] = place == s.blocker
        out[n + TRICK + COLOUR_OF[s.trick[place]]] = 1.0
    for colour in range(N_COLOURS):
        out[n + VOID + colour] = s.void[seat] >> colour & 1


@inlined
def _observe_peeks(s: Record, seat: int, out: Any, n: int, first: int) -> None:
    """Whose predictions a seat has peeked at, in playing order from the first seat on."""
    other = first
    for place in range(s.players):
        out[n + place] = s.seen[seat] >> other & 1
        other = beside(other, 1, s.players)
