"""The database of a world: the real one for SQLite, with failures at the level of SQL; and one that
behaves like PostgreSQL, for several processes.

Of the latter all statements are the real ones. A transaction takes place at one moment between its
beginning and its answer, which is all that statements without reads before writes can tell of one.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from contextvars import Context, copy_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from lastcard.table import sqlite
from lastcard.table.database import Database, DatabaseError, EntryNumber, EntryRow, Work
from lastcard.table.postgres import ANSWERED_WITHIN, LISTEN_AGAIN
from lastcard.table.schema import ADD_ENTRIES, MIGRATIONS, places
from lastcard.table.sqlite import SqliteConnection, _finish

from .loop import settle

if TYPE_CHECKING:
    from .process import Process
    from .world import World

T = TypeVar("T")

OUTSIDE = Context()
LATEST = 8.0  # seconds after its failure in which a commit still happens
HEARD_WITHIN = 0.02  # seconds that a note takes; a late one much longer


def migrated() -> sqlite3.Connection:
    """An empty database in memory, of today's schema."""
    raw = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    raw.execute("PRAGMA foreign_keys=ON")
    for statements in MIGRATIONS.values():
        for statement in statements:
            raw.execute(statement.replace("BYTES", SqliteConnection.bytes_type))
    raw.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)")
    raw.execute("INSERT INTO alembic_version VALUES (?)", (max(MIGRATIONS),))
    return raw


_EMPTY = migrated().serialize()


class SharedConnection(SqliteConnection):
    """With the two things that PostgreSQL does in another way."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        super().__init__(raw)
        self.notes: list[str] = []

    async def add_entries(self, entries: Sequence[EntryRow]) -> set[EntryNumber]:
        rows = ", ".join([places(4)] * len(entries))
        statement = f"{ADD_ENTRIES} VALUES {rows} ON CONFLICT DO NOTHING RETURNING table_id, seq"
        values = [value for entry in entries for value in entry]
        return {(table, seq) for table, seq in await self.execute(statement, *values)}

    async def notify(self, body: str) -> None:
        self.notes.append(body)


class SharedServer:
    """What PostgreSQL's server is to all processes."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.raw = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self.raw.deserialize(_EMPTY)
        self.raw.execute("PRAGMA foreign_keys=ON")
        self.listening: dict[Process, tuple[Callable[[str], None], Context]] = {}
        self._heard: dict[Process, float] = {}  # when each has heard what was sent so far

    def carry_out(self, work: Work[T], write: bool) -> T:
        """A whole transaction."""
        connection = SharedConnection(self.raw)
        try:
            if not write:
                return _finish(work(connection))
            self.raw.execute("BEGIN IMMEDIATE")
            try:
                result = _finish(work(connection))
                self.raw.commit()
            except BaseException:
                self.raw.rollback()
                raise
        except sqlite3.Error as error:
            of_one = isinstance(error, sqlite3.IntegrityError | sqlite3.DataError)
            raise DatabaseError(error, of_one) from error
        self.world.truth.look(self.raw)
        for note in connection.notes:
            self._send(note)
        return result

    def _send(self, note: str) -> None:
        faults, loop = self.world.faults, self.world.loop
        for process, (hear, context) in list(self.listening.items()):
            if faults.happens("note lost"):
                continue
            due = loop.time() + self.world.rng.uniform(0, HEARD_WITHIN)
            if faults.happens("note late"):
                due += faults.luck("note late").uniform(0, 4)
            due = self._heard[process] = max(due, self._heard.get(process, 0.0))
            for _ in range(1 + faults.happens("note doubled")):
                loop.call_at(due, self._deliver, process, hear, note, context=context)

    def _deliver(self, process: Process, hear: Callable[[str], None], note: str) -> None:
        if process in self.listening:
            hear(note)


class Shared(Database):
    """One process's connections to it."""

    shared = True

    def __init__(self, server: SharedServer, process: Process) -> None:
        self._server = server
        self._process = process
        self._listener: asyncio.Task[None] | None = None

    async def read(self, work: Work[T]) -> T:
        return await self._ask(work, False)

    async def write(self, work: Work[T]) -> T:
        return await self._ask(work, True)

    async def close(self) -> None:
        if self._listener is not None:
            self._listener.cancel()
            await asyncio.gather(self._listener, return_exceptions=True)

    def _ask(self, work: Work[T], write: bool) -> asyncio.Future[T]:
        world, process = self._server.world, self._process
        loop, faults, kind = world.loop, world.faults, "commit" if write else "read"
        there, back = world.database_takes(process)
        answer: asyncio.Future[T] = loop.create_future()

        def fail(after: float, why: str) -> None:
            process.in_trouble(after)
            loop.call_later(after, settle, answer, None, DatabaseError(why))

        def carry_out(silent: bool = False) -> None:
            if process.dead and write and world.rng.random() < 0.5:
                return  # it was killed before it said COMMIT
            result, error = None, None
            try:
                result = self._server.carry_out(work, write)
            except DatabaseError as one:
                error = one
            if not silent:
                loop.call_later(back, settle, answer, result, error, context=OUTSIDE)

        if faults.happens(f"{kind} fails"):
            fail(there, "connection refused")
        elif faults.happens(f"{kind} hangs"):
            fail(ANSWERED_WITHIN, "no answer")
        elif write and faults.happens("commit without answer"):
            loop.call_later(there, carry_out, True, context=OUTSIDE)
            fail(there + back, "connection lost")
        elif write and faults.happens("commit after its failure"):
            later = faults.luck("commit after its failure").uniform(0, LATEST)
            process.in_trouble(there + later)
            loop.call_later(there + later, carry_out, True, context=OUTSIDE)
            fail(there, "connection lost")
        else:
            loop.call_later(there, carry_out, context=OUTSIDE)
        return answer

    def listen(self, hear: Callable[[str], None], again: Callable[[], Awaitable[None]]) -> None:
        self._listener = asyncio.create_task(self._listen(hear, again))

    async def _listen(
        self, hear: Callable[[str], None], again: Callable[[], Awaitable[None]]
    ) -> None:
        """As postgres.py does, connection by connection."""
        world, listening = self._server.world, self._server.listening
        while True:
            await asyncio.sleep(sum(world.database_takes(self._process)))
            listening[self._process] = hear, copy_context()
            try:
                await again()
                while not world.faults.happens("deaf"):
                    await asyncio.sleep(1.0)
            finally:
                del listening[self._process]
            await asyncio.sleep(LISTEN_AGAIN)


class FailingConnection(sqlite3.Connection):
    """SQLite on a disk that fails now and then."""

    world: World
    process: Process

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        if statement.lstrip().startswith("SELECT"):
            self._perhaps("read fails")
        return super().execute(statement, *values)

    def commit(self) -> None:
        self._perhaps("commit fails")
        super().commit()
        self.world.truth.look(self)
        self._perhaps("commit without answer")

    def _perhaps(self, kind: str) -> None:
        if self.world.faults.happens(kind):
            self.process.in_trouble(0.0)
            raise sqlite3.OperationalError("disk I/O error")


def connect(world: World, process: Process, path: Path) -> sqlite3.Connection:
    """As sqlite.connect does."""
    raw = sqlite3.connect(
        path,
        sqlite.PATIENCE,
        isolation_level=None,
        check_same_thread=False,
        factory=FailingConnection,
    )
    raw.world, raw.process = world, process
    for pragma in sqlite.PRAGMAS:
        sqlite3.Connection.execute(raw, f"PRAGMA {pragma}")
    process.opened.append(raw)
    return raw


def new_file(path: Path) -> None:
    path.write_bytes(_EMPTY)
