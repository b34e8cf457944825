"""Entries: written to the journal first, then carried out and told to everybody."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar, TypeVarTuple

from . import broadcast, entries
from .clock import not_later, now
from .entries import Entry, Left, Moved
from .hosted import HostedTable
from .journals import Journals
from .refusals import Code, Refused
from .store import Line
from .table import Happened
from .tasks import Tasks

Given = TypeVarTuple("Given")
T = TypeVar("T")

ATTEMPTS = 10  # to write an entry while other processes write theirs
AGAIN = 1.0  # seconds, after the database did not answer


class Overtaken(Exception):
    """Another process has written an entry of the same number: look again."""


class Writer:
    """The only way to change a table."""

    def __init__(
        self, journals: Journals, schedule: Callable[[HostedTable], None], tasks: Tasks
    ) -> None:
        self.moves = 0  # for metrics
        self._journals = journals
        self._schedule = schedule  # what comes next at the table
        self._tasks = tasks

    async def in_turn(
        self,
        hosted: HostedTable,
        work: Callable[[*Given], Awaitable[T]],
        *given: *Given,
        afresh: bool = False,
    ) -> T:
        """Does one thing at a time at each table, and again if another process was faster; with
        `afresh`, after a look into the journal for what others have written."""
        async with hosted.lock:
            if hosted.dropped:
                raise Refused(Code.UNAVAILABLE, "This table was put away. Try again.")
            hosted.unsure |= afresh
            for _ in range(ATTEMPTS):
                if hosted.unsure or hosted.table.seq < hosted.newest:
                    await self._catch_up(hosted)
                try:
                    return await work(*given)
                except Overtaken:
                    continue
        raise Refused(Code.UNAVAILABLE, "Too much is going on at this table. Try again.")

    async def write(self, hosted: HostedTable, entry: Entry) -> None:
        """Journal first, then everything else. The caller holds the table's lock."""
        table, at = hosted.table, now()
        table.bound(entry)
        if not isinstance(entry, Moved) and not hosted.non_moves.take(at):
            raise Refused(Code.TOO_FAST, "That is too much at once. Wait a moment.")
        line = Line(table.id, table.seq + 1, at, entries.encode(entry))
        hosted.unsure = True  # until the outcome is known
        try:
            written, cancelled = await self._journals.append(line)
        except Refused:
            self._see_what_became_of_it(hosted)
            raise
        if not written:
            await self._catch_up(hosted)
            raise Overtaken
        hosted.unsure, hosted.mine, hosted.used = False, True, at
        self.moves += isinstance(entry, Moved)
        if self._carry_out(hosted, entry, at).table:
            self._journals.relist(table)
        if cancelled:
            raise asyncio.CancelledError

    def _see_what_became_of_it(self, hosted: HostedTable) -> None:
        """It may have been written after all, and others at the table have to be told, whether or
        not whoever asked for it tries again."""
        if not hosted.rereading:
            hosted.rereading = True
            self._tasks.spawn(self._reread(hosted))

    async def _reread(self, hosted: HostedTable) -> None:
        try:
            await self.read_on(hosted)
        finally:
            hosted.rereading = False

    async def read_on(self, hosted: HostedTable, again: bool = False) -> None:
        """Reads what is known to be new in the journal; with `again`, checks for more."""
        while True:
            try:
                async with hosted.lock:
                    hosted.unsure |= again
                    await self._catch_up(hosted)
                    return
            except Refused:
                await asyncio.sleep(AGAIN)

    async def _catch_up(self, hosted: HostedTable) -> None:
        """Reads the rest of the journal after a failure, or after another process wrote to it.
        The caller holds the table's lock, but news may still arrive meanwhile."""
        table = hosted.table
        while hosted.unsure or table.seq < hosted.newest:
            newest = hosted.newest
            for line in await self._journals.lines_after(table):
                hosted.mine = False
                self._carry_out(hosted, entries.decode(line.body), not_later(line.at))
            hosted.unsure = False
            if hosted.newest == newest:
                hosted.newest = table.seq  # whatever was announced, there is no more

    def _carry_out(self, hosted: HostedTable, entry: Entry, at: float) -> Happened:
        happened = self._journals.fold(hosted.table, entry, at)
        if isinstance(entry, Left):
            _unseat(hosted, entry.seat)
        if happened.table:
            hosted.note_gone()
        broadcast.tell(hosted, happened)
        self._schedule(hosted)
        return happened


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
