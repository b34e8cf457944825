"""Uniform random play: a template, bound to one game's rules (see `kernel.bind`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from lastcard.kernel import CHANCE, Log, Record, Rng, lowest, random_below, rule

rules: Any = None  # the game; set by `bind`

EXPORTS = {
    "play_out": "s:record rng:uint64[1] legal:int16[most_legal] log:int32[rows,log_columns] -> int",
    "play_many": (
        "s:record first:int count:int players:int options:int16[options] rng:uint64[1] "
        "legal:int16[most_legal] log:int32[rows,log_columns] -> int"
    ),
}


@rule
def play_out(s: Record, rng: Rng, legal: Any, log: Log) -> int:
    """Plays random actions to the end of the match; returns the number of decisions."""
    decisions = 0
    while True:
        waited = rules.waiting(s)
        if waited == 0:
            return decisions
        seat = lowest(waited)
        count = rules.legal(s, seat, legal)
        rules.apply(s, seat, np.int64(legal[random_below(rng, count)]), log)
        decisions += seat != CHANCE


@rule
def play_many(
    s: Record, first: int, count: int, players: int, options: Any, rng: Rng, legal: Any, log: Log
) -> int:
    """Plays `count` matches in a row, keyed by number from `first` on."""
    decisions = 0
    for number in range(first, first + count):
        s.key[0] = number
        rules.new(s, players, options)
        decisions += play_out(s, rng, legal, log)
    return decisions
