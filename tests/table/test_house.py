"""Live tables: who is here, bots, clocks, dice, and what everybody is told."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.table import messages
from lastcard.table.database import DatabaseError
from lastcard.table.hosted import HostedTable
from lastcard.table.house import House, Seated
from lastcard.table.messages import decode
from lastcard.table.refusals import Code, Refused
from lastcard.table.setup import Setup
from lastcard.table.store import Line, Store
from lastcard.table.times import Times
from tests.helpers import random_options

QUICK = Times(pace=0.0, patience=0.0, linger=0.0, sweep=0.02)
WAIT = 60  # seconds that nothing here should take


class Friend:
    """A client that keeps what it is told."""

    def __init__(self) -> None:
        self.seat: int | None = None
        self.messages: list[dict[str, Any]] = []
        self.view: dict[str, Any] = {}
        self.version = -1
        self.table: dict[str, Any] = {}
        self.closed = False

    def send(self, message: bytes) -> None:
        told = json.loads(message)
        self.messages.append(told)
        if told["type"] in ("welcome", "match") and told["match"]:
            self.view, self.version = told["match"]["view"], told["match"]["version"]
        if told["type"] in ("welcome", "table"):
            self.table = told["table"]
        if told["type"] == "update":
            assert told["version"] == self.version + 1
            self.view |= told["changes"]
            self.version = told["version"]

    def close(self) -> None:
        self.closed = True

    def kinds(self) -> list[str]:
        return [message["type"] for message in self.messages]


class Room:
    """A house with a table, and friends at it."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.hosted: HostedTable
        self.seats: list[Seated] = []

    async def open(self, **setup: Any) -> Friend:
        seated = await self.house.open(Setup(**setup), "Ann", "blue")
        self.seats.append(seated)
        self.hosted = await self.house.shelf.find(seated.table)
        return await self.enter(seated.token)

    async def join(self, name: str) -> Friend:
        seated = await self.house.join(self.hosted, name, None, None)
        self.seats.append(seated)
        return await self.enter(seated.token)

    async def enter(self, token: str | None) -> Friend:
        friend = Friend()
        await self.house.connect(self.hosted, friend, token)
        return friend

    async def say(self, friend: Friend, **message: Any) -> messages.Ok:
        answer = await self.house.handler.handle(self.hosted, friend, decode(json.dumps(message)))
        assert isinstance(answer, messages.Ok)
        return answer

    async def move(self, friend: Friend, action: str = "", id: str | None = None) -> messages.Ok:
        action = action or friend.view["legal"][0]
        return await self.say(friend, type="move", version=friend.version, action=action, id=id)

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(WAIT):
            while not condition():
                await asyncio.sleep(0.002)


@asynccontextmanager
async def room(path: Path, times: Times = QUICK) -> AsyncIterator[Room]:
    store = await Store.open(f"sqlite:///{path / 'tables.db'}")
    house = House(store, times)
    try:
        yield Room(house)
    finally:
        await house.close()
        await store.close()


def run(path: Path, work: Callable[[Room], Awaitable[None]], times: Times = QUICK) -> None:
    async def main() -> None:
        async with room(path, times) as one:
            await work(one)

    asyncio.run(main())


# --- Playing -------------------------------------------------------------------------------------


def test_a_whole_match_between_people(any_game: Game, tmp_path: Path) -> None:
    """What friends keep from messages is at all times what they may see."""
    rng = random.Random(any_game.id)
    players = max(any_game.fewest, 3)

    async def play(one: Room) -> None:
        friends = [
            await one.open(
                game=any_game.id, players=players, options=random_options(rng, any_game, players)
            )
        ]
        watcher = await one.enter(None)
        friends += [await one.join(name) for name in "BCDE"[: players - 1]]
        table = one.hosted.table
        while table.status == "playing":
            assert table.match is not None
            for friend in (*friends, watcher):
                assert friend.view == table.match.view(friend.seat)
                assert friend.version == table.version
            waiting = [friend for friend in friends if friend.seat in table.waiting]
            if waiting:
                friend = rng.choice(waiting)
                answer = await one.move(friend, rng.choice(friend.view["legal"]))
                assert answer.version == table.version
            else:
                version = table.version
                await one.until(lambda: table.version > version)  # noqa: B023
        await one.until(lambda: watcher.table["status"] == "over")
        assert watcher.table["secret"] and watcher.table["key"] == table.key.hex()

    run(tmp_path, play)


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
        ann = await one.open(game="taki", players=2, bots=["hard"])
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


# --- Coming and going ----------------------------------------------------------------------------


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


