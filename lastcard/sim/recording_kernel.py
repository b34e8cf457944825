"""What a GPU runs to record matches, one for each thread: a template, bound to one game's recording
(see `kernel.bind`). Imported only where there is Numba; gpu.py compiles it."""

from __future__ import annotations

from typing import Any

from numba import cuda, int16, int64, uint64

rules: Any = None  # the game; set by `bind`
recording: Any = None  # recording.py, bound to the game; set by `bind`
record: Any = None  # the layout of a record, as the compiler knows it; set by gpu.py
most_legal = seats = 0  # set by gpu.py

ROUNDS, DECISIONS, ACTIONS = range(3)
LAST_ROUND, LAST_DECISION, WINNERS = range(3)
NO_ROOM = -1  # instead of winners


def record_each(
    first: int,
    players: int,
    options: Any,
    seed: Any,
    dealt: int,
    bots: Any,
    room: Any,
    blank: Any,
    logs: Any,
    out: Any,
) -> None:
    """Records a match in each thread: every one has the same room in the tables."""
    i = cuda.grid(1)
    if i < len(out.matches):
        marks = cuda.local.array(3, int64)
        limits = cuda.local.array(3, int64)
        for table in range(3):
            marks[table] = i * room[table]
            limits[table] = (i + 1) * room[table]
        records = cuda.local.array(3, record)
        records[2] = blank[0]
        work = recording.Work(
            records,
            cuda.local.array(most_legal, int16),
            logs[i],
            cuda.local.array(1, uint64),
            cuda.local.array(seats, uint64),
            marks,
            limits,
        )
        fits = recording.record_match(first + i, players, options, seed, dealt, bots, work, out)
        out.matches[i, LAST_ROUND] = marks[ROUNDS]
        out.matches[i, LAST_DECISION] = marks[DECISIONS]
        out.matches[i, WINNERS] = records[0].winners if fits else NO_ROOM
