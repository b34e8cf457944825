"""The command beside a number gives the number again: rows are played anew and counted by hand."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from lastcard.sim.study.gathering import gather
from lastcard.sim.study.questions import design
from lastcard.sim.study.report import Number, Report
from tests.cli.runner import Runner, home, run
from tests.sim.rulings import plainly

__all__ = ["home", "run"]  # fixtures
Rows = list[dict[str, Any]]


def matches_of(rows: Rows) -> list[Rows]:
    return [list(match) for _, match in groupby(rows, lambda row: row["match"])]


def winners_of(match: Rows) -> list[int]:
    """In Chiko the fewest points win."""
    final = match[-1]["scores"]
    return [seat for seat, score in enumerate(final) if score == min(final)]


def opener_wins(match: Rows) -> float:
    won = winners_of(match)
    return (match[0]["opener"] in won) / len(won)


def first_seat_wins(match: Rows) -> float:
    won = winners_of(match)
    return (0 in won) / len(won)


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def decisions_per_round(rows: Rows) -> float:
    return mean([row["decisions"] for row in rows])


def won_by_the_first_seat(rows: Rows) -> float:
    return mean([first_seat_wins(one) for one in matches_of(rows)])


def taken(rows: Rows) -> list[float]:
    return [len(row["legal"]) for row in rows if row["action"] is not None]


# By section and measure. Commands of one number are as many as there are rows.
BY_HAND: dict[tuple[str, str], Callable[..., float]] = {
    ("opening", "matches that the first opener wins"): lambda rows: mean(
        [opener_wins(one) for one in matches_of(rows)]
    ),
    ("length", "rounds per match"): lambda rows: mean([len(one) for one in matches_of(rows)]),
    ("branching", "legal actions at a decision"): lambda rows: mean(taken(rows)),
    ("skill", "matches won by one normal among random"): won_by_the_first_seat,
    ("ties", "matches with several winners"): lambda rows: mean(
        [len(winners_of(one)) > 1 for one in matches_of(rows)]
    ),
    ("ties", "matches ended by the limit of 100 rounds"): lambda rows: mean(
        [len(one) >= 100 and max(one[-1]["scores"]) < 50 for one in matches_of(rows)]
    ),
    ("variants", "decisions per round"): decisions_per_round,
    ("variants", "decisions per round, difference"): lambda ours, other: (
        decisions_per_round(other) - decisions_per_round(ours)
    ),
    ("variants", "matches won against random players"): won_by_the_first_seat,
    ("rulings", "matches won against random players"): won_by_the_first_seat,
    ("rulings", "matches won against random players, difference"): lambda ours, other: (
        won_by_the_first_seat(other) - won_by_the_first_seat(ours)
    ),
    ("events", "drew"): lambda rows: mean([row["event_drew"] for row in rows]),
}


@pytest.mark.usefixtures(plainly.__name__)
def test_commands_give_the_numbers_again(run: Runner, tmp_path: Path) -> None:
    found = gather(
        design("chiko", "3", ["target=20,30"], 10, 2, strong="search:4", rulings=True), 1
    )
    report = Report(found)
    report.page()
    seen = set[tuple[str, str]]()
    # The last of a kind, which is played with an option or a ruling where there is one.
    for number in {(one.section, one.measure): one for one in report.numbers}.values():
        kind = number.section, number.measure
        if kind in BY_HAND:
            rows = [
                rows_of(run, command, tmp_path / f"{len(seen)}-{place}")
                for place, command in enumerate(number.command.split("\n"))
            ]
            assert BY_HAND[kind](*rows) == pytest.approx(number.value), number
            seen.add(kind)
    assert seen == {*BY_HAND}
    check_arena(run, tmp_path, only(report, "matches won by one search:4 among normal"))
    check_study(run, tmp_path, only(report, "share of the round, egg"))


def only(report: Report, measure: str) -> Number:
    (found,) = [one for one in report.numbers if one.measure == measure]
    return found


def rows_of(run: Runner, command: str, folder: Path) -> Rows:
    words = shlex.split(command.replace("FOLDER", str(folder)))
    assert run(*words[1:], "--workers", "1").code == 0
    rows: Rows = pq.read_table(folder, partitioning=None).to_pylist()
    return rows


def check_arena(run: Runner, folder: Path, number: Number) -> None:
    save = folder / "arena.json"
    assert run(*shlex.split(number.command)[1:], "--workers", "1", "--save", str(save)).code == 0
    (best, _) = json.loads(save.read_text())["standings"]
    assert best["bot"] == "search:4" and best["wins"]["mean"] == pytest.approx(number.value)


def check_study(run: Runner, folder: Path, number: Number) -> None:
    page = folder / "again.html"
    assert run(*shlex.split(number.command)[1:], "--workers", "1", "--out", str(page)).code == 0
    numbers = pq.read_table(folder / "again-rows" / "numbers.parquet").to_pylist()
    (again,) = [one for one in numbers if one["measure"] == number.measure]
    assert again["value"] == pytest.approx(number.value, nan_ok=True)
