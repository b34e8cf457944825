"""The device's tables are the server's: the same journal leads to the same messages, the same state
and the same refusals, for every seat."""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec
import pytest

import lastcard
from lastcard.core.registry import games
from lastcard.core.views import seats_of
from lastcard.table import broadcast, entries, replay
from lastcard.table.entries import Agreed, Entry, Left, Moved, Returned, Undone
from lastcard.table.hosted import HostedTable
from lastcard.table.refusals import Refused
from lastcard.table.replay import PlayedMatch
from lastcard.table.setup import Setup
from lastcard.table.store import Line
from lastcard.table.table import Happened, Start, Table, hash_of
from lastcard.table.writer import _unseat
from tests.device.node import node
from tests.helpers import choose, random_options

STEPS = 150
NAMES: tuple[str, ...] = (
    "Ann",
    " Zo\u00eb\t B ",
    "e\u0301",
    "\u202eevil",
    "\u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd",
)
NAMES += (
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "x" * 25,
    "",
    "\ufeffa",
    "a\u200d",
    "\u3164",
)
SEEDS = (None, "red boots", "-", "", "y" * 65, "a\nb")
BEGAN = 1_700_000_000.0


class Ear:
    """A client that keeps what it is sent."""

    def __init__(self, seat: int | None) -> None:
        self.seat = self.own = seat
        self.said: list[Any] = []

    def send(self, message: bytes) -> None:
        self.said.append(json.loads(message))

    def close(self) -> None: ...


def outcome(table: Table, name: str, *given: Any) -> Any:
    sets = [set(one) if isinstance(one, list) else one for one in given]
    try:
        found = getattr(table, name)(*sets)
    except Refused as refused:
        return refused.code
    if isinstance(found, Entry):
        return json.loads(entries.encode(found))
    return found.players if name == "may_be_advised" else found


