"""Arenas: fair seats, the same result again, and honest intervals."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

import lastcard
from lastcard.bots import bot, play_out
from lastcard.sim import arena
from lastcard.sim.arena import Mean, Plan, Result, mean_of, standings


def played(plan: Plan, workers: int = 1) -> list[Result]:
    return sorted(arena.run(plan, workers), key=lambda one: one.match)


def without_times(results: list[Result]) -> list[tuple[object, ...]]:
    return [(one.match, one.key, one.seats, one.winners, one.scores) for one in results]


def test_every_deal_is_played_in_all_seats() -> None:
    plan = arena.plan("chiko", ["normal", "easy", "random"], 10)
    assert plan.matches == 12  # whole deals
    results = played(plan)
    for deal in range(4):
        same = [one for one in results if one.deal == deal]
        assert len({one.key for one in same}) == 1
        for seat in range(3):
            assert {one.seats[seat] for one in same} == {"normal", "easy", "random"}
    assert len({one.key for one in results}) == 4


def test_the_last_bot_takes_the_seats_that_are_left() -> None:
    plan = arena.plan("taki", ["normal", "random"], 1, players=4)
    assert plan.bots == ("normal", "random", "random", "random")
    assert [one.seats for one in standings(plan, played(plan))] == [1, 3]


def test_it_repeats_itself_in_worker_processes_too() -> None:
    plan = arena.plan("chiko", ["search:50", "normal"], 4, options={"target": 10}, seed=5)
    once = without_times(played(plan))
    assert without_times(played(plan, workers=2)) == once
    other = arena.plan("chiko", ["search:50", "normal"], 4, options={"target": 10}, seed=6)
    assert without_times(played(other)) != once


def test_a_match_can_be_played_again_from_its_result() -> None:
    plan = arena.plan("chiko", ["random", "search:30"], 2)
    for one in played(plan):
        match = lastcard.game("chiko").match(2, one.key)
        seats = zip(one.seats, one.seeds, strict=True)
        play_out(match, [bot(name, match.game, seed) for name, seed in seats])
        assert (match.winners, match.scores) == (one.winners, one.scores)


def result(
    match: int, deal: int, seats: list[str], winners: list[int], scores: list[int]
) -> Result:
    return Result(match, deal, "", seats, [1, 2], winners, scores, [2, 2], [0.004, 0.0])


def test_standings_computed_by_hand() -> None:
    plan = Plan("chiko", ("a", "b"), 6, (), 1)
    results = [
        result(0, 0, ["a", "b"], [0], [10, 50]),  # a wins
        result(1, 0, ["b", "a"], [0, 1], [30, 30]),  # they share it
        result(2, 1, ["a", "b"], [0], [20, 60]),
        result(3, 1, ["b", "a"], [1], [50, 0]),
        result(4, 2, ["a", "b"], [1], [50, 0]),  # its other half is missing: does not count
    ]
    a, b = standings(plan, results)
    assert (a.bot, a.seats, b.bot, b.seats) == ("a", 1, "b", 1)
    assert a.wins.mean == pytest.approx((0.75 + 1.0) / 2)
    assert b.wins.mean == pytest.approx(0.125)
    assert (a.score.mean, b.score.mean) == (15.0, 47.5)
    assert a.score.margin is None  # of two deals nobody can tell
    assert a.ms == pytest.approx(1000 * 0.008 / 8)


@pytest.mark.parametrize(("count", "t"), [(5, 2.776), (10, 2.262), (30, 2.045), (1000, 1.962)])
def test_intervals_are_student_s(count: int, t: float) -> None:
    values = [float(n % 2) for n in range(count)]
    mean = sum(values) / count
    spread = math.sqrt(sum((one - mean) ** 2 for one in values) / (count - 1))
    found = mean_of(values)
    assert found.mean == pytest.approx(mean)
    assert found.margin == pytest.approx(t * spread / math.sqrt(count), rel=0.01)


def test_too_few_to_tell() -> None:
    assert mean_of([0.5]) == Mean(0.5, None)
    assert str(Mean(0.5, None)) == "0.50"
    plan = Plan("chiko", ("a", "b"), 6, (), 1)
    assert standings(plan, [result(0, 0, ["a", "b"], [0], [10, 50])]) == []


def test_the_file_has_everything(tmp_path: Path) -> None:
    plan = arena.plan("chiko", ["normal", "random"], 4, options={"target": "20"}, seed=3)
    results = played(plan)
    arena.save(plan, results, tmp_path / "a.json")
    content = json.loads((tmp_path / "a.json").read_text())
    assert content["bots"] == ["normal", "random"]
    assert content["options"]["target"] == 20
    assert content["seed"] == 3
    assert [one["winners"] for one in content["matches"]] == [one.winners for one in results]
    assert content["standings"][0]["wins"]["mean"] == standings(plan, results)[0].wins.mean


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"bots": []}, "bots: which ones"),
        ({"bots": ["genius"]}, "bot: there is no bot 'genius'"),
        ({"bots": ["normal"] * 6}, "players: Chiko is for 2 to 5, not 6"),
        ({"bots": ["normal"] * 3, "players": 2}, "bots: 3 named, but there are 2 seats"),
        ({"matches": 0}, "matches: must be 1 or more"),
        ({"options": {"target": -1}}, "options: target must be"),
        ({"bots": ["nothing.py:Bot"]}, "bot: nothing.py:Bot: "),
        ({"bots": ["os:Bot"]}, "bot: os:Bot: "),
        ({"bots": ["collections:Counter"]}, "has no method choose"),
    ],
)
def test_what_cannot_be_is_said(wrong: dict[str, object], says: str) -> None:
    arguments: dict[str, object] = {"bots": ["normal"], "matches": 2, **wrong}
    with pytest.raises(lastcard.BadOption, match=says):
        arena.plan("chiko", **arguments)  # type: ignore[arg-type]


CHEAT = """
class Cheat:
    def choose(self, view, legal):
        return "win"
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_a_bot_that_chooses_what_is_not_legal(tmp_path: Path, workers: int) -> None:
    path = tmp_path / "cheat.py"
    path.write_text(CHEAT)
    plan = arena.plan("chiko", [f"{path}:Cheat", "normal"], 2)
    with pytest.raises(lastcard.BadOption, match="Cheat chose 'win', not one of"):
        played(plan, workers)


TIDY = """
from __future__ import annotations
from dataclasses import dataclass
from beside_it import first

@dataclass
class Tidy:
    asked: int = 0

    def choose(self, view, legal):
        self.asked += 1
        return first(legal)
"""


def test_a_bot_may_be_any_python(tmp_path: Path) -> None:
    """Dataclasses, and what lies beside it."""
    (tmp_path / "beside_it.py").write_text("def first(legal):\n    return legal[0]\n")
    (tmp_path / "tidy.py").write_text(TIDY)
    assert len(played(arena.plan("chiko", [f"{tmp_path / 'tidy.py'}:Tidy", "normal"], 2))) == 2


BROKEN = """
class Broken:
    def choose(self, view, legal):
        return view["nothing"]
"""


def test_a_bot_that_fails_says_where(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text(BROKEN)
    plan = arena.plan("chiko", [f"{path}:Broken", "normal"], 2)
    with pytest.raises(lastcard.BadOption, match=r"KeyError: 'nothing' \(broken.py, line 4\)"):
        played(plan)
    (tmp_path / "odd.py").write_text("class Odd:\n  def choose(self:")
    with pytest.raises(lastcard.BadOption, match="SyntaxError"):
        arena.plan("chiko", [f"{tmp_path / 'odd.py'}:Odd"], 2)
