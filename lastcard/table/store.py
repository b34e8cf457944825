"""The journal on disk: SQLite for one process, PostgreSQL for many.

Entries of all tables are written together: while one commit is under way the next entries gather,
so that being safe on disk costs each of them little.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import event, insert, select, text, update
from sqlalchemy.dialects.postgresql import insert as insert_or_leave
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from lastcard.errors import BadOption

from .schema import entries, tables

CHANNEL = "lastcard"
MIGRATING = 5_011_031  # the number of PostgreSQL's lock while the database is brought up to date
LONGEST_NOTE = 7_000  # bytes: PostgreSQL takes notes of up to 8,000,
ENTRIES_IN_NOTE = 100  # which is room for so many tables
MOST_LISTED = 100
PATIENCE: dict[str, dict[str, float]] = {
    "sqlite": {"timeout": 10},
    "postgresql": {"timeout": 5, "command_timeout": 15},
}  # seconds
DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}


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


class StoreError(Exception):
    """The database did not answer; whether the entry is there will show when it is read again."""


class Note(msgspec.Struct, omit_defaults=True):
    """What one process tells the others. Nothing of it is kept."""

    process: str
    entries: dict[str, int] = {}  # tables that have new entries, and the last one's number
    here: dict[str, list[int | None]] = {}  # who is connected to this process, by table
    asking: list[str] = []  # tables of which this process wants to know who is there
    reactions: list[tuple[str, int, str]] = []


class Store:
    """A database with tables and journals."""

    def __init__(self, engine: AsyncEngine, lock: int | None) -> None:
        self._engine = engine
        self._lock = lock
        self._pending: list[tuple[Line, asyncio.Future[bool]]] = []
        self._listings: dict[str, Listing] = {}
        self._wake = asyncio.Event()
        self._closing = False
        self._flusher = asyncio.create_task(self._flush())
        self._listener: asyncio.Task[None] | None = None
        self.process = os.urandom(6).hex()
        self.commits = 0
        self.written = 0

    @property
    def shared(self) -> bool:
        """Whether other processes may use the same tables."""
        return self._engine.dialect.name == "postgresql"

    # --- Opening and closing ---------------------------------------------------------------------

    @classmethod
    async def open(cls, database: str) -> Store:
        url = read_url(database)
        lock = None
        if url.get_backend_name() == "sqlite":
            assert url.database is not None
            Path(url.database).parent.mkdir(parents=True, exist_ok=True)
            lock = _lock(Path(url.database))
        engine = create_async_engine(
            url, pool_size=4, max_overflow=4, connect_args=PATIENCE[url.get_backend_name()]
        )
        if url.get_backend_name() == "sqlite":
            event.listen(engine.sync_engine, "connect", _prepare_sqlite)
        try:
            async with engine.begin() as connection:
                await connection.run_sync(_migrate)
        except (SQLAlchemyError, OSError) as error:
            await engine.dispose()
            why = str(getattr(error, "orig", None) or error).splitlines()[0]
            shown = url.render_as_string(hide_password=True)
            raise BadOption("database", f"{shown} does not answer: {why}.") from None
        return cls(engine, lock)

    async def close(self) -> None:
        """What has been asked to be written is written first."""
        self._closing = True
        self._wake.set()
        await self._flusher
        if self._listener is not None:
            self._listener.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._listener
        await self._engine.dispose()
        if self._lock is not None:
            os.close(self._lock)

    async def answers(self) -> bool:
        try:
            async with self._engine.connect() as connection:
                await connection.execute(select(1))
        except (SQLAlchemyError, OSError):
            return False
        return True

    # --- Writing ---------------------------------------------------------------------------------

    async def found(self, table: Founded, listing: Listing) -> None:
        async with self._engine.begin() as connection:
            await connection.execute(
                insert(tables).values(
                    id=table.id,
                    created=table.created,
                    setup=table.setup.decode(),
                    secret=table.secret,
                    listed=listing.listed,
                    summary=listing.summary.decode(),
                )
            )

    def relist(self, table: str, listing: Listing) -> None:
        """Changes what the list says; it is written with the next entries, or soon."""
        self._listings[table] = listing
        self._wake.set()

    async def append(self, line: Line) -> bool:
        """Writes an entry; True when it is safe on disk, False if its number was taken already."""
        if self._closing:
            raise StoreError("closing")
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._pending.append((line, done))
        self._wake.set()
        return await done

    async def _flush(self) -> None:
        while not self._closing or self._pending or self._listings:
            await self._wake.wait()
            self._wake.clear()
            batch, self._pending = self._pending, []
            listings, self._listings = self._listings, {}
            if not batch and not listings:
                continue
            try:
                written = await self._write([line for line, _ in batch], listings)
            except (SQLAlchemyError, OSError) as error:
                for _, done in batch:
                    if not done.cancelled():
                        done.set_exception(StoreError(str(error)))
                continue
            self.commits += 1
            self.written += len(written)
            for line, done in batch:
                if not done.cancelled():
                    done.set_result((line.table, line.seq) in written)

    async def _write(
        self, lines: Sequence[Line], listings: Mapping[str, Listing]
    ) -> set[tuple[str, int]]:
        # In one order everywhere: two processes never wait for each other.
        lines = sorted(lines, key=lambda line: (line.table, line.seq))
        rows = [
            {"table_id": line.table, "seq": line.seq, "at": line.at, "body": line.body}
            for line in lines
        ]
        async with self._engine.begin() as connection:
            written: set[tuple[str, int]] = set()
            if rows and self.shared:
                wanted = insert_or_leave(entries).on_conflict_do_nothing()
                found = await connection.execute(
                    wanted.returning(entries.c.table_id, entries.c.seq), rows
                )
                written = {(table, seq) for table, seq in found}
            elif rows:
                await connection.execute(insert(entries), rows)
                written = {(line.table, line.seq) for line in lines}
            for id, listing in sorted(listings.items()):
                changed = {"listed": listing.listed, "summary": listing.summary.decode()}
                await connection.execute(update(tables).where(tables.c.id == id).values(**changed))
            if written and self.shared:
                await self._notify(connection, Note(self.process, entries=dict(written)))
        return written

    # --- Reading ---------------------------------------------------------------------------------

    async def founded(self, id: str) -> Founded | None:
        columns = tables.c.id, tables.c.created, tables.c.setup, tables.c.secret
        async with self._connected() as connection:
            row = (await connection.execute(select(*columns).where(tables.c.id == id))).first()
        return None if row is None else Founded(row[0], row[1], row[2].encode(), row[3])

    async def lines(self, id: str, after: int = 0) -> list[Line]:
        """A table's entries, in order."""
        columns = entries.c.seq, entries.c.at, entries.c.body
        wanted = select(*columns).where(entries.c.table_id == id, entries.c.seq > after)
        async with self._connected() as connection:
            rows = (await connection.execute(wanted.order_by(entries.c.seq))).all()
        return [Line(id, seq, at, bytes(body)) for seq, at, body in rows]

    async def listed(self) -> list[bytes]:
        """What the list says of public tables, the newest first."""
        wanted = select(tables.c.summary).where(tables.c.listed).order_by(tables.c.created.desc())
        async with self._connected() as connection:
            rows = await connection.execute(wanted.limit(MOST_LISTED))
            return [row[0].encode() for row in rows]

    @contextlib.asynccontextmanager
    async def _connected(self) -> Any:
        try:
            async with self._engine.connect() as connection:
                yield connection
        except (SQLAlchemyError, OSError) as error:
            raise StoreError(str(error)) from error

    # --- Other processes -------------------------------------------------------------------------

    async def tell(self, note: Note) -> None:
        """Tells the other processes; if it does not arrive, nothing is lost but news."""
        if self.shared:
            with contextlib.suppress(SQLAlchemyError, OSError):
                async with self._engine.begin() as connection:
                    await self._notify(connection, note)

    async def _notify(self, connection: Any, note: Note) -> None:
        for part in _parts(note):
            body = msgspec.json.encode(part).decode()
            await connection.execute(
                text("SELECT pg_notify(:channel, :body)"), {"channel": CHANNEL, "body": body}
            )

    def listen(self, hear: Callable[[Note], None], again: Callable[[], Awaitable[None]]) -> None:
        """Calls `hear` with what others tell, and `again` after news may have been lost."""
        if self.shared:
            self._listener = asyncio.create_task(self._listen(hear, again))

    async def _listen(self, hear: Callable[[Note], None], again: Callable[[], Any]) -> None:
        def heard(connection: object, pid: int, channel: str, body: str) -> None:
            note = msgspec.json.decode(body, type=Note)
            if note.process != self.process:
                hear(note)

        while True:
            with contextlib.suppress(SQLAlchemyError, OSError):
                async with self._engine.connect() as connection:
                    raw = (await connection.get_raw_connection()).driver_connection
                    assert raw is not None
                    gone = asyncio.Event()
                    raw.add_termination_listener(lambda _: gone.set())  # noqa: B023
                    await raw.add_listener(CHANNEL, heard)
                    try:
                        await again()
                        await gone.wait()
                    finally:
                        if not raw.is_closed():
                            await raw.remove_listener(CHANNEL, heard)
            await asyncio.sleep(0.5)


