"""Plays the parts of a plan: in threads, in processes, or on other machines."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from .plans import Parts, Plan, new_bot
from .pools import in_processes, in_threads
from .recorded import Recorder
from .tables import table_of

COMPRESSION = "zstd"
Made: TypeAlias = Any  # a part's table, or the bytes of its file
Task: TypeAlias = Callable[[], tuple[int, Made]]


def make_part(plan: Plan, part: int, as_file: bool) -> tuple[int, Made]:
    """Plays a part; its number, and its rows as a table or as the bytes of a Parquet file."""
    table = table_of(plan, Recorder(plan), part)
    return part, file_of(table) if as_file else table


def file_of(table: pa.Table) -> bytes:
    """The bytes of a Parquet file: the same for the same rows."""
    out = pa.BufferOutputStream()
    pq.write_table(table, out, compression=COMPRESSION)
    return out.getvalue().to_pybytes()


def on_cpu(plan: Plan, parts: Iterable[int], as_file: bool, workers: int | None) -> Parts:
    """Compiled matches in threads; those with bots in Python in processes."""
    workers = workers or os.cpu_count() or 1
    tasks: Iterator[Task] = (partial(make_part, plan, part, as_file) for part in parts)
    if plan.compiled:
        yield from in_threads(tasks, workers)
    elif workers == 1:
        prepare(plan)
        yield from (task() for task in tasks)
    else:
        yield from in_processes(tasks, workers, prepare, (plan,))


def prepare(plan: Plan) -> None:
    """Loads or compiles what bots need, so that none plays without its search."""
    for name in sorted(set(plan.bots)):
        new_bot(name, plan.rules, 0).load()
