"""The journal on disk.

Entries of all tables are written together: while one commit is under way the next entries gather,
so that being safe on disk costs each of them little.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

import msgspec
from sqlalchemy import func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as insert_or_leave
from sqlalchemy.engine import Connection

from .database import POSTGRESQL, Database, DatabaseError, notify, open_database
from .schema import entries, tables

log = logging.getLogger("lastcard.table")

LONGEST_NOTE = 7_000  # bytes: PostgreSQL takes notes of up to 8,000
MOST_LISTED = 100
MOST_AT_ONCE = 2_000  # entries in one statement


@dataclass(frozen=True, slots=True)
class Line:
    """One entry, as it is written."""

    table: str
    seq: int
    at: float
    body: bytes


@dataclass(frozen=True, slots=True)
class Listing:
    """What the list of tables says of a table."""

    listed: bool
    summary: bytes


@dataclass(frozen=True, slots=True)
class Founded:
    """A table as it was made."""

    id: str
    created: float
    setup: bytes
    secret: str


class Note(msgspec.Struct, omit_defaults=True):
    """What one process tells the others. Nothing of it is kept."""

    process: str
    entries: dict[str, int] = {}  # tables that have new entries, and the last one's number
    here: dict[str, list[int | None]] = {}  # who is connected to this process, by table
    asking: list[str] = []  # tables of which this process wants to know who is there
    reactions: list[tuple[str, int, str]] = []


class Outcome(asyncio.Future[bool]):
    """What becomes of an entry. Who waits for it is not cancelled before that is known."""

    def cancel(self, msg: object = None) -> bool:
        return False


class Store:
    """Tables and their journals."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.process = os.urandom(6).hex()
        self.commits = 0  # for metrics,
        self.written = 0
        self._loop = asyncio.get_running_loop()
        self._pending: list[tuple[Line, Outcome]] = []
        self._listings: dict[str, Listing] = {}
        self._wake = asyncio.Event()
        self._closing = False
        self._flusher = asyncio.create_task(self._flush())

    @classmethod
    async def open(cls, database: str) -> Store:
        return cls(await open_database(database))

    @property
    def shared(self) -> bool:
        """Whether other processes may use the same tables."""
        return self.database.shared

    async def close(self) -> None:
        """What has been asked to be written is written first."""
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
        await self.database.run(lambda connection: connection.execute(insert(tables), row))

    def relist(self, table: str, listing: Listing) -> None:
        """Changes what the list says; it is written with the next entries, or soon."""
        self._listings[table] = listing
        self._wake.set()

    def append(self, line: Line) -> Outcome:
        """Writes an entry; True when it is safe on disk, False if its number was taken already."""
        done = Outcome(loop=self._loop)
        if self._closing:
            done.set_exception(DatabaseError("it is being closed"))
        else:
            self._pending.append((line, done))
            self._wake.set()
        return done

    async def _flush(self) -> None:
        while not self._closing or self._pending or self._listings:
            await self._wake.wait()
            self._wake.clear()
            batch, self._pending = self._pending, []
            listings, self._listings = self._listings, {}
            if not batch and not listings:
                continue
            try:
                await self._commit(batch, listings)
            except DatabaseError:
                self._listings = listings | self._listings
                for line, done in batch:  # what is wrong with one is not the fault of the others
                    try:
                        await self._commit([(line, done)], {})
                    except DatabaseError as error:
                        done.set_exception(error)

    async def _commit(
        self, batch: Sequence[tuple[Line, Outcome]], listings: Mapping[str, Listing]
    ) -> None:
        # In one order everywhere: two processes never wait for each other.
        lines = sorted((line for line, _ in batch), key=lambda line: (line.table, line.seq))
        try:
            written = await self.database.run(
                lambda connection: self._write(connection, lines, listings)
            )
        except DatabaseError:
            raise
        except Exception as error:
            log.exception("the journal could not be written")
            raise DatabaseError(type(error).__name__) from error
        self.commits += 1
        self.written += len(written)
        for line, done in batch:
            number = (line.table, line.seq)
            done.set_result(number in written)
            written.discard(number)  # a number is given once

    def _write(
        self, connection: Connection, lines: Sequence[Line], listings: Mapping[str, Listing]
    ) -> set[tuple[str, int]]:
        written: set[tuple[str, int]] = set()
        for first in range(0, len(lines), MOST_AT_ONCE):
            some = lines[first : first + MOST_AT_ONCE]
            if connection.dialect.name == POSTGRESQL:
                written |= _insert_or_leave(connection, some)
            else:
                written |= _insert(connection, some)
        for id, listing in sorted(listings.items()):
            changed = {"listed": listing.listed, "summary": listing.summary.decode()}
            connection.execute(update(tables).where(tables.c.id == id).values(**changed))
        if written and self.shared:
            _tell(connection, Note(self.process, entries=dict(written)))
        return written

    # --- Reading ---------------------------------------------------------------------------------

    async def founded(self, id: str) -> Founded | None:
        columns = tables.c.id, tables.c.created, tables.c.setup, tables.c.secret
        wanted = select(*columns).where(tables.c.id == id)
        row = await self.database.run(lambda connection: connection.execute(wanted).first())
        return None if row is None else Founded(row[0], row[1], row[2].encode(), row[3])

    async def lines(self, id: str, after: int = 0) -> list[Line]:
        """A table's entries, in order."""
        columns = entries.c.seq, entries.c.at, entries.c.body
        wanted = select(*columns).where(entries.c.table_id == id, entries.c.seq > after)
        ordered = wanted.order_by(entries.c.seq)
        return await self.database.run(
            lambda connection: [
                Line(id, seq, at, bytes(body)) for seq, at, body in connection.execute(ordered)
            ]
        )

    async def newest(self, ids: Sequence[str]) -> dict[str, int]:
        """The numbers of tables' last entries."""
        return await self.database.run(lambda connection: _newest(connection, ids))

    async def listed(self, since: float = 0.0) -> list[bytes]:
        """What the list says of public tables that are not older, the newest first."""
        wanted = select(tables.c.summary).where(tables.c.listed, tables.c.created > since)
        limited = wanted.order_by(tables.c.created.desc()).limit(MOST_LISTED)
        rows = await self.database.run(lambda connection: connection.execute(limited).all())
        return [row[0].encode() for row in rows]

    # --- Other processes -------------------------------------------------------------------------

    async def tell(self, note: Note) -> None:
        """Tells the other processes; if it does not arrive, nothing is lost but news."""
        if self.shared:
            with contextlib.suppress(DatabaseError):
                await self.database.run(lambda connection: _tell(connection, note))

    def listen(self, hear: Callable[[Note], None], again: Callable[[], Awaitable[None]]) -> None:
        """Calls `hear` with what others tell, and `again` after news may have been lost."""

        def heard(body: str) -> None:
            note = msgspec.json.decode(body, type=Note)
            if note.process != self.process:
                hear(note)

        self.database.listen(heard, again)


