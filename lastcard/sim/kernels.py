"""What a GPU runs, one match for each thread: a template, bound to one game's rules (see
`kernel.bind`). Imported only where there is Numba; cuda.py compiles it."""

from __future__ import annotations

from typing import Any

from numba import cuda

rules: Any = None  # the game; set by `bind`
stepping: Any = None  # stepping.py, bound to the game; set by `bind`
record: Any = None  # the layout of a record, as the compiler knows it; set by cuda.py


def start(how: Any, batch: Any, log: Any) -> None:
    i = cuda.grid(1)
    if i < len(batch.seats):
        spare = cuda.local.array(1, record)
        stepping.start_matches(i, i + 1, how, batch, stepping.Space(spare, log))


def step(how: Any, batch: Any, log: Any) -> None:
    i = cuda.grid(1)
    if i < len(batch.seats):
        spare = cuda.local.array(1, record)
        stepping.step(i, how, batch, stepping.Space(spare, log))


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
    if i < len(records):
        spare = cuda.local.array(1, record)
        stepping.observe_matches(i, i + 1, records, viewers, out, spare)


def advise(how: Any, batch: Any, rngs: Any, advice: Any, log: Any) -> None:
    i = cuda.grid(1)
    if i < len(advice):
        spare = cuda.local.array(1, record)
        space = stepping.Space(spare, log)
        stepping.advise_matches(i, i + 1, how.wait, batch, rngs, advice, space)


KERNELS = (start, step, take_up, choose, find_illegal, observe, advise)
