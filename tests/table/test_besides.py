"""Who rests, takes back or changes his mind writes to the journal, too: within bounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from lastcard.table.entries import Agreed, Entry, Left, Moved, Resumed, Returned, Seeded, Undone
from lastcard.table.hosted import NON_MOVES_AT_ONCE
from lastcard.table.refusals import Code, Refused
from lastcard.table.setup import Setup
from lastcard.table.table import MOST_NON_MOVES
from tests.table.tables import Journalled
from tests.table.test_house import Room, run


def is_taken(one: Journalled, entry: Entry) -> bool:
    try:
        one.table.bound(entry)
    except Refused as refused:
        assert refused.code == Code.NOT_NOW
        return False
    return True


def test_after_enough_of_it_a_table_only_goes_on() -> None:
    one = Journalled(Setup(game="taki", players=2))
    one.join("Ann")
    one.join("Ben")
    for _ in range(MOST_NON_MOVES // 2):
        one.write(Agreed(0, True))
        assert is_taken(one, Resumed(0))
        one.write(Resumed(0))
    stops: list[Entry] = [Agreed(0, True), Undone(0), Left(0), Seeded(0, "blue"), Resumed(0)]
    assert not any(is_taken(one, entry) for entry in stops)
    assert is_taken(one, Moved(0, "draw")) and is_taken(one, Returned(0))
    one.table.paused = True
    assert is_taken(one, Resumed(0))
    one.table.paused, one.table.waited = False, 0  # the match is over: another one is possible
    assert is_taken(one, Agreed(0, False)) and is_taken(one, Agreed(0, True))
    one.table.agreed = {0}
    assert not is_taken(one, Agreed(0, False)) and not is_taken(one, Resumed(0))
    one.write(Agreed(0, True))
    assert is_taken(one, Undone(0))  # in the next one, anew


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
