"""What happens without anybody asking: bots, clocks, stand-ins and agreements."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.table.refusals import Code, Refused
from lastcard.table.setup import Setup
from lastcard.table.times import Times
from tests.helpers import random_options
from tests.table.rooms import Room, run


def test_bots_play_their_seats(any_game: Game, tmp_path: Path) -> None:
    rng = random.Random(any_game.id)

    async def play(one: Room) -> None:
        players = max(any_game.fewest, 3)
        bots = ["easy", "normal", "easy", "normal"][: players - 1]
        options = random_options(rng, any_game, players)
        ann = await one.open(game=any_game.id, players=players, options=options, bots=bots)
        for _ in range(10):
            await one.until(lambda: 0 in ann.view["waiting"] or ann.view["over"])
            if ann.view["over"]:
                break
            try:
                await one.move(ann)
            except Refused as refused:  # a bot acted out of turn
                assert refused.code in (Code.STALE, Code.ILLEGAL)
        by = {message["by"] for message in ann.messages if message["type"] == "update"}
        assert "bot" in by

    run(tmp_path, play)


def test_a_bot_that_thinks_does_not_hold_up_the_table(tmp_path: Path) -> None:
    async def play(one: Room) -> None:
        ann = await one.open(game="taki", players=2, bots=["master"])
        for _ in range(3):
            await one.until(lambda: 0 in ann.view["waiting"])
            await one.move(ann)
            await one.say(ann, type="react", reaction="wow")
        assert "reaction" in ann.kinds()

    run(tmp_path, play)


def test_a_bot_that_thinks_is_not_asked_twice(tmp_path: Path) -> None:
    async def play(one: Room) -> None:
        decided: list[int] = []
        enough = asyncio.Event()
        decide = one.house.thinkers.decide

        async def slow(match: Match, seat: int, level: str) -> int | None:
            decided.append(seat)
            await enough.wait()
            return await decide(match, seat, level)

        one.house.thinkers.decide = slow  # type: ignore[method-assign]
        ann = await one.open(game="chiko", players=2, bots=["easy"], options={"opener": 1})
        await one.until(lambda: decided)
        for _ in range(5):
            watcher = await one.enter(None)
            one.house.disconnect(one.hosted, watcher)
            await asyncio.sleep(0.01)
        enough.set()
        await one.until(lambda: ann.version >= 2)
        assert decided == [1]

    run(tmp_path, play)


def test_a_turn_that_fails_is_tried_again(tmp_path: Path) -> None:
    async def play(one: Room) -> None:
        decide, failures = one.house.thinkers.decide, [ZeroDivisionError()]

        async def broken(match: Match, seat: int, level: str) -> int | None:
            if failures:
                raise failures.pop()
            return await decide(match, seat, level)

        one.house.thinkers.decide = broken  # type: ignore[method-assign]
        ann = await one.open(game="taki", players=2, bots=["easy"], options={"opener": 1})
        await one.until(lambda: ann.version >= 2)  # with a stop the bot goes on

    run(tmp_path, play)


def test_who_leaves_or_is_gone_does_not_hold_up_what_others_agreed_to(tmp_path: Path) -> None:
    async def play(one: Room) -> None:
        ann, ben = await one.open(game="chiko", players=2), await one.join("Ben")
        await one.say(ann, type="pause")
        assert ann.table["status"] == "playing"
        await one.say(ben, type="leave")
        await one.until(lambda: ann.table["status"] == "paused")
        await one.say(ann, type="resume")
        back = await one.enter(one.seats[1].token)
        await one.say(ann, type="pause")
        assert ann.table["status"] == "playing"
        one.house.disconnect(one.hosted, back)
        one.hosted.gone[1] -= 61  # longer than the grace time
        one.house.turns.schedule(one.hosted)
        await one.until(lambda: ann.table["status"] == "paused")

    run(tmp_path, play, Times(pace=60))


def test_a_bot_plays_for_who_is_gone_and_hands_the_seat_back(tmp_path: Path) -> None:
    async def play(one: Room) -> None:
        friends = [
            await one.open(game="taki", players=2, grace=5),
            await one.join("Ben"),
        ]
        one.hosted.table.setup = Setup(
            game="taki", players=2, grace=0
        )  # sooner than people may ask
        first = next(friend for friend in friends if friend.seat in friend.view["waiting"])
        other = friends[1 - friends.index(first)]
        one.house.disconnect(one.hosted, first)
        version = other.version
        await one.until(lambda: other.version > version)
        told = next(one for one in reversed(other.messages) if one["type"] == "update")
        assert told["seat"] == first.seat and told["by"] == "bot"
        assert first.seat is not None
        back = await one.enter(one.seats[first.seat].token)
        while other.seat in other.view["waiting"]:
            await one.move(other)
        await asyncio.sleep(0.05)
        assert back.seat in back.view["waiting"]  # nobody has moved for who is here
        await one.move(back)

    run(tmp_path, play)


def test_where_nobody_is_nobody_plays_for_people(tmp_path: Path) -> None:
    async def play(one: Room) -> None:
        friends = [await one.open(game="chiko", players=2, clock=5), await one.join("Ben")]
        one.hosted.table.setup = Setup(game="chiko", players=2, grace=0, clock=0)
        for friend in friends:
            one.house.disconnect(one.hosted, friend)
        version = one.hosted.table.version
        await asyncio.sleep(0.1)
        assert one.hosted.table.version == version

    run(tmp_path, play, Times(pace=0.0, patience=0.0))


def test_bots_wait_longer_only_after_a_person(tmp_path: Path) -> None:
    """Who has just moved may want it back; bots among themselves do not."""

    async def play(one: Room) -> None:
        options = {"opener": 1, "target": 1000}
        ann = await one.open(game="chiko", players=3, bots=["easy"] * 2, undo=True, options=options)
        await one.until(lambda: ann.view["waiting"] == [0])
        await one.move(ann)
        version = one.hosted.table.version
        await asyncio.sleep(0.1)
        assert one.hosted.table.version == version

    run(tmp_path, play, Times(pace=0.0, patience=1000.0))


def test_bots_hurry_when_nobody_has_anything_to_do(tmp_path: Path) -> None:
    """But only when all people say so, and until one of them has something to do again."""

    async def play(one: Room) -> None:
        options = {"opener": 0, "target": 1000}
        ann = await one.open(game="chiko", players=4, bots=["easy"] * 2, options=options)
        ben = await one.join("Ben")
        await one.say(ann, type="hurry")  # too early: she has something to do
        await one.say(ben, type="hurry")
        await one.move(ann, "quit")
        await one.until(lambda: ben.view["waiting"] == [1])
        await one.move(ben, "quit")
        before = ann.version
        await one.say(ann, type="hurry")
        await asyncio.sleep(0.05)
        assert ann.version == before  # Ben may want to watch
        await one.say(ben, type="hurry")
        await one.until(lambda: ann.view["round"] == 2)
        await one.until(lambda: not one.hosted.hurried)

    run(tmp_path, play, Times(pace=1000.0, patience=1000.0, hurry=0.0))


def test_the_clock_moves_for_who_does_not(tmp_path: Path) -> None:
    async def play(one: Room) -> None:
        ann = await one.open(game="chiko", players=2, clock=5)
        await one.join("Ben")
        assert 4 < ann.table["seconds"] <= 5
        one.hosted.table.setup = Setup(game="chiko", players=2, clock=0)
        one.house.turns.schedule(one.hosted)
        await one.until(lambda: ann.version > 1)
        told = next(one for one in ann.messages if one["type"] == "update")
        assert told["by"] == "clock" and told["seconds"] == 0

    run(tmp_path, play)
