"""PostgreSQL: a server, for any number of processes, between which it passes notifications."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from functools import lru_cache
from itertools import count
from typing import Any, Self, TypeVar
from urllib.parse import quote, unquote

import asyncpg

from .database import Address, Connection, Database, DatabaseError, EntryNumber, EntryRow, Row, Work
from .schema import ADD_ENTRIES

log = logging.getLogger("lastcard.table")
T = TypeVar("T")

CHANNEL = "lastcard"
MIGRATING = 5_011_031  # the advisory lock for migrations
CONNECTIONS = 4  # for reading, and as many for writing
CONNECTED_WITHIN, ANSWERED_WITHIN, CLOSED_WITHIN = 5, 15, 2  # seconds
LISTEN_AGAIN = 0.5  # seconds after a connection was lost
ADD_OR_LEAVE = f"""
    {ADD_ENTRIES} SELECT * FROM unnest(?::text[], ?::integer[], ?::float[], ?::bytea[])
    ON CONFLICT DO NOTHING RETURNING table_id, seq"""


class PostgresConnection(Connection):
    bytes_type = "BYTEA"

    def __init__(self, raw: Any) -> None:
        self._raw = raw

    async def execute(self, statement: str, *values: object) -> Sequence[Row]:
        found: Sequence[Row] = await self._raw.fetch(_numbered(statement), *values)
        return found

    async def add_entries(self, entries: Sequence[EntryRow]) -> set[EntryNumber]:
        columns = map(list, zip(*entries, strict=True))
        return {(table, seq) for table, seq in await self.execute(ADD_OR_LEAVE, *columns)}

    async def notify(self, body: str) -> None:
        await self.execute("SELECT pg_notify(?, ?)", CHANNEL, body)

    async def has_table(self, name: str) -> bool:
        return bool(await self.execute("SELECT 1 WHERE to_regclass(?) IS NOT NULL", name))

    async def wait_for_other_migrations(self) -> None:
        await self.execute("SELECT pg_advisory_xact_lock(?)", MIGRATING)


class Postgres(Database):
    shared = True

    def __init__(self, options: dict[str, Any], readers: Any, writers: Any) -> None:
        self._options = options
        self._readers = readers
        self._writers = writers
        self._listener: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, where: Address) -> Self:
        """Connects to nothing yet."""
        options = {
            "dsn": _dsn(where),
            "timeout": CONNECTED_WITHIN,
            "command_timeout": ANSWERED_WITHIN,
        }
        return cls(options, await _pool(options), await _pool(options))

    async def read(self, work: Work[T]) -> T:
        with _failures():
            async with self._readers.acquire(timeout=ANSWERED_WITHIN) as raw:
                return await work(PostgresConnection(raw))

    async def write(self, work: Work[T]) -> T:
        with _failures():
            async with self._writers.acquire(timeout=ANSWERED_WITHIN) as raw:
                try:
                    async with raw.transaction():
                        return await work(PostgresConnection(raw))
                except asyncpg.ReadOnlySQLTransactionError:
                    await raw.close(timeout=CLOSED_WITHIN)  # it may stay so although others do not
                    raise

    @contextlib.asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Callable[[str], AsyncIterator[Row]]]:
        """Reads rows of any number, all as of one moment."""
        with _failures():
            raw = await asyncpg.connect(**{**self._options, "command_timeout": None})
            try:
                async with raw.transaction(isolation="repeatable_read", readonly=True):
                    yield lambda statement: aiter(raw.cursor(statement, prefetch=1000))
            finally:
                await raw.close(timeout=CLOSED_WITHIN)

    async def close(self) -> None:
        if self._listener is not None:
            self._listener.cancel()
            await asyncio.gather(self._listener, return_exceptions=True)
        for pool in (self._readers, self._writers):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(pool.close(), CLOSED_WITHIN)

    def listen(self, hear: Callable[[str], None], again: Callable[[], Awaitable[None]]) -> None:
        self._listener = asyncio.create_task(self._listen(hear, again))

    async def _listen(
        self, hear: Callable[[str], None], again: Callable[[], Awaitable[None]]
    ) -> None:
        def heard(connection: object, pid: int, channel: str, body: str) -> None:
            hear(body)

        while True:
            try:
                raw = await asyncpg.connect(**self._options)
                try:
                    gone = asyncio.Event()
                    raw.add_termination_listener(lambda _: gone.set())  # noqa: B023
                    await raw.add_listener(CHANNEL, heard)
                    await again()
                    await gone.wait()
                finally:
                    with contextlib.suppress(Exception):
                        await raw.close(timeout=CLOSED_WITHIN)
            except Exception:
                log.warning("no news from other processes", exc_info=True)
            await asyncio.sleep(LISTEN_AGAIN)


async def _pool(options: dict[str, Any]) -> Any:
    async def leave(connection: object) -> None:
        """No function leaves anything behind that the server would have to reset."""

    return await asyncpg.create_pool(**options, min_size=0, max_size=CONNECTIONS, reset=leave)


@lru_cache(maxsize=256)
def _numbered(statement: str) -> str:
    """With $1, $2, ... for the values."""
    numbers = count(1)
    return "".join(part if part != "?" else f"${next(numbers)}" for part in statement)


def _dsn(where: Address) -> str:
    """Passwords may have any letters, whether escaped or not."""
    who = [quote(unquote(part), safe="") for part in (where.user, where.password) if part]
    parameters = [
        f"sslmode={one.removeprefix('ssl=')}" if one.startswith("ssl=") else one
        for one in where.more.split("&")
    ]
    return f"postgresql://{':'.join(who)}@{where.host}/{where.name}?{'&'.join(parameters)}"


@contextlib.contextmanager
def _failures() -> Iterator[None]:
    try:
        yield
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        bad_rows = asyncpg.IntegrityConstraintViolationError, asyncpg.DataError
        raise DatabaseError(error, isinstance(error, bad_rows)) from error
