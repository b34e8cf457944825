"""The journals of all tables, on disk.

Commits are batched: while one is under way the next entries gather, so that durability costs each
of them little.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple, TypeAlias

import msgspec

from . import schema
from .clock import now
from .database import Connection, Database, DatabaseError, EntryNumber, EntryRow, Row
from .entries import STEP_STARTS
from .opening import open_database
from .table import Start

log = logging.getLogger("lastcard.table")
encode = msgspec.json.Encoder().encode

LONGEST_NOTE = 7_000  # bytes; PostgreSQL allows just under 8,000
MOST_LISTED = 100
MOST_AT_ONCE = 2_000  # entries in one statement
PER_QUERY = 100  # entries per query of a long journal
PROBED_FOR = 1.0  # seconds that the answer of `is_writable` is cached
PROBED_WITHIN = 2.0  # seconds that a probe may take
FAILED_FOR = 10.0  # seconds that a failure counts, unless something is written


class Line(NamedTuple):
    """One entry as a row; to write one, any tuple of these will do."""

    table: str
    seq: int
    at: float
    body: bytes


@dataclass(frozen=True, slots=True)
class Listing:
    """A table's line in the list of tables."""

    listed: bool
    summary: bytes


@dataclass(frozen=True, slots=True)
class Founded:
    """A table as it was opened."""

    id: str
    created: float
    setup: bytes
    secret: str


class Note(msgspec.Struct, omit_defaults=True):
    """What one process tells the others. It is not stored."""

    process: str
    entries: dict[str, int] = {}  # tables with new entries: the number of the last
    here: dict[str, list[int | None]] = {}  # seats connected to this process, by table
    asking: list[str] = []  # tables whose connections this process wants to know
    reactions: list[tuple[str, int, str]] = []
    since: float = 0.0  # that there has always been a process, with
    met: list[str] = []  # those that this one has heard of
    serving: dict[str, float] = {}  # tables asked about with people here: served since then


@dataclass(slots=True)
class Extras:
    """Written with the next batch of entries, or soon."""

    listings: dict[str, Listing] = field(default_factory=dict)
    starts: dict[tuple[str, int], Start] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.listings or self.starts)

    def __or__(self, newer: Extras) -> Extras:
        return Extras(self.listings | newer.listings, self.starts | newer.starts)


# Told whether an entry is safe on disk: False if its number was taken.
Settle: TypeAlias = Callable[[bool | DatabaseError], None]
Pending: TypeAlias = tuple[EntryRow, Settle]


