"""Uniform random play by a crowd of threads that run together, as those of a GPU do: a template,
bound to a game's lean rules (see `lean.py` and `kernel.bind`). Imported only where there is Numba.

Each thread plays its share of the matches, as `selfplay.play_many` does. What takes long is done by
many of them at once: whoever needs a deal waits until enough others in the block do.
"""

from __future__ import annotations

from typing import Any

from numba import cuda, int16, int32, uint64

from lastcard.kernel import CHANCE, Log, Record, Rng, lowest, random_below, rule, wide

rules: Any = None  # the game; set by `bind`
record: Any = None  # the layout of a record, as the compiler knows it
most_legal = 0
room = 0  # records in a block's shared memory

OVER, DEALING = 1, 2


@rule
def play_share(
    s: Record,
    first: int,
    end: int,
    players: int,
    options: Any,
    gather: int,
    rng: Rng,
    legal: Any,
    log: Log,
) -> int:
    """Plays the matches from `first` to `end`; returns the number of decisions."""
    decisions = 0
    s.over = OVER
    while True:
        if cuda.syncthreads_count(int32(s.over != 0)) >= gather:
            if s.over == OVER and first < end:
                s.key[0] = first
                first += 1
                rules.new(s, players, options)
            if s.over == DEALING:
                s.over = 0
                rules.deal(s)
            if cuda.syncthreads_count(int32(s.over == 0)) == 0:
                return decisions
        if s.over == 0:
            seat = lowest(rules.waiting(s))
            count = rules.legal(s, seat, legal)
            rules.apply(s, seat, wide(legal[random_below(rng, count)]), log)
            decisions += seat != CHANCE


@rule
def seed(rng: Rng, number: int) -> None:
    """The generator of a thread."""
    rng[0] = uint64(number) * uint64(2654435761) + uint64(88172645463325252)


def in_shared(
    states: Any, matches: int, players: int, options: Any, gather: int, log: Any, decisions: Any
) -> None:
    """With records in the block's shared memory."""
    i, j = cuda.grid(1), cuda.threadIdx.x
    legal = cuda.local.array(most_legal, int16)
    rng = cuda.local.array(1, uint64)
    block = cuda.shared.array(room, record)
    block[j] = states[i]
    seed(rng, i)
    first = i * matches
    decisions[i] += play_share(
        block[j], first, first + matches, players, options, gather, rng, legal, log
    )
    states[i] = block[j]


def in_local(
    states: Any, matches: int, players: int, options: Any, gather: int, log: Any, decisions: Any
) -> None:
    """With records in memory of each thread's own."""
    i = cuda.grid(1)
    legal = cuda.local.array(most_legal, int16)
    rng = cuda.local.array(1, uint64)
    mine = cuda.local.array(1, record)
    mine[0] = states[i]
    seed(rng, i)
    first = i * matches
    decisions[i] += play_share(
        mine[0], first, first + matches, players, options, gather, rng, legal, log
    )
    states[i] = mine[0]


KERNELS = (in_shared, in_local)
