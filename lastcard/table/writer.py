"""Entries: written to the journal first, then carried out and told to everybody.

A move does not wait as a task does: when its entry is on disk, the store calls back. Tasks, futures
and locks took as long as the rules and the telling together.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from typing import Generic, TypeAlias, TypeVar

from . import broadcast, entries
from .clock import not_later, now
from .database import DatabaseError
from .entries import Entry, Left, Moved
from .hosted import HostedTable
from .journals import Journals, unavailable
from .refusals import Code, Refused
from .table import Happened
from .tasks import Tasks

T = TypeVar("T")
Decide: TypeAlias = Callable[[], Entry | None]

log = logging.getLogger("lastcard.table")

ATTEMPTS = 10  # to write an entry while other processes write theirs
AGAIN = 1.0  # seconds, after the database did not answer


class Job(ABC):
    """One thing to do at a table."""

    __slots__ = ("attempts", "hosted")

    afresh = False  # looks first into the journal for what others have written

    def __init__(self, hosted: HostedTable) -> None:
        self.hosted = hosted
        self.attempts = 0

    @abstractmethod
    def decide(self) -> Entry | None:
        """The entry to write as the table is now, or None if there is nothing to write; or raises
        Refused. Called again if another process was faster."""

    @abstractmethod
    def done(self, error: Exception | None) -> None:
        """Called once. Without an error the entry is on disk and carried out, and nothing else has
        happened at the table since."""


class Awaited(Job, Generic[T]):
    """One that a task waits for."""

    __slots__ = ("_decide", "_then", "afresh", "answer")

    def __init__(
        self, hosted: HostedTable, decide: Decide, then: Callable[[], T], afresh: bool
    ) -> None:
        super().__init__(hosted)
        self.answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self.afresh = afresh
        self._decide = decide
        self._then = then

    def decide(self) -> Entry | None:
        return None if self.answer.cancelled() else self._decide()

    def done(self, error: Exception | None) -> None:
        if self.answer.cancelled():
            return
        try:
            if error is not None:
                raise error
            self.answer.set_result(self._then())
        except Exception as wrong:
            self.answer.set_exception(wrong)


class Writer:
    """The only way to change a table."""

    def __init__(
        self, journals: Journals, schedule: Callable[[HostedTable], None], tasks: Tasks
    ) -> None:
        self.moves = 0  # for metrics
        self._journals = journals
        self._schedule = schedule  # what comes next at the table
        self._tasks = tasks

    # --- One thing at a time at each table -------------------------------------------------------

    def do(self, job: Job) -> None:
        """At once, or after what is under way at this table."""
        hosted = job.hosted
        if hosted.busy:
            hosted.queue.append(job)
        else:
            hosted.busy = True
            self._begin(job)

    async def in_turn(
        self,
        hosted: HostedTable,
        decide: Decide,
        then: Callable[[], T],
        afresh: bool = False,
    ) -> T:
        """The same for a task that waits for it; returns what `then` does, before anything else
        happens at the table. If the task is cancelled, what is being written is still written."""
        job = Awaited(hosted, decide, then, afresh)
        self.do(job)
        return await job.answer

    def _begin(self, job: Job) -> None:
        if job.hosted.dropped:
            self._finish(job, Refused(Code.UNAVAILABLE, "This table was put away. Try again."))
            return
        job.hosted.unsure |= job.afresh
        self._attempt(job)

    def _attempt(self, job: Job) -> None:
        if job.hosted.behind:
            self._tasks.spawn(self._read_first(job))
            return
        try:
            entry = job.decide()
            if entry is not None:
                self._write(job, entry)
                return
        except Exception as error:
            self._finish(job, error)
        else:
            self._finish(job)

    async def _read_first(self, job: Job) -> None:
        try:
            await self._catch_up(job.hosted)
        except Exception as error:
            self._finish(job, error)
        else:
            self._attempt(job)

    def _finish(self, job: Job, error: Exception | None = None) -> None:
        hosted = job.hosted
        try:
            job.done(error)
        except Exception:
            log.exception("an answer has failed")
        if hosted.queue:
            asyncio.get_running_loop().call_soon(self._begin, hosted.queue.pop(0))
        else:
            hosted.busy = False

    # --- Writing ---------------------------------------------------------------------------------

    def _write(self, job: Job, entry: Entry) -> None:
        """Journal first, then everything else."""
        hosted, at = job.hosted, now()
        table = hosted.table
        if not isinstance(entry, Moved):
            table.bound(entry)
            if not hosted.non_moves.take(at):
                raise Refused(Code.TOO_FAST, "That is too much at once. Wait a moment.")
        line = table.id, table.seq + 1, at, entries.encode(entry)
        hosted.unsure = True  # until the outcome is known
        self._journals.append(line, partial(self._settle, job, entry, at))

    def _settle(self, job: Job, entry: Entry, at: float, outcome: bool | DatabaseError) -> None:
        """Whether it was written is known, as far as it can be."""
        hosted = job.hosted
        if outcome is True:
            hosted.unsure, hosted.mine, hosted.used = False, True, at
            self.moves += isinstance(entry, Moved)
            try:
                if self._carry_out(hosted, entry, at).table:
                    self._journals.relist(hosted.table)
            except Exception as error:
                self._finish(job, error)
            else:
                self._finish(job)
        elif outcome is False:
            self._try_again(job)
        else:
            self._see_what_became_of_it(hosted)
            self._finish(job, unavailable(outcome))

    def _try_again(self, job: Job) -> None:
        """Another process has written an entry of the same number."""
        job.attempts += 1
        if job.attempts < ATTEMPTS:
            self._attempt(job)
        else:
            busy = "Too much is going on at this table. Try again."
            self._finish(job, Refused(Code.UNAVAILABLE, busy))

    def _see_what_became_of_it(self, hosted: HostedTable) -> None:
        """It may have been written after all, and others at the table have to be told, whether or
        not whoever asked for it tries again."""
        if not hosted.rereading:
            hosted.rereading = True
            self._tasks.spawn(self._reread(hosted))

    def _carry_out(self, hosted: HostedTable, entry: Entry, at: float) -> Happened:
        happened = self._journals.fold(hosted.table, entry, at)
        if isinstance(entry, Left):
            _unseat(hosted, entry.seat)
        if happened.table:
            hosted.note_gone()
        broadcast.tell(hosted, happened)
        self._schedule(hosted)
        return happened

    # --- Reading on ------------------------------------------------------------------------------

    async def _reread(self, hosted: HostedTable) -> None:
        try:
            await self.read_on(hosted)
        finally:
            hosted.rereading = False

    async def read_on(self, hosted: HostedTable, again: bool = False) -> None:
        """Reads what is known to be new in the journal; with `again`, checks for more."""
        while not hosted.dropped:
            try:
                await self.in_turn(hosted, _nothing, _nothing, again)
                return
            except Refused:
                await asyncio.sleep(AGAIN)

    async def _catch_up(self, hosted: HostedTable) -> None:
        """Reads the rest of the journal after a failure, or after another process wrote to it. It
        is the table's turn of whoever calls this, but news may still arrive meanwhile."""
        table = hosted.table
        while hosted.behind:
            newest = hosted.newest
            for line in await self._journals.lines_after(table):
                hosted.mine = False
                self._carry_out(hosted, entries.decode(line.body), not_later(line.at))
            hosted.unsure = False
            if hosted.newest == newest:
                hosted.newest = table.seq  # whatever was announced, there is no more


def _nothing() -> None: ...


def _unseat(hosted: HostedTable, seat: int) -> None:
    """A player who gives up a seat becomes a spectator, if the table allows spectators."""
    hosted.windows.pop(seat, None)
    for client in [one for one in hosted.clients if one.seat == seat]:
        client.seat = None
        if hosted.table.setup.watch:
            broadcast.welcome(hosted, client)
        else:
            hosted.clients.discard(client)
            client.close()