def test_where_nobody_may_watch(tmp_path: Path) -> None:
    async def play(one: Room) -> None:
        await one.open(game="chiko", players=2, watch=False)
        with pytest.raises(Refused, match=r"^unauthorized"):
            await one.enter(None)
        with pytest.raises(Refused, match=r"^unauthorized"):
            await one.enter("no token")

    run(tmp_path, play)


# --- Memory and disk -----------------------------------------------------------------------------


def test_a_table_that_nobody_looks_at_leaves_memory_and_comes_back(tmp_path: Path) -> None:
    async def play(one: Room) -> None:
        ann = await one.open(game="chiko", players=2)
        ben = await one.join("Ben")
        first = ann if ann.seat in ann.view["waiting"] else ben
        await one.move(first)
        id, view, version = one.hosted.table.id, dict(ann.view), ann.version
        for friend in (ann, ben):
            one.house.disconnect(one.hosted, friend)
        await one.until(lambda: id not in one.house.tables)
        one.hosted = await one.house.shelf.find(id)
        again = await one.enter(one.seats[0].token)
        assert again.view == view and again.version == version

    run(tmp_path, play)


def test_a_table_is_there_after_a_restart(tmp_path: Path) -> None:
    kept: dict[str, Any] = {}

    async def before(one: Room) -> None:
        ann = await one.open(game="taki", players=2, bots=["normal"], public=True)
        await one.until(lambda: 0 in ann.view["waiting"])
        kept.update(id=one.hosted.table.id, token=one.seats[0].token, view=dict(ann.view))

    async def after(one: Room) -> None:
        (listed,) = await one.house.journals.listed()
        assert json.loads(listed)["id"] == kept["id"]
        one.hosted = await one.house.shelf.find(kept["id"])
        ann = await one.enter(kept["token"])
        assert ann.view == kept["view"]
        await one.move(ann)

    run(tmp_path, before)
    run(tmp_path, after)


def instead(work: Callable[[Line], Coroutine[Any, Any, bool]]) -> Callable[[Line], Any]:
    return lambda line: asyncio.ensure_future(work(line))


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
        moving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await moving
        assert one.hosted.table.version == other.version == version + 1
        assert not one.hosted.unsure

    run(tmp_path, play)


def test_nobody_is_told_what_is_not_on_disk(tmp_path: Path) -> None:
    """Trouble with the database refuses the move, and nothing has changed."""

    async def play(one: Room) -> None:
        friends = [await one.open(game="chiko", players=2), await one.join("Ben")]
        first = next(friend for friend in friends if friend.seat in friend.view["waiting"])
        append, version = one.house.store.append, first.version
        told = [len(friend.messages) for friend in friends]

        async def broken(line: Line) -> bool:
            assert [len(friend.messages) for friend in friends] == told
            raise DatabaseError("no room on the disk")

        one.house.store.append = instead(broken)  # type: ignore[method-assign, assignment]
        with pytest.raises(Refused, match=r"^unavailable"):
            await one.move(first, id="m")
        assert one.hosted.table.version == version

        async def slow(line: Line) -> bool:
            done = await append(line)
            assert one.hosted.table.version == version  # it is on disk before anybody knows
            return done

        one.house.store.append = instead(slow)  # type: ignore[method-assign, assignment]
        await one.move(first, id="m")
        assert one.hosted.table.version == version + 1

    run(tmp_path, play)


def test_an_entry_that_was_written_after_all_is_found(tmp_path: Path) -> None:
    """If the answer of the database is lost, the same move, sent again, is not made twice."""

    async def play(one: Room) -> None:
        friends = [await one.open(game="chiko", players=2), await one.join("Ben")]
        first = next(friend for friend in friends if friend.seat in friend.view["waiting"])
        append, version, action = one.house.store.append, first.version, first.view["legal"][0]

        async def lost(line: Line) -> bool:
            await append(line)
            raise DatabaseError("the connection is gone")

        message = {"type": "move", "version": version, "action": action, "id": "m"}
        one.house.store.append = instead(lost)  # type: ignore[method-assign, assignment]
        with pytest.raises(Refused, match=r"^unavailable"):
            await one.say(first, **message)
        one.house.store.append = append  # type: ignore[method-assign]
        assert (await one.say(first, **message)).version == version + 1
        assert one.hosted.table.version == version + 1 == first.version

    run(tmp_path, play)


def test_there_is_no_such_table(tmp_path: Path) -> None:
    async def play(one: Room) -> None:
        for id in ("", "x", "A" * 16, "../../../../etc/", "A" * 1000):
            with pytest.raises(Refused, match=r"^not_found"):
                await one.house.shelf.find(id)

    run(tmp_path, play)
