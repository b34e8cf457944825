"""Starts of matches are kept, so that nobody has to read what came before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lastcard.table import replay
from lastcard.table.schema import places
from lastcard.table.store import Line
from tests.table.rooms import Room, run


class Counted:
    """A room where three short matches were played, whose journal is watched."""

    def __init__(self) -> None:
        self.table = ""
        self.seqs: list[int] = []  # of the deals

    async def play(self, room: Room) -> None:
        ann = await room.open(game="sixth_sense", players=3, options={"target": 1})
        ben, cid = await room.join("Ben"), await room.join("Cid")
        self.table = room.hosted.table.id
        for number in (1, 2, 3):
            assert room.hosted.table.start is not None
            self.seqs.append(room.hosted.table.start.seq)
            while room.hosted.table.status == "playing" and number < 3:
                for friend in (ann, ben, cid):
                    if friend.view["legal"] and room.hosted.table.status == "playing":
                        await room.move(friend)
            for friend in (ann, ben, cid) if number < 3 else ():
                await room.say(friend, type="rematch")
        await room.move(next(one for one in (ann, ben, cid) if one.view["legal"]))


def watch(room: Room) -> list[Line]:
    """All lines of the journal that are read from now on."""
    seen: list[Line] = []
    lines = room.house.store._lines

    async def watched(*asked: Any) -> list[Line]:
        found = await lines(*asked)
        seen.extend(found)
        return found

    room.house.store._lines = watched  # type: ignore[method-assign, assignment]
    return seen


def test_only_what_is_asked_for_is_read(tmp_path: Path) -> None:
    played = Counted()
    run(tmp_path, played.play)

    async def look(room: Room) -> None:
        seen = watch(room)
        table = (await room.house.shelf.find(played.table)).table
        assert [line.seq for line in seen] == [table.seq]  # the last move
        first, second, third = played.seqs
        for number, begun, end in ((1, first, second), (2, second, third)):
            seen.clear()
            again = await room.house.journals.played(table, number)
            assert {line.seq for line in seen} < set(range(begun + 1, end))
            assert len(seen) == again.length - 1  # no agreements to the next match
            assert again.over and len(list(again.steps())) == again.length
            assert replay.steps(again, None, True, 0, 1).of == again.length
        assert (await room.house.journals.played(table, 3)).length == 2

    run(tmp_path, look)


@pytest.mark.parametrize("lost", [(1, 2, 3), (2,), (1, 3)])
def test_what_is_not_kept_is_found_in_the_journal(tmp_path: Path, lost: tuple[int, ...]) -> None:
    played = Counted()
    run(tmp_path, played.play)

    async def lose(room: Room) -> None:
        forget = f"DELETE FROM starts WHERE number IN {places(len(lost))}"
        await room.house.store.database.write(lambda connection: connection.execute(forget, *lost))

    async def look(room: Room) -> None:
        table = (await room.house.shelf.find(played.table)).table
        for number in (1, 2, 3):
            again = await room.house.journals.played(table, number)
            assert again.start.seq == played.seqs[number - 1]
            assert len(list(again.steps())) == again.length

    async def look_again(room: Room) -> None:
        kept = [await room.house.store.start(played.table, number) for number in (1, 2, 3)]
        assert [one.seq for one in kept if one is not None] == played.seqs

    for work in (lose, look, look_again):
        run(tmp_path, work)
