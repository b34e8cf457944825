"""Disks that fail, are full, locked, read-only or damaged, and power that fails: what is wrong is
said, nothing is lost, and it goes on by itself. With SQLite itself, on a disk of `disk.py`."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lastcard.errors import BadOption
from lastcard.table import sqlite
from lastcard.table.house import Seated
from lastcard.table.refusals import Refused
from lastcard.table.sqlite import Sqlite
from lastcard.table.store import Store
from tests.table.disk import CANTOPEN, FULL, IOERR, OK, READONLY, disk
from tests.table.rooms import Friend, Room, run
from tests.table.stores import HIDDEN, appended, founded, line, opened

LOSSES = 60
TABLES = ("a" * 16, "b" * 16, "c" * 16)


# --- Power loss ----------------------------------------------------------------------------------


async def write_and_lose_power(path: Path, rng: random.Random) -> list[str]:
    """Writes entries of several tables, and again and again looks what would be left if the power
    failed at that moment; returns what is missing."""
    missing: list[str] = []
    acknowledged: set[tuple[str, int]] = set()
    with disk() as lossy:
        async with opened(f"sqlite:///{path / 'tables.db'}") as store:
            for table in TABLES:
                await store.found(founded(table), HIDDEN)

            async def write(table: str) -> None:
                for seq in range(1, LOSSES + 1):
                    assert await appended(
                        store, line(table, seq, rng.randbytes(rng.choice((9, 5000))))
                    )
                    acknowledged.add((table, seq))

            async def lose_power() -> None:
                for number in range(LOSSES):
                    await asyncio.sleep(0)
                    left = path / f"left {number}"
                    left.mkdir()
                    known = set(acknowledged)
                    await asyncio.to_thread(lossy.lose_power, left, rng)
                    missing.extend(what_is_missing(left / "tables.db", known))

            await asyncio.gather(lose_power(), *map(write, TABLES))
    assert len(acknowledged) == LOSSES * len(TABLES)
    return missing


def what_is_missing(path: Path, acknowledged: set[tuple[str, int]]) -> list[str]:
    try:
        with closing(sqlite3.connect(f"file:{path}?vfs=unix", uri=True)) as raw:
            checked = [text for (text,) in raw.execute("PRAGMA integrity_check")]
            there = set(raw.execute("SELECT table_id, seq FROM entries"))
    except sqlite3.Error as error:
        return [str(error)]
    return [text for text in checked if text != "ok"] + [
        f"{table} {seq}" for table, seq in sorted(acknowledged - there)
    ]


@pytest.mark.parametrize("pages", [8000, 5], ids=["as it is", "checkpoints all the time"])
def test_what_is_acknowledged_survives_a_loss_of_power(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pages: int
) -> None:
    monkeypatch.setattr(sqlite, "PRAGMAS", (*sqlite.PRAGMAS, f"wal_autocheckpoint={pages}"))
    assert asyncio.run(write_and_lose_power(tmp_path, random.Random(pages))) == []


def test_it_would_not_survive_without_syncing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or the test above would show nothing."""
    monkeypatch.setattr(sqlite, "PRAGMAS", (*sqlite.PRAGMAS, "synchronous=NORMAL"))
    assert asyncio.run(write_and_lose_power(tmp_path, random.Random(2)))


# --- Trouble that comes and goes -----------------------------------------------------------------

Trouble = Callable[[str, str], int]


def writing(fault: int) -> Trouble:
    return lambda what, path: fault if what in ("write", "sync") else OK


async def two_friends(one: Room) -> tuple[Friend, Friend]:
    """The first is to move."""
    friends = [await one.open(game="chiko", players=2), await one.join("Ben")]
    friends.sort(key=lambda friend: friend.seat not in friend.view["waiting"])
    return friends[0], friends[1]


async def refused(one: Room, friend: Friend, id: str) -> None:
    with pytest.raises(Refused, match=r"^unavailable"):
        await one.move(friend, id=id)


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        (writing(FULL), "database or disk is full"),
        (writing(IOERR), "disk I/O error"),
        (lambda what, path: IOERR if what == "sync" else OK, "disk I/O error"),
    ],
    ids=["full", "failing or read-only", "not synced"],
)
def test_a_disk_that_fails(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, trouble: Trouble, said: str
) -> None:
    async def play(one: Room) -> None:
        first, other = await two_friends(one)
        version, told = first.version, len(other.messages)
        failing.fails = trouble
        await refused(one, first, "m")
        assert said in caplog.text
        assert not await one.house.store.is_writable()
        assert one.hosted.table.version == version and len(other.messages) == told
        failing.fails = lambda what, path: OK
        await one.move(first, id="m")
        assert first.version == other.version == version + 1

    with disk() as failing:
        run(tmp_path, play)
        run(tmp_path, lambda one: all_there(one, tmp_path))


