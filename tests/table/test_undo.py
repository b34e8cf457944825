"""Which moves can be taken back."""

from __future__ import annotations

import copy
import random
from pathlib import Path

from lastcard.core.game import Game
from lastcard.table.refusals import Code
from lastcard.table.table import Table
from tests.helpers import permuted, times
from tests.table.rooms import Room, run
from tests.table.tables import MATCHES, legal, random_table, refuses, turn, two


def _hidden(table: Table, seat: int) -> bytes:
    assert table.match is not None
    return table.match.hidden(seat).tobytes()


def test_undo_is_told_to_everybody(tmp_path: Path) -> None:
    async def play(one: Room) -> None:
        friends = [await one.open(game="taki", players=2, undo=True), await one.join("Ben")]
        for _ in range(60):
            first = next(friend for friend in friends if friend.seat in friend.view["waiting"])
            before = dict(first.view)
            plays = [name for name in first.view["legal"] if name.startswith("play ")]
            await one.move(first, plays[0] if plays else "")
            if first.messages[-1].get("undo"):
                await one.say(first, type="undo", version=first.version)
                assert first.view == before
                for friend in friends:
                    assert friend.kinds()[-3:] == ["undone", "match", "table"]
                return
        raise AssertionError("nothing could ever be taken back")

    run(tmp_path, play)


def test_whether_a_move_may_be_taken_back_tells_nothing(any_game: Game) -> None:
    rng = random.Random(3)
    answers = []
    for _ in range(MATCHES):
        one = random_table(any_game, rng, undo=True)
        for happened in one.moves(rng):
            last = one.table._last
            if last is None or rng.random() < 0.7:
                continue
            may = one.table.may_undo(last.seat)
            before = permuted(last.before, last.seat, rng)
            if happened.action not in before.legal(last.seat):
                continue
            other = copy.copy(one.table)
            other.match = before.copy()
            other._last = copy.copy(last)
            other._last.before, other._last.harmless = before, None
            known = other.match.check(last.seat, happened.action)
            other._last.log = other.match.carry_out(*known)
            if other.match.hidden(last.seat).tobytes() == _hidden(one.table, last.seat):
                assert other.may_undo(last.seat) == may
                answers.append(may)
    assert len(answers) > times(2, 0)


def test_undo_restores_the_match() -> None:
    rng = random.Random(5)
    undone = 0
    while undone < 20:
        one = two(undo=True)
        for _ in range(rng.randrange(12)):
            next(one.moves(rng), None)
        table = one.table
        if table.status != "playing" or table.waiting == ["chance"]:
            continue
        assert table.match is not None
        seat, before = turn(one), table.match.state
        plays = [action for action in legal(one, seat) if action.startswith("play ")]
        if not plays:
            continue
        one.write(table.move(seat, table.version, plays[0], "x"))
        if not table.may_undo(seat):
            continue
        assert not table.may_undo(1 - seat) and not table.may_undo(None)
        version = table.version
        with refuses(Code.STALE):
            table.undo(seat, version - 1)
        one.write(table.undo(seat, version))
        assert table.match.state == before and table.version == version + 1
        assert not table.may_undo(seat)
        undone += 1


def test_what_was_drawn_is_not_put_back(any_game: Game) -> None:
    """Actions that show a card to somebody cannot be undone; plain ones can, in every game."""
    rng = random.Random(6)
    answers: dict[str, set[bool]] = {}
    for _ in range(12):
        one = random_table(any_game, rng, undo=True)
        for happened in one.moves(rng):
            if one.table._last is not None:
                may = one.table.may_undo(one.table._last.seat)
                answers.setdefault(happened.action.split()[0], set()).add(may)
    assert True in set().union(*answers.values())
    assert answers.get("draw", {False}) == {False}


def test_undo_is_refused_after_others_have_acted_and_where_it_is_off() -> None:
    one = two(undo=True)
    first = turn(one)
    play = next(action for action in legal(one, first) if action != "quit")
    one.write(one.table.move(first, 1, play, ""))
    second = turn(one)
    one.write(one.table.move(second, 2, legal(one, second)[0], ""))
    if second != first:
        with refuses(Code.NOT_NOW):
            one.table.undo(first, one.table.version)
    off = two()
    off.write(off.table.move(turn(off), 1, legal(off, turn(off))[0], ""))
    with refuses(Code.NOT_NOW):
        off.table.undo(0, 2)
