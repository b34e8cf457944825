"""Hints: who gets them, that nobody waits for them, and that they know no more than the seat."""

from __future__ import annotations

import asyncio
import random
import threading
from pathlib import Path
from typing import Any

import pytest

from lastcard.bots.search import CAREFUL, Budget, SearchBot, loading
from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.table import messages, thinking
from lastcard.table.messages import HintShown, encode
from lastcard.table.refusals import Code, Refused
from lastcard.table.thinking import Thinkers
from lastcard.table.times import Times
from lastcard.table.window import MOST_ADVICE, advice_of
from tests.helpers import permuted, times
from tests.table.rooms import Friend, Room, run
from tests.table.tables import random_table

PATIENT = Times(pace=60, patience=60)  # bots move when the test is over


def repeatable(game: Game) -> SearchBot:
    return SearchBot(game, 1, Budget(playouts=60), doubt=CAREFUL)


async def hint(one: Room, friend: Friend) -> HintShown:
    return await one.house.handler.advise(one.hosted, friend, messages.Hint("h"))


async def refused_hint(one: Room, friend: Friend) -> Refused:
    with pytest.raises(Refused) as caught:
        await hint(one, friend)
    return caught.value


def test_it_depends_on_nothing_that_the_seat_cannot_see(
    any_game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thinking, "adviser", repeatable)
    rng = random.Random(7)

    def said(match: Match, seat: int) -> bytes:
        thinkers = Thinkers()
        judged = asyncio.run(thinkers.advise(match, seat))
        thinkers.close()
        return encode(HintShown("h", 1, advice_of(match.game, judged)))

    compared = 0
    while compared < times(6, 1):
        one = random_table(any_game, rng)
        for _ in one.moves(rng):
            match = one.table.match
            assert match is not None
            if one.table.status == "over" or rng.random() < 0.9:
                continue
            seats = [seat for seat in range(match.players) if match.legal(seat)]
            if seats:
                seat = rng.choice(seats)
                assert said(match, seat) == said(permuted(match, seat, rng), seat)
                compared += 1


