"""Two processes, here two houses, with the same tables: what one does the other knows."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from lastcard.table.database import EntryRow
from lastcard.table.postgres import Postgres
from lastcard.table.refusals import Refused
from lastcard.table.store import Line, Note, Settle
from lastcard.table.times import Times
from tests.postgres import postgres
from tests.table.rooms import Friend, Room, room, skip
from tests.table.stores import appended

TIMES = Times(pace=0.0, patience=0.0, others=0.2, heartbeat=0.1, silence=0.5, look=3600.0)


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with postgres() as url:
        yield url


def run(database: str, work: Callable[[Room, Room], Awaitable[None]], times: Times = TIMES) -> None:
    async def main() -> None:
        async with room(database, times) as one, room(database, times) as two:
            await work(one, two)

    asyncio.run(main())


async def make_deaf(one: Room) -> None:
    """It hears no more of what others do."""
    database = one.house.store.database
    assert isinstance(database, Postgres) and database._listener is not None
    database._listener.cancel()
    await asyncio.gather(database._listener, return_exceptions=True)  # its connection is closed


async def look_in(one: Room, two: Room) -> None:
    """The second house comes to know the table of the first."""
    two.hosted = await two.house.shelf.find(one.hosted.table.id)
    two.seats = one.seats


def test_moves_and_agreements_are_known_everywhere(database: str) -> None:
    async def work(one: Room, two: Room) -> None:
        ann = await one.open(game="taki", players=2)
        await look_in(one, two)
        ben = await two.join("Ben")
        await one.until(lambda: ann.table["status"] == "playing")
        friends = {0: (one, ann), 1: (two, ben)}
        for _ in range(12):
            room, friend = friends[ann.view["waiting"][0]]
            version = friend.version + 1
            await room.move(friend)
            await one.until(lambda: ann.version == ben.version == version)  # noqa: B023
        await two.say(ben, type="react", reaction="wow")
        await one.until(lambda: "reaction" in ann.kinds())
        await one.say(ann, type="pause")
        await one.until(lambda: ben.table["agreed"] == [0])
        await two.say(ben, type="pause")
        await one.until(lambda: ann.table["status"] == "paused")

    run(database, work)


def test_who_was_connected_to_a_process_that_died_is_gone(database: str) -> None:
    async def work(one: Room, two: Room) -> None:
        ann = await one.open(game="chiko", players=2)
        await look_in(one, two)
        await two.join("Ben")
        await one.until(lambda: all(seat["here"] for seat in ann.table["seats"]))
        for task in two.house.tasks.running:
            task.cancel()  # it says no more, and no goodbye
        await one.until(lambda: not ann.table["seats"][1]["here"])

    run(database, work)


def test_who_has_gone_is_gone_even_if_the_note_of_it_is_lost(database: str) -> None:
    async def work(one: Room, two: Room) -> None:
        ann = await one.open(game="chiko", players=2)
        await look_in(one, two)
        ben = await two.join("Ben")
        await one.until(lambda: all(seat["here"] for seat in ann.table["seats"]))
        tell, lost = two.house.store.tell, asyncio.Event()

        async def lose(note: Note) -> None:
            lost.set()

        two.house.store.tell = lose  # type: ignore[method-assign]
        two.house.disconnect(two.hosted, ben)
        await lost.wait()
        two.house.store.tell = tell  # type: ignore[method-assign]
        await one.until(lambda: not ann.table["seats"][1]["here"])

    run(database, work)


def test_another_process_goes_on_with_the_bots(database: str) -> None:
    async def work(one: Room, two: Room) -> None:
        ann = await one.open(game="taki", players=2, bots=["easy"])
        await one.until(lambda: 0 in ann.view["waiting"])
        await look_in(one, two)
        phone = await two.enter(one.seats[0].token)
        one.house.turns.close([])  # the one that takes the move does nothing after it
        await one.move(ann)
        await two.until(lambda: phone.version > ann.version or 0 in phone.view["waiting"])
        await two.until(lambda: 0 in phone.view["waiting"])

    run(database, work)


def test_news_that_was_lost_is_read_later(database: str) -> None:
    async def work(one: Room, two: Room) -> None:
        ann = await one.open(game="taki", players=2, options={"opener": 0})
        await look_in(one, two)
        ben = await two.join("Ben")
        await one.until(lambda: 0 in ann.view.get("waiting", []))
        await make_deaf(two)
        await one.move(ann)
        await asyncio.sleep(0.1)
        assert ben.version < ann.version
        two.house.processes.listen()
        await two.until(lambda: ben.version == ann.version)

    run(database, work)


def test_who_does_not_know_the_last_move_cannot_overwrite_it(database: str) -> None:
    async def work(one: Room, two: Room) -> None:
        ann = await one.open(game="taki", players=2, options={"opener": 0})
        await look_in(one, two)
        await two.join("Ben")
        phone = await two.enter(one.seats[0].token)
        await one.until(lambda: 0 in ann.view.get("waiting", []))
        await make_deaf(two)
        await one.move(ann, id="first")
        with pytest.raises(Refused, match=r"^stale"):
            await two.move(phone, id="second")
        assert phone.version == ann.version  # it has been told what has happened
        assert two.hosted.table.seq == one.hosted.table.seq

    run(database, work)


def test_who_was_overtaken_is_asked_again(database: str) -> None:
    """What is still possible after another process was faster is done; what was done is not."""

    async def work(one: Room, two: Room) -> None:
        ann = await one.open(game="sixth_sense", players=3, options={"opener": 0})
        await look_in(one, two)
        ben = await two.join("Ben")
        await one.join("Cid")
        await two.until(lambda: ben.version >= 0)
        await make_deaf(two)
        action = ann.view["legal"][0]
        await one.move(ann, action, id="prediction")
        assert (await two.move(ben)).version == 3  # they predict at the same time
        phone = await two.enter(one.seats[0].token)
        again = {"type": "move", "version": 1, "action": action, "id": "prediction"}
        assert (await two.say(phone, **again)).version == 2
        await one.say(ann, type="pause")
        await two.say(ben, type="pause")
        assert two.hosted.table.agreed == {0, 1}

    run(database, work)


def test_processes_hear_each_other_again_after_the_database_was_gone(database: str) -> None:
    async def work(one: Room, two: Room) -> None:
        ann = await one.open(game="taki", players=2, options={"opener": 0}, grace=None)
        await look_in(one, two)
        ben = await two.join("Ben")
        await one.until(lambda: 0 in ann.view.get("waiting", []))
        others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        others += "WHERE pid <> pg_backend_pid() AND datname = current_database()"
        await one.house.store.database.write(lambda connection: connection.execute(others))
        async with asyncio.timeout(20):
            while True:
                try:
                    await one.move(ann)
                except Refused as refused:
                    assert refused.code == "unavailable"
                    await asyncio.sleep(0.1)
                else:
                    break
        await two.until(lambda: ben.version == ann.version)
        async with asyncio.timeout(20):  # a reaction is not kept for whoever does not listen yet
            while "reaction" not in ann.kinds():
                await two.say(ben, type="react", reaction="wow")
                await asyncio.sleep(0.1)

    run(database, work)


async def all_predict(one: Room, two: Room) -> tuple[Friend, Friend, Friend]:
    """Three who all have to predict at the same time; only the second is in the second house."""
    ann = await one.open(game="sixth_sense", players=3, options={"opener": 0})
    await look_in(one, two)
    ben = await two.join("Ben")
    cid = await one.join("Cid")
    await two.until(lambda: ben.version == ann.version == 1)
    return ann, ben, cid


def test_what_is_written_while_news_is_read_is_not_missed(database: str) -> None:
    async def work(one: Room, two: Room) -> None:
        ann, ben, cid = await all_predict(one, two)
        lines = two.house.store._lines

        async def slow(*asked: Any) -> list[Line]:
            two.house.store._lines = lines  # type: ignore[method-assign]
            found = await lines(*asked)
            await one.move(cid)  # after it was read: the second house hears of it,
            await two.until(lambda: two.hosted.newest == one.hosted.table.seq)
            return found  # and knows less than that

        two.house.store._lines = slow  # type: ignore[method-assign, assignment]
        await one.move(ann)
        await two.until(lambda: ben.version == cid.version == 3)

    run(database, work)


def test_news_while_something_is_written_is_not_missed(database: str) -> None:
    async def work(one: Room, two: Room) -> None:
        ann, ben, cid = await all_predict(one, two)

        async def slow(line: EntryRow, settle: Settle) -> None:
            """Another process acts upon it before this one knows that it is written."""
            written = await appended(one.house.store, line)
            await two.until(lambda: ben.version == 2)
            await two.move(ben)
            await one.until(lambda: one.hosted.newest == two.hosted.table.seq)
            settle(written)

        one.house.store.append = (  # type: ignore[method-assign]
            lambda line, settle: one.house.tasks.spawn(slow(line, settle))
        )
        await one.move(ann)
        await one.until(lambda: cid.version == ben.version == 3)

    run(database, work)


def test_what_nobody_tells_is_looked_for(database: str) -> None:
    async def work(one: Room, two: Room) -> None:
        ann, ben, _ = await all_predict(one, two)
        await make_deaf(two)
        await one.move(ann)
        await two.until(lambda: ben.version == ann.version == 2)

    run(database, work, replace(TIMES, look=0.05))


def test_who_comes_from_another_process_is_not_taken_back_in_time(database: str) -> None:
    async def work(one: Room, two: Room) -> None:
        ann = await one.open(game="taki", players=2, options={"opener": 0}, grace=None)
        await look_in(one, two)
        await make_deaf(two)
        ben = await one.join("Ben")
        await one.move(ann)
        phone = await two.enter(one.seats[1].token)  # which the second house has not heard of
        assert phone.seat == 1 and phone.version == ben.version

    run(database, work)


def test_who_is_closed_starts_nothing_more(database: str) -> None:
    """Or a connection to the database would be left behind."""

    async def work(one: Room, two: Room) -> None:
        await one.open(game="taki", players=2)
        await look_in(one, two)
        await two.house.close()
        id = two.hosted.table.id
        two.house.processes.hear(Note(one.house.store.process, entries={id: 99}, asking=[id]))
        assert not two.house.tasks.running

    run(database, work)


def test_what_is_written_while_a_table_is_read_is_not_missed(database: str) -> None:
    async def work(one: Room, two: Room) -> None:
        ann = await one.open(game="taki", players=2, options={"opener": 0}, grace=None)
        ben = await one.join("Ben")
        lines = two.house.store._lines

        async def slow(*asked: Any) -> list[Line]:
            two.house.store._lines = lines  # type: ignore[method-assign]
            found = await lines(*asked)
            await one.move(ann)  # after it was read, and before anybody listens
            return found

        two.house.store._lines = slow  # type: ignore[method-assign, assignment]
        await look_in(one, two)
        await two.until(lambda: two.hosted.table.version == ben.version)

    run(database, work)


SECONDS = 600  # of players' clocks: far more than a test takes
CLOCK: dict[str, Any] = {
    "game": "taki",
    "players": 2,
    "options": {"opener": 0},
    "clock": SECONDS,
    "grace": None,
}


async def killed(one: Room) -> None:
    """It says no more, and no goodbye; it does nothing more."""
    one.house.turns.close(one.house.tables.values())
    for task in one.house.tasks.running:
        task.cancel()
    await make_deaf(one)


def test_a_clock_runs_on_at_a_table_that_another_process_serves(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ann is to move. Her process is started anew; Ben's goes on."""

    async def work(one: Room, two: Room) -> None:
        await one.open(**CLOCK)
        await look_in(one, two)
        ben = await two.join("Ben")
        await killed(one)
        skip(monkeypatch, SECONDS - 100)
        async with room(database, TIMES) as three:
            three.seats, three.hosted = one.seats, await three.house.shelf.find(ben.table["id"])
            await three.until(lambda: (three.hosted.seconds or 0) <= 100)
            ann = await three.enter(one.seats[0].token)
            assert ann.table["seconds"] <= 100

    run(database, work)


