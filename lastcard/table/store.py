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
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec
from sqlalchemy import ColumnElement, func, insert, or_, select, update
from sqlalchemy.dialects.postgresql import insert as insert_or_leave
from sqlalchemy.engine import Connection

from .clock import now
from .database import POSTGRESQL, Database, DatabaseError, notify, open_database
from .entries import STEP_STARTS
from .schema import entries, health, starts, tables
from .table import Start

log = logging.getLogger("lastcard.table")

LONGEST_NOTE = 7_000  # bytes; PostgreSQL allows just under 8,000
MOST_LISTED = 100
MOST_AT_ONCE = 2_000  # entries in one statement
PER_QUERY = 100  # entries per query of a long journal
PROBED_FOR = 1.0  # seconds that the answer of `is_writable` is cached
PROBED_WITHIN = 2.0  # seconds that a probe may take


@dataclass(frozen=True, slots=True)
class Line:
    """One entry as a row."""

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


@dataclass(slots=True)
class Extras:
    """Written with the next batch of entries, or soon."""

    listings: dict[str, Listing] = field(default_factory=dict)
    starts: dict[tuple[str, int], Start] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.listings or self.starts)

    def __or__(self, newer: Extras) -> Extras:
        return Extras(self.listings | newer.listings, self.starts | newer.starts)


class Outcome(asyncio.Future[bool]):
    """Whether an entry was written. Tasks that await it cannot be cancelled before."""

    def cancel(self, msg: object = None) -> bool:
        return False


class Store:
    """All tables and their journals."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.process = os.urandom(6).hex()
        self.commits = 0  # for metrics
        self.written = 0  # for metrics
        self._loop = asyncio.get_running_loop()
        self._pending: list[tuple[Line, Outcome]] = []
        self._extras = Extras()
        self._wake = asyncio.Event()
        self._closing = False
        self._flusher = asyncio.create_task(self._flush())
        self._probe: asyncio.Task[bool] | None = None
        self._probed = -math.inf

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
        row = {
            "id": table.id,
            "created": table.created,
            "setup": table.setup.decode(),
            "secret": table.secret,
            "listed": listing.listed,
            "summary": listing.summary.decode(),
        }
        await self.database.write(lambda connection: connection.execute(insert(tables), row))

    def relist(self, table: str, listing: Listing) -> None:
        """Changes the table's listing, with the next batch."""
        self._extras.listings[table] = listing
        self._wake.set()

    def keep(self, table: str, start: Start) -> None:
        """Keeps the start of a match, with the next batch. If lost, the journal still has it."""
        self._extras.starts[table, start.number] = start
        self._wake.set()

    def append(self, line: Line) -> Outcome:
        """Writes an entry: True once it is safe on disk, False if its number was taken."""
        done = Outcome(loop=self._loop)
        if self._closing:
            done.set_exception(DatabaseError("the store is closing"))
        else:
            self._pending.append((line, done))
            self._wake.set()
        return done

    async def _flush(self) -> None:
        closing = False
        while not closing or self._pending:
            await self._wake.wait()
            self._wake.clear()
            closing = self._closing
            batch, self._pending = self._pending, []
            extras, self._extras = self._extras, Extras()
            if not batch and not extras:
                continue
            try:
                await self._commit(batch, extras)
            except DatabaseError as error:
                self._extras = extras | self._extras
                if error.of_one:
                    await self._commit_one_by_one(batch)
                else:
                    for _, done in batch:
                        done.set_exception(error)

    async def _commit_one_by_one(self, batch: Sequence[tuple[Line, Outcome]]) -> None:
        """One bad entry must not fail the others."""
        for line, done in batch:
            try:
                await self._commit([(line, done)], Extras())
            except DatabaseError as error:
                done.set_exception(error)

    async def _commit(self, batch: Sequence[tuple[Line, Outcome]], extras: Extras) -> None:
        # In the same order everywhere, so that two processes never deadlock.
        lines = sorted((line for line, _ in batch), key=lambda line: (line.table, line.seq))
        try:
            written = await self.database.write(
                lambda connection: self._write(connection, lines, extras)
            )
        except DatabaseError:
            raise
        except Exception as error:
            log.exception("the journal could not be written")
            raise DatabaseError(type(error).__name__, of_one=True) from error
        self.commits += 1
        self.written += len(written)
        for line, done in batch:
            number = (line.table, line.seq)
            done.set_result(number in written)
            written.discard(number)  # of two with the same number, one wins

    def _write(
        self, connection: Connection, lines: Sequence[Line], extras: Extras
    ) -> set[tuple[str, int]]:
        written: set[tuple[str, int]] = set()
        for first in range(0, len(lines), MOST_AT_ONCE):
            some = lines[first : first + MOST_AT_ONCE]
            if connection.dialect.name == POSTGRESQL:
                written |= _insert_or_leave(connection, some)
            else:
                written |= _insert(connection, some)
        if extras.starts:
            _keep(connection, extras.starts)
        for id, listing in sorted(extras.listings.items()):
            changed = {"listed": listing.listed, "summary": listing.summary.decode()}
            connection.execute(update(tables).where(tables.c.id == id).values(**changed))
        if written and self.shared:
            _tell(connection, Note(self.process, entries=dict(written)))
        return written

    # --- Reading ---------------------------------------------------------------------------------

    async def founded(self, id: str) -> Founded | None:
        columns = tables.c.id, tables.c.created, tables.c.setup, tables.c.secret
        wanted = select(*columns).where(tables.c.id == id)
        row = await self.database.read(lambda connection: connection.execute(wanted).first())
        return None if row is None else Founded(row[0], row[1], row[2].encode(), row[3])

    async def lines(self, id: str, after: int = 0) -> list[Line]:
        """A table's entries, in order."""
        return await self._lines(id, entries.c.seq > after)

    async def all_lines(self, id: str, after: int = 0) -> AsyncIterator[Line]:
        """The same for a long journal: a few per query, so that others get their turn."""
        while True:
            some = await self._lines(id, entries.c.seq > after, entries.c.seq <= after + PER_QUERY)
            for line in some:
                yield line
            if len(some) < PER_QUERY:
                return
            after += PER_QUERY

    async def steps(self, id: str, after: int, until: int) -> list[Line]:
        """The moves and undos among them."""
        is_step = or_(*(func.substr(entries.c.body, 1, len(kind)) == kind for kind in STEP_STARTS))
        return await self._lines(id, entries.c.seq > after, entries.c.seq <= until, is_step)

    async def _lines(self, id: str, *which: ColumnElement[bool]) -> list[Line]:
        columns = entries.c.seq, entries.c.at, entries.c.body
        wanted = select(*columns).where(entries.c.table_id == id, *which)
        ordered = wanted.order_by(entries.c.seq)
        return await self.database.read(
            lambda connection: [
                Line(id, seq, at, bytes(body)) for seq, at, body in connection.execute(ordered)
            ]
        )

    async def start(self, id: str, number: int | None = None) -> Start | None:
        """The start of a match, or the nearest one kept before it; by default the latest."""
        wanted = select(starts.c.body).where(starts.c.table_id == id)
        if number is not None:
            wanted = wanted.where(starts.c.number <= number)
        last = wanted.order_by(starts.c.number.desc()).limit(1)
        body = await self.database.read(lambda connection: connection.execute(last).scalar())
        return None if body is None else msgspec.json.decode(bytes(body), type=Start)

    async def newest(self, ids: Sequence[str]) -> dict[str, int]:
        """The number of each table's last entry."""
        return await self.database.read(lambda connection: _newest(connection, ids))

    async def listed(self, since: float = 0.0) -> list[bytes]:
        """The listings of public tables opened since then, newest first."""
        wanted = select(tables.c.summary).where(tables.c.listed, tables.c.created > since)
        limited = wanted.order_by(tables.c.created.desc()).limit(MOST_LISTED)
        rows = await self.database.read(lambda connection: connection.execute(limited).all())
        return [row[0].encode() for row in rows]

    async def is_writable(self) -> bool:
        """Whether the database takes writes now; probed at most once a second."""
        if self._probe is None or (self._probe.done() and self._probed + PROBED_FOR <= now()):
            self._probed = now()
            self._probe = asyncio.create_task(self._try_to_write())
        done, _ = await asyncio.wait({self._probe}, timeout=PROBED_WITHIN)
        return bool(done) and self._probe.result()

    async def _try_to_write(self) -> bool:
        wanted = update(health).values(at=time.time())
        try:
            await self.database.write(lambda connection: connection.execute(wanted))
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


