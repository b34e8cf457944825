"""The benchmark measures what it says; how fast is not asserted anywhere."""

from __future__ import annotations

import random

import numpy as np
import pytest

from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.kernel import LOG_COLUMNS, random_below
from lastcard.sim import bench


def test_decisions_are_counted_exactly(any_game: Game) -> None:
    """Compiled random play makes the moves that a match would make, and counts all but dice."""
    play = any_game.bound("lastcard.sim.selfplay")
    legal = np.zeros(any_game.rules.MOST_LEGAL, np.int16)
    log = np.zeros((0, LOG_COLUMNS), np.int32)
    for seed in range(20):
        players = random.Random(seed).randint(any_game.fewest, any_game.most)
        match = any_game.match(players, seed)
        array = np.frombuffer(match.state, any_game.rules.RECORD).copy()
        decisions = play.play_out(array[0], np.array([seed + 1], np.uint64), legal, log)
        rng, slow = np.array([seed + 1], np.uint64), 0
        while not match.over:
            seat = match.waiting[0]
            ids = match.legal_ids(seat)
            match.play(seat, ids[random_below(rng, len(ids))])
            slow += seat != "chance"
        assert decisions == slow
        assert array.tobytes() == match.state


def test_many_matches_one_after_the_other(any_game: Game) -> None:
    play = any_game.bound("lastcard.sim.selfplay")
    array = any_game.blank()
    options = np.array(any_game.read_options({}, any_game.fewest), np.int16)
    legal = np.zeros(any_game.rules.MOST_LEGAL, np.int16)
    log = np.zeros((0, LOG_COLUMNS), np.int32)
    rng = np.array([1], np.uint64)
    count = play.play_many(array[0], 10, 5, any_game.fewest, options, rng, legal, log)
    assert count > 5
    match = Match(any_game, array)
    assert match.over
    assert match.seed == (14).to_bytes(32, "little")


def test_everybody_is_measured_in_turn(chiko: Game) -> None:
    one, two = bench.ours(chiko, 2), bench.ours(chiko, 4)
    names = list(bench.run([one, two], seconds=0.01, repeats=2))
    assert names == [one.name, two.name] * 2
    assert len(one.speeds) == len(two.speeds) == 2
    assert one.median > 0


def test_absent_peers_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> bench.Contestant:
        raise ImportError

    monkeypatch.setattr(bench, "PEERS", (("Nobody", missing),))
    mine, peers, absent = bench.contestants(["chiko"], 4)
    assert [one.name for one in mine] == [
        "Last Card chiko, 4 players",
        "Last Card chiko, 4 players, jit",
    ]
    assert peers == []
    assert absent == ["Nobody"]


def test_ratios_are_taken_repeat_by_repeat() -> None:
    """Somebody else made the machine slow in the second and third repeat."""
    one = bench.Contestant("one", lambda matches: matches, [30.0, 12.0, 9.0])
    other = bench.Contestant("other", lambda matches: matches, [10.0, 4.0, 4.5])
    assert one.times(other) == 3.0
