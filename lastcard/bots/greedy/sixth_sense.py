"""Counts on what its cards are likely to win, predicts by that, and then plays for its prediction.

Every action is judged by the points it may hope for: how many tricks it will have in the end, if it
wins this one and if not, against what it has predicted.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import Any

import numpy as np

from lastcard.rules.kernel import NOBODY, UNKNOWN, Record, Rng, lowest, rule, wide

rules: Any = None  # Sixth Sense; set by `bind`

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
REVERSAL = 0.1  # a 4 wins more than its number says


@rule
def choose(s: Record, seat: int, legal: Any, n: int, rng: Rng) -> int:
    in_hands = _in_hands(s, seat)
    expected = 0.0  # tricks from the cards in hand
    for colour in range(rules.N_COLOURS):
        cards = wide(s.hands[seat, colour])
        while cards:
            card = rules.PER_COLOUR * colour + lowest(cards)
            cards &= cards - 1
            expected += _strength(s, seat, card, in_hands)
    best, most = wide(legal[0]), -1000.0
    for i in range(n):
        worth = _worth(s, seat, wide(legal[i]), expected, in_hands)
        if worth > most:
            best, most = wide(legal[i]), worth
    return best


@rule
def _table(s: Record) -> int:
    """Which weights are for so many players."""
    return 1 if s.players > 2 else 0


@rule
def _in_hands(s: Record, seat: int) -> float:
    """Which part of the cards that it does not see is in the hands of others."""
    unseen = 0
    for colour in range(rules.N_COLOURS):
        unseen += _count(rules.unseen_of(s, colour))
    theirs = 0
    for other in range(s.players):
        if other != seat:
            theirs += s.sizes[other]
    return theirs / max(unseen, 1)


@rule
def _count(set: int) -> int:
    count = 0
    while set:
        count += 1
        set &= set - 1
    return count


@rule
def _strength(s: Record, seat: int, card: int, in_hands: float) -> float:
    """How likely a card of its hand will win a trick."""
    weights = WEIGHTS[_table(s)]
    colour, place = rules.COLOUR_OF[card], rules.PLACE_OF[card]
    unseen = rules.unseen_of(s, colour)
    # A six is a nine, if need be.
    beaten_from = rules.ABOVE_NINE if place == rules.SIX_PLACE else place + 1
    higher = _count(unseen >> beaten_from) * in_hands
    if colour == s.trump:
        low = weights[LOW_TRUMP]
        return weights[SCALE] * (low + (1 - low) * exp(-weights[HIGHER_TRUMP] * higher))
    likely = weights[SCALE] * exp(-weights[HIGHER] * higher)
    likely *= s.sizes[seat] / (s.sizes[seat] + weights[LATE])
    if s.trump != NOBODY:
        length = _count(unseen) * in_hands / (s.players - 1)
        trumps = _count(rules.unseen_of(s, wide(s.trump))) * in_hands / (s.players - 1)
        likely *= exp(-weights[RUFFED] * trumps / (0.3 + length))
    return likely + REVERSAL if rules.NUMBER_OF[card] == rules.REVERSAL else likely


@rule
def _worth(s: Record, seat: int, action: int, expected: float, in_hands: float) -> float:
    """The points it may hope for with an action, if its hand is expected to win so many tricks."""
    left = wide(s.sizes[seat])
    if action < rules.PLAY:
        rest = expected - _strength(s, seat, action - rules.PREDICT, in_hands)
        return _hope(s, action - rules.PREDICT, rest, left - 1)
    prediction = wide(s.predictions[seat])
    won = s.tricks[seat] + expected
    if action == rules.SPLIT:
        return _hope(s, prediction, won + 2, left)
    if action == rules.WHOLE:
        return _hope(s, prediction, won + 1, left)
    laid = rules.laid_by(action)
    won -= _strength(s, seat, rules.CARD_OF[laid], in_hands)
    asked, blocker, blocked = wide(s.asked), wide(s.blocker), wide(s.blocked)
    rules.lay(s, action)
    likely = _holds(s, laid) if rules.winning(s) == seat else 0.0
    two = rules.powers_of(s) >= rules.DOUBLES
    s.trick_size -= 1
    s.trick[s.trick_size] = 0
    s.asked, s.blocker, s.blocked = asked, blocker, blocked
    if_won = _hope(s, prediction, won + 1, left - 1)
    if two:
        if_won = max(if_won, _hope(s, prediction, won + 2, left - 1))
    return likely * if_won + (1 - likely) * _hope(s, prediction, won, left - 1)


@rule
def _holds(s: Record, laid: int) -> float:
    """How likely the trick, won by its card as it lies, stays won when the others have played."""
    reversed = rules.powers_of(s) & 1
    mine = rules.rank_of(laid, s.trump, s.asked, reversed)
    asked = asked_beats = others = others_beat = 0
    for colour in range(rules.N_COLOURS):
        unseen = rules.unseen_of(s, colour)
        while unseen:
            card = rules.PER_COLOUR * colour + lowest(unseen)
            unseen &= unseen - 1
            beats = rules.rank_of(card, s.trump, s.asked, reversed) >= mine
            if colour == s.asked:
                asked += 1
                asked_beats += beats
            else:
                others += 1
                others_beat += beats
    unseen_cards = max(asked + others, 1)
    holds = 1.0
    for place in range(s.trick_size, s.players):
        other = rules.seat_at(s, place)
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
    return HUNGRY if s.tricks[other] < rules.NUMBER_OF[prediction] else FED


@rule
def _hope(s: Record, prediction: int, tricks: float, left: int) -> float:
    """The points to hope for with a prediction, if so many tricks are expected."""
    number = rules.NUMBER_OF[prediction]
    hope = _hope_of(s, number, tricks, left)
    if number == rules.SIX:
        return max(hope, _hope_of(s, rules.NINE, tricks, left))
    return hope


@rule
def _hope_of(s: Record, number: int, tricks: float, left: int) -> float:
    away = (number - tricks) ** 2
    weights = WEIGHTS[_table(s)]
    spread = weights[SPREAD] + weights[PER_TRICK] * left
    meets = exp(-away / (2 * spread)) / (1 + weights[LUCK] * sqrt(spread))
    misses_by = max(sqrt(away + weights[MISSED] * spread), 1.0)
    return meets * rules.points_for(s, number, 0) + (1 - meets) * _points_missed(s, misses_by)


@rule
def _points_missed(s: Record, by: float) -> float:
    """The points for missing a prediction by something between two whole numbers."""
    low = int(by)
    between = by - low
    less, more = rules.points_for(s, 0, low), rules.points_for(s, 0, low + 1)
    return (1 - between) * less + between * more


@rule
def luck(s: Record) -> float:
    """How far scores come apart by chance in the rounds that are still to come."""
    highest = 0
    for other in range(s.players):
        highest = max(highest, s.scores[other])
    rounds = rules.ROUNDS[s.players] - s.round_number + 1
    if s.options[rules.TARGET]:
        rounds = max((s.options[rules.TARGET] - highest) // 3, 1)
    return 2.5 * sqrt(rounds)
