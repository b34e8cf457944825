"""Copies of all tables, made and put back while a server has the database open."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from lastcard.errors import BadFile, BadOption
from lastcard.table.backups import AT_ONCE, Restored, back_up, restore
from lastcard.table.clearing import DAY, clear
from lastcard.table.store import Founded, Listing, Store
from lastcard.table.table import Chair, Start
from tests.table.stores import HIDDEN, appended, founded, line, opened

START = Start(1, 2, 1, 1.5, [Chair("bot", level="easy")], {})


async def write(store: Store, id: str, entries: int) -> None:
    await store.found(founded(id), Listing(True, b'{"id": "x"}'))
    store.keep(id, START)
    for seq in range(1, entries + 1):
        assert await appended(store, line(id, seq, b"\x00\xff" * seq))


async def read(store: Store, id: str) -> tuple[object, ...]:
    return await store.founded(id), await store.lines(id), await store.start(id)


def test_a_copy_brings_everything_back(database: str, tmp_path: Path) -> None:
    copy, other = tmp_path / "copy.db", f"sqlite:///{tmp_path / 'other.db'}"

    async def main() -> None:
        async with opened(database) as store:  # the server runs all the while
            await write(store, "first", 3)
            await write(store, "second", 1)
            kept = {id: await read(store, id) for id in ("first", "second")}
            copied = await back_up(database, copy)
            assert copied.tables >= 2 and copied.entries >= 4
            assert await appended(store, line("first", 4))
            kept["first, later"] = await read(store, "first")
            assert (await restore(copy, database)).added == 0  # what has gone on stays
            assert await read(store, "first") == kept["first, later"]
            await store.remove(["first"])
            done: list[int] = []
            assert (await restore(copy, database, done.append)).added == 1
            assert done[-1] == copied.tables
            assert await read(store, "first") == kept["first"]
            assert await appended(store, line("first", 4))
        assert await restore(copy, other) == Restored(copied.tables, 0)
        async with opened(other) as store:
            assert {id: await read(store, id) for id in ("first", "second")} == {
                "first": kept["first"],
                "second": kept["second"],
            }
        async with opened(f"sqlite:///{copy}") as store:  # a copy can be served as it is
            assert await read(store, "first") == kept["first"]

    asyncio.run(main())
    assert sorted(one.name for one in tmp_path.iterdir() if ".part" in one.name) == []


def test_what_is_no_copy_is_refused(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'tables.db'}"

    async def main() -> None:
        async with opened(database) as store:
            await write(store, "mine", 2)
            await back_up(database, tmp_path / "copy.db")
            with pytest.raises(BadFile, match="is there already"):
                await back_up(database, tmp_path / "copy.db")
            damaged = tmp_path / "damaged.db"
            body = bytearray((tmp_path / "copy.db").read_bytes())
            body[4096:8192] = b"x" * 4096
            damaged.write_bytes(body)
            text = tmp_path / "text.db"
            text.write_text("no database at all" * 100)
            foreign = tmp_path / "foreign.db"
            sqlite3.connect(foreign).execute("CREATE TABLE tables (id INTEGER)")
            for file in (damaged, text, foreign):
                with pytest.raises(BadFile, match="damaged, or not a backup"):
                    await restore(file, database)
            with pytest.raises(BadOption, match="there is no file"):
                await back_up(f"sqlite:///{tmp_path / 'none.db'}", tmp_path / "other.db")
            with pytest.raises(BadFile, match="there is no file"):
                await restore(tmp_path / "none.db", database)
            assert len(await store.lines("mine")) == 2

    asyncio.run(main())


def test_tables_that_nobody_uses_are_removed(database: str) -> None:
    old, now = 100 * DAY, 1000 * DAY

    async def main() -> None:
        async with opened(database) as store:
            for n in range(2 * AT_ONCE):
                row = Founded(f"old {n}", old + n, b'{"game": "chiko"}', "ab" * 32)
                await store.found(row, HIDDEN)
            await write(store, "played", 2)  # opened long ago, at 12.5
            assert await appended(store, line("played", 3)._replace(at=now))
            await store.found(Founded("new", now, b"{}", "ab" * 32), HIDDEN)
            in_use = {"old 7"}
            assert await clear(store, in_use, now - DAY) >= 2 * AT_ONCE - 1
            assert await clear(store, in_use, now - DAY) == 0
            for id in ("old 7", "played", "new"):
                assert await store.founded(id) is not None
            assert await store.founded("old 8") is None
            assert len(await store.lines("played")) == 3
            await store.remove(["old 7", "played", "new"])

    asyncio.run(main())
