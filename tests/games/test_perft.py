"""Counts of action sequences, which change when any rule does."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, Protocol

import pytest
import yaml

from lastcard.core.game import Game, read_seed
from lastcard.core.match import Match
from lastcard.core.registry import game, games
from tests.games.plans import FOLDER, IDS, twin_of
from tests.helpers import times


class Playable(Protocol):
    """What counting asks of a match or a twin."""

    def waiting(self) -> Sequence[int | str]: ...

    def legal(self, seat: int | str) -> Sequence[str]: ...

    def play(self, seat: int | str, action: str) -> None: ...


def perft(twin: Playable, depth: int) -> list[int]:
    """How many sequences of 1, 2, ... `depth` actions there are, over all seats to move and chance.

    A sequence ends with the match.
    """
    counts = [0] * depth
    if depth == 0:
        return counts
    for seat in twin.waiting():
        for action in twin.legal(seat):
            counts[0] += 1
            if depth == 1:
                continue
            after = copy.deepcopy(twin)
            after.play(seat, action)
            for length, count in enumerate(perft(after, depth - 1), start=1):
                counts[length] += count
    return counts


class Counted:
    """A match with the interface of a twin."""

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
        (id, case)
        for id in IDS
        for case in yaml.safe_load((FOLDER / id / "perft.yaml").read_text())
    ]


def begin(rules: Game, case: dict[str, Any]) -> Match:
    players, options, seed = case["players"], case.get("options", {}), case.get("seed", 0)
    if "position" in case:
        return rules.position(case["position"], players, options, seed)
    return rules.match(players, seed, options)


@pytest.mark.parametrize(("id", "case"), perft_cases())
def test_perft(id: str, case: dict[str, Any]) -> None:
    """The twin made the counts in the file; twin and game must both give them."""
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
