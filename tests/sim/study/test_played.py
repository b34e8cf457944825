"""What is measured of matches: three small ones, worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lastcard.sim.study.dealt import worths
from lastcard.sim.study.played import Played, measures
from lastcard.sim.study.questions import Questions

# Lowest wins. Match 0: the lead goes from 0 (alone) to nobody to 1; seat 1 wins. Match 1: seat 2
# leads and wins. Match 2: one round, in which 0 and 1 are best and win together.
MATCH = [0, 0, 0, 1, 1, 2]
SCORES = [[0, 2, 5], [3, 3, 9], [6, 4, 9], [4, 4, 1], [9, 6, 2], [1, 1, 7]]
OPENER = [0, 1, 2, 2, 0, 1]


def played(**changes: Any) -> Played:
    given: dict[str, Any] = {
        "players": 3,
        "lowest_wins": True,
        "match": np.array(MATCH),
        "opener": np.array(OPENER),
        "decisions": np.array([10, 12, 8, 20, 10, 6]),
        "choices": np.array([5, 6, 4, 10, 5, 3]),
        "scores": np.array(SCORES),
        "events": {"ended": np.array([0, 2, 0, 0, 0, 1]), "drew": np.array([1, 2, 3, 4, 5, 6])},
        "winners": np.array([[0, 1, 0], [0, 0, 1], [1, 1, 0]], bool),
    }
    return Played(**(given | changes))


def test_points_and_shares_of_rounds() -> None:
    one = played()
    assert one.points.tolist() == [[0, 2, 5], [3, 1, 4], [3, 1, 0], [4, 4, 1], [5, 2, 1], [1, 1, 7]]
    best = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 1], [0, 0, 1], [0.5, 0.5, 0]]
    assert one.round_share.tolist() == best
    highest = played(lowest_wins=False)
    assert highest.round_share[0].tolist() == [0, 0, 1]


def test_who_opens() -> None:
    one = played()
    # Openers were best in rounds 1, 2, 3 and 4, and shared the last.
    assert one.seated(0).value == pytest.approx(4.5 / 6)
    assert sum(one.seated(after).value for after in range(3)) == pytest.approx(1)
    assert one.first_opener().value == pytest.approx((0 + 1 + 0.5) / 3)
    assert one.first_seat().value == pytest.approx(0.5 / 3)


def test_lengths() -> None:
    one = played()
    assert one.decisions_per_round().value == pytest.approx(66 / 6)
    assert one.decisions_per_match().value == pytest.approx(22)
    assert one.rounds_per_match().value == pytest.approx(2)
    assert one.real_choices().value == pytest.approx(0.5)
    assert one.events_per_round("drew").value == pytest.approx(21 / 6)


def test_ties_and_endings() -> None:
    one = played()
    assert one.tied_matches().value == pytest.approx(1 / 3)
    assert one.tied_rounds().value == pytest.approx(1 / 6)
    assert one.rounds_with("ended").value == pytest.approx(2 / 6)


def test_the_lead() -> None:
    one = played()
    assert one.leader.tolist() == [0, -1, 1, 2, 2, -1]
    assert one.lead_changes().value == pytest.approx(1 / 3)
    # Only match 1 has somebody alone in front before its last round, and he wins it.
    assert one.leader_wins().value == 1


def test_measures_of_a_variant() -> None:
    found = {one.name: one for one in measures(played(), played(), ["ended"])}
    assert found["rounds that end otherwise"].sample.value == pytest.approx(1 / 3)
    assert found["rounds per match"].percent is False
    assert found["matches won against random players"].percent
    assert "rounds that end otherwise" not in {m.name for m in measures(played(), played(), [])}


def test_the_worth_of_a_card_is_found_again() -> None:
    """Made results: a good card takes two points off, another does nothing, opening takes one."""
    rng = np.random.default_rng(5)
    matches, players = 2000, 3
    dealt = rng.integers(0, 3, (matches, players, 2)).astype(float)
    opener = rng.integers(0, players, matches)
    opens = np.arange(players)[None, :] == opener[:, None]
    scores = 20 - 2 * dealt[:, :, 0] - opens + rng.normal(0, 1, (matches, players))
    made = Played(
        *(players, True, np.arange(matches), opener, np.ones(matches), np.ones(matches), scores),
        *({}, scores == scores.min(axis=1, keepdims=True)),
    )
    good, idle = worths(Questions(special={"good": (), "idle": ()}), made, dealt)
    assert good.kind == "good" and good.dealt == pytest.approx(1, abs=0.05)
    assert good.points.value == pytest.approx(-2, abs=0.1) and good.points.differs
    assert good.share.value > 0.2 and good.share.differs
    assert not idle.points.differs and not idle.share.differs
