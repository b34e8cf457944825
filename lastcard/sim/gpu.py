"""Records matches on an NVIDIA GPU: the same functions as on the CPU, one match for each thread."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import numpy as np

from lastcard.core.game import Game
from lastcard.core.registry import packages
from lastcard.engine import JIT, PLAIN
from lastcard.errors import BadOption
from lastcard.kernel import bind

from .cuda import BLOCK, for_gpu, tools
from .plans import COMPILED, Parts, Plan
from .recorded import ACTIONS_EACH, Recorded, Recorder, compiled_recording
from .recording import COUNT, LAST_DECISION, LAST_ROUND, WINNERS, Out
from .recording_kernel import NO_ROOM


@cache
def kernel_of(id: str) -> Any:
    """What runs on the GPU for one game. The simulator runs plain Python."""
    simulated = tools().simulated
    game = Game(id, packages()[id], PLAIN if simulated else JIT)
    bound: Any = bind(
        "lastcard.sim.recording_kernel", rules=game.rules, recording=compiled_recording(game)
    )
    bound.record = game.rules.RECORD
    bound.most_legal, bound.seats = game.rules.MOST_LEGAL, game.most
    if not simulated:
        bound.record = for_gpu(game, bound)
    return tools().cuda.jit(bound.record_each)


def on_cuda(plan: Plan, parts: Iterable[int], as_file: bool) -> Parts:
    """Part by part, all matches of a part at the same time."""
    from .running import file_of  # Arrow is for those who want tables
    from .tables import table_of

    recorder = GpuRecorder(plan)
    for part in parts:
        table = table_of(plan, recorder, part)
        yield part, file_of(table) if as_file else table


def check(plan: Plan) -> None:
    """Says what is missing for a plan to be played on a GPU."""
    if not plan.compiled:
        raise BadOption("bots", "on cuda are random or policy; others think on the CPU.")
    if plan.ruling:
        raise BadOption("ruling", "others than ours are for cpu and ray.")
    tools()


class GpuRecorder(Recorder):
    """Plays matches of one plan on a GPU. What it hands over is what a CPU would."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.kernel = kernel_of(plan.game)
        self.cuda = tools().cuda
        self.room = 1

    def play(self, numbers: range) -> Iterator[Recorded]:
        while True:
            out = self._launched(numbers, self._room(len(numbers), self.room))
            if (out.matches[:, WINNERS] != NO_ROOM).all():
                yield compacted(numbers.start, out, self.deciding)
                return
            self.room *= 2  # for all matches, and those of later parts

    def _launched(self, numbers: range, out: Out) -> Out:
        """The tables as threads have written them, each in its own room."""
        count, there = len(numbers), self.cuda.to_device
        bots = np.array([COMPILED[name] for name in self.plan.bots], np.int16)
        room = np.array([len(out.rounds), len(out.decisions), len(out.actions)]) // count
        logs = self.cuda.device_array((count, *self.work.log.shape), np.int32)
        tables = Out(*map(there, out))
        self.kernel[(count + BLOCK - 1) // BLOCK, BLOCK](
            numbers.start,
            self.plan.players,
            there(self.options),
            there(self.seed),
            self.dealt,
            there(bots),
            there(room),
            there(self.game.blank()),
            logs,
            tables,
        )
        return Out(*(one.copy_to_host() for one in tables))


def compacted(first: int, out: Out, deciding: bool) -> Recorded:
    """Moves the rows of all threads together."""
    count = len(out.matches)
    rounds, decisions = len(out.rounds) // count, len(out.decisions) // count
    which = np.arange(count)
    each = out.matches[:, LAST_ROUND] - which * rounds
    decided = out.matches[:, LAST_DECISION] - which * decisions
    matches = out.matches.copy()
    matches[:, LAST_ROUND], matches[:, LAST_DECISION] = np.cumsum(each), np.cumsum(decided)
    kept = _rows(each, rounds)
    if not deciding:
        return Recorded(first, matches, out.rounds[kept], *(one[:0] for one in out[2:]))
    chosen = _rows(decided, decisions)
    table = out.decisions[chosen]
    listed = np.add.reduceat(table[:, COUNT].astype(np.int64), matches[:, LAST_DECISION] - decided)
    return Recorded(
        first,
        matches,
        out.rounds[kept],
        table,
        out.actions[_rows(listed, decisions * ACTIONS_EACH)],
        out.observations[chosen] if len(out.observations) else out.observations,
        out.hidden[chosen] if len(out.hidden) else out.hidden,
    )


def _rows(counts: Any, room: int) -> Any:
    """The rows in use, where everybody has the same room."""
    return (np.arange(room) < counts[:, None]).reshape(-1)
