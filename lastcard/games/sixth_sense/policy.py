"""Counts on what its cards are likely to win, predicts by that, and then plays for its prediction.

Every action is judged by the points it may hope for: how many tricks it will have in the end, if it
wins this one and if not, against what it has predicted.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import Any

import numpy as np

from lastcard.kernel import NOBODY, UNKNOWN, Record, Rng, count_of, lowest, rule, wide

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

TREE_UP_TO = 6  # players: search plays on by a tree; with more, by this policy

# Tried out by playing one against the other: for two players, and for more.
WEIGHTS = np.array(
    [
        (0.8, 0.85, 0.2, 0.9, 1.6, 1.17, 0.13, 0.15, 0.65, 0.7, 0.32),
        (0.4, 0.95, 1.0, 0.42, 8.0, 1.09, 0.53, 1.2, 0.35, 1.4, 0.34),
    ]
)
HIGHER_TRUMP = 0  # how much less a trump wins for every higher one in the hands of others
HIGHER = 1  # the same of other cards
RUFFED = 2  # how much less these win for every trump in a hand, the sooner a colour is gone
LOW_TRUMP = 3  # a trump wins at least that often
LATE = 4  # with so many cards left half of those that are not trump are never led or asked
SCALE = 5
SPREAD = 6  # how far the tricks won may be from what was expected, squared
PER_TRICK = 7  # and for every trick to come
LUCK = 8  # how much less it meets its prediction with that
MISSED = 9  # by how much it then misses it
EAGER = 10  # how likely another one wins a trick that he can win
HUNGRY, FED = 0.45, 0.2  # the same of one whose prediction it has seen: not met yet, or met
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
    """Which weights are for so many players."""
    return 1 if s.players > 2 else 0


@rule
def _unseen(s: Record) -> Any:
    """The cards of each colour that it does not see, as bits."""
    return (
        unseen_of(s, 0),
        unseen_of(s, 1),
        unseen_of(s, 2),
        unseen_of(s, 3),
        unseen_of(s, 4),
    )


@rule
def _promise(s: Record, seat: int, unseen: Any) -> Any:
    """What all cards of its hand have in common: for each colour how likely a card that is no trump
    wins unless a higher one is there; what is left of that for every higher card, of trump, too."""
    weights = WEIGHTS[_table(s)]
    count = theirs = 0
    for colour in range(N_COLOURS):
        count += count_of(unseen[colour])
    for other in range(s.players):
        if other != seat:
            theirs += s.sizes[other]
    in_hands = theirs / max(count, 1)  # of the cards that it does not see
    left = exp(-weights[HIGHER] * in_hands)
    left_of_trump = exp(-weights[HIGHER_TRUMP] * in_hands)
    likely = weights[SCALE] * s.sizes[seat] / (s.sizes[seat] + weights[LATE])
    each = in_hands / (s.players - 1)
    ruff = 0.0
    if s.trump != NOBODY:
        ruff = -weights[RUFFED] * count_of(unseen[s.trump]) * each
    return (
        likely * exp(ruff / (0.3 + count_of(unseen[0]) * each)),
        likely * exp(ruff / (0.3 + count_of(unseen[1]) * each)),
        likely * exp(ruff / (0.3 + count_of(unseen[2]) * each)),
        likely * exp(ruff / (0.3 + count_of(unseen[3]) * each)),
        likely * exp(ruff / (0.3 + count_of(unseen[4]) * each)),
        left,
        left_of_trump,
    )


@rule
def _strength(s: Record, card: int, unseen: Any, hand: Any) -> float:
    """How likely a card of its hand will win a trick."""
    colour, place = COLOUR_OF[card], PLACE_OF[card]
    # A six is a nine, if need be.
    beaten_from = ABOVE_NINE if place == SIX_PLACE else place + 1
    higher = count_of(unseen[colour] >> beaten_from)
    if colour == s.trump:
        low = WEIGHTS[_table(s), LOW_TRUMP]
        return WEIGHTS[_table(s), SCALE] * (low + (1 - low) * hand[LEFT_OF_TRUMP] ** higher)
    likely = hand[colour] * hand[LEFT] ** higher
    return likely + OF_REVERSAL if NUMBER_OF[card] == REVERSAL else likely


LEFT, LEFT_OF_TRUMP = 5, 6


@rule
def _worth(s: Record, seat: int, action: int, expected: float, unseen: Any, hand: Any) -> float:
    """The points it may hope for with an action, if its hand is expected to win so many tricks."""
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
    """How likely the trick, won by its card as it lies, stays won when the others have played."""
    reversed = powers_of(s) & 1
    mine = rank_of(laid, s.trump, s.asked, reversed)
    asked = asked_beats = others = others_beat = 0
    for colour in range(N_COLOURS):
        cards = count_of(unseen[colour])
        beat = count_of(
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
            void = (1 - asked / unseen_cards) ** cards
            beaten = 1 - (1 - asked_beats / unseen_cards) ** cards
        beaten += void * (1 - (1 - others_beat / max(others, 1)) ** cards)
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
    """The points to hope for with a prediction, if so many tricks are expected."""
    number = NUMBER_OF[prediction]
    hope = _hope_of(s, number, tricks, left)
    if number == SIX:
        return max(hope, _hope_of(s, NINE, tricks, left))
    return hope


@rule
def _hope_of(s: Record, number: int, tricks: float, left: int) -> float:
    away = (number - tricks) ** 2
    weights = WEIGHTS[_table(s)]
    spread = weights[SPREAD] + weights[PER_TRICK] * left
    meets = exp(-away / (2 * spread)) / (1 + weights[LUCK] * sqrt(spread))
    misses_by = max(sqrt(away + weights[MISSED] * spread), 1.0)
    return meets * points_for(s, number, 0) + (1 - meets) * _points_missed(s, misses_by)


@rule
def _points_missed(s: Record, by: float) -> float:
    """The points for missing a prediction by something between two whole numbers."""
    low = int(by)
    between = by - low
    less, more = points_for(s, 0, low), points_for(s, 0, low + 1)
    return (1 - between) * less + between * more


@rule
def luck(s: Record) -> float:
    """How far scores come apart by chance in the rounds that are still to come."""
    highest = 0
    for other in range(s.players):
        highest = max(highest, s.scores[other])
    rounds = ROUNDS[s.players] - s.round_number + 1
    if s.options[TARGET]:
        rounds = max((s.options[TARGET] - highest) // 3, 1)
    return 2.5 * sqrt(rounds)