class Store:
    """All tables and their journals."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.process = os.urandom(6).hex()
        self.commits = 0  # for metrics
        self.written = 0  # for metrics
        self._loop = asyncio.get_running_loop()
        self._pending: list[Pending] = []
        self._since = 0.0  # when the first of these came
        self._longest_wait = 0.0
        self._founding = asyncio.Lock()
        self._extras = Extras()
        self._wake = asyncio.Event()
        self._closing = False
        self._flusher = asyncio.create_task(self._flush())
        self._probe: asyncio.Task[bool] | None = None
        self._probed = -math.inf
        self._failed = -math.inf  # when entries could last not be written

    @classmethod
    async def open(cls, database: str) -> Store:
        return cls(await open_database(database))

    @property
    def shared(self) -> bool:
        """Whether other processes may use the same database."""
        return self.database.shared

    async def close(self) -> None:
        """Writes what is pending first."""
        self._closing = True
        self._wake.set()
        await self._flusher
        await self.database.close()

    # --- Writing ---------------------------------------------------------------------------------

    async def found(self, table: Founded, listing: Listing) -> None:
        row = (table.id, table.created, table.setup.decode(), table.secret)
        listed = (listing.listed, listing.summary.decode())
        since = now()
        async with self._founding:  # one at a time: between two of them, moves are written
            await self._change(schema.FOUND, *row, *listed)
        self._note_wait(since)

    def relist(self, table: str, listing: Listing) -> None:
        """Changes the table's listing, with the next batch."""
        self._extras.listings[table] = listing
        self._wake.set()

    def keep(self, table: str, start: Start) -> None:
        """Keeps the start of a match, with the next batch. If lost, the journal still has it."""
        self._extras.starts[table, start.number] = start
        self._wake.set()

    def append(self, line: EntryRow, settle: Settle) -> None:
        """Writes an entry, and then calls `settle`."""
        if self._closing:
            self._loop.call_soon(settle, DatabaseError("the store is closing"))
        else:
            if not self._pending:
                self._since = now()
            self._pending.append((line, settle))
            self._wake.set()

    def longest_wait(self) -> float:
        """Until an entry or a new table was on disk, in seconds, since this was last asked."""
        longest, self._longest_wait = self._longest_wait, 0.0
        return longest

    def _note_wait(self, since: float) -> None:
        self._longest_wait = max(self._longest_wait, now() - since)

    async def _flush(self) -> None:
        closing = False
        while not closing or self._pending:
            await self._wake.wait()
            self._wake.clear()
            closing = self._closing
            batch, self._pending, since = self._pending, [], self._since
            extras, self._extras = self._extras, Extras()
            if not batch and not extras:
                continue
            try:
                await self._commit(batch, extras)
                if batch:
                    self._note_wait(since)
            except DatabaseError as error:
                self._extras = extras | self._extras
                if error.of_one:
                    await self._commit_one_by_one(batch)
                else:
                    self._failed = now()
                    self._loop.call_soon(_settle, [(settle, error) for _, settle in batch])

    async def _commit_one_by_one(self, batch: Sequence[Pending]) -> None:
        """One bad entry must not fail the others."""
        for one in batch:
            try:
                await self._commit([one], Extras())
            except DatabaseError as error:
                self._loop.call_soon(_settle, [(one[1], error)])

    async def _commit(self, batch: Sequence[Pending], extras: Extras) -> None:
        # In the same order everywhere, so that two processes never deadlock.
        lines = sorted(line for line, _ in batch)
        try:
            written = await self.database.write(
                lambda connection: self._write(connection, lines, extras)
            )
        except DatabaseError:
            raise
        except Exception as error:
            log.exception("the journal could not be written")
            raise DatabaseError(type(error).__name__, of_one=True) from error
        self._failed = -math.inf
        self.commits += 1
        self.written += len(written)
        outcomes: list[tuple[Settle, bool | DatabaseError]]
        if len(written) == len(batch):
            outcomes = [(settle, True) for _, settle in batch]
        else:
            outcomes = []
            for (table, seq, _, _), settle in batch:
                outcomes.append((settle, (table, seq) in written))
                written.discard((table, seq))  # of two with the same number, one wins
        self._loop.call_soon(_settle, outcomes)  # the next commit begins first

    async def _write(
        self, connection: Connection, lines: Sequence[EntryRow], extras: Extras
    ) -> set[EntryNumber]:
        written: set[EntryNumber] = set()
        for first in range(0, len(lines), MOST_AT_ONCE):
            written |= await connection.add_entries(lines[first : first + MOST_AT_ONCE])
        starts = sorted(extras.starts.items(), key=lambda one: one[0])
        for first in range(0, len(starts), MOST_AT_ONCE):
            some = [(*of, encode(start)) for of, start in starts[first : first + MOST_AT_ONCE]]
            await connection.execute(schema.keep(len(some)), *chain.from_iterable(some))
        for id, listing in sorted(extras.listings.items()):
            changed = (listing.listed, listing.summary.decode())
            await connection.execute(schema.RELIST, *changed, id)
        if written and self.shared:
            await _tell(connection, Note(self.process, entries=dict(sorted(written))))
        return written

    async def _change(self, statement: str, *values: object) -> None:
        await self.database.write(lambda connection: connection.execute(statement, *values))

    # --- Reading ---------------------------------------------------------------------------------

    async def founded(self, id: str) -> Founded | None:
        rows = await self._rows(schema.FOUNDED, id)
        if not rows:
            return None
        created, setup, secret = rows[0]
        return Founded(id, created, setup.encode(), secret)

    async def lines(self, id: str, after: int = 0) -> list[Line]:
        """A table's entries, in order."""
        return await self._lines(schema.LINES, id, after, schema.LAST)

    async def all_lines(self, id: str, after: int = 0) -> AsyncIterator[Line]:
        """The same for a long journal: a few per query, so that others get their turn."""
        while True:
            some = await self._lines(schema.LINES, id, after, after + PER_QUERY)
            for line in some:
                yield line
            if len(some) < PER_QUERY:
                return
            after += PER_QUERY

    async def steps(self, id: str, after: int, until: int) -> list[Line]:
        """The moves and undos among them."""
        return await self._lines(schema.STEPS, id, after, until, *STEP_STARTS)

    async def _lines(self, statement: str, id: str, *values: object) -> list[Line]:
        rows = await self._rows(statement, id, *values)
        return [Line(id, seq, at, body) for seq, at, body in rows]

    async def start(self, id: str, number: int = schema.LAST) -> Start | None:
        """The start of a match, or the nearest one kept before it; by default the latest."""
        rows = await self._rows(schema.START, id, number)
        return msgspec.json.decode(rows[0][0], type=Start) if rows else None

    async def newest(self, ids: Sequence[str]) -> dict[str, int]:
        """The number of each table's last entry."""
        found: dict[str, int] = {}
        for first in range(0, len(ids), MOST_AT_ONCE):
            some = ids[first : first + MOST_AT_ONCE]
            rows = await self._rows(schema.NEWEST + schema.places(len(some)), *some)
            found.update((id, seq) for id, seq in rows)
        return found

    async def listed(self, since: float = 0.0) -> list[bytes]:
        """The listings of public tables opened since then, newest first."""
        rows = await self._rows(schema.LISTED, since, MOST_LISTED)
        return [summary.encode() for (summary,) in rows]

    async def _rows(self, statement: str, *values: object) -> Sequence[Row]:
        return await self.database.read(lambda connection: connection.execute(statement, *values))

    async def unused(self, since: float, after: float, most: int) -> list[tuple[str, float]]:
        """Tables that nobody has used since then, with the time they were opened: the oldest after
        `after`."""
        rows = await self._rows(schema.UNUSED, since, after, since, most)
        return [(id, created) for id, created in rows]

    async def remove(self, ids: Sequence[str]) -> None:
        """Tables, with all that is kept of them."""

        async def work(connection: Connection) -> None:
            for statement in schema.removals(len(ids)):
                await connection.execute(statement, *ids)

        await self.database.write(work)

    async def is_writable(self) -> bool:
        """Whether the database takes writes now; probed at most once a second. The probe takes no
        room, so on a full disk it succeeds: then the last failure counts for a while."""
        if self._probe is None or (self._probe.done() and self._probed + PROBED_FOR <= now()):
            self._probed = now()
            self._probe = asyncio.create_task(self._try_to_write())
        done, _ = await asyncio.wait({self._probe}, timeout=PROBED_WITHIN)
        return bool(done) and self._probe.result() and self._failed + FAILED_FOR <= now()

    async def _try_to_write(self) -> bool:
        try:
            await self._change(schema.PROBE, time.time())
        except DatabaseError:
            return False
        return True

    # --- Other processes -------------------------------------------------------------------------

    async def tell(self, note: Note) -> None:
        """Tells the other processes, best effort: nothing depends on it for long."""
        if self.shared:
            with contextlib.suppress(DatabaseError):
                await self.database.write(lambda connection: _tell(connection, note))

    def listen(self, hear: Callable[[Note], None], again: Callable[[], Awaitable[None]]) -> None:
        """Calls `hear` with each note of another process, and `again` when some may be lost."""

        def heard(body: str) -> None:
            note = msgspec.json.decode(body, type=Note)
            if note.process != self.process:
                hear(note)

        self.database.listen(heard, again)


def _settle(outcomes: Sequence[tuple[Settle, bool | DatabaseError]]) -> None:
    for settle, outcome in outcomes:
        try:
            settle(outcome)
        except Exception:  # it must not keep the others waiting
            log.exception("what was written could not be carried out")


async def _tell(connection: Connection, note: Note) -> None:
    for part in _parts(note):
        await connection.notify(msgspec.json.encode(part).decode())


def _parts(note: Note) -> list[Note]:
    """Splits a note that is too long for one notification."""
    if len(msgspec.json.encode(note)) <= LONGEST_NOTE:
        return [note]
    for name in ("entries", "here"):
        items = list(getattr(note, name).items())
        if len(items) > 1:
            half = len(items) // 2
            halves = (dict(items[:half]), dict(items[half:]))
            parts = [msgspec.structs.replace(note, **{name: some}) for some in halves]
            return [short for part in parts for short in _parts(part)]
    return []  # one table with more clients than a note can hold
