"""Plays whatever sheds most points, draws while that can pay, and quits in time."""

from __future__ import annotations

from math import sqrt
from typing import Any

from lastcard.kernel import Record, Rng, bit, rule

from .components import DRAW, EGG, PLAY, QUIT, TARGET
from .rules import points_of, worth

TREE_UP_TO = 0  # players with whom search plays by a tree; with more, by this policy

# Tuned by playing variants against each other.
CONTENT = 6  # points in hand with which it quits rather than draws
CONTENT_BEFORE_THE_END = 40  # the same when another player has one card left
SPARE = 3  # for a card of which it has another, instead of its points: keeps variety
SAME_AGAIN = 4  # for a card that leaves the pile as it is
EGG_LATER = -20  # the egg always fits, so it can wait


@rule
def choose(s: Record, seat: int, legal: Any, n: int, rng: Rng) -> int:
    best, best_gain = -1, -100
    for i in range(n):
        card = legal[i] - PLAY
        if legal[i] < DRAW:
            gain = _liking(s, seat, card)
            if gain > best_gain:
                best, best_gain = legal[i], gain
    if best >= 0:
        return best
    if legal[0] == DRAW and points_of(s, seat) > _content(s, seat):
        return DRAW
    return QUIT


@rule
def _liking(s: Record, seat: int, card: int) -> int:
    if card == EGG:
        return EGG_LATER
    gain = SPARE if s.hands[seat, card] > 1 else worth(card)
    if card == s.top:
        gain += SAME_AGAIN
    return gain


@rule
def _content(s: Record, seat: int) -> int:
    """When a player is about to go out, almost anything beats one more card."""
    for other in range(s.players):
        if other != seat and s.sizes[other] == 1 and not s.quit & bit(other):
            return CONTENT_BEFORE_THE_END
    return CONTENT


@rule
def luck(s: Record) -> float:
    """How far luck drives scores apart in the rounds to come."""
    highest = 0
    for other in range(s.players):
        highest = max(highest, s.scores[other])
    return 5.9 * sqrt(max((s.options[TARGET] - highest) / 5, 1.0))
