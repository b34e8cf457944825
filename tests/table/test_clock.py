"""Clocks are set, also back, and nobody at a table waits for that. While no process serves a table
its players' clocks stand still."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from lastcard.table import clock, writer
from lastcard.table.entries import Agreed, Resumed
from lastcard.table.hosted import BACK_WITHIN
from lastcard.table.setup import Setup
from lastcard.table.times import Times
from tests.table.rooms import Room, run, skip
from tests.table.tables import Journalled

HOUR = 3600.0


@pytest.mark.parametrize("opener", [0, 1])
def test_bots_play_on_after_a_restart_with_an_earlier_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opener: int
) -> None:
    table, options = "", {"opener": opener, "must_play": False}

    async def begin(room: Room) -> None:
        nonlocal table
        ann = await room.open(game="taki", players=2, bots=["easy"], options=options)
        if opener == 0:
            await room.move(ann, "draw")
        table = room.hosted.table.id
        assert room.hosted.table.since > time.time() + HOUR / 2

    async def go_on(room: Room) -> None:
        room.hosted = await room.house.shelf.find(table)
        version = room.hosted.table.version
        await room.until(lambda: room.hosted.table.version > version)

    with monkeypatch.context() as patch:
        patch.setattr(writer, "now", lambda: clock.now() + HOUR)
        run(tmp_path, begin, Times(pace=2 * HOUR))
    run(tmp_path, go_on)


def test_who_sets_the_clock_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    before = clock.now()
    monkeypatch.setattr(time, "time", lambda: before - HOUR)
    assert 0 <= clock.now() - before < HOUR / 2
    assert clock.not_later(before) == before
    assert clock.not_later(before + 2 * HOUR) < before + HOUR


def test_a_pause_that_ends_before_it_began_takes_no_time_away() -> None:
    one = Journalled(Setup(game="taki", players=2, clock=60))
    one.join("Ann")
    one.join("Ben")
    asked = dict(one.table.asked_at)
    one.table.fold(Agreed(0, True), 1000.0)
    one.table.fold(Resumed(0), 500.0)
    assert one.table.asked_at == asked


def test_a_pause_of_another_clock_gives_nobody_more_than_all_his_time() -> None:
    one = Journalled(Setup(game="taki", players=2, clock=60))
    one.join("Ann")
    one.join("Ben")
    one.table.asked_at = dict.fromkeys(one.table.asked_at, 5000.0)
    one.table.fold(Agreed(0, True), 1000.0)  # by a process whose clock is an hour behind
    one.table.fold(Resumed(0), 5010.0)
    assert set(one.table.asked_at.values()) == {5010.0}


SECONDS = 600  # of players' clocks: far more than a test takes


def restarted(
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    after: float,
    then: Callable[[Room], Awaitable[None]],
) -> None:
    """Ann is to move, Ben waits for her. She has used some of her time when the server stops."""
    rooms: list[Room] = []

    async def begin(room: Room) -> None:
        options = {"opener": 0}
        await room.open(game="chiko", players=2, clock=SECONDS, grace=None, options=options)
        await room.join("Ben")
        skip(monkeypatch, SECONDS - 100)
        rooms.append(room)

    async def go_on(room: Room) -> None:
        before = rooms[0]
        room.seats, room.hosted = before.seats, await room.house.shelf.find(before.seats[0].table)
        await then(room)

    run(path, begin)
    skip(monkeypatch, after)
    run(path, go_on)


@pytest.mark.parametrize("after", [1.0, HOUR])
def test_a_restart_takes_no_time_from_who_is_to_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: float
) -> None:
    """Whoever comes back first."""

    async def others_first(room: Room) -> None:
        ben = await room.enter(room.seats[1].token)
        assert ben.table["seconds"] == SECONDS  # Ann could not move
        skip(monkeypatch, BACK_WITHIN - 1)
        ann = await room.enter(room.seats[0].token)
        assert ann.table["seconds"] > SECONDS - 100
        skip(monkeypatch, SECONDS - 100)
        assert 0 < (room.hosted.seconds or 0) <= 100  # her clock goes on
        again = await room.enter(room.seats[0].token)
        assert again.table["seconds"] <= 100  # to come back once more gives her nothing
        assert ben.version == ann.version == 1

    restarted(tmp_path, monkeypatch, after, others_first)


def test_after_a_restart_a_clock_does_not_wait_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def without_ann(room: Room) -> None:
        ben = await room.enter(room.seats[1].token)
        skip(monkeypatch, BACK_WITHIN + SECONDS - 100)
        assert 0 < (room.hosted.seconds or 0) <= 100
        skip(monkeypatch, 100)
        room.house.turns.schedule(room.hosted)
        await room.until(lambda: ben.version == 2)
        assert ben.messages[-1]["by"] == "clock"

    restarted(tmp_path, monkeypatch, HOUR, without_ann)


def test_a_clock_runs_on_while_a_table_is_put_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is at the table, but the server runs: everybody could come and move."""

    async def play(room: Room) -> None:
        options = {"opener": 0}
        ann = await room.open(game="chiko", players=2, clock=SECONDS, grace=None, options=options)
        ben = await room.join("Ben")
        for friend in (ann, ben):
            room.house.disconnect(room.hosted, friend)
        skip(monkeypatch, HOUR)
        await room.until(lambda: room.hosted.dropped)
        room.hosted = await room.house.shelf.find(room.seats[0].table)
        ben = await room.enter(room.seats[1].token)
        assert ben.table["seconds"] == 0
        await room.until(lambda: ben.version == 2)

    run(tmp_path, play)
