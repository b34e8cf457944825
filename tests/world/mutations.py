"""Defects put in by hand, as monkeypatches: the world must find each."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any
from unittest import mock

from msgspec import Raw
from starlette.requests import Request

from lastcard.core.views import Watch
from lastcard.server import replays
from lastcard.server.reading import token_of
from lastcard.table import entries, replay
from lastcard.table.clock import not_later
from lastcard.table.database import DatabaseError
from lastcard.table.hosted import HostedTable
from lastcard.table.journals import Journals
from lastcard.table.messages import MatchShown, Step
from lastcard.table.processes import Processes
from lastcard.table.refusals import Refused
from lastcard.table.replay import PlayedMatch
from lastcard.table.store import Extras, Line, Settle, Store
from lastcard.table.table import Happened, Table
from lastcard.table.window import Window
from lastcard.table.writer import AGAIN, Job, Writer

from .plan import SILENCING, Plan
from .world import Report, run_plan

Patches = list[tuple[Any, str, Any]]


def ack_before_commit() -> Patches:
    """An entry counts as written once it is on its way."""

    def append(self: Journals, line: Line, settle: Settle) -> None:
        self._store.append(line, lambda _: None)
        settle(True)

    return [(Journals, "append", append)]


def lost_wake_up() -> Patches:
    """What is appended while a commit is under way is forgotten until the next comes."""

    async def flush(self: Store) -> None:
        while not self._closing or self._pending:
            await self._wake.wait()
            batch, self._pending = self._pending, []
            extras, self._extras = self._extras, Extras()
            try:
                await self._commit(batch, extras)
            except Exception as error:
                for _, settle in batch:
                    settle(DatabaseError(error))
            self._wake.clear()

    return [(Store, "_flush", flush)]


def double_fold() -> Patches:
    """Two who read the journal at the same time both carry out what they find."""

    async def catch_up(self: Writer, hosted: HostedTable) -> None:
        table = hosted.table
        while hosted.unsure or table.seq < hosted.newest:
            newest, known = hosted.newest, table.seq
            for line in await self._journals.lines_after(table):
                hosted.mine = False
                self._carry_out(hosted, entries.decode(line.body), not_later(line.at))
                if line.seq == known + 1 and hosted.unsure and hosted.clients:
                    self._carry_out(hosted, entries.decode(line.body), not_later(line.at))
            hosted.unsure = False
            if hosted.newest == newest:
                hosted.newest = table.seq

    return [(Writer, "_catch_up", catch_up)]


def missing_lock() -> Patches:
    """Two things at once at one table."""

    def do(self: Writer, job: Job) -> None:
        self._begin(job)

    return [(Writer, "do", do)]


def stale_view() -> Patches:
    """After the whole view was sent, changes are still counted from what was seen before it."""

    def whole(self: Watch, hidden: Any) -> bytes:
        before, self._last = self._last, None
        text = self.look(hidden)
        self._last = before or self._last
        return text

    return [(Watch, "whole", whole)]


def hanging_tables() -> Patches:
    """As it was before "Tables of two processes never stay behind": that there is more to read was
    a flag, which whoever was at it cleared, and nobody looked for what was not announced."""

    async def catch_up(self: Writer, hosted: HostedTable) -> None:
        if not hosted.unsure:
            return
        for line in await self._journals.lines_after(hosted.table):
            hosted.mine = False
            self._carry_out(hosted, entries.decode(line.body), not_later(line.at))
        hosted.unsure = False

    async def read_on(self: Writer, hosted: HostedTable, again: bool = False) -> None:
        hosted.unsure = True
        while hosted.unsure:
            try:
                await self.in_turn(hosted, lambda: None, lambda: None)
            except Refused:
                await asyncio.sleep(AGAIN)

    def note_newest(self: Processes, id: str, seq: int) -> None:
        hosted = self._tables.get(id)
        if hosted is not None and seq > hosted.table.seq:
            self._tasks.spawn(self._writer.read_on(hosted))

    async def look(self: Processes) -> None:
        """There was no such thing."""

    return [
        (Writer, "_catch_up", catch_up),
        (Writer, "read_on", read_on),
        (Processes, "_note_newest", note_newest),
        (Processes, "_look", look),
    ]


def forgotten_moves() -> Patches:
    """A move that is sent again is made again, where the rules allow it."""

    def moved_already(self: Table, seat: int, id: str) -> int | None:
        return None

    return [(Table, "moved_already", moved_already)]


def unchecked_race() -> Patches:
    """Whose number was taken goes on as if it had been written."""

    def append(self: Journals, line: Line, settle: Settle) -> None:
        known(self, line, lambda outcome: settle(outcome or True))

    known = Journals.append
    return [(Journals, "append", append)]


def open_cards() -> Patches:
    """Everybody is shown all cards when a match begins."""

    def shown(self: Window, table: Table) -> MatchShown | None:
        if table.match is None:
            return None
        view = self._watch.whole(table.match.revealed())
        return MatchShown(table.number, table.version, table.may_undo(self.seat), Raw(view))

    return [(Window, "shown", shown)]


def open_replay() -> Patches:
    """Who replays a match that is not over sees all cards, as if it were."""

    def opened(self: Window, table: Table, happened: Happened, *, all_open: bool = False) -> Step:
        return step(self, table, happened, all_open=True)

    step = Window.step
    return [(Window, "step", opened)]


def any_replay() -> Patches:
    """Who has a seat may replay any other, too, during the match."""

    def check_may_see(request: Request, table: Table, number: int, seat: int | None) -> None:
        if token_of(request) is None:
            known(request, table, number, seat)

    known = replays._check_may_see
    return [(replays, "_check_may_see", check_may_see)]


def early_file() -> Patches:
    """The file of a match, which has the key of all cards, is given before it is over."""

    def match_file(played: PlayedMatch) -> str:
        return known(replace(played, over=True))

    known = replay.match_file
    return [(replay, "match_file", match_file)]


def old_welcome() -> Patches:
    """Whoever comes from another process is shown what this one happens to know."""

    in_turn = Writer.in_turn

    async def as_known(
        self: Writer, hosted: Any, decide: Any, then: Any, afresh: bool = False
    ) -> Any:
        return await in_turn(self, hosted, decide, then)

    return [(Writer, "in_turn", as_known)]


def undying() -> Patches:
    """Whoever was connected to a process that was killed is here for ever."""

    def forget_the_silent(self: Processes) -> None:
        """There was no such thing."""

    return [(Processes, "_forget_the_silent", forget_the_silent)]


def ticking() -> Patches:
    """Clocks run on while no process serves the table."""

    def is_awaited(self: HostedTable, seat: int) -> bool:
        return False

    return [(HostedTable, "_is_awaited", is_awaited)]


def left_alone() -> Patches:
    """Who takes a table over believes that it was served all the time."""

    async def introduce(self: Processes, hosted: HostedTable) -> None:
        self._served.clear()
        await known(self, hosted)

    known = Processes.introduce
    return [(Processes, "introduce", introduce)]


# The same where every note arrives: only those that come at a bad moment are forgotten.
NOTHING_LOST = "hanging tables, no note lost"

MUTATIONS: Mapping[str, Callable[[], Patches]] = {
    "ack before commit": ack_before_commit,
    "lost wake-up": lost_wake_up,
    "double fold": double_fold,
    "missing lock": missing_lock,
    "stale view": stale_view,
    "hanging tables": hanging_tables,
    NOTHING_LOST: hanging_tables,
    "forgotten moves": forgotten_moves,
    "unchecked race": unchecked_race,
    "open cards": open_cards,
    "open replay": open_replay,
    "any replay": any_replay,
    "early file": early_file,
    "old welcome": old_welcome,
    "undying": undying,
    "ticking": ticking,
    "left alone": left_alone,
}


def _any(plan: Plan) -> Plan:
    return plan


def _no_note_lost(plan: Plan) -> Plan:
    return replace(plan, faults=plan.faults - {"note lost", "deaf"})


def _alone_and_killed(plan: Plan) -> Plan:
    """In worlds of all kinds it takes hundreds to find what only a clock and a kill can show."""
    faults = (plan.faults | {"kill", "away"}) - {"clock set"}
    return replace(plan, processes=1, faults=faults)


def _taken_over(plan: Plan) -> Plan:
    faults = (plan.faults | {"kill", "stop", "away"}) - SILENCING - {"clock set"}
    return replace(plan, processes=2 + plan.seed % 2, shared=True, faults=faults)


# The worlds in which a defect is looked for, if not in all.
WORLDS: Mapping[str, Callable[[Plan], Plan]] = {
    NOTHING_LOST: _no_note_lost,
    "ticking": _alone_and_killed,
    "left alone": _taken_over,
}

# The first worlds that find those that are not found at once. Tests begin there; what changes the
# luck of worlds makes them search on, until `--mutations` has counted again.
FOUND_BY: Mapping[str, int] = {
    "lost wake-up": 26,
    "stale view": 3,
    "hanging tables": 217,
    NOTHING_LOST: 339,
    "forgotten moves": 11,
    "any replay": 9,
    "old welcome": 51,
    "undying": 80,
    "ticking": 57,
    "left alone": 88,
}


@contextlib.contextmanager
def mutated(name: str) -> Iterator[None]:
    with contextlib.ExitStack() as stack:
        for where, attribute, new in MUTATIONS[name]():
            stack.enter_context(mock.patch.object(where, attribute, new))
        yield


def seeds_to_find(name: str, first: int = 1, most: int = 4_000) -> tuple[Report | None, int]:
    """The first world from there on that fails with it, and how many were needed."""
    with mutated(name):
        for number, seed in enumerate(range(first, first + most), 1):
            report = run_plan(WORLDS.get(name, _any)(Plan.of(seed)))
            if report.violation is not None:
                return report, number
    return None, most
