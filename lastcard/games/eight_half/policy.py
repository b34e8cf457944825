"""Sheds what is hardest to play later, catches whom it can, and weighs the next player's options.

All likings are in cards: shedding one is worth 1.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from lastcard.kernel import NOBODY, Record, Rng, beside, random_below, rule

from .components import (
    EIGHT,
    EIGHT_AND_A_HALF,
    EIGHT_WITH_HALF,
    FIRST_PLACE,
    FLIP,
    HALF,
    PLAY,
    PLAY_BOTH,
    ROUNDS,
    SLOTS,
    SWAP,
    UNSHUFFLED,
)
from .odds import has_any, unseen_cards
from .pot import both_fit, fitting, policeman, value_with
from .rules import cards_left

TREE_UP_TO = 2  # players with whom search plays by a tree; with more, by this policy

# What keeping a card is worth, as it may fit later. Tuned by playing variants against each other.
KEEP = (0.5, 0.0, 0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 1.0, 1.1, 1.6)
TURN = 0.5  # a turn gained, or taken from another
IN_HAND = 0.5  # a card eaten into the hand
BURNED = 0.03  # a card burned
OUT = 3.0  # the next player goes out


@rule
def choose(s: Record, seat: int, legal: Any, n: int, rng: Rng) -> int:
    if legal[0] >= SWAP:
        return _exchange(s, seat, legal, n)
    if legal[0] >= FLIP:
        return legal[random_below(rng, n)]
    best, best_liking = legal[0], -1000.0
    unseen = unseen_cards(s)
    for i in range(n):
        liking = _liking(s, seat, legal[i], unseen)
        if liking > best_liking:
            best, best_liking = legal[i], liking
    return best


@rule
def _exchange(s: Record, seat: int, legal: Any, n: int) -> int:
    """Swaps its least useful open card for the most useful one, if that is better."""
    best, best_gain = legal[n - 1], 0.0
    for i in range(n - 1):
        slots = legal[i] - SWAP
        mine = s.open[seat, slots // SLOTS]
        theirs = s.open[s.loser, slots % SLOTS]
        gain = KEEP[theirs] - KEEP[mine]
        if gain > best_gain:
            best, best_gain = legal[i], gain
    return best


@rule
def _liking(s: Record, seat: int, action: int, unseen: int) -> float:
    both = action == PLAY_BOTH
    card = EIGHT if both else UNSHUFFLED[action - PLAY]
    count = 2 if both else action - PLAY - FIRST_PLACE[card] + 1
    shed = count * (1 - KEEP[card])
    value = s.value
    if both:
        shed = 2 - KEEP[EIGHT] - KEEP[HALF]
        value = EIGHT_AND_A_HALF
    else:
        value = value_with(value, card, count)
    if cards_left(s, seat) == count:
        return 100.0
    pot = s.pot_size + count
    if not both and card == policeman(s.value):
        return shed + TURN + _burden(s, s.last, pot)
    return shed + _outlook(s, seat, value, pot, unseen)


@rule
def _burden(s: Record, eater: int, pot: int) -> float:
    """What it costs a player to eat a pot."""
    return pot * (IN_HAND if s.table >> eater & 1 else BURNED)


@rule
def _outlook(s: Record, seat: int, value: int, pot: int, unseen: int) -> float:
    """The next player may have to eat the pot, have the policeman, or go out."""
    following = beside(seat, 1, s.players)
    fits = fitting(value)
    can_play = has_any(s, following, s.holds[following], fits, unseen)
    together = s.holds[following] & EIGHT_WITH_HALF == EIGHT_WITH_HALF
    if together and both_fit(value):
        can_play = 1.0
    liking = (1 - can_play) * (TURN + _burden(s, following, pot))
    catcher = policeman(value)
    if catcher != NOBODY:
        risk = has_any(s, following, s.holds[following], 1 << catcher, unseen)
        liking -= risk * (TURN + _burden(s, seat, pot))
    if _can_shed_all(s, following, value):
        liking -= OUT * can_play
    return liking


@rule
def _can_shed_all(s: Record, other: int, value: int) -> bool:
    """Whether another player could go out in one turn: one card, or several that go together."""
    left = cards_left(s, other)
    if left == 1:
        return True
    kinds = s.holds[other]  # of a visible hand
    if left != s.sizes[other] or kinds == 0:
        return False
    pair = left == 2 and kinds == EIGHT_WITH_HALF
    return kinds & (kinds - 1) == 0 or (pair and both_fit(value))


@rule
def luck(s: Record) -> float:
    """How far luck drives scores apart in the rounds to come."""
    return 1.1 * sqrt(s.options[ROUNDS] - s.round_number + 1)
