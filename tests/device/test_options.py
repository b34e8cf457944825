"""The device takes the options that the rules take, and keeps them alike."""

from __future__ import annotations

import random
from typing import Any

import lastcard
from lastcard.core.game import Game
from lastcard.core.registry import games
from lastcard.errors import BadOption
from tests.device.node import node

ODD: list[Any] = [
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    7,
    1000,
    10**18,
    "5",
    " 5 ",
    "-3",
    "5.0",
    "yes",
    "OFF",
]
ODD += ["-", "none", "null", "None", "call", "AUTO", "", "x", [], {}, [1], 2.5, "5", "1_0"]


def kept(game: Game, players: int, options: Any) -> dict[str, Any] | None:
    try:
        stored = game.read_options(options, players)
    except BadOption:
        return None
    return {"stored": stored, "written": game.match(players, 0, options).options}


def questions(game: Game, rng: random.Random) -> list[Any]:
    asked: list[Any] = [{}, None, [], 3, "x", {"nothing": 1}, {"__proto__": 1}, {"toString": 1}]
    for option in game.options:
        asked += [{option.name: value} for value in ODD]
    flags = [option.name for option in game.options if option.kind == "flag"]
    for _ in range(40):
        chosen: dict[str, Any] = {name: rng.random() < 0.5 for name in flags}
        if "hand" in {option.name for option in game.options}:
            chosen["hand"] = rng.randint(3, 7)
        asked.append(chosen)
    return asked


def test_options_are_kept_alike() -> None:
    asked = []
    for id in games():
        game, rng = lastcard.game(id), random.Random(f"options {id}")
        for players in (game.fewest, game.most):
            asked += [(id, players, options) for options in questions(game, rng)]
    clashes = 0
    for (id, players, options), theirs in zip(asked, node("options.mjs", asked), strict=True):
        ours = kept(lastcard.game(id), players, options)
        assert theirs == ours or (ours is None and "refused" in theirs), (id, players, options)
        clashes += theirs.get("refused") == "clash"
    assert clashes > 20
