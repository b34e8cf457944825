"""After a live match the page plays it again: whatever a server tells otherwise is found."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest

import lastcard
from lastcard.core import files
from lastcard.core.game import Game
from lastcard.core.registry import games
from lastcard.core.views import view_of
from lastcard.table.entries import By, Moved
from lastcard.table.replay import match_file
from lastcard.table.setup import Setup
from lastcard.table.table import Happened
from lastcard.table.window import Window
from tests.device.node import node
from tests.helpers import choose, random_options, shy_of
from tests.table.tables import Journalled


class Witness:
    """A page at a table: it notes what it is told, and is offline now and then."""

    def __init__(self, one: Journalled, seat: int | None, steady: bool) -> None:
        self.table, self.seat, self.steady = one.table, seat, steady
        self.window = Window(one.table, seat)
        self.shown: list[dict[str, Any]] = []
        self.online = False
        self.view: dict[str, Any] = {}

    def look(self, kind: str) -> None:
        match = self.window.shown(self.table)
        assert match is not None
        self.online, self.view = True, json.loads(bytes(match.view))
        self.shown.append({"version": match.version, "kind": kind, "view": self.view})

    def told(self, happened: Happened, rng: random.Random) -> None:
        if not self.steady and rng.random() < 0.1:
            self.online = not self.online
            if self.online:
                self.look("match")
            return
        if not self.online:
            return
        if happened.undone is not None:
            self.look("undone")
            return
        update = json.loads(self.window.update(self.table, happened, None))
        self.view = {**self.view, **update["changes"]}
        told = {"version": update["version"], "kind": "update", "view": self.view}
        self.shown.append({**told, "events": update["events"]})


def play(one: Journalled, rng: random.Random, witnesses: list[Witness]) -> None:
    """A match to its end, with moves that are taken back where that is allowed."""
    table = one.table
    assert table.match is not None
    shy = shy_of(rng, table.match)
    for witness in witnesses:
        witness.look("match")
    while table.status == "playing":
        seat, action = choose(rng, table.match, shy)
        if isinstance(seat, int):
            happened = one.write(table.move(seat, table.version, action, ""))
        else:
            action = table.game.actions[table.match.tossed()]
            happened = one.write(Moved(seat, action, by="chance"))
        for witness in witnesses:
            witness.told(happened, rng)
        if isinstance(seat, int) and table.may_undo(seat) and rng.random() < 0.2:
            happened = one.write(table.undo(seat, table.version))
            for witness in witnesses:
                witness.told(happened, rng)
        assert table.match is not None


def opened(game: Game, rng: random.Random) -> Journalled:
    players = rng.randint(game.fewest, min(game.most, 4))
    options = random_options(rng, game, players)
    one = Journalled(Setup(game=game.id, players=players, options=options, undo=True))
    for seat in range(players):
        one.join(f"P{seat}", f"seed {seat}" if seat % 2 else None)
    return one


def told_of(one: Journalled, number: int, witness: Witness) -> dict[str, Any]:
    return {
        "file": match_file(one.played(number)),
        "commitment": one.table.commitment,
        "seeds": one.table.dealt_seeds,
        "seat": witness.seat,
        "shown": witness.shown,
    }


def paths(value: Any, path: list[Any]) -> list[tuple[list[Any], Any]]:
    """Every single value, and where it is."""
    if isinstance(value, dict):
        return [found for key, one in value.items() for found in paths(one, [*path, key])]
    if isinstance(value, list):
        return [found for place, one in enumerate(value) for found in paths(one, [*path, place])]
    return [(path, value)]


def another(value: Any, names: list[str], rng: random.Random) -> Any:
    """A value of the same kind."""
    if value is None or isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if value in names:
        return rng.choice([name for name in names if name != value])
    return value[:-1] + ("0" if value[-1:] != "0" else "1")


def changes(game: Game, told: dict[str, Any], rng: random.Random) -> list[tuple[list[Any], Any]]:
    """Some of what could be told otherwise: cards, events, anything in views, the shuffle."""
    content = json.loads(told["file"])
    views = [found for n, one in enumerate(told["shown"]) for found in paths(one["view"], [n])]
    spots = [(["shown", path[0], "view", *path[1:]], value) for path, value in views]
    cards = [(path, value) for path, value in spots if value in game.cards]
    events = [
        (["shown", n, "events", *path], value)
        for n, one in enumerate(told["shown"])
        for path, value in paths(one.get("events", []), [])
    ]
    chosen = rng.sample(cards, 12) + rng.sample(spots, 12) + rng.sample(events, 12)
    chosen += paths(told["commitment"], ["commitment"]) + paths(told["seeds"], ["seeds"])
    chosen += paths(content["shuffle"], ["file", "shuffle"])
    chosen += [(["file", "key"], content["key"]), (["file", "state"], content["state"])]
    moves = paths(content["moves"], ["file", "moves"])
    chosen += rng.sample(moves, 6)
    names = [*game.cards]
    return [(path, another(value, names, rng)) for path, value in chosen]


@pytest.mark.parametrize("id", games())
def test_what_is_told_otherwise_is_found(id: str) -> None:
    game, rng = lastcard.game(id), random.Random(f"verify {id}")
    asked: list[dict[str, Any]] = []
    dealt = []
    one = opened(game, rng)
    for number in (1, 2):  # the second begins with a later version
        if number == 2:
            one.write(one.table.rematch(0, set(), "another"))
        match = copy.deepcopy(one.table.match)
        assert match is not None
        witnesses = [Witness(one, None, True), Witness(one, 0, True), Witness(one, 1, False)]
        play(one, rng, witnesses)
        for witness in witnesses:
            told = told_of(one, number, witness)
            wrong = changes(game, told, rng) if witness.seat == 0 else []
            asked.append({"game": id, "told": told, "changes": wrong})
            dealt.append(view_of(game, match.revealed(), None)["hands"])
    answers = node("verify.mjs", asked)
    for question, hands, answer in zip(asked, dealt, answers, strict=True):
        verdict, shown = answer["verdict"], question["told"]["shown"]
        assert verdict["ok"] and verdict["problem"] is None, verdict["problem"]
        assert [check["ok"] for check in verdict["checks"]] == [True] * 6
        assert verdict["compared"]["views"] == len(shown) > 5
        assert verdict["compared"]["cards"] > 0 < verdict["compared"]["events"]
        found = [zone["cards"] for zone in verdict["deals"][0]["dealt"] if zone["place"] == "hands"]
        assert found == [hand["cards"] for hand in hands]
        for (path, value), problem in zip(question["changes"], answer["changed"], strict=True):
            assert problem is not None, (path, value)
    undone = sum(look["kind"] == "undone" for one in asked for look in one["told"]["shown"])
    assert undone > 0


def test_a_server_that_deals_other_cards_is_caught() -> None:
    """It shows what it really plays, but that does not follow from what it has committed to."""
    game, rng = lastcard.game("chiko"), random.Random("cheat")
    one = opened(game, rng)
    table = one.table
    table.match = game.match(len(table.chairs), 7, table.setup.options)
    witness = Witness(one, 0, True)
    play(one, rng, [witness])
    honest = game.match(len(table.chairs), table.key, table.setup.options)
    file = json.loads(files.dumps(honest, None, table.shuffle))
    told = {
        "commitment": table.commitment,
        "seeds": table.dealt_seeds,
        "seat": 0,
        "shown": witness.shown,
    }
    # It hides its own moves behind others, possible with the cards that it should have dealt.
    while not honest.over:
        seat, action = choose(rng, honest)
        honest.play(seat, honest.tossed() if seat == "chance" else action)
    file["moves"], file["state"] = honest.moves, files.digest(honest)
    [answer] = node(
        "verify.mjs",
        [{"game": "chiko", "told": {**told, "file": json.dumps(file)}, "changes": []}],
    )
    assert answer["verdict"]["problem"]["code"] == "verify.view"
    assert answer["verdict"]["checks"][-1] == {"code": "shown", "ok": False}


def test_dice_that_were_chosen_are_caught() -> None:
    game, rng = lastcard.game("chiko"), random.Random("dice")
    one = Journalled(Setup(game="chiko", players=2, options={"target": 200}))
    one.join("P0"), one.join("P1")
    table, witness, chosen = one.table, Witness(one, 0, True), 0
    witness.look("match")
    while table.status == "playing":
        assert table.match is not None
        seat, action = choose(rng, table.match, ("quit", "draw"))
        by: By = "player" if isinstance(seat, int) else "chance"
        chosen += by == "chance" and game.parse_action(action) != table.match.tossed()
        witness.told(one.write(Moved(seat, action, by=by)), rng)
    assert chosen > 0
    asked = [{"game": "chiko", "told": told_of(one, 1, witness), "changes": []}]
    assert node("verify.mjs", asked)[0]["verdict"]["problem"]["code"] == "file.dice"
