"""Plays the card of which it has more, so that the rest stays mixed."""

from __future__ import annotations

from math import sqrt
from typing import Any

from lastcard.kernel import Record, Rng, rule

from .components import DRAW, PLAY, ROUNDS

TREE_UP_TO = 0  # players: with more, search plays on by this policy


@rule
def choose(s: Record, seat: int, legal: Any, n: int, rng: Rng) -> int:
    best = legal[0]
    for i in range(1, n):
        if legal[i] < DRAW and s.hands[seat, legal[i] - PLAY] > s.hands[seat, best - PLAY]:
            best = legal[i]
    return best


@rule
def luck(s: Record) -> float:
    """How far luck drives scores apart in the rounds to come."""
    return 2.0 * sqrt(s.options[ROUNDS] - s.round_number + 1)
