"""SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import sys
import threading
from pathlib import Path

import asyncpg
import pytest

from lastcard.errors import BadOption
from lastcard.table.database import Connection, DatabaseError, read_address
from lastcard.table.postgres import Postgres
from lastcard.table.sqlite import READERS
from lastcard.table.store import Store
from tests.table.stores import HIDDEN, appended, founded, line, opened


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
            for pragma, value in (
                ("journal_mode", "wal"),
                ("synchronous", 2),  # full
                ("foreign_keys", 1),
                ("busy_timeout", 10_000),
                ("wal_autocheckpoint", 8000),
            ):

                async def ask_for(connection: Connection, pragma: str = pragma) -> object:
                    return [list(row) for row in await connection.execute(f"PRAGMA {pragma}")]

                assert await store.database.read(ask_for) == [[value]]
                assert await store.database.write(ask_for) == [[value]]

    asyncio.run(ask())


def test_a_database_that_does_not_answer(tmp_path: Path) -> None:
    broken = tmp_path / "broken.db"
    broken.write_text("not a database, but long enough to be looked at" * 50)
    for database in (f"sqlite:///{broken}", "postgresql://nobody@127.0.0.1:1/none"):
        with pytest.raises(BadOption, match="does not answer"):
            asyncio.run(Store.open(database))
    with pytest.raises(BadOption, match="sqlite or postgresql"):
        read_address("mysql://x/y")
    for wrong, words in (
        ("x", "must look like"),
        ("sqlite://", "needs a file"),
        ("sqlite:///", "needs a file"),
        ("sqlite://host/x.db", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
        ("sqlite:///x.db?mode=ro", "no parameters"),
        ("postgresql://db:port/cards", "must look like"),
        ("postgresql://db:65536/cards", "must look like"),
        ("postgresql://one:1,two:x/cards", "must look like"),
    ):
        with pytest.raises(BadOption, match=words):
            read_address(wrong)
    with pytest.raises(BadOption) as error:
        asyncio.run(Store.open("postgresql://ann:secret@127.0.0.1:1/none"))
    assert "secret" not in str(error.value)


def test_readers_do_not_hold_up_what_is_written(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(f"sqlite:///{tmp_path / 'tables.db'}") as store:
            await store.found(founded("kept"), HIDDEN)
            done = threading.Event()

            async def wait(_: Connection) -> None:
                done.wait(60)

            reading = [asyncio.create_task(store.database.read(wait)) for _ in range(3 * READERS)]
            try:
                done_in_time, _ = await asyncio.wait({appended(store, line("kept", 1))}, timeout=30)
                assert done_in_time
            finally:
                done.set()
            await asyncio.gather(*reading)

    asyncio.run(work())


def test_addresses() -> None:
    for address, shown in (
        ("sqlite:///tables.db", "sqlite:///tables.db"),
        ("sqlite:////var/a@b:c%20.db", "sqlite:////var/a@b:c%20.db"),
        ("postgres://db/cards", "postgresql://db/cards"),
        ("postgresql+asyncpg://ann@db:5433/cards", "postgresql://ann@db:5433/cards"),
        ("postgresql://ann:p/w?:#@[::1]:1/cards", "postgresql://ann:***@[::1]:1/cards"),
        ("postgresql://one:1,two/cards", "postgresql://one:1,two/cards"),
        ("postgresql:///cards?host=/run&password=secret", "postgresql:///cards"),
    ):
        assert str(read_address(address)) == shown
    assert read_address("postgresql://ann:p/w?:#@db/cards").password == "p/w?:#"


def test_a_password_may_have_any_letters(server: str) -> None:
    """Also those that mean something else in an address, whether they are escaped or not."""
    ask_for_it = """
        COPY (VALUES ('host all ann 127.0.0.1/32 scram-sha-256'), ('host all all all trust'))
        TO '{}'"""

    async def comes_in(password: str) -> bool:
        where = read_address(server.replace("lastcard@", f"ann:{password}@"))
        database = await Postgres.open(where)
        try:
            await database.read(lambda connection: connection.execute("SELECT 1"))
        except DatabaseError as error:
            assert "password authentication failed" in str(error)
            return False
        finally:
            await database.close()
        return True

    async def work() -> None:
        connection = await asyncpg.connect(server)
        await connection.execute("CREATE ROLE ann LOGIN PASSWORD 'a/b?c#d:e'")
        await connection.execute(ask_for_it.format(await connection.fetchval("SHOW hba_file")))
        await connection.execute("SELECT pg_reload_conf()")
        await connection.close()
        async with asyncio.timeout(30):
            while await comes_in("wrong"):  # until the server has read its rules again
                await asyncio.sleep(0.01)
        for password in ("a/b?c#d:e", "a%2Fb%3Fc%23d%3Ae"):
            assert await comes_in(password)

    asyncio.run(work())


def test_parameters_of_an_address_are_heeded(server: str) -> None:
    async def ask(more: str) -> str:
        database = await Postgres.open(read_address(f"{server}?{more}"))
        try:
            wanted = "SELECT current_setting('application_name')"
            found = await database.read(lambda connection: connection.execute(wanted))
            return str(found[0][0])
        finally:
            await database.close()

    assert asyncio.run(ask("application_name=cards&sslmode=prefer")) == "cards"
    for more in ("ssl=require", "sslmode=require", "nonsense=1"):
        with pytest.raises(DatabaseError):
            asyncio.run(ask(more))


def test_all_of_a_transaction_is_written_or_nothing(database: str) -> None:
    async def work() -> None:
        async with opened(database) as store:

            async def half(connection: Connection) -> None:
                await connection.execute("UPDATE health SET at = ?", 77.5)
                await connection.execute("INSERT INTO health (id, at) VALUES (?, ?)", 1, 0.5)

            with pytest.raises(DatabaseError) as error:
                await store.database.write(half)
            assert error.value.of_one
            wanted = "SELECT at FROM health"
            found = await store.database.read(lambda connection: connection.execute(wanted))
            assert found[0][0] != 77.5
            assert await store.is_writable()

    asyncio.run(work())


def test_a_lock_that_is_not_given_back_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lastcard.table.sqlite.PATIENCE", 0.01)

    async def work() -> None:
        path = tmp_path / "tables.db"
        async with opened(f"sqlite:///{path}") as store:
            with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                with pytest.raises(DatabaseError, match=r"^database is locked$") as error:
                    await store.found(founded("kept"), HIDDEN)
                assert not error.value.of_one
                assert await store.founded("kept") is None  # readers do not mind
            await store.found(founded("kept"), HIDDEN)

    asyncio.run(work())


def test_a_locked_database_that_needs_no_migration_can_be_opened(tmp_path: Path) -> None:
    async def work() -> None:
        path = tmp_path / "tables.db"
        async with opened(f"sqlite:///{path}"):
            pass
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            async with opened(f"sqlite:///{path}") as store:
                assert await store.listed() == []

    asyncio.run(work())


def test_a_full_disk_is_an_error_until_there_is_room(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(f"sqlite:///{tmp_path / 'tables.db'}") as store:
            await store.found(founded("kept"), HIDDEN)

            async def limit(connection: Connection, pages: int) -> None:
                await connection.execute(f"PRAGMA max_page_count = {pages}")

            await store.database.write(lambda connection: limit(connection, 1))
            with pytest.raises(DatabaseError, match=r"^database or disk is full$") as error:
                await appended(store, line("kept", 1, b"x" * 100_000))
            assert not error.value.of_one
            await store.database.write(lambda connection: limit(connection, 1_000_000))
            assert await appended(store, line("kept", 1, b"x" * 100_000))

    asyncio.run(work())


def test_postgresql_without_its_package_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    monkeypatch.delitem(sys.modules, "lastcard.table.postgres", raising=False)
    with pytest.raises(BadOption, match=r"pip install 'lastcard\[postgres\]'"):
        asyncio.run(Store.open("postgresql://ann@db/cards"))
