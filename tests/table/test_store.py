"""The journal on disk, with SQLite and with PostgreSQL."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path

import msgspec
import pytest

from lastcard.table.database import DatabaseError
from lastcard.table.store import FAILED_FOR, Founded, Listing, Note, Store, _parts
from tests.table.stores import HIDDEN, appended, founded, line, opened


def full(store: Store) -> None:
    """Nothing can be written any more."""

    async def write(work: object) -> None:
        raise DatabaseError("database or disk is full")

    store.database.write = write  # type: ignore[method-assign, assignment]


def test_what_is_written_is_there_after_closing(database: str) -> None:
    async def write() -> None:
        async with opened(database) as store:
            assert await store.is_writable()
            await store.found(founded("kept"), HIDDEN)
            for seq in (1, 2, 3):
                assert await appended(store, line("kept", seq, b"\x00\xff" * seq))

    async def read() -> None:
        async with opened(database) as store:
            assert await store.founded("kept") == founded("kept")
            assert await store.founded("other") is None
            lines = [line("kept", seq, b"\x00\xff" * seq) for seq in (1, 2, 3)]
            assert await store.lines("kept") == lines
            assert await store.lines("kept", 2) == lines[2:]
            assert await store.lines("other") == []

    asyncio.run(write())
    asyncio.run(read())


def test_entries_of_all_tables_share_commits(database: str) -> None:
    async def many() -> None:
        async with opened(database) as store:
            ids = [f"many {n}" for n in range(50)]
            for id in ids:
                await store.found(founded(id), HIDDEN)
            for seq in range(1, 6):
                assert all(await asyncio.gather(*[appended(store, line(id, seq)) for id in ids]))
            assert store.written == 250
            assert store.commits <= 25
            for id in ids:
                assert [one.seq for one in await store.lines(id)] == [1, 2, 3, 4, 5]

    asyncio.run(many())


def test_what_is_wrong_with_one_entry_is_not_the_fault_of_others(tmp_path: Path) -> None:
    async def write() -> None:
        async with opened(f"sqlite:///{tmp_path / 'one.db'}") as store:
            for id in ("right", "wrong"):
                await store.found(founded(id), HIDDEN)
            assert await appended(store, line("wrong", 1))
            wanted = [line("right", 1), line("wrong", 1), line("right", 2), line("nowhere", 1)]
            found = await asyncio.gather(
                *[appended(store, one) for one in wanted], return_exceptions=True
            )
            assert found[0] is found[2] is True
            assert all(isinstance(found[n], DatabaseError) for n in (1, 3))
            assert len(await store.lines("right")) == 2

    asyncio.run(write())


def test_the_list_of_tables(database: str) -> None:
    async def listing() -> None:
        async with opened(database) as store:
            for n in range(3):
                one = Founded(f"listed {n}", 1.0 + n, b"{}", "00")
                await store.found(one, Listing(True, b'{"n": %d}' % n))
            store.relist("listed 1", Listing(False, b"{}"))
            store.relist("listed 0", Listing(True, b'{"n": 7}'))
            await appended(store, line("listed 0", 1))
            assert await store.listed() == [b'{"n": 2}', b'{"n": 7}']

    asyncio.run(listing())


def test_closing_writes_what_was_asked_for(database: str) -> None:
    async def closing() -> None:
        store = await Store.open(database)
        await store.found(founded("closing"), HIDDEN)
        waiting = appended(store, line("closing", 1))
        await store.close()
        assert await waiting
        with pytest.raises(DatabaseError):
            await appended(store, line("closing", 2))
        async with opened(database) as again:
            assert len(await again.lines("closing")) == 1

    asyncio.run(closing())


def test_of_two_processes_one_is_first(server: str) -> None:
    async def race() -> None:
        async with opened(server) as one, opened(server) as two:
            await one.found(founded("raced"), HIDDEN)
            await one.found(founded("other"), HIDDEN)
            for seq in range(1, 30):
                pairs = [(one, "raced"), (two, "raced"), (two, "other"), (one, "other")]
                bodies = [f"{store.process} {table}".encode() for store, table in pairs]
                written = await asyncio.gather(
                    *[
                        appended(store, line(table, seq, body))
                        for (store, table), body in zip(pairs, bodies, strict=True)
                    ]
                )
                assert sum(written[:2]) == sum(written[2:]) == 1
                for table, some in (("raced", (0, 1)), ("other", (2, 3))):
                    found = await one.lines(table, seq - 1)
                    assert [two.body for two in found] == [bodies[n] for n in some if written[n]]

    asyncio.run(race())


def test_processes_hear_each_other(server: str) -> None:
    async def hearing() -> None:
        async with opened(server) as one, opened(server) as two:
            heard: list[Note] = []
            begun = asyncio.Event()

            async def again() -> None:
                begun.set()

            one.listen(heard.append, again)
            await asyncio.wait_for(begun.wait(), 10)
            await two.found(founded("heard"), HIDDEN)
            await appended(two, line("heard", 1))
            await appended(one, line("heard", 2))  # one's own news is none
            many: dict[str, list[int | None]] = {f"{n:016}": [0, None] for n in range(500)}
            await two.tell(Note(two.process, here=many))
            await two.tell(Note(two.process, reactions=[("heard", 1, "wow")]))
            async with asyncio.timeout(10):
                while not heard or not heard[-1].reactions:
                    await asyncio.sleep(0.01)
            assert heard[0].entries == {"heard": 1}
            assert {id for note in heard for id in note.here} == set(many)
            assert all(note.process == two.process for note in heard)

    asyncio.run(hearing())


def test_long_notes_are_sent_in_parts() -> None:
    note = Note("p", entries={f"{n:016}": n for n in range(1000)})
    parts = _parts(note)
    assert len(parts) > 1 and all(len(msgspec.json.encode(part)) <= 7000 for part in parts)
    assert {id: n for part in parts for id, n in part.entries.items()} == note.entries
    crowd = Note("p", here={f"{n:016}": [None] * 16 for n in range(100)})
    assert all(len(msgspec.json.encode(part)) <= 7000 for part in _parts(crowd))
    assert _parts(Note("p", asking=["x"])) == [Note("p", asking=["x"])]


def test_what_cannot_be_written_does_not_hold_up_the_end(tmp_path: Path) -> None:
    async def work() -> None:
        store = await Store.open(f"sqlite:///{tmp_path / 'tables.db'}")
        await store.found(founded("kept"), HIDDEN)
        full(store)
        store.relist("kept", HIDDEN)
        lost = appended(store, line("kept", 1))
        await asyncio.wait_for(store.close(), 30)
        with pytest.raises(DatabaseError):
            await lost

    asyncio.run(work())


def test_where_nothing_can_be_written_each_is_told_once(tmp_path: Path) -> None:
    """Each by itself would wait as long as all together did: for a lock, that is ten seconds."""

    async def work() -> None:
        async with opened(f"sqlite:///{tmp_path / 'tables.db'}") as store:
            await store.found(founded("kept"), HIDDEN)
            tries = 0

            async def write(work: object) -> None:
                nonlocal tries
                tries += 1
                raise DatabaseError("database is locked")

            store.database.write = write  # type: ignore[method-assign, assignment]
            lost = [appended(store, line("kept", seq)) for seq in range(1, 9)]
            for one in lost:
                with pytest.raises(DatabaseError):
                    await one
            assert tries == 1

    asyncio.run(work())


def test_whether_anything_can_be_written(database: str) -> None:
    async def work() -> None:
        async with opened(database) as store:
            assert await store.is_writable()
            full(store)
            store._probed = -math.inf  # that was a while ago
            assert not await store.is_writable()

    asyncio.run(work())


def test_what_could_not_be_written_counts_for_a_while(tmp_path: Path) -> None:
    """A probe takes no room, so on a full disk it succeeds."""

    async def work() -> None:
        async with opened(f"sqlite:///{tmp_path / 'tables.db'}") as store:
            await store.found(founded("kept"), HIDDEN)
            write = store.database.write
            full(store)
            with pytest.raises(DatabaseError):
                await appended(store, line("kept", 1))
            store.database.write = write  # type: ignore[method-assign]
            store._failed += 100.0  # just now, however long this takes
            assert not await store.is_writable()
            store._failed -= 100.0 + FAILED_FOR
            assert await store.is_writable()
            store._failed += 100.0 + FAILED_FOR
            assert await appended(store, line("kept", 1))
            assert await store.is_writable()

    asyncio.run(work())
