"""What a learner sees: a seat's view as numbers, each with a name.

Seats come in playing order from the observer on, so that all seats learn the same game.

What a hand lacks is what everybody knows of it (see "Memory" in knowledge.py): how many of its
oldest three cards are not of a kind, in one way or the other. They need not be told apart: each
lacks all that a later one does.

What follows from all that, and is far from plain, is told as well: how likely the next player can
play on a card of one's own, and how likely he can catch it.
"""

from __future__ import annotations

from typing import Any

from lastcard.kernel import NOBODY, Numbered, Record, beside, inlined, lowest, rule, wide

from .components import (
    CARDS,
    EIGHT_AND_A_HALF,
    EIGHT_WITH_HALF,
    EMPTY,
    HALF,
    HAND_SIZE,
    KINDS,
    LAST_TURN,
    NINE,
    NO_POT,
    ROUNDS,
    SEATS,
    SLOTS,
    WAYS,
)
from .odds import has_any, unseen_cards
from .pot import both_fit, first_pot, fitting, policeman, value_with

of_move: Numbered[str] = Numbered()  # those that lead to different values
of_move.row(CARDS)
SEVERAL = of_move.row(("hx2", "hx3"))
BOTH = of_move.add("8h")

observed: Numbered[str] = Numbered()
POT = observed.row(f"pot {card}" for card in CARDS)
GONE = observed.row(f"gone {card}" for card in CARDS)
FITS = observed.row(f"fits {card}" for card in CARDS)
POLICEMAN = observed.row(f"policeman {card}" for card in CARDS[:HALF])
GOES_ON = observed.row(f"next can play on {move}" for move in of_move)
CATCHES = observed.row(f"next can catch {move}" for move in of_move)
VALUE = observed.add("value")
EMPTY_POT = observed.add("empty")
EXCHANGE = observed.add("exchange")
FIRST_POT = observed.add("first pot")
TURNS = observed.add("turns")
ROUNDS_LEFT = observed.add("rounds left")
OVER = observed.add("over")

of_seat: Numbered[str] = Numbered()
HERE = of_seat.add("here")
TURN = of_seat.add("turn")
LAST = of_seat.add("last")
IN_HAND = of_seat.add("hand")
IN_BANK = of_seat.add("bank")
BLIND = of_seat.row(f"blind {slot}" for slot in range(SLOTS))
BURNED = of_seat.add("burned")
FROM_TABLE = of_seat.add("table")
LOSER = of_seat.add("loser")
SCORE = of_seat.add("score")
OPENER = of_seat.add("opener")
PER_SEAT = len(of_seat)
OF_SEATS = observed.row(f"{what} {place}" for place in range(SEATS) for what in of_seat)
OPEN = observed.row(
    f"open {place} {slot} {card}"
    for place in range(SEATS)
    for slot in range(SLOTS)
    for card in CARDS
)
HAND = observed.row(f"hand {place} {card}" for place in range(SEATS) for card in CARDS)
LACKS = observed.row(
    f"{lacks} {place} {card}"
    for place in range(SEATS)
    for lacks in ("lacks", "or lacks")
    for card in CARDS
)

OBSERVED = tuple(observed)
BIG_PILE = 20  # cards that are 1 to a learner
BIG_SCORE = 10


@rule
def observe(s: Record, seat: int, out: Any) -> None:
    """Cards in eighths, sizes in big piles, the value in nines, scores in big ones, turns in those
    of the longest round; of the rounds that are left, with this one, this one's share."""
    _observe_pot(s, out)
    out[EXCHANGE] = s.winner != NOBODY
    out[FIRST_POT] = first_pot(s)
    out[TURNS] = s.turns / LAST_TURN
    out[ROUNDS_LEFT] = 1 / (wide(s.options[ROUNDS]) + 1 - wide(s.round_number))
    out[OVER] = s.over
    there = max(seat, 0)
    _observe_outlook(s, there, out)
    for place in range(s.players):
        _observe_seat(s, there, out, OF_SEATS + PER_SEAT * place)
        for slot in range(SLOTS):
            if s.open[there, slot] != EMPTY:
                out[OPEN + KINDS * (SLOTS * place + slot) + wide(s.open[there, slot])] = 1.0
        for card in range(KINDS):
            out[HAND + KINDS * place + card] = s.hands[there, card] / 8
        if s.barred[there, 0, 0]:
            _observe_lacks(s, there, out, LACKS + WAYS * KINDS * place)
        there = beside(there, 1, s.players)


