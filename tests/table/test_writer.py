"""Journal first: nothing happens that is not on disk, and nothing twice."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from lastcard.table import messages
from lastcard.table.database import DatabaseError, EntryRow
from lastcard.table.hosted import NON_MOVES_AT_ONCE
from lastcard.table.refusals import Code, Refused
from lastcard.table.store import Settle
from lastcard.table.table import MOST_NON_MOVES
from tests.table.rooms import Room, run
from tests.table.stores import appended


def instead(one: Room, work: Callable[[EntryRow], Awaitable[bool]]) -> None:
    """Has entries written in another way."""

    async def write(line: EntryRow, settle: Settle) -> None:
        try:
            outcome: bool | DatabaseError = await work(line)
        except DatabaseError as error:
            outcome = error
        settle(outcome)

    one.house.store.append = (  # type: ignore[method-assign]
        lambda line, settle: one.house.tasks.spawn(write(line, settle))
    )


def test_of_many_moves_at_once_one_is_carried_out(tmp_path: Path) -> None:
    async def play(one: Room) -> None:
        friends = [await one.open(game="chiko", players=2), await one.join("Ben")]
        first = next(friend for friend in friends if friend.seat in friend.view["waiting"])
        message = {"type": "move", "version": first.version, "action": "draw"}
        answers = await asyncio.gather(
            *[one.say(first, **message, id=f"m{n}") for n in range(10)], return_exceptions=True
        )
        assert sum(isinstance(answer, messages.Ok) for answer in answers) == 1

    run(tmp_path, play)


def test_a_move_is_told_even_if_who_made_it_is_gone(tmp_path: Path) -> None:
    async def play(one: Room) -> None:
        friends = [await one.open(game="chiko", players=2), await one.join("Ben")]
        first = next(friend for friend in friends if friend.seat in friend.view["waiting"])
        other = friends[1 - friends.index(first)]
        version = first.version
        moving = asyncio.create_task(one.move(first, id="m"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        moving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await moving
        await one.until(lambda: other.version == version + 1)
        assert one.hosted.table.version == version + 1
        assert not one.hosted.unsure

    run(tmp_path, play)


def test_nobody_is_told_what_is_not_on_disk(tmp_path: Path) -> None:
    """Trouble with the database refuses the move, and nothing has changed."""

    async def play(one: Room) -> None:
        friends = [await one.open(game="chiko", players=2), await one.join("Ben")]
        first = next(friend for friend in friends if friend.seat in friend.view["waiting"])
        version = first.version
        told = [len(friend.messages) for friend in friends]

        async def broken(line: EntryRow) -> bool:
            assert [len(friend.messages) for friend in friends] == told
            raise DatabaseError("no room on the disk")

        instead(one, broken)
        with pytest.raises(Refused, match=r"^unavailable"):
            await one.move(first, id="m")
        assert one.hosted.table.version == version

        async def slow(line: EntryRow) -> bool:
            done = await appended(one.house.store, line)
            assert one.hosted.table.version == version  # it is on disk before anybody knows
            return done

        instead(one, slow)
        await one.move(first, id="m")
        assert one.hosted.table.version == version + 1

    run(tmp_path, play)


def test_an_entry_that_was_written_after_all_is_found(tmp_path: Path) -> None:
    """If the answer of the database is lost, the same move, sent again, is not made twice."""

    async def play(one: Room) -> None:
        friends = [await one.open(game="chiko", players=2), await one.join("Ben")]
        first = next(friend for friend in friends if friend.seat in friend.view["waiting"])
        version, action = first.version, first.view["legal"][0]

        async def lost(line: EntryRow) -> bool:
            await appended(one.house.store, line)
            raise DatabaseError("the connection is gone")

        message = {"type": "move", "version": version, "action": action, "id": "m"}
        instead(one, lost)
        with pytest.raises(Refused, match=r"^unavailable"):
            await one.say(first, **message)
        del one.house.store.append  # as it was
        assert (await one.say(first, **message)).version == version + 1
        assert one.hosted.table.version == version + 1 == first.version

    run(tmp_path, play)


def test_the_others_hear_of_what_was_written_after_all(tmp_path: Path) -> None:
    """Even if whoever wrote it never comes back."""

    async def play(one: Room) -> None:
        friends = [await one.open(game="chiko", players=2), await one.join("Ben")]
        first = next(friend for friend in friends if friend.seat in friend.view["waiting"])
        other = friends[1 - friends.index(first)]
        version = first.version

        async def lost(line: EntryRow) -> bool:
            await appended(one.house.store, line)
            raise DatabaseError("the connection is gone")

        instead(one, lost)
        with pytest.raises(Refused, match=r"^unavailable"):
            await one.move(first)
        one.house.disconnect(one.hosted, first)
        await one.until(lambda: other.version == version + 1)

    run(tmp_path, play)


def test_nobody_fills_the_journal_with_pauses(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        ann = await room.open(game="taki", players=2, options={"opener": 0})
        await room.join("Ben")
        room.hosted.non_moves.per_second = 0.0  # whatever the machine's pace
        before = room.hosted.table.seq
        wanted = ["pause", "resume"] * NON_MOVES_AT_ONCE
        while room.hosted.table.seq - before < NON_MOVES_AT_ONCE:
            try:
                await room.say(ann, type=wanted.pop())
            except Refused as refused:
                assert refused.code in (Code.TOO_FAST, Code.NOT_NOW)
                if refused.code == Code.TOO_FAST:
                    break
        else:
            pytest.fail("all of it is in the journal")
        room.hosted.non_moves.per_second = 1e9
        room.hosted.table.non_moves = MOST_NON_MOVES
        with pytest.raises(Refused, match="enough of that"):
            await room.say(ann, type="leave")
        await room.move(ann)  # the match goes on

    run(tmp_path, work)
