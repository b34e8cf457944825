"""What a GPU runs for a batch: a template, bound to one game's rules, in which deals wait (see
`lean.py` and `kernel.bind`). Imported only where there is Numba; cuda.py compiles it.

Threads that run together wait for the slowest of them, and matches differ: one has to play a dozen
forced moves until somebody decides, another must be dealt anew. So no thread has a match of its
own. Those of a block share some matches: each takes one, plays it move by move until it is known
who decides, and then waits until enough others have come to that, too. Those tell together what
there is to be told, and take the next ones.

To deal takes as long as many moves, and few have to at the same time. So matches that are to be
dealt are listed, and dealt together when all others are done.

Where a record is small (`near`), a thread plays in a copy of its own, where what neighbours do lies
side by side, and sees there what is to be seen. Copies of large ones would not fit into what is
fast: so those matches are played where they lie, and in the end as many threads as there is room
for `look`. Rows of what is seen have been cleared before: most of it is zeros.
"""

from __future__ import annotations

from typing import Any

from numba import cuda, int32

from lastcard.kernel import NOBODY, copy_record, inlined, wide
from lastcard.sim.lean import DEALING

rules: Any = None  # the game, as deals wait; set by `bind`
stepping: Any = None  # stepping.py, bound to the same; set by `bind`
record: Any = None  # the layout of a record, as the compiler knows it; set by cuda.py
near = False  # whether threads have copies of records; set by cuda.py
block = 0  # threads that share matches; set by cuda.py
gather = 0  # of them, who have to wait for something before it is done; set by cuda.py

STEP, START, TAKE_UP, GO_ON = range(4)  # what `play` begins with
MOVING, UNDEALT, NEW, KNOWN, FREE, GONE = range(6)  # where a thread is

# A match that is to be dealt, and where its thread was with it, in one number.
_MATCH, _SEAT, _STATE = 1 << 12, 1 << 4, 1 << 1


@inlined
def listed(i: int, acted: int, state: int, settled: bool) -> int:
    return i * _MATCH + (acted + 1) * _SEAT + state * _STATE + settled


@inlined
def take(n: int, beginning: int, undealt: Any, own: Any, how: Any, batch: Any) -> Any:
    """The next match: which, where a thread is with it, whether what the step has brought is
    settled, who has acted, and what is to be carried out."""
    one = undealt[1 + n] if beginning == GO_ON else n * _MATCH
    i = one // _MATCH
    if near:
        copy_record(own, 0, batch.records[i])
    s = own[0] if near else batch.records[i]
    if beginning == GO_ON:
        state, acted = one % _SEAT // _STATE, one % _MATCH // _SEAT - 1
        return i, state, one % _STATE != 0, acted, NOBODY, 0
    if beginning == START:
        stepping.forget_results(i, how, batch)
        stepping.deal(s, i, how, batch)
        return i, NEW, True, NOBODY, NOBODY, 0
    if beginning == TAKE_UP:
        stepping.take_in(s, i, how, batch)
        return i, MOVING, True, NOBODY, NOBODY, 0
    acted, seat, action = stepping.chosen_action(i, how, batch)
    stood = acted == stepping.STOOD
    return i, KNOWN if stood else MOVING, stood, acted, seat, action


@inlined
def see(own: Any, viewer: int, out: Any) -> None:
    """What a viewer sees of the thread's copy, of which the rest is gone then."""
    rules.hide(own[0], viewer)
    rules.observe(own[0], viewer, out)


@inlined
def tell(i: int, acted: int, settled: bool, own: Any, how: Any, batch: Any) -> int:
    """What the step has brought, and who decides; of a match that has ended, its end first, as the
    seat sees it that acted last. Returns where the thread is then."""
    s = own[0] if near else batch.records[i]
    if not settled:
        stepping.settle(s, i, how, batch)
    last = not settled and batch.done[i]
    out = batch.final_observations[i] if last else batch.observations[i]
    if last:
        for column in range(len(out)):
            out[column] = 0.0
    else:
        stepping.tell(i, batch)
    if near:
        copy_record(batch.records, i, s)
    elif last:
        copy_record(own, 0, s)
    if near or last:
        see(own, acted if last else wide(batch.deciding[i]), out)
    if not last:
        return FREE
    if near:
        copy_record(own, 0, batch.records[i])
    if not how.restarting:
        return KNOWN
    stepping.deal(s, i, how, batch)
    return NEW


