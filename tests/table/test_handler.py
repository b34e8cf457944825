"""What clients ask for."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from lastcard.table.refusals import Refused
from tests.table.rooms import Room, run


def test_a_repeated_move_is_carried_out_once(tmp_path: Path) -> None:
    async def play(one: Room) -> None:
        friends = [await one.open(game="chiko", players=2), await one.join("Ben")]
        first = next(friend for friend in friends if friend.seat in friend.view["waiting"])
        version, action = first.version, first.view["legal"][0]
        message = {"type": "move", "version": version, "action": action, "id": "m1"}
        answers = await asyncio.gather(*[one.say(first, **message) for _ in range(3)])
        assert [answer.version for answer in answers] == [version + 1] * 3
        assert one.hosted.table.version == version + 1
        with pytest.raises(Refused, match=r"^stale"):
            await one.say(first, **(message | {"id": "m2"}))
        assert first.kinds()[-1] == "match"  # the whole view comes with it

    run(tmp_path, play)


def test_pause_and_rematch(tmp_path: Path) -> None:
    async def play(one: Room) -> None:
        ann = await one.open(game="chiko", players=2, options={"target": 1})
        ben = await one.join("Ben")
        await one.say(ann, type="pause")
        assert ben.table["agreed"] == [0]
        await one.say(ben, type="pause")
        assert ann.table["status"] == "paused"
        with pytest.raises(Refused, match=r"^paused"):
            await one.move(ann, "draw")
        await one.say(ben, type="resume")
        table = one.hosted.table
        while table.status == "playing":
            version = table.version
            first = [friend for friend in (ann, ben) if friend.seat in friend.view["waiting"]]
            if first:
                await one.move(first[0])
            else:
                await one.until(lambda: table.version > version)  # noqa: B023
        await one.say(ann, type="rematch", seed="x")
        await one.say(ben, type="rematch")
        assert ann.table["number"] == 2 and ann.table["status"] == "playing"
        assert ann.table["secret"] is None
        assert ben.view["scores"] == [0, 0]

    run(tmp_path, play)


def test_who_watches_cannot_act(tmp_path: Path) -> None:
    async def play(one: Room) -> None:
        await one.open(game="chiko", players=2, bots=["easy"])
        watcher = await one.enter(None)
        assert watcher.seat is None and all(not hand["cards"] for hand in watcher.view["hands"])
        for kind in ("pause", "resume", "leave", "rematch"):
            with pytest.raises(Refused, match=r"^not_seated"):
                await one.say(watcher, type=kind)
        with pytest.raises(Refused, match=r"^not_seated"):
            await one.say(watcher, type="move", version=1, action="draw")
        assert (await one.say(watcher, type="ping", id="p")).id == "p"

    run(tmp_path, play)