def test_search_is_given_the_hidden_record_only(
    chiko: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[tuple[Any, ...]] = []

    def judge(self: SearchBot, *what: Any) -> list[Any]:
        given.append(what)
        return []

    monkeypatch.setattr(SearchBot, "judge", judge)
    match = chiko.match(3, 5)
    (seat,) = match.waiting
    assert isinstance(seat, int)
    asyncio.run(Thinkers().advise(match, seat))
    ((hidden, whose, legal),) = given
    assert hidden.tobytes() == match.hidden(seat).tobytes() != match.state
    assert (whose, legal) == (seat, match.legal_ids(seat))


def test_the_best_first_for_whoever_plays_against_bots(any_game: Game, tmp_path: Path) -> None:
    async def play(one: Room) -> None:
        ann = await one.open(game=any_game.id, players=2, bots=["easy"], options={})
        while not ann.view["legal"]:  # it may be the bot's turn: then it is Ann's later
            assert "nothing to choose" in (await refused_hint(one, ann)).text
            await one.until(lambda: ann.view["legal"])
        version, legal = ann.version, {*ann.view["legal"]}
        shown = await hint(one, ann)
        assert (shown.id, shown.version) == ("h", version)
        assert 1 <= len(shown.best) <= MOST_ADVICE
        assert {advice.action for advice in shown.best} <= legal | {None}
        assert all(0 <= advice.chance <= 1 for advice in shown.best)
        assert shown.learned
        for advice in shown.best:
            assert advice.liking is not None and 0 <= advice.liking <= shown.learned.liking
        assert not one.hosted.advised

    run(tmp_path, play, Times(pace=0.5, patience=0.5))


def test_where_people_play_there_are_none(tmp_path: Path) -> None:
    async def play(one: Room) -> None:
        ann = await one.open(game="chiko", players=3, bots=["easy"], options={"opener": 0})
        assert (await refused_hint(one, ann)).code == Code.NOT_NOW  # it has not begun
        ben = await one.join("Ben")
        watcher = await one.enter(None)
        assert (await refused_hint(one, watcher)).code == Code.NOT_SEATED
        error = await refused_hint(one, ann)
        assert error.code == Code.NOT_NOW and "everyone else is a bot" in error.text
        await one.say(ben, type="leave")
        assert (await hint(one, ann)).best
        await one.enter(one.seats[1].token)  # Ben is back
        assert (await refused_hint(one, ann)).code == Code.NOT_NOW

    run(tmp_path, play, PATIENT)


def test_not_in_a_pause_nor_out_of_turn_nor_afterwards(tmp_path: Path) -> None:
    async def play(one: Room) -> None:
        ann = await one.open(
            game="chiko", players=2, bots=["easy"], options={"opener": 0, "target": 1}
        )
        await one.say(ann, type="pause")
        assert (await refused_hint(one, ann)).code == Code.NOT_NOW
        await one.say(ann, type="resume")
        await one.move(ann)
        error = await refused_hint(one, ann)
        assert error.code == Code.NOT_NOW and "nothing to choose" in error.text

    run(tmp_path, play, PATIENT)

    async def finish(one: Room) -> None:
        ann = await one.open(game="chiko", players=2, bots=["easy"], options={"target": 1})
        while one.hosted.table.status == "playing":
            await one.until(lambda: ann.view["legal"] or one.hosted.table.status == "over")
            if ann.view["legal"]:
                await one.move(ann)
        assert (await refused_hint(one, ann)).code == Code.NOT_NOW

    run(tmp_path, finish)


def test_one_at_a_time_and_the_table_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    going = threading.Event()
    judge = SearchBot.judge

    def slow(self: SearchBot, *what: Any) -> Any:
        assert going.wait(20)
        return judge(self, *what)

    monkeypatch.setattr(SearchBot, "judge", slow)

    async def play(one: Room) -> None:
        ann = await one.open(game="chiko", players=2, bots=["easy"], options={"opener": 0})
        version = ann.version
        asked = asyncio.create_task(hint(one, ann))
        await one.until(lambda: one.hosted.advised)
        assert (await refused_hint(one, ann)).code == Code.TOO_FAST
        await one.move(ann)
        assert ann.version == version + 1 and not asked.done()
        going.set()
        assert (await asked).version == version

    run(tmp_path, play, PATIENT)


def test_who_does_not_wait_for_it_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    going = threading.Event()
    monkeypatch.setattr(SearchBot, "judge", lambda *_: [] if going.wait(20) else None)

    async def play(one: Room) -> None:
        ann = await one.open(game="chiko", players=2, bots=["easy"], options={"opener": 0})
        asked = asyncio.create_task(hint(one, ann))
        await one.until(lambda: one.hosted.advised)
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        assert not one.hosted.advised
        going.set()
        assert (await hint(one, ann)).best == []

    run(tmp_path, play, PATIENT)


def test_while_search_is_compiled_no_thread_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(one: Room) -> None:
        ann = await one.open(game="chiko", players=2, bots=["easy"], options={"opener": 0})
        coming = loading(one.hosted.table.game)
        coming.wait()
        compiled = threading.Event()
        thread = threading.Thread(target=compiled.wait, args=(20,))
        thread.start()
        monkeypatch.setattr(coming, "thread", thread)
        asked = asyncio.create_task(hint(one, ann))
        await one.until(lambda: one.hosted.advised)
        await asyncio.sleep(0.1)
        assert not asked.done() and one.house.thinkers._busy == 0
        compiled.set()
        assert (await asked).best

    run(tmp_path, play, PATIENT)


def test_it_is_about_what_is_there_once_search_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(one: Room) -> None:
        ann = await one.open(
            game="chiko", players=2, bots=["easy"], options={"opener": 0}, undo=True
        )
        coming = loading(one.hosted.table.game)
        coming.wait()
        for moved in (False, True, None):
            compiled = threading.Event()
            thread = threading.Thread(target=compiled.wait, args=(20,))
            thread.start()
            monkeypatch.setattr(coming, "thread", thread)
            version = ann.version
            asked = asyncio.create_task(hint(one, ann))
            await one.until(lambda: one.hosted.advised)
            if moved is not False:
                await one.move(ann)
            if moved:
                await one.say(ann, type="undo", version=ann.version)
            compiled.set()
            if moved is None:  # it is not Ann's turn any more
                with pytest.raises(Refused) as caught:
                    await asked
                assert caught.value.code == Code.NOT_NOW
            else:
                shown = await asked
                assert shown.version == ann.version == version + 2 * moved and shown.best

    run(tmp_path, play, PATIENT)


def test_when_too_many_think_or_something_fails_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(one: Room) -> None:
        ann = await one.open(game="chiko", players=2, bots=["easy"], options={"opener": 0})
        thinkers = one.house.thinkers
        thinkers._busy = thinkers._most
        assert (await refused_hint(one, ann)).code == Code.UNAVAILABLE
        thinkers._busy = 0
        monkeypatch.setattr(SearchBot, "judge", lambda *_: 1 / 0)
        assert (await refused_hint(one, ann)).code == Code.UNAVAILABLE
        assert thinkers._busy == 0 and not one.hosted.advised

    run(tmp_path, play, PATIENT)