@inlined
def _observe_pot(s: Record, out: Any) -> None:
    """The pot and what is gone, whoever burned it."""
    for i in range(s.pot_size):
        out[POT + wide(s.pot[i])] += 1 / 8
    fits = fitting(s.value)
    for card in range(KINDS):
        gone = wide(s.outside[card])
        for other in range(s.players):
            gone += s.burned[other, card]
        out[GONE + card] = gone / 8
        out[FITS + card] = fits >> card & 1
    if policeman(s.value) != NOBODY:
        out[POLICEMAN + policeman(s.value)] = 1.0
    out[VALUE] = max(s.value, 0) / (2 * NINE)
    out[EMPTY_POT] = s.value == NO_POT


@inlined
def _observe_outlook(s: Record, seat: int, out: Any) -> None:
    """Of what fits and is in the hand, or open."""
    following = beside(seat, 1, s.players)
    held = _kinds_in_hand(s, following)
    unseen = unseen_cards(s)
    fits = fitting(s.value)
    own = _kinds_in_hand(s, seat)
    for card in range(KINDS):
        mine = wide(s.hands[seat, card])
        for slot in range(SLOTS):
            mine += s.open[seat, slot] == card
        if mine and fits >> card & 1:
            _observe_move(s, following, out, card, value_with(s.value, card, 1), held, unseen)
    for more in range(2):
        if s.hands[seat, HALF] >= 2 + more and fits >> HALF & 1:
            value = value_with(s.value, HALF, 2 + more)
            _observe_move(s, following, out, SEVERAL + more, value, held, unseen)
    if own & EIGHT_WITH_HALF == EIGHT_WITH_HALF and both_fit(s.value):
        _observe_move(s, following, out, BOTH, EIGHT_AND_A_HALF, held, unseen)


@inlined
def _kinds_in_hand(s: Record, seat: int) -> int:
    """Of a hand that is seen."""
    kinds = 0
    for card in range(KINDS):
        if s.hands[seat, card]:
            kinds |= 1 << card
    return kinds


@inlined
def _observe_move(
    s: Record, following: int, out: Any, move: int, value: int, held: int, unseen: int
) -> None:
    out[GOES_ON + move] = has_any(s, following, held, fitting(value), unseen)
    catcher = policeman(value)
    if catcher != NOBODY:
        out[CATCHES + move] = has_any(s, following, held, 1 << catcher, unseen)


@inlined
def _observe_seat(s: Record, seat: int, out: Any, n: int) -> None:
    out[n + HERE] = 1.0
    out[n + TURN] = s.turn == seat
    out[n + LAST] = s.last == seat
    out[n + IN_HAND] = s.sizes[seat] / BIG_PILE
    out[n + IN_BANK] = s.bank_sizes[seat] / BIG_PILE
    for slot in range(SLOTS):
        out[n + BLIND + slot] = s.blind[seat, slot] != EMPTY
    out[n + BURNED] = s.burned_sizes[seat] / BIG_PILE
    out[n + FROM_TABLE] = s.table >> seat & 1
    out[n + LOSER] = s.loser == seat
    out[n + SCORE] = s.scores[seat] / BIG_SCORE
    out[n + OPENER] = s.opener == seat


@inlined
def _observe_lacks(s: Record, seat: int, out: Any, n: int) -> None:
    for way in range(WAYS):
        for i in range(HAND_SIZE):
            kinds = wide(s.barred[seat, way, i])
            while kinds:
                out[n + KINDS * way + lowest(kinds)] += 1 / 3
                kinds &= kinds - 1