def _insert(connection: Connection, lines: Sequence[Line]) -> set[tuple[str, int]]:
    """One statement for all rows: with one each, the thread would have to get Python's lock for
    each, and wait for it under load."""
    places = ", ".join(["(?, ?, ?, ?)"] * len(lines))
    values = [value for line in lines for value in (line.table, line.seq, line.at, line.body)]
    wanted = f"INSERT INTO entries (table_id, seq, at, body) VALUES {places}"
    connection.exec_driver_sql(wanted, tuple(values))
    return {(line.table, line.seq) for line in lines}


def _insert_or_leave(connection: Connection, lines: Sequence[Line]) -> set[tuple[str, int]]:
    """Returns those that were written: another process may have been faster."""
    rows = [
        {"table_id": line.table, "seq": line.seq, "at": line.at, "body": line.body}
        for line in lines
    ]
    wanted = insert_or_leave(entries).on_conflict_do_nothing()
    found = connection.execute(wanted.returning(entries.c.table_id, entries.c.seq), rows)
    return {(table, seq) for table, seq in found}


def _keep(connection: Connection, kept: Mapping[tuple[str, int], Start]) -> None:
    rows = [
        {"table_id": id, "number": number, "body": msgspec.json.encode(start)}
        for (id, number), start in sorted(kept.items(), key=lambda one: one[0])
    ]
    if connection.dialect.name == POSTGRESQL:  # another process may have written the same
        connection.execute(insert_or_leave(starts).on_conflict_do_nothing(), rows)
    else:
        connection.execute(insert(starts).prefix_with("OR IGNORE"), rows)


def _newest(connection: Connection, ids: Sequence[str]) -> dict[str, int]:
    last = select(func.max(entries.c.seq)).where(entries.c.table_id == tables.c.id)
    wanted = select(tables.c.id, func.coalesce(last.scalar_subquery(), 0))
    found: dict[str, int] = {}
    for first in range(0, len(ids), MOST_AT_ONCE):
        some = ids[first : first + MOST_AT_ONCE]
        found.update(connection.execute(wanted.where(tables.c.id.in_(some))).all())
    return found


def _tell(connection: Connection, note: Note) -> None:
    for part in _parts(note):
        notify(connection, msgspec.json.encode(part).decode())


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
