"""The journals of tables: read back, replayed and written, as the store keeps them."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import AsyncIterator, Awaitable
from typing import TypeVar

import msgspec

from lastcard.core.registry import game as find

from . import entries, replay
from .clock import not_later
from .database import DatabaseError, EntryRow
from .entries import Entry
from .refusals import Code, Refused
from .replay import PlayedMatch
from .setup import Setup
from .shown import listing_of
from .store import Founded, Line, Settle, Store
from .table import Happened, Start, Table
from .warmup import Warmup

log = logging.getLogger("lastcard.table")
T = TypeVar("T")

TABLE_ID = re.compile(r"[A-Za-z0-9_-]{16}")
LISTED_FOR = 24 * 3600  # seconds


class Journals:
    """Tables on disk. A database that does not answer is Refused, here and nowhere else."""

    def __init__(self, store: Store, warmup: Warmup) -> None:
        self._store = store
        self._warmup = warmup

    # --- Reading ---------------------------------------------------------------------------------

    async def read(self, id: str) -> Table:
        """A table as its journal left it; Refused if there is none."""
        founded = await self._founded(id)
        if founded is None:
            raise _no_table()
        setup = msgspec.json.decode(founded.setup, type=Setup)
        await self._warmup.prepare(find(setup.game))
        table = Table(id, setup, founded.secret, founded.created)
        if (start := await _stored(self._store.start(id))) is not None:
            table.begin_at(msgspec.structs.replace(start, at=not_later(start.at)))
        async for line in self._all_lines(id, table.seq):
            self.fold(table, entries.decode(line.body), not_later(line.at))
        return table

    async def game_of(self, id: str) -> str | None:
        """The game of a table, if there is one; nothing has to be compiled for that."""
        founded = await self._founded(id)
        return None if founded is None else msgspec.json.decode(founded.setup, type=Setup).game

    async def lines_after(self, table: Table) -> list[Line]:
        """Entries that the table does not know yet."""
        return await _stored(self._store.lines(table.id, table.seq))

    async def listed(self) -> list[bytes]:
        """Public tables of the last day, as JSON; whoever opened an older one has left."""
        return await _stored(self._store.listed(time.time() - LISTED_FOR))

    async def played(self, table: Table, number: int) -> PlayedMatch:
        """A match of a table, to be replayed; Refused if there is none of this number."""
        over = replay.is_over(table, number)
        last, end = table.seq, table.version + 1
        start = await self._start(table, number)
        if number < table.number:
            following = await self._start(table, number + 1)
            last, end = following.seq - 1, following.version
        lines = await _stored(self._store.steps(table.id, start.seq, last))
        return PlayedMatch(table, start, lines, end - start.version, over)

    async def _start(self, table: Table, number: int) -> Start:
        """Where a match begins."""
        if table.start is not None and number == table.number:
            return table.start
        then = Table(table.id, table.setup, table.secret, table.since)
        if (known := await _stored(self._store.start(table.id, number))) is not None:
            if known.number == number:
                return known
            then.begin_at(known)
        async for line in self._all_lines(table.id, then.seq):
            self.fold(then, entries.decode(line.body), line.at)
            if then.start is not None and then.number == number:
                return then.start
        raise _no_table()

    async def _founded(self, id: str) -> Founded | None:
        return await _stored(self._store.founded(id)) if TABLE_ID.fullmatch(id) else None

    async def _all_lines(self, id: str, after: int) -> AsyncIterator[Line]:
        lines = self._store.all_lines(id, after)
        while (line := await _stored(anext(lines, None))) is not None:
            yield line

    # --- Writing ---------------------------------------------------------------------------------

    async def found(self, founded: Founded, table: Table) -> None:
        await _stored(self._store.found(founded, listing_of(table)))

    def append(self, line: EntryRow, settle: Settle) -> None:
        """Calls `settle` once it is known whether the entry was written."""
        self._store.append(line, settle)

    def fold(self, table: Table, entry: Entry, at: float) -> Happened:
        """Carries out an entry, and keeps where a new match begins."""
        start = table.start
        happened = table.fold(entry, at)
        if table.start is not None and table.start is not start:
            self._store.keep(table.id, table.start)
        return happened

    def relist(self, table: Table) -> None:
        if table.setup.public:
            self._store.relist(table.id, listing_of(table))


async def _stored(work: Awaitable[T]) -> T:
    try:
        return await work
    except DatabaseError as error:
        raise unavailable(error) from None


def unavailable(error: DatabaseError) -> Refused:
    log.error("the database does not answer", exc_info=error)
    return Refused(Code.UNAVAILABLE, "The server cannot save this right now. Try again.")


def _no_table() -> Refused:
    return Refused(Code.NOT_FOUND, "There is no such table.")
