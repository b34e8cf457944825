"""Clocks are set, also back: nobody at a table waits for that."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from lastcard.table import clock, writer
from lastcard.table.entries import Agreed, Resumed
from lastcard.table.setup import Setup
from lastcard.table.times import Times
from tests.table.rooms import Room, run
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
