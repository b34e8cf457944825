"""SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from sqlalchemy import Connection

from lastcard.errors import BadOption
from lastcard.table.database import THREADS, read_url
from lastcard.table.store import Store
from tests.table.stores import HIDDEN, founded, line, opened


def test_sqlite_is_for_one_server(tmp_path: Path) -> None:
    async def twice() -> None:
        database = f"sqlite:///{tmp_path / 'one.db'}"
        async with opened(database):
            with pytest.raises(BadOption, match="in use by another server"):
                await Store.open(database)
        async with opened(database):
            pass

    asyncio.run(twice())


def test_sqlite_waits_for_the_disk(tmp_path: Path) -> None:
    async def ask() -> None:
        async with opened(f"sqlite:///{tmp_path / 'one.db'}") as store:
            for pragma, value in (("journal_mode", "wal"), ("synchronous", 2)):  # 2 is full

                def ask_for(connection: Connection, pragma: str = pragma) -> object:
                    return connection.exec_driver_sql(f"PRAGMA {pragma}").scalar()

                assert await store.database.read(ask_for) == value

    asyncio.run(ask())


def test_a_database_that_does_not_answer(tmp_path: Path) -> None:
    broken = tmp_path / "broken.db"
    broken.write_text("not a database, but long enough to be looked at" * 50)
    for database in (f"sqlite:///{broken}", "postgresql://nobody@127.0.0.1:1/none"):
        with pytest.raises(BadOption, match="does not answer"):
            asyncio.run(Store.open(database))
    with pytest.raises(BadOption, match="sqlite or postgresql"):
        read_url("mysql://x/y")
    for wrong in ("x", "sqlite://"):
        with pytest.raises(BadOption):
            read_url(wrong)
    with pytest.raises(BadOption) as error:
        asyncio.run(Store.open("postgresql://ann:secret@127.0.0.1:1/none"))
    assert "secret" not in str(error.value)


def test_readers_do_not_hold_up_what_is_written(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(f"sqlite:///{tmp_path / 'tables.db'}") as store:
            await store.found(founded("kept"), HIDDEN)
            done = threading.Event()
            reading = [
                asyncio.create_task(store.database.read(lambda _: done.wait(60)))
                for _ in range(3 * THREADS)
            ]
            try:
                done_in_time, _ = await asyncio.wait({store.append(line("kept", 1))}, timeout=30)
                assert done_in_time
            finally:
                done.set()
            await asyncio.gather(*reading)

    asyncio.run(work())
