"""People join, connect, leave and come back."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from lastcard.bots import LEVELS
from lastcard.table.refusals import Refused
from lastcard.table.setup import Setup
from lastcard.table.store import Founded
from lastcard.table.table import Table
from tests.table.rooms import Room, run


def test_who_comes_when_the_clock_has_run_out_may_still_move(tmp_path: Path) -> None:
    async def play(one: Room) -> None:
        ann = await one.open(game="chiko", players=2, clock=5, options={"opener": 0})
        ben = await one.join("Ben")
        for friend in (ann, ben):
            one.house.disconnect(one.hosted, friend)
        one.hosted.table.asked_at[0] -= 10
        again = await one.enter(one.seats[0].token)
        assert again.messages[0]["table"]["seconds"] > 4
        await asyncio.sleep(0.05)
        assert again.version == 1
        one.house.disconnect(one.hosted, again)
        one.hosted.back.clear()
        other = await one.enter(one.seats[1].token)
        await one.until(lambda: other.version > 1)  # for another the clock moves at once

    run(tmp_path, play)


def test_a_lost_connection_is_only_a_mark(tmp_path: Path) -> None:
    async def play(one: Room) -> None:
        ann, ben = await one.open(game="chiko", players=2), await one.join("Ben")
        one.house.disconnect(one.hosted, ben)
        assert [seat["here"] for seat in ann.table["seats"]] == [True, False]
        again = await one.enter(one.seats[1].token)
        assert again.seat == 1 and again.view["hands"][1]["cards"]
        assert [seat["here"] for seat in ann.table["seats"]] == [True, True]
        phone = await one.enter(one.seats[1].token)  # another device
        one.house.disconnect(one.hosted, again)
        assert [seat["here"] for seat in ann.table["seats"]] == [True, True]
        assert phone.seat == 1

    run(tmp_path, play)


def test_who_leaves_may_come_back(tmp_path: Path) -> None:
    async def play(one: Room) -> None:
        ann, ben = await one.open(game="chiko", players=2), await one.join("Ben")
        await one.say(ben, type="leave")
        assert ann.table["seats"][1]["left"]
        assert ben.seat is None and not any(hand["cards"] for hand in ben.view["hands"])
        await one.until(lambda: 1 not in ann.view["waiting"])  # a bot plays on at once
        await one.enter(one.seats[1].token)
        assert not ann.table["seats"][1]["left"]

    run(tmp_path, play)


@pytest.mark.parametrize("watch", [True, False])
def test_who_has_left_sees_nothing_of_who_sits_there_now(tmp_path: Path, watch: bool) -> None:
    async def play(one: Room) -> None:
        await one.open(game="chiko", players=3, watch=watch)
        ben = await one.join("Ben")
        await one.say(ben, type="leave")
        cid = await one.join("Cid")
        await one.join("Dan")
        assert cid.seat == 1 and cid.view["hands"][1]["cards"]
        assert ben.seat is None and ben.closed != watch
        assert ben.kinds().count("welcome") == (2 if watch else 1)
        assert all(not hand["cards"] for hand in ben.view.get("hands", []))
        with pytest.raises(Refused, match=r"^not_seated"):
            await one.say(ben, type="pause")

    run(tmp_path, play)


def test_a_request_to_join_that_is_repeated_gives_the_same_seat(tmp_path: Path) -> None:
    async def play(one: Room) -> None:
        await one.open(game="chiko", players=4)
        id = "an id that nobody guesses"
        first = await one.house.join(one.hosted, "Ben", None, id)
        assert await one.house.join(one.hosted, "Ben", None, id) == first
        assert (
            await one.house.join(one.hosted, "Cid", None, "another that nobody knows")
        ).seat == 2
        assert first.token != id and len(first.token) >= 32

    run(tmp_path, play)


def test_where_nobody_may_watch(tmp_path: Path) -> None:
    async def play(one: Room) -> None:
        await one.open(game="chiko", players=2, watch=False)
        with pytest.raises(Refused, match=r"^unauthorized"):
            await one.enter(None)
        with pytest.raises(Refused, match=r"^unauthorized"):
            await one.enter("no token")

    run(tmp_path, play)


def test_a_bot_plays_on_at_a_level_that_is_not_offered_any_more(tmp_path: Path) -> None:
    setup = Setup(game="chiko", players=2, bots=["learned"])
    assert not set(setup.bots) & set(LEVELS)
    table = Table("t" * 16, setup, "5" * 64, 0.0)
    founded = Founded(table.id, 0.0, msgspec.json.encode(setup), table.secret)

    async def play(one: Room) -> None:
        await one.house.journals.found(founded, table)
        one.hosted = await one.house.shelf.find(table.id)
        ann = await one.join("Ann")
        assert ann.table["seats"][1]["level"] == "learned"
        await one.until(lambda: 0 in ann.view["waiting"])
        version = ann.version
        await one.move(ann)
        await one.until(lambda: 0 in ann.view["waiting"] and ann.version > version + 1)
        with pytest.raises(Refused, match="no bot level 'learned'"):
            await one.open(game="chiko", players=2, bots=["learned"])

    run(tmp_path, play)
