"""The policy of games without one of their own: random play."""

from __future__ import annotations

from typing import Any

from lastcard.kernel import Record, Rng, random_below, rule

rules: Any = None  # the game; set by `bind`

# What every policy gives, to be read as `kernel.exports` says.
EXPORTS = {
    "choose": "s:record seat:int legal:int16[most_legal] n:int rng:uint64[1] -> int",
    "luck": "s:record -> float",
}
TREE_UP_TO = 15  # players with whom search plays by a tree; with more, by this policy


@rule
def choose(s: Record, seat: int, legal: Any, n: int, rng: Rng) -> int:
    return legal[random_below(rng, n)]


@rule
def luck(s: Record) -> float:
    """How far luck drives scores apart before the match is over."""
    return 10.0
