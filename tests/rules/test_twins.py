"""Every game against its slow twin, move by move."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from lastcard.core.game import Game, read_seed
from lastcard.core.match import Match
from lastcard.core.positions import COMMON
from lastcard.core.registry import game, games
from lastcard.kernel.forms import Form
from tests.helpers import choose, combinations_of_flags, random_match, shy_of, times, twin_of
from tests.naive.perft import perft

# Of every number of players: Chiko's matches are short, TAKI is for nine numbers of players.
MATCHES = {
    "chiko": times(500, 25),
    "eight_half": times(120, 8),
    "sixth_sense": times(100, 4),
    "taki": times(60, 4),
    "chichiko": times(2 * 72, 8),  # its variants combine in 72 ways
}
PARTS = 4  # so that the work can be shared out
PERFT = Path(__file__).parent.parent / "perft"


@cache
def forms_of(game: Game) -> dict[str, Form]:
    return {**game.keys, **COMMON}


def same_position(match: Match, twin: Any) -> None:
    forms = forms_of(match.game)
    record = match.record
    for key, value in twin.position().items():
        if key in forms:
            assert (key, forms[key].write(record)) == (key, value)


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
    [(id, n) for id in games() for n in range(game(id).fewest, game(id).most + 1)],
)
def test_random_matches(id: str, players: int, part: int) -> None:
    rng = random.Random(f"{id} {players} {part}")
    rules = game(id)
    each_twice = 2 * combinations_of_flags(rules, players)
    for number in range(part, MATCHES[id], PARTS):
        flags = each_twice[number] if number < len(each_twice) else None
        match = random_match(rules, rng, players, flags)
        twin = twin_of(id)(players, match.seed, match.options)
        if id == "sixth_sense" and rng.random() < 0.9:
            match, twin = near_the_end(match, rng)
        shy = shy_of(rng, match)
        same_position(match, twin)
        same_choices(match, twin)
        while not match.over:
            seat, action = choose(rng, match, shy)
            match.play(seat, action)
            twin.play(seat, action)
            same_choices(match, twin)
            # The whole position takes longest to compare, and what differs stays different.
            if match.over or rng.random() < 0.3:
                same_position(match, twin)


def near_the_end(match: Match, rng: random.Random) -> tuple[Match, Any]:
    """The same deal, but as one of the last rounds: matches of many rounds would take too long."""
    game, options = match.game, match.options
    last = match.view()["rounds"]
    scores = [rng.randint(-20, 20) for _ in range(match.players)]
    start = {**match.position(), "round": last - (rng.random() < 0.2), "scores": scores}
    match = game.position(start, match.players, options, match.seed)
    return match, twin_of(game.id).from_position(
        match.position(), match.players, match.seed, options
    )


class Counted:
    """A match as `perft` wants it."""

    def __init__(self, match: Match) -> None:
        self.match = match

    def waiting(self) -> list[int | str]:
        return self.match.waiting

    def legal(self, seat: int | str) -> list[str]:
        return self.match.legal(seat)

    def play(self, seat: int | str, action: str) -> None:
        self.match.play(seat, action)

    def __deepcopy__(self, memo: object) -> Counted:
        return Counted(self.match.copy())


def perft_cases() -> list[tuple[str, dict[str, Any]]]:
    return [
        (path.stem, case)
        for path in sorted(PERFT.glob("*.yaml"))
        for case in yaml.safe_load(path.read_text())
    ]


def begin(rules: Game, case: dict[str, Any]) -> Match:
    players, options, seed = case["players"], case.get("options", {}), case.get("seed", 0)
    if "position" in case:
        return rules.position(case["position"], players, options, seed)
    return rules.match(players, seed, options)


@pytest.mark.parametrize(("id", "case"), perft_cases())
def test_perft(id: str, case: dict[str, Any]) -> None:
    """The counts in the file come from the twin; both must give them."""
    match = begin(game(id), case)
    counts = case["counts"]
    depth = times(len(counts), min(4, len(counts)))
    assert perft(Counted(match), depth) == counts[:depth]
    twin = twin_of(id).from_position(
        match.position(), match.players, read_seed(case.get("seed", 0)), match.options
    )
    assert perft(twin, depth) == counts[:depth]


def test_every_game_has_counts() -> None:
    assert {id for id, _ in perft_cases()} == set(games())
