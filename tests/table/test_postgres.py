"""PostgreSQL that is full, locked or read-only for a while: what is wrong is said, nothing is lost,
and it goes on by itself. The same as `test_disk.py` has for SQLite."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, TypeAlias

import asyncpg
import pytest

from lastcard.core.match import Match
from lastcard.table import entries, postgres
from lastcard.table.entries import Joined, Moved
from lastcard.table.postgres import Postgres
from lastcard.table.refusals import Refused
from tests.table.rooms import Room, room

Trouble: TypeAlias = Callable[[Any, Room], AbstractAsyncContextManager[None]]

# What a disk without room makes PostgreSQL say, in the same words and with the same code.
FULL = """
    CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION USING ERRCODE = 'disk_full',
            MESSAGE = 'could not extend file "base/16384/16393": No space left on device';
    END $$;
    CREATE TRIGGER full_disk BEFORE INSERT ON entries EXECUTE FUNCTION full_disk()"""
ROOM = "DROP FUNCTION full_disk CASCADE"
READ_ONLY = "ALTER DATABASE lastcard SET default_transaction_read_only = on"
WRITABLE = """
    SET default_transaction_read_only = off;
    ALTER DATABASE lastcard RESET default_transaction_read_only"""
END_CONNECTIONS = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE pid <> pg_backend_pid() AND datname = current_database()"""
LOCK = "LOCK TABLE entries, health IN ACCESS EXCLUSIVE MODE"  # as VACUUM FULL does
IMPATIENT = 0.3  # seconds for a statement


@asynccontextmanager
async def full(operator: Any, one: Room) -> AsyncIterator[None]:
    await operator.execute(FULL)
    yield
    await operator.execute(ROOM)


@asynccontextmanager
async def read_only(operator: Any, one: Room) -> AsyncIterator[None]:
    await operator.execute(READ_ONLY)
    await operator.execute(END_CONNECTIONS)
    yield
    await operator.execute(WRITABLE)  # connections that are open stay as they are


@asynccontextmanager
async def locked(operator: Any, one: Room) -> AsyncIterator[None]:
    database = one.house.store.database
    assert isinstance(database, Postgres)
    impatient = {**database._options, "command_timeout": IMPATIENT}
    for pool in (database._readers, database._writers):
        await pool.close()
    database._readers, database._writers = [await postgres._pool(impatient) for _ in range(2)]
    async with operator.transaction():
        await operator.execute(LOCK)
        yield


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        (full, "No space left on device"),
        (read_only, "in a read-only transaction"),
        (locked, "TimeoutError"),
    ],
    ids=["full", "read-only", "locked"],
)
def test_a_server_in_trouble(
    server: str,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    trouble: Trouble,
    said: str,
) -> None:
    monkeypatch.setattr("lastcard.table.store.FAILED_FOR", 1e9)  # until something is written

    async def play(one: Room, operator: Any) -> None:
        decide, begun = one.house.thinkers.decide, asyncio.Event()

        async def later(match: Match, seat: int, level: str) -> int | None:
            await begun.wait()
            return await decide(match, seat, level)

        one.house.thinkers.decide = later  # type: ignore[method-assign]
        options = {"opener": 1}
        ann = await one.open(game="taki", players=2, bots=["easy"], options=options)
        store, told = one.house.store, len(ann.messages)
        async with trouble(operator, one):
            begun.set()
            await one.until(lambda: said in caplog.text)  # by the bot
            with pytest.raises(Refused, match=r"^unavailable"):
                await one.say(ann, type="pause")
            store._probed = -math.inf
            assert not await store.is_writable()
            assert len(ann.messages) == told and one.hosted.table.seq == 1
        await one.until(lambda: 0 in ann.view["waiting"])  # the bot goes on by itself
        while True:
            try:
                await one.move(ann, id="m")
                break
            except Refused as refused:
                assert refused.code == "unavailable"
        async with asyncio.timeout(60):
            while not await store.is_writable():
                await asyncio.sleep(0.05)
        written = [entries.decode(line.body) for line in await store.lines(one.hosted.table.id)]
        assert isinstance(written[0], Joined)
        assert all(isinstance(entry, Moved) for entry in written[1:])
        assert [entry.id for entry in written if isinstance(entry, Moved)].count("m") == 1

    async def main() -> None:
        operator = await asyncpg.connect(server)
        try:
            async with room(server) as one:
                await play(one, operator)
        finally:
            await operator.close()

    asyncio.run(main())