def read_url(database: str) -> URL:
    """A database's address: sqlite:///file, or postgresql://user@host/name."""
    try:
        url = make_url(database)
    except ArgumentError:
        raise BadOption(
            "database", "is written sqlite:///file or postgresql://user:password@host/name."
        ) from None
    backend = url.get_backend_name()
    if backend == "postgres":
        backend = "postgresql"
    if backend not in DRIVERS:
        raise BadOption("database", f"must be sqlite or postgresql, not {backend}.")
    if backend == "sqlite" and not url.database:
        raise BadOption("database", "sqlite needs a file: sqlite:///tables.db.")
    return url.set(drivername=DRIVERS[backend])


def _lock(path: Path) -> int:
    """SQLite serves one process, since nobody would tell the others of new moves."""
    handle = os.open(f"{path}.lock", os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise BadOption(
            "database",
            f"{path} is in use by another server; for several, take PostgreSQL.",
        ) from None
    return handle


def _prepare_sqlite(connection: Any, _: object) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _migrate(connection: Connection) -> None:
    """Brings the database up to date, whoever comes first."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATING})"))
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _parts(note: Note) -> list[Note]:
    """A note in as many parts as it takes: each must be short."""
    if len(msgspec.json.encode(note)) <= LONGEST_NOTE:
        return [note]
    parts = []
    for name in ("entries", "here"):
        items = list(getattr(note, name).items())
        for first in range(0, len(items), ENTRIES_IN_NOTE):
            some = dict(items[first : first + ENTRIES_IN_NOTE])
            parts.append(msgspec.structs.replace(Note(note.process), **{name: some}))
    return parts