async def all_there(one: Room, path: Path) -> None:
    """After a restart the tables are as they were left."""
    with closing(sqlite3.connect(path / "tables.db")) as raw:
        (id,), (seq,) = (
            *raw.execute("SELECT id FROM tables"),
            *raw.execute("SELECT max(seq) FROM entries"),
        )
    assert (await one.house.shelf.find(id)).table.seq == seq == 3


def test_bots_go_on_by_themselves_when_there_is_room_again(tmp_path: Path) -> None:
    async def play(one: Room) -> None:
        ann = await one.open(game="taki", players=2, bots=["easy"], options={"opener": 0})
        version = ann.version
        tried = 0  # by the bot

        def full_after_one(what: str, path: str) -> int:
            nonlocal tried
            if ann.version == version or what not in ("write", "sync"):
                return OK
            tried += 1
            return FULL

        failing.fails = full_after_one
        await one.move(ann)
        await one.until(lambda: tried)
        failing.fails = lambda what, path: OK
        await one.until(lambda: ann.version > version + 1)

    with disk() as failing:
        run(tmp_path, play)


def test_a_database_that_somebody_else_has_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sqlite, "PATIENCE", 0.05)

    async def play(one: Room) -> None:
        first, other = await two_friends(one)
        with closing(sqlite3.connect(tmp_path / "tables.db", isolation_level=None)) as backup:
            backup.execute("BEGIN IMMEDIATE")
            await refused(one, first, "m")
            assert "database is locked" in caplog.text
            backup.execute("ROLLBACK")
        await one.move(first, id="m")
        assert first.version == other.version

    run(tmp_path, play)


def test_no_more_files_can_be_opened(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """As where a process has no descriptors left: whoever needs none plays on."""

    async def play(one: Room) -> None:
        first, other = await two_friends(one)
        id, version = one.hosted.table.id, first.version
        database = one.house.store.database
        assert isinstance(database, Sqlite)
        del one.house.tables[id]
        database._readers = ThreadPoolExecutor(1)  # a thread that has no connection yet
        failing.fails = lambda what, path: CANTOPEN if what == "open" else OK
        await one.move(first)
        assert other.version == version + 1
        with pytest.raises(Refused, match=r"^unavailable"):
            await one.house.shelf.find(id)
        assert "unable to open database file" in caplog.text
        failing.fails = lambda what, path: OK
        again = await one.house.shelf.find(id)
        assert again.table.version == version + 1

    with disk() as failing:
        run(tmp_path, play)


def test_a_database_that_cannot_be_written_at_first(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """As on a file system that is mounted for reading only until somebody sees to it."""
    known: list[Seated] = []

    async def before(one: Room) -> None:
        await two_friends(one)
        known.extend(one.seats)

    async def after(one: Room) -> None:
        one.hosted = await one.house.shelf.find(known[0].table)
        friends = [await one.enter(seat.token) for seat in known]
        first = next(friend for friend in friends if friend.seat in friend.view["waiting"])
        await refused(one, first, "m")
        assert "attempt to write a readonly database" in caplog.text
        failing.fails = lambda what, path: OK
        await one.move(first, id="m")

    def read_only(what: str, path: str) -> int:
        return READONLY if what == "open" and path.endswith(".db") else OK

    run(tmp_path, before)
    with disk() as failing:
        failing.fails = read_only
        run(tmp_path, after)


def damage(path: Path, first: int) -> bytes:
    """Writes nonsense over a database from this byte on; returns what it was."""
    content = path.read_bytes()
    path.write_bytes(content[:first] + b"\xa5" * (len(content) - first))
    return content


def test_a_damaged_database_is_said_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"

    async def start() -> None:
        await (await Store.open(f"sqlite:///{path}")).close()

    asyncio.run(start())
    content = damage(path, 0)
    with pytest.raises(BadOption, match="not a database"):
        asyncio.run(start())
    path.write_bytes(content)
    asyncio.run(start())


def test_a_database_that_is_damaged_while_it_is_used(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ids: list[Any] = []

    async def before(one: Room) -> None:
        await two_friends(one)
        ids.append(one.hosted.table.id)

    async def after(one: Room) -> None:
        content = damage(tmp_path / "tables.db", 4096)
        with pytest.raises(Refused, match=r"^unavailable"):
            await one.house.shelf.find(ids[0])
        assert "malformed" in caplog.text
        (tmp_path / "tables.db").write_bytes(content)
        assert (await one.house.shelf.find(ids[0])).table.seq == 2

    run(tmp_path, before)
    run(tmp_path, after)