class Story:
    """A table where people do this and that, possible or not."""

    def __init__(self, game: str, rng: random.Random) -> None:
        self.rng = rng
        found = lastcard.game(game)
        players = rng.randint(found.fewest, min(found.most, 5))
        bots = ["easy"] * rng.randint(0, players - 1)
        setup = Setup(
            game=game,
            players=players,
            options=random_options(rng, found, players),
            bots=bots,
            undo=rng.random() < 0.8,
            clock=rng.choice([None, 15]),
        )
        self.table = Table("here-1", setup, rng.randbytes(32).hex(), BEGAN)
        self.hosted = HostedTable(self.table)
        self.ears = [Ear(seat) for seat in (None, *range(players))]
        self.hosted.clients |= set(self.ears)
        self.at = BEGAN
        self.steps: list[dict[str, Any]] = []
        self.expected: list[dict[str, Any]] = []
        self.played: dict[int, tuple[Start, list[Line]]] = {}  # the matches, by their numbers

    def requests(self) -> list[list[Any]]:
        """Some that may be refused."""
        rng, table = self.rng, self.table
        seat = rng.randrange(len(table.chairs))
        version = max(rng.choice([table.version, table.base, table.version - 1]), 0)
        some = rng.sample(range(len(table.chairs)), rng.randint(0, len(table.chairs)))
        found: list[list[Any]] = [
            ["undo", seat, version],
            ["pause", seat, some],
            ["rematch", seat, some, rng.choice(SEEDS)],
            ["resume", seat],
            ["seed", seat, rng.choice(SEEDS) or "?"],
            ["fill", rng.choice(["normal", "silly"])],
            ["leave", seat],
            ["join", rng.choice(NAMES), rng.choice(SEEDS), f"token {table.seq}", None],
            ["move", seat, version, rng.choice(list(table.game.actions)), "m"],
            ["may_be_advised", seat],
            ["may_undo", seat],
            ["moved_already", seat, "m"],
        ]
        return found

    def entry(self) -> Entry:
        """What somebody does."""
        rng, table = self.rng, self.table
        if table.match is None:
            token = hash_of(f"token {table.seq}")
            return entries.Joined(table.free[0], "Ann", token, rng.choice((None, "blue")))
        gone = [seat for seat in table.people if table.chairs[seat].left]
        if gone and rng.random() < 0.3:
            return Returned(rng.choice(gone))
        if table.status == "over":
            return Agreed(rng.choice(table.people), rng.random() < 0.8, rng.choice((None, "green")))
        if table.paused:
            return entries.Resumed(rng.choice(table.people))
        luck = rng.random()
        if luck < 0.05:
            return Agreed(rng.choice(table.people), rng.random() < 0.5)
        if luck < 0.08:
            return entries.Resumed(rng.choice(table.people))
        if luck < 0.1 and (there := [one for one in table.people if one not in gone]):
            return Left(rng.choice(there))
        if luck < 0.4 and (mine := [one for one in table.people if table.may_undo(one)]):
            return Undone(mine[0])
        if table.waiting == ["chance"]:
            return Moved("chance", table.game.actions[table.match.tossed()], by="chance")
        seat, action = choose(rng, table.match)
        bot = isinstance(seat, int) and table.chairs[seat].kind == "bot"
        by = "bot" if bot else rng.choice(("player", "player", "clock"))
        return Moved(seat, action, rng.choice(("", "m", f"{table.seq}")), by)  # type: ignore[arg-type]

    def go_on(self) -> None:
        table, hosted, entry = self.table, self.hosted, self.entry()
        self.at += self.rng.choice((0.0, 1.5, 20.0))
        for ear in self.ears:
            ear.said = []
        line = {"seq": table.seq + 1, "at": self.at, "entry": json.loads(entries.encode(entry))}
        happened = table.fold(entry, self.at)
        self.keep(happened, Line("here-1", table.seq, self.at, entries.encode(entry)))
        if isinstance(entry, Left):
            _unseat(hosted, entry.seat)
        if happened.table:
            hosted.note_gone()
        broadcast.tell(hosted, happened)
        back = entry.seat if isinstance(entry, Returned) else None
        if back is not None:
            returned = next(ear for ear in self.ears if ear.own == back)
            returned.seat = back
            broadcast.welcome(hosted, returned)
        requests = self.requests()
        self.steps.append(
            {"line": line, "back": back, "requests": [camel(one) for one in requests]}
        )
        self.expected.append(
            {
                "said": [ear.said for ear in self.ears],
                "state": self.state(),
                "outcomes": [outcome(table, *one) for one in requests],
            }
        )

    def keep(self, happened: Happened, line: Line) -> None:
        """What a replay needs."""
        start = self.table.start
        if start is not None and start.number not in self.played:
            self.played[start.number] = (start, [])
        elif start is not None and (happened.log is not None or happened.undone is not None):
            self.played[start.number][1].append(line)

    def replay(self, wanted: dict[str, Any]) -> Any:
        start, lines = self.played[wanted["number"]]
        over = replay.is_over(self.table, wanted["number"])
        played = PlayedMatch(self.table, start, lines, 1 + len(lines), over)
        asked = (wanted["seat"], wanted["open"], wanted["from"], wanted["count"])
        try:
            return json.loads(msgspec.json.encode(replay.steps(played, *asked)))
        except Refused as refused:
            return refused.code

    def replays(self) -> list[dict[str, Any]]:
        seats = [None, *range(len(self.table.chairs))]
        return [
            {
                "number": number,
                "from": self.rng.randrange(8),
                "count": self.rng.randint(1, 40),
                "seat": self.rng.choice(seats),
                "open": self.rng.random() < 0.5,
            }
            for number in self.played
        ]

    def state(self) -> dict[str, Any]:
        table = self.table
        bits = 0 if table.match is None else table.game.rules.bystanders(table.match.record)
        return {
            "status": table.status,
            "seq": table.seq,
            "number": table.number,
            "version": table.version,
            "base": table.base,
            "waiting": table.waiting,
            "bystanders": seats_of(int(bits)),
            "askedAt": [list(one) for one in table.asked_at.items()],
            "since": table.since,
            "paused": table.paused,
            "nonMoves": table.non_moves,
            "key": None if table.match is None else table.key.hex(),
        }

    @property
    def founded(self) -> dict[str, Any]:
        setup = msgspec.to_builtins(self.table.setup)
        return {"id": "here-1", "created": BEGAN, "setup": setup, "secret": self.table.secret}


def camel(asked: list[Any]) -> list[Any]:
    first, *rest = asked[0].split("_")
    return [first + "".join(word.capitalize() for word in rest), *asked[1:]]


def without_seconds(said: Any) -> Any:
    """Time goes on between the two of them; `askedAt` says the same."""
    if isinstance(said, list):
        return [without_seconds(one) for one in said]
    if isinstance(said, dict):
        return {key: without_seconds(one) for key, one in said.items() if key != "seconds"}
    return said


@pytest.mark.parametrize("game", games())
def test_the_same_journal_is_the_same_table(game: str) -> None:
    rng = random.Random(f"table {game}")
    stories = [Story(game, rng) for _ in range(4)]
    for story in stories:
        for _ in range(STEPS):
            story.go_on()
    told: list[dict[str, Any]] = [
        {"founded": story.founded, "steps": story.steps, "replays": story.replays()}
        for story in stories
    ]
    for story, asked, found in zip(stories, told, node("table.mjs", told), strict=True):
        for step, ours, theirs in zip(story.steps, story.expected, found["answers"], strict=True):
            assert without_seconds(theirs) == without_seconds(ours), step
        assert found["replays"] == [story.replay(wanted) for wanted in asked["replays"]]
    kinds = {step["line"]["entry"]["is"] for story in stories for step in story.steps}
    assert kinds >= {"joined", "moved", "undone", "agreed", "resumed", "left", "returned"}
