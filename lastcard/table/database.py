"""Access to the database: SQLite from threads, PostgreSQL over asyncpg.

Callers pass a plain function of a connection to `read` or `write`, which run it in a transaction of
its own.
"""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import asyncpg
from sqlalchemy import create_engine, event, text
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.exc import ArgumentError, DataError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from lastcard.errors import BadOption

log = logging.getLogger("lastcard.table")
T = TypeVar("T")

CHANNEL = "lastcard"
MIGRATING = 5_011_031  # PostgreSQL's advisory lock for migrations
SQLITE, POSTGRESQL = "sqlite", "postgresql"
THREADS = 4
PRAGMAS = (
    *("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"),
    "wal_autocheckpoint=8000",  # pages; a larger WAL writes hot pages back less often
)


class DatabaseError(Exception):
    """The database failed. Whether anything was written shows only when it is read again."""

    def __init__(self, reason: str, of_one: bool = False) -> None:
        super().__init__(reason)
        self.of_one = of_one  # one of the rows is bad, not the database


class Database(ABC):
    """Where tables are kept."""

    shared: bool  # other processes may use it, too

    @abstractmethod
    async def read(self, work: Callable[[Connection], T]) -> T:
        """Returns what `work` does, or raises DatabaseError."""

    @abstractmethod
    async def write(self, work: Callable[[Connection], T]) -> T:
        """The same, once everything is safe on disk. Never waits for readers, however many."""

    @abstractmethod
    async def close(self) -> None: ...

    @abstractmethod
    def listen(self, hear: Callable[[str], None], again: Callable[[], Awaitable[None]]) -> None:
        """Calls `hear` with each notification, and `again` when some may have been lost."""


class Sqlite(Database):
    """A file. Each function takes one trip to a thread and back; aiosqlite takes one for every
    cursor, statement and commit, and the server made 13 % fewer moves with it."""

    shared = False

    def __init__(self, url: URL) -> None:
        assert url.database is not None
        path = Path(url.database)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = _lock(path)
        self._readers = ThreadPoolExecutor(THREADS, thread_name_prefix="sqlite")
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="sqlite-writer")
        self._engine = create_engine(
            url, pool_size=THREADS + 1, connect_args={"timeout": 10}, hide_parameters=True
        )
        event.listen(self._engine, "connect", _prepare_sqlite)

    async def read(self, work: Callable[[Connection], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._run, work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._writer, self._run, work)

    def _run(self, work: Callable[[Connection], T]) -> T:
        try:
            with self._engine.begin() as connection:
                return work(connection)
        except SQLAlchemyError as error:
            raise _failure(error) from error

    def listen(self, hear: Callable[[str], None], again: Callable[[], Awaitable[None]]) -> None:
        """There is nobody to hear."""

    async def close(self) -> None:
        self._writer.shutdown()
        self._readers.shutdown()
        self._engine.dispose()
        os.close(self._lock)


class Postgres(Database):
    """A server, which passes notifications between processes."""

    shared = True

    def __init__(self, url: URL) -> None:
        patience = {"timeout": 5, "command_timeout": 15}  # seconds
        self._readers = create_async_engine(
            url, pool_size=THREADS, connect_args=patience, hide_parameters=True
        )
        self._writer = create_async_engine(
            url, pool_size=1, connect_args=patience, hide_parameters=True
        )
        self._listener: asyncio.Task[None] | None = None

    async def read(self, work: Callable[[Connection], T]) -> T:
        return await self._run(self._readers, work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        return await self._run(self._writer, work)

    async def _run(self, engine: AsyncEngine, work: Callable[[Connection], T]) -> T:
        try:
            async with engine.begin() as connection:
                return await connection.run_sync(work)
        except (SQLAlchemyError, OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise _failure(error) from error

    async def close(self) -> None:
        if self._listener is not None:
            self._listener.cancel()
            await asyncio.gather(self._listener, return_exceptions=True)
        await self._readers.dispose()
        await self._writer.dispose()

    def listen(self, hear: Callable[[str], None], again: Callable[[], Awaitable[None]]) -> None:
        self._listener = asyncio.create_task(self._listen(hear, again))

    async def _listen(
        self, hear: Callable[[str], None], again: Callable[[], Awaitable[None]]
    ) -> None:
        def heard(connection: object, pid: int, channel: str, body: str) -> None:
            hear(body)

        while True:
            try:
                async with self._readers.connect() as connection:
                    raw: Any = (await connection.get_raw_connection()).driver_connection
                    gone = asyncio.Event()
                    raw.add_termination_listener(lambda _: gone.set())  # noqa: B023
                    await raw.add_listener(CHANNEL, heard)
                    try:
                        await again()
                        await gone.wait()
                    finally:
                        await connection.invalidate()  # never back to the pool, dead or listening
            except Exception:
                log.warning("no news from other processes", exc_info=True)
            await asyncio.sleep(0.5)


def notify(connection: Connection, body: str) -> None:
    """Notifies all listeners when the transaction commits."""
    wanted = text("SELECT pg_notify(:channel, :body)")
    connection.execute(wanted, {"channel": CHANNEL, "body": body})


async def open_database(address: str) -> Database:
    """A database that answers and is migrated; or raises BadOption with a sentence."""
    url = read_url(address)
    opened: Database = Sqlite(url) if url.get_backend_name() == SQLITE else Postgres(url)
    try:
        await opened.write(_migrate)
    except DatabaseError as error:
        await opened.close()
        shown = url.render_as_string(hide_password=True)
        raise BadOption("database", f"{shown} does not answer: {error}.") from None
    return opened


def read_url(address: str) -> URL:
    """A database's address: sqlite:///file, or postgresql://user@host/name."""
    try:
        url = make_url(address)
    except ArgumentError:
        raise BadOption(
            "database", "must look like sqlite:///file or postgresql://user:password@host/name."
        ) from None
    backend = url.get_backend_name()
    backend = POSTGRESQL if backend == "postgres" else backend
    if backend not in (SQLITE, POSTGRESQL):
        raise BadOption("database", f"must be sqlite or postgresql, not {backend}.")
    if backend == SQLITE and not url.database:
        raise BadOption("database", "sqlite needs a file: sqlite:///tables.db.")
    return url.set(drivername=SQLITE if backend == SQLITE else "postgresql+asyncpg")


def _lock(path: Path) -> int:
    """SQLite serves one process only: others would not be told of new moves."""
    handle = os.open(f"{path}.lock", os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise BadOption(
            "database", f"{path} is in use by another server; several need PostgreSQL."
        ) from None
    return handle


def _prepare_sqlite(connection: Any, _: object) -> None:
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _migrate(connection: Connection) -> None:
    """Migrates the database; with several processes, the first one does."""
    if connection.dialect.name == POSTGRESQL:
        connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATING})"))
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _failure(error: Exception) -> DatabaseError:
    lines = str(getattr(error, "orig", None) or error).splitlines()
    reason = lines[0] if lines else type(error).__name__  # a timeout has no message
    return DatabaseError(reason, isinstance(error, IntegrityError | DataError))
