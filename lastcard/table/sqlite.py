"""SQLite: a file, for one process."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import sqlite3
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from lastcard.errors import BadOption

from .database import Connection, Database, DatabaseError, EntryNumber, EntryRow, Row, Work
from .schema import ADD_ENTRIES, places

T = TypeVar("T")

READERS = 4  # threads
PATIENCE = 10  # seconds to wait while somebody else, such as a backup, has locked the file
PRAGMAS = (
    *("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"),
    "wal_autocheckpoint=8000",  # pages; a larger WAL writes hot pages back less often
    # What SQLite would need to take one statement of several back: it took a third of a commit.
    "temp_store=MEMORY",
)
HAS_TABLE = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"


class SqliteConnection(Connection):
    """Nothing here ever waits: see `_finish`."""

    bytes_type = "BLOB"

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw

    async def execute(self, statement: str, *values: object) -> Sequence[Row]:
        return self._raw.execute(statement, values).fetchall()

    async def add_entries(self, entries: Sequence[EntryRow]) -> set[EntryNumber]:
        """With one statement each, the thread would have to get Python's lock for each, and wait
        for it under load."""
        rows = ", ".join([places(4)] * len(entries))
        values = [value for entry in entries for value in entry]
        self._raw.execute(f"{ADD_ENTRIES} VALUES {rows}", values)
        return {entry[:2] for entry in entries}

    async def notify(self, body: str) -> None:
        """There is nobody to hear."""

    async def has_table(self, name: str) -> bool:
        return bool(await self.execute(HAS_TABLE, name))

    async def wait_for_other_migrations(self) -> None:
        """A transaction that writes has the file for itself from its beginning."""


class Sqlite(Database):
    """Each function takes one trip to a thread and back; aiosqlite takes one for every cursor,
    statement and commit, and the server made 13 % fewer moves with it."""

    shared = False

    def __init__(self, path: Path, serving: bool = True) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._lock = _lock(path) if serving else None
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="sqlite")
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="sqlite-writer")
        self._own = threading.local()  # each thread has a connection
        self._opened: list[sqlite3.Connection] = []

    async def read(self, work: Work[T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, work)

    async def write(self, work: Work[T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._writer, self._write, work)

    def listen(self, hear: Callable[[str], None], again: Callable[[], Awaitable[None]]) -> None:
        """There is nobody to hear."""

    async def close(self) -> None:
        self._writer.shutdown()
        self._readers.shutdown()
        for raw in self._opened:
            raw.close()
        if self._lock is not None:
            os.close(self._lock)

    def _read(self, work: Work[T]) -> T:
        with _failures():
            raw = self._connection()
            try:
                return _finish(work(SqliteConnection(raw)))
            except sqlite3.DatabaseError as error:
                if _stays_wrong(error):
                    self._give_up(raw)
                raise

    def _write(self, work: Work[T]) -> T:
        with _failures():
            raw = self._connection()
            try:
                raw.execute("BEGIN IMMEDIATE")
                result = _finish(work(SqliteConnection(raw)))
                raw.commit()
            except BaseException as error:
                self._undo(raw, _stays_wrong(error))
                raise
            return result

    def _connection(self) -> sqlite3.Connection:
        raw: sqlite3.Connection | None = getattr(self._own, "connection", None)
        if raw is None:
            self._own.connection = raw = connect(self._path)
            self._opened.append(raw)
        return raw

    def _undo(self, raw: sqlite3.Connection, useless: bool) -> None:
        with contextlib.suppress(sqlite3.Error):
            raw.rollback()
        if raw.in_transaction or useless:
            self._give_up(raw)

    def _give_up(self, raw: sqlite3.Connection) -> None:
        """It is of no more use: the next function of this thread gets a new one."""
        self._own.connection = None
        self._opened.remove(raw)
        raw.close()


def connect(path: Path) -> sqlite3.Connection:
    """A connection without transactions of its own accord."""
    raw = sqlite3.connect(path, PATIENCE, isolation_level=None, check_same_thread=False)
    try:
        for pragma in PRAGMAS:
            raw.execute(f"PRAGMA {pragma}")
    except BaseException:
        raw.close()
        raise
    return raw


def _finish(work: Coroutine[Any, Any, T]) -> T:
    """Runs a function that never waits."""
    try:
        work.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    work.close()
    raise RuntimeError("a function of a database must not wait for anything else")


def _stays_wrong(error: BaseException) -> bool:
    """Whether a connection would not notice that the cause is gone: it keeps in memory what it has
    read, even if that makes no sense, and how it could open the file."""
    kinds = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_READONLY)
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in kinds  # none if Python itself raised it


@contextlib.contextmanager
def _failures() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        of_one = isinstance(error, sqlite3.IntegrityError | sqlite3.DataError)
        raise DatabaseError(error, of_one) from error


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