def _insert(connection: Connection, lines: Sequence[Line]) -> set[tuple[str, int]]:
    """One statement for all: with one for each, the thread would ask for Python's lock for each,
    and wait for it where the server is busy."""
    places = ", ".join(["(?, ?, ?, ?)"] * len(lines))
    values = [value for line in lines for value in (line.table, line.seq, line.at, line.body)]
    wanted = f"INSERT INTO entries (table_id, seq, at, body) VALUES {places}"
    connection.exec_driver_sql(wanted, tuple(values))
    return {(line.table, line.seq) for line in lines}


def _insert_or_leave(connection: Connection, lines: Sequence[Line]) -> set[tuple[str, int]]:
    """Those that were written: another process may have been faster."""
    rows = [
        {"table_id": line.table, "seq": line.seq, "at": line.at, "body": line.body}
        for line in lines
    ]
    wanted = insert_or_leave(entries).on_conflict_do_nothing()
    found = connection.execute(wanted.returning(entries.c.table_id, entries.c.seq), rows)
    return {(table, seq) for table, seq in found}


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
    """A note in as many parts as it takes: each must be short."""
    if len(msgspec.json.encode(note)) <= LONGEST_NOTE:
        return [note]
    for name in ("entries", "here"):
        items = list(getattr(note, name).items())
        if len(items) > 1:
            half = len(items) // 2
            halves = (dict(items[:half]), dict(items[half:]))
            parts = [msgspec.structs.replace(note, **{name: some}) for some in halves]
            return [short for part in parts for short in _parts(part)]
    return []  # one table with more people than a note can hold