@pytest.mark.parametrize("killing", [True, False], ids=["killed", "stopped"])
def test_no_clock_suffers_where_another_process_takes_a_table_over(
    database: str, monkeypatch: pytest.MonkeyPatch, killing: bool
) -> None:
    """It was there all the time, but the table was not in its memory."""

    async def work(one: Room, two: Room) -> None:
        ann, ben = await one.open(**CLOCK), await one.join("Ben")
        id = one.hosted.table.id
        await two.until(lambda: id in two.house.processes._served)
        if killing:
            await killed(one)
        else:
            for friend in (ann, ben):
                one.house.disconnect(one.hosted, friend)
            await one.house.close()
        skip(monkeypatch, SECONDS)
        two.seats, two.hosted = one.seats, await two.house.shelf.find(id)
        ben = await two.enter(one.seats[1].token)
        assert ben.table["seconds"] == SECONDS
        ann = await two.enter(one.seats[0].token)
        assert ann.table["seconds"] > SECONDS - 100
        assert ann.version == ben.version == 1

    run(database, work, replace(TIMES, silence=3600.0))


def test_a_clock_runs_on_for_who_comes_by_another_process(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(one: Room, two: Room) -> None:
        await one.open(**CLOCK)
        await one.join("Ben")
        await two.until(lambda: one.hosted.table.id in two.house.processes._served)
        skip(monkeypatch, SECONDS - 100)
        await look_in(one, two)
        await two.enter(one.seats[0].token)
        await two.until(lambda: 0 < (two.hosted.seconds or 0) <= 100)

    run(database, work)


def test_of_processes_that_all_start_anew_none_takes_time(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before: list[Room] = []

    async def begin(one: Room, two: Room) -> None:
        await one.open(**CLOCK)
        await one.join("Ben")
        before.append(one)

    async def go_on(one: Room, two: Room) -> None:
        for each in (one, two):
            each.seats = before[0].seats
            each.hosted = await each.house.shelf.find(before[0].hosted.table.id)
        ben = await one.enter(one.seats[1].token)
        assert ben.table["seconds"] == SECONDS
        ann = await two.enter(one.seats[0].token)
        await one.until(lambda: all(seat["here"] for seat in ben.table["seats"]))
        assert min(ann.table["seconds"], ben.table["seconds"]) > SECONDS - 100
        assert ann.version == ben.version == 1

    run(database, begin)
    skip(monkeypatch, SECONDS)
    run(database, go_on)
