"""What a GPU runs for a batch: a template, bound to one game's rules, in which deals wait (see
`lean.py` and `kernel.bind`). Imported only where there is Numba; cuda.py compiles it.

Threads that run together wait for the slowest of them, and matches differ: one has to play a dozen
forced moves until somebody decides, another must be dealt anew. So no thread has a match of its
own. Those of a block share some matches: each takes one, plays it move by move until it is known
who decides, and then waits until enough others have come to that, too. Those tell together what
there is to be seen, deal, and take the next ones.

A thread plays in memory of its own, where what neighbours do lies side by side. What is seen there
is written straight to its row, which the whole block has cleared before: most of it is zeros.
"""

from __future__ import annotations

from typing import Any

from numba import cuda, int8, int32

from lastcard.kernel import NOBODY, copy_record, inlined
from lastcard.sim.lean import DEALING

rules: Any = None  # the game, as deals wait; set by `bind`
stepping: Any = None  # stepping.py, bound to the same; set by `bind`
record: Any = None  # the layout of a record, as the compiler knows it; set by cuda.py
block = 0  # threads that share matches; set by cuda.py
gather = 0  # of them, who have to wait for something before it is done; set by cuda.py

STEP, START, TAKE_UP = range(3)  # what `play` begins with
MOVING, UNDEALT, NEW, KNOWN, FREE, GONE = range(6)  # where a thread is
NOTHING, NOW, LAST = range(3)  # what is seen: how it is now, or how it was last in a match
TOGETHER = 32  # threads that run together


@inlined
def clear_rows(what: int, i: int, shown: Any, whose: Any, now: Any, last: Any) -> None:
    """Of those threads of a block that see something: neighbours clear what lies side by side."""
    j = cuda.threadIdx.x
    shown[j], whose[j] = what, i
    cuda.syncthreads()
    for one in range(j // TOGETHER, block, block // TOGETHER):
        if shown[one] != NOTHING:
            out = now[whose[one]] if shown[one] == NOW else last[whose[one]]
            for column in range(j % TOGETHER, len(out), TOGETHER):
                out[column] = 0.0
    cuda.syncthreads()


@inlined
def take(i: int, beginning: int, own: Any, how: Any, batch: Any) -> Any:
    """The next match: where a thread is with it, who has acted, and what it is to carry out."""
    copy_record(own, 0, batch.records[i])
    if beginning == START:
        stepping.forget_results(i, how, batch)
        stepping.deal(own[0], i, how, batch)
        return NEW, NOBODY, NOBODY, 0
    if beginning == TAKE_UP:
        stepping.take_in(own[0], i, how, batch)
        return MOVING, NOBODY, NOBODY, 0
    acted, seat, action = stepping.chosen_action(i, how, batch)
    return FREE if acted == stepping.STOOD else MOVING, acted, seat, action


@inlined
def tell(i: int, s: Any, settled: bool, how: Any, batch: Any) -> int:
    """What the step has brought, and who decides. Returns what is to be seen."""
    if not settled:
        stepping.settle(s, i, how, batch)
    last = not settled and batch.done[i]
    if not last:
        stepping.tell(i, batch)
    copy_record(batch.records, i, s)
    return LAST if last else NOW


def play(first: int, end: int, beginning: int, how: Any, batch: Any, log: Any) -> None:
    """Plays the matches from `first` to `end` until somebody decides in each of them."""
    own = cuda.local.array(1, record)
    s = own[0]
    next = cuda.shared.array(1, int32)
    shown = cuda.shared.array(block, int8)
    whose = cuda.shared.array(block, int32)
    share = (end - first + cuda.gridDim.x - 1) // cuda.gridDim.x
    mine = first + cuda.blockIdx.x * share
    end = min(end, mine + share)
    if cuda.threadIdx.x == 0:
        next[0] = 0
    i, state, acted, seat, action = 0, FREE, NOBODY, NOBODY, 0
    settled = False  # the step: what follows is the next match
    while True:
        if cuda.syncthreads_count(int32(state != MOVING)) >= gather:
            if state in (UNDEALT, NEW):
                s.over = 0
                rules.deal(s)
                if state == NEW:
                    stepping.begin(s, i, how, batch)
                state, seat = MOVING, NOBODY
            what = tell(i, s, settled, how, batch) if state == KNOWN else NOTHING
            settled = settled or state == KNOWN
            clear_rows(what, i, shown, whose, batch.observations, batch.final_observations)
            if what != NOTHING:
                viewer = acted if what == LAST else int(batch.deciding[i])
                rules.hide(s, viewer)
                out = batch.final_observations[i] if what == LAST else batch.observations[i]
                rules.observe(s, viewer, out)
                state = FREE
            if what == LAST:
                copy_record(own, 0, batch.records[i])
                state = KNOWN
                if how.restarting:
                    stepping.deal(s, i, how, batch)
                    state = NEW
            if state == FREE:
                i = mine + cuda.atomic.add(next, 0, 1)
                state = GONE
                if i < end:
                    state, acted, seat, action = take(i, beginning, own, how, batch)
                    settled = beginning != STEP
            if cuda.syncthreads_count(int32(state != GONE)) == 0:
                return
        if state == MOVING:
            seat, action = stepping.go_on(s, i, seat, action, how, batch, log)
            if s.over == DEALING:
                state = UNDEALT
            elif seat == stepping.FOUND:
                state = KNOWN


def choose(actions: Any, chosen: Any) -> None:
    i = cuda.grid(1)
    if i < len(chosen):
        chosen[i] = actions[i]


def find_illegal(deciding: Any, counts: Any, choices: Any, chosen: Any, first: Any) -> None:
    i = cuda.grid(1)
    if i < len(deciding):
        if not stepping.is_legal(i, deciding, counts, choices, chosen):
            cuda.atomic.min(first, 0, i)


def observe(records: Any, viewers: Any, out: Any) -> None:
    i = cuda.grid(1)
    own = cuda.local.array(1, record)
    shown = cuda.shared.array(block, int8)
    whose = cuda.shared.array(block, int32)
    there = i < len(records)
    clear_rows(NOW if there else NOTHING, i, shown, whose, out, out)
    if there:
        copy_record(own, 0, records[i])
        rules.hide(own[0], viewers[i])
        rules.observe(own[0], viewers[i], out[i])


def advise(how: Any, batch: Any, rngs: Any, advice: Any, log: Any) -> None:
    i = cuda.grid(1)
    if i < len(advice):
        spare = cuda.local.array(1, record)
        space = stepping.Space(spare, log)
        stepping.advise_matches(i, i + 1, how.wait, batch, rngs, advice, space)


KERNELS = (play, choose, find_illegal, observe, advise)
