"""Every game against its slow twin, move by move."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.core.positions import values_of
from lastcard.core.registry import game
from lastcard.core.sheets import COMMON
from lastcard.kernel.forms import Form
from tests.games.plans import IDS, plan_of, twin_of
from tests.helpers import choose, combinations_of_flags, random_match, shy_of

PARTS = 4  # of each test, for several processes


@cache
def forms_of(game: Game) -> dict[str, Form]:
    return {**game.keys, **COMMON}


def same_position(match: Match, twin: Any) -> None:
    forms = forms_of(match.game)
    position = {key: value for key, value in twin.position().items() if key in forms}
    asked = {key: forms[key] for key in position}
    assert values_of(match.game, match.record, asked) == position


def same_choices(match: Match, twin: Any) -> None:
    assert twin.waiting() == match.waiting
    assert twin.over == match.over
    assert twin.winners == match.winners
    for seat in [*range(match.players), "chance"]:
        legal, other = match.legal(seat), twin.legal(seat)
        assert other == legal or sorted(other) == sorted(legal)


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize(
    ("id", "players"),
    [(id, n) for id in IDS for n in range(game(id).fewest, game(id).most + 1)],
)
def test_random_matches(id: str, players: int, part: int) -> None:
    rng = random.Random(f"{id} {players} {part}")
    rules, plan, twin_type = game(id), plan_of(id), twin_of(id)
    assert plan
    each_twice = 2 * combinations_of_flags(rules, players)
    for number in range(part, plan.twins, PARTS):
        flags = each_twice[number] if number < len(each_twice) else None
        fresh = random_match(rules, rng, players, flags)
        match = plan.later(fresh, rng)
        if match is fresh:
            twin = twin_type(players, match.seed, match.options)
        else:
            twin = twin_type.from_position(match.position(), players, match.seed, match.options)
        shy = shy_of(rng, match)
        same_position(match, twin)
        same_choices(match, twin)
        while not match.over:
            seat, action = choose(rng, match, shy)
            match.play(seat, action)
            twin.play(seat, action)
            same_choices(match, twin)
            # Comparing positions is slow, and a difference would last.
            if match.over or rng.random() < 0.3:
                same_position(match, twin)
