"""Estimates the tricks that its cards will win, predicts that, and then plays for its prediction.

Every action is judged by the expected points: the tricks it will have in the end, whether it wins
this one or not, against its prediction.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from lastcard.kernel import NOBODY, UNKNOWN, Record, Rng, lowest, popcount, rule, wide
from lastcard.kernel.floats import exp, power

from .components import (
    ABOVE_NINE,
    CARD_OF,
    COLOUR_OF,
    DOUBLES,
    N_COLOURS,
    NINE,
    NUMBER_OF,
    PER_COLOUR,
    PLACE_OF,
    PLAY,
    PREDICT,
    REVERSAL,
    ROUNDS,
    SIX,
    SIX_PLACE,
    SPLIT,
    TARGET,
    WHOLE,
)
from .knowledge import unseen_of
from .rules import beating, laid_by, lay, points_for, powers_of, rank_of, seat_at, winning

TREE_UP_TO = 6  # players with whom search plays by a tree; with more, by this policy

# A row for two players and one for more. Tuned by playing variants against each other.
WEIGHTS = np.array(
    [
        (0.8, 0.85, 0.2, 0.9, 1.6, 1.17, 0.13, 0.15, 0.65, 0.7, 0.32),
        (0.4, 0.95, 1.0, 0.42, 8.0, 1.09, 0.53, 1.2, 0.35, 1.4, 0.34),
    ]
)
HIGHER_TRUMP = 0  # discount on a trump for every higher one in other hands
HIGHER = 1  # discount on another card for every higher one in other hands
RUFFED = 2  # discount on other cards for trumps in other hands, larger in short colours
LOW_TRUMP = 3  # lower bound on a trump's chance
LATE = 4  # the number of cards left at which half of the other cards are never led or asked for
SCALE = 5  # factor on every chance
SPREAD = 6  # variance of the tricks won around the estimate
PER_TRICK = 7  # additional variance per trick to come
LUCK = 8  # how much the spread lowers the chance to meet a prediction
MISSED = 9  # how much the spread adds to the distance of a miss
EAGER = 10  # how likely another player takes a trick that they can win
HUNGRY, FED = 0.45, 0.2  # EAGER for a known prediction: not met yet, and met
OF_REVERSAL = 0.1  # a 4 wins more than its number says


@rule
def choose(s: Record, seat: int, legal: Any, n: int, rng: Rng) -> int:
    unseen = _unseen(s)
    hand = _promise(s, seat, unseen)
    expected = 0.0  # tricks from the cards in hand
    for colour in range(N_COLOURS):
        cards = wide(s.hands[seat, colour])
        while cards:
            card = PER_COLOUR * colour + lowest(cards)
            cards &= cards - 1
            expected += _strength(s, card, unseen, hand)
    best, most = wide(legal[0]), -1000.0
    for i in range(n):
        worth = _worth(s, seat, wide(legal[i]), expected, unseen, hand)
        if worth > most:
            best, most = wide(legal[i]), worth
    return best


@rule
def _table(s: Record) -> int:
    """The row of weights for the number of players."""
    return 1 if s.players > 2 else 0


@rule
def _unseen(s: Record) -> Any:
    """The unseen cards of each colour, as bits."""
    return (
        unseen_of(s, 0),
        unseen_of(s, 1),
        unseen_of(s, 2),
        unseen_of(s, 3),
        unseen_of(s, 4),
    )


@rule
def _promise(s: Record, seat: int, unseen: Any) -> Any:
    """What all cards of its hand have in common: for each colour the chance of a card that is not
    trump, before higher cards; then the factors per higher card, of other colours and of trump."""
    weights = WEIGHTS[_table(s)]
    count = theirs = 0
    for colour in range(N_COLOURS):
        count += popcount(unseen[colour])
    for other in range(s.players):
        if other != seat:
            theirs += s.sizes[other]
    in_hands = theirs / max(count, 1)  # share of the unseen cards
    left = exp(-weights[HIGHER] * in_hands)
    left_of_trump = exp(-weights[HIGHER_TRUMP] * in_hands)
    likely = weights[SCALE] * s.sizes[seat] / (s.sizes[seat] + weights[LATE])
    each = in_hands / (s.players - 1)
    ruff = 0.0
    if s.trump != NOBODY:
        ruff = -weights[RUFFED] * popcount(unseen[s.trump]) * each
    return (
        likely * exp(ruff / (0.3 + popcount(unseen[0]) * each)),
        likely * exp(ruff / (0.3 + popcount(unseen[1]) * each)),
        likely * exp(ruff / (0.3 + popcount(unseen[2]) * each)),
        likely * exp(ruff / (0.3 + popcount(unseen[3]) * each)),
        likely * exp(ruff / (0.3 + popcount(unseen[4]) * each)),
        left,
        left_of_trump,
    )


@rule
def _strength(s: Record, card: int, unseen: Any, hand: Any) -> float:
    """How likely a card of its hand is to win a trick."""
    colour, place = COLOUR_OF[card], PLACE_OF[card]
    # A six can be played as a nine.
    beaten_from = ABOVE_NINE if place == SIX_PLACE else place + 1
    higher = popcount(unseen[colour] >> beaten_from)
    if colour == s.trump:
        low = WEIGHTS[_table(s), LOW_TRUMP]
        return WEIGHTS[_table(s), SCALE] * (low + (1 - low) * power(hand[LEFT_OF_TRUMP], higher))
    likely = hand[colour] * power(hand[LEFT], higher)
    return likely + OF_REVERSAL if NUMBER_OF[card] == REVERSAL else likely


LEFT, LEFT_OF_TRUMP = 5, 6


@rule
def _worth(s: Record, seat: int, action: int, expected: float, unseen: Any, hand: Any) -> float:
    """The expected points of an action, given the tricks expected from its hand."""
    left = wide(s.sizes[seat])
    if action < PLAY:
        rest = expected - _strength(s, action - PREDICT, unseen, hand)
        return _hope(s, action - PREDICT, rest, left - 1)
    prediction = wide(s.predictions[seat])
    won = s.tricks[seat] + expected
    if action == SPLIT:
        return _hope(s, prediction, won + 2, left)
    if action == WHOLE:
        return _hope(s, prediction, won + 1, left)
    laid = laid_by(action)
    won -= _strength(s, CARD_OF[laid], unseen, hand)
    asked, blocker, blocked = wide(s.asked), wide(s.blocker), wide(s.blocked)
    lay(s, action)
    likely = _holds(s, laid, unseen) if winning(s) == seat else 0.0
    two = powers_of(s) >= DOUBLES
    s.trick_size -= 1
    s.trick[s.trick_size] = 0
    s.asked, s.blocker, s.blocked = asked, blocker, blocked
    if_won = _hope(s, prediction, won + 1, left - 1)
    if two:
        if_won = max(if_won, _hope(s, prediction, won + 2, left - 1))
    return likely * if_won + (1 - likely) * _hope(s, prediction, won, left - 1)


@rule
def _holds(s: Record, laid: int, unseen: Any) -> float:
    """How likely its card, winning so far, still wins when the others have played."""
    reversed = powers_of(s) & 1
    mine = rank_of(laid, s.trump, s.asked, reversed)
    asked = asked_beats = others = others_beat = 0
    for colour in range(N_COLOURS):
        cards = popcount(unseen[colour])
        beat = popcount(
            unseen[colour] & beating(mine, colour, wide(s.trump), wide(s.asked), reversed)
        )
        if colour == s.asked:
            asked += cards
            asked_beats += beat
        else:
            others += cards
            others_beat += beat
    unseen_cards = max(asked + others, 1)
    holds = 1.0
    for place in range(s.trick_size, s.players):
        other = seat_at(s, place)
        cards = wide(s.sizes[other])
        void, beaten = 1.0, 0.0
        if s.asked != NOBODY and s.void[other] >> wide(s.asked) & 1 == 0:
            void = power(1 - asked / unseen_cards, cards)
            beaten = 1 - power(1 - asked_beats / unseen_cards, cards)
        beaten += void * (1 - power(1 - others_beat / max(others, 1), cards))
        holds *= 1 - _eager(s, other) * beaten
    return holds


@rule
def _eager(s: Record, other: int) -> float:
    prediction = s.predictions[other]
    if prediction == UNKNOWN:
        return WEIGHTS[_table(s), EAGER]
    return HUNGRY if s.tricks[other] < NUMBER_OF[prediction] else FED


@rule
def _hope(s: Record, prediction: int, tricks: float, left: int) -> float:
    """The expected points of a prediction, given the expected tricks."""
    number = NUMBER_OF[prediction]
    hope = _hope_of(s, number, tricks, left)
    if number == SIX:
        return max(hope, _hope_of(s, NINE, tricks, left))
    return hope


@rule
def _hope_of(s: Record, number: int, tricks: float, left: int) -> float:
    away = (number - tricks) * (number - tricks)
    weights = WEIGHTS[_table(s)]
    spread = weights[SPREAD] + weights[PER_TRICK] * left
    meets = exp(-away / (2 * spread)) / (1 + weights[LUCK] * sqrt(spread))
    misses_by = max(sqrt(away + weights[MISSED] * spread), 1.0)
    return meets * points_for(s, number, 0) + (1 - meets) * _points_missed(s, misses_by)


@rule
def _points_missed(s: Record, by: float) -> float:
    """The points for missing a prediction, interpolated between whole numbers."""
    low = int(by)
    between = by - low
    less, more = points_for(s, 0, low), points_for(s, 0, low + 1)
    return (1 - between) * less + between * more


@rule
def luck(s: Record) -> float:
    """How far luck drives scores apart in the rounds to come."""
    highest = 0
    for other in range(s.players):
        highest = max(highest, s.scores[other])
    rounds = ROUNDS[s.players] - s.round_number + 1
    if s.options[TARGET]:
        rounds = max((s.options[TARGET] - highest) // 3, 1)
    return 2.5 * sqrt(rounds)
