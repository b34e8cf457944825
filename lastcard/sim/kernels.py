"""What a GPU runs, one match for each thread: a template, bound to one game's rules (see
`kernel.bind`). Imported only where there is Numba; cuda.py compiles it.

What is seen is most of what a step writes. A thread alone would write its row number by number,
each far from what other threads write at that time: so it is seen in memory of the thread's own,
and the threads of a block send their rows together (`send`).
"""

from __future__ import annotations

from typing import Any

from numba import cuda, float32, int8, int32

from lastcard.kernel import inlined

rules: Any = None  # the game; set by `bind`
stepping: Any = None  # stepping.py, bound to the game; set by `bind`
record: Any = None  # the layout of a record, as the compiler knows it; set by cuda.py
block = 0  # threads that share memory; set by cuda.py
observed = 0  # numbers in a row, in whole tiles; set by cuda.py

STOOD = -2
TILE = 32  # numbers of each row that a block sends at a time: as many as threads run together
APART = TILE + 1  # so that numbers in a column of a tile lie in different banks


@inlined
def send(mine: bool, row: Any, out: Any, tile: Any, sending: Any) -> None:
    """The rows of those threads of a block that have one, tile by tile: threads that run together
    write numbers of one row that lie side by side."""
    j = cuda.threadIdx.x
    lane = j % TILE
    first = cuda.blockIdx.x * block
    sending[j] = mine
    for column in range(0, observed, TILE):
        for k in range(TILE):
            tile[j, k] = row[column + k]
        cuda.syncthreads()
        if column + lane < out.shape[1]:
            for one in range(j // TILE, block, block // TILE):
                if sending[one]:
                    out[first + one, column + lane] = tile[one, lane]
        cuda.syncthreads()


def start(how: Any, batch: Any, log: Any) -> None:
    i = cuda.grid(1)
    spare, row = cuda.local.array(1, record), cuda.local.array(observed, float32)
    tile = cuda.shared.array((block, APART), float32)
    sending = cuda.shared.array(block, int8)
    there = i < len(batch.seats)
    if there:
        stepping.start(i, how, batch, log)
        stepping.look(batch.records[i], batch.seats[i], row, spare)
    send(there, row, batch.observations, tile, sending)


def step(how: Any, batch: Any, log: Any) -> None:
    i = cuda.grid(1)
    spare, row = cuda.local.array(1, record), cuda.local.array(observed, float32)
    tile = cuda.shared.array((block, APART), float32)
    sending = cuda.shared.array(block, int8)
    acted = STOOD
    if i < len(batch.seats):
        acted = stepping.move(i, how, batch, log)
    moved = acted != STOOD
    over = moved and batch.done[i]
    if cuda.syncthreads_count(int32(over)) > 0:
        if over:
            stepping.look(batch.records[i], acted, row, spare)
        send(over, row, batch.final_observations, tile, sending)
    if moved:
        stepping.go_on(i, how, batch, log)
        stepping.look(batch.records[i], batch.seats[i], row, spare)
    send(moved, row, batch.observations, tile, sending)


def take_up(number: int, how: Any, batch: Any, log: Any) -> None:
    spare = cuda.local.array(1, record)
    stepping.take_up(number, how, batch, stepping.Space(spare, log))


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
    spare, row = cuda.local.array(1, record), cuda.local.array(observed, float32)
    tile = cuda.shared.array((block, APART), float32)
    sending = cuda.shared.array(block, int8)
    there = i < len(records)
    if there:
        stepping.look(records[i], viewers[i], row, spare)
    send(there, row, out, tile, sending)


def advise(how: Any, batch: Any, rngs: Any, advice: Any, log: Any) -> None:
    i = cuda.grid(1)
    if i < len(advice):
        spare = cuda.local.array(1, record)
        space = stepping.Space(spare, log)
        stepping.advise_matches(i, i + 1, how.wait, batch, rngs, advice, space)


KERNELS = (start, step, take_up, choose, find_illegal, observe, advise)