@inlined
def deal(
    i: int, state: int, one: int, beginning: int, undealt: Any, own: Any, how: Any, batch: Any
) -> int:
    """Deals, or lists the match as one that is to be dealt. Returns where the thread is then."""
    s = own[0] if near else batch.records[i]
    if beginning == GO_ON:
        s.over = 0
        rules.deal(s)
        if state == NEW:
            stepping.begin(s, i, how, batch)
        return MOVING
    if near:
        copy_record(batch.records, i, s)
    undealt[1 + cuda.atomic.add(undealt, 0, 1)] = one
    return FREE


def play(
    first: int, end: int, beginning: int, undealt: Any, how: Any, batch: Any, log: Any
) -> None:
    """Plays the matches from `first` to `end` until somebody decides in each of them; or, to
    GO_ON, those that are still `undealt`: how many, and which."""
    own = cuda.local.array(1, record)
    next = cuda.shared.array(1, int32)
    if beginning == GO_ON:
        end = undealt[0]
    blocks = min(cuda.gridDim.x, (end - first + block - 1) // block)
    if cuda.blockIdx.x >= blocks:
        return
    share = (end - first + blocks - 1) // blocks
    mine = first + cuda.blockIdx.x * share
    end = min(end, mine + share)
    if cuda.threadIdx.x == 0:
        next[0] = 0
    i, state, acted, seat, action = 0, FREE, NOBODY, NOBODY, 0
    settled = False  # the step: what follows is told, but brings nothing
    while True:
        if cuda.syncthreads_count(int32(state != MOVING)) >= gather:
            if state == KNOWN:
                state, settled = tell(i, acted, settled, own, how, batch), True
            if state in (UNDEALT, NEW):
                one = listed(i, acted, state, settled)
                state, seat = deal(i, state, one, beginning, undealt, own, how, batch), NOBODY
            if state == FREE:
                n = mine + cuda.atomic.add(next, 0, 1)
                state = GONE
                if n < end:
                    taken = take(n, beginning, undealt, own, how, batch)
                    i, state, settled, acted, seat, action = taken
            if cuda.syncthreads_count(int32(state != GONE)) == 0:
                return
        if state == MOVING:
            s = own[0] if near else batch.records[i]
            seat, action = stepping.go_on(s, i, seat, action, how, batch, log)
            if s.over == DEALING:
                state = UNDEALT
            elif seat == stepping.FOUND:
                state = KNOWN


def look(first: int, end: int, records: Any, viewers: Any, out: Any) -> None:
    i = first + cuda.grid(1)
    own = cuda.local.array(1, record)
    if i < end:
        copy_record(own, 0, records[i])
        see(own, wide(viewers[i]), out[i])


def choose(actions: Any, chosen: Any) -> None:
    i = cuda.grid(1)
    if i < len(chosen):
        chosen[i] = actions[i]


def find_illegal(deciding: Any, counts: Any, choices: Any, chosen: Any, first: Any) -> None:
    i = cuda.grid(1)
    if i < len(deciding):
        if not stepping.is_legal(i, deciding, counts, choices, chosen):
            cuda.atomic.min(first, 0, i)


def advise(how: Any, batch: Any, rngs: Any, advice: Any, log: Any) -> None:
    i = cuda.grid(1)
    if i < len(advice):
        spare = cuda.local.array(1, record)
        space = stepping.Space(spare, log)
        stepping.advise_matches(i, i + 1, how.wait, batch, rngs, advice, space)


KERNELS = (play, look, choose, find_illegal, advise)
