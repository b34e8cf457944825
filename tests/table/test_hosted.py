"""A table in memory, and who is connected to it."""

from __future__ import annotations

from pathlib import Path

from lastcard.table.times import Times
from tests.table.rooms import Room, run


def test_agreement_of_people_who_were_here_a_moment_ago_is_needed(tmp_path: Path) -> None:
    async def play(one: Room) -> None:
        ann, ben = await one.open(game="chiko", players=2), await one.join("Ben")
        one.house.disconnect(one.hosted, ben)
        await one.say(ann, type="pause")
        assert ann.table["status"] == "playing" and ann.table["agreed"] == [0]
        one.hosted.gone[1] -= 61  # longer than the grace time
        await one.say(ann, type="pause")
        assert ann.table["status"] == "paused"

    run(tmp_path, play, Times(pace=60))
