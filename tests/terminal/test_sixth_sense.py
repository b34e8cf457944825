"""Sixth Sense in the terminal: what is asked, who would win, what was predicted."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import lastcard
from tests.helpers import permuted
from tests.test_cli import Runner, home, run

__all__ = ["home", "run"]  # fixtures

PLAYERS = ["human", "greedy", "greedy"]
TABLE: dict[str, Any] = {
    "trump": "b",
    "hands": ["r6 r0 b3", "r2 g2 g3", "y1 y2 y3"],
    "predictions": ["p2", "p6", "p0"],
    "tricks": [1, 0, 2],
    "rest": "out",
}


def saved(home: Path, change: dict[str, Any], seats: list[str] = PLAYERS, **options: Any) -> Path:
    path = home / "m.json"
    match = lastcard.game("sixth_sense").position(TABLE | change, options=options)
    lastcard.save(match, path, seats)
    return path


def shown(run: Runner, home: Path, change: dict[str, Any], answers: str = "", **more: Any) -> str:
    out = run("play", "--resume", str(saved(home, change, **more)), answers=answers).out
    return " ".join(out.split())


# After what the other two have laid it is for the person to play.
FOLLOWING: dict[str, Any] = {
    "hands": ["r6 r0 b3", "g2 g3", "y1 y2"],
    "trick": ["1 r8", "2 r12"],
}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({}, ["Round 1 of 6 trump blue", "You lead with any card."]),
        (
            FOLLOWING,
            ["Trick Ada r8 Boris r12", "Asked for: red.", "Boris would win it as it lies."],
        ),
        (FOLLOWING, ["A 12 lies in it: the winner may count it as two tricks."]),
        (FOLLOWING, ["block red-8 with red-0", "block red-12 with red-0", "play red-6-as-9"]),
        (
            FOLLOWING | {"trick": ["1 r8", "2 g0>1"]},
            ["Trick Ada r8 Boris g0 blocks Ada", "No colour is asked for: any card may be played."],
        ),
        (
            FOLLOWING | {"trick": ["1 r8", "2 g4"]},
            ["Reversed: the lowest card wins, other colours before asked before trump."],
        ),
        (
            FOLLOWING | {"hands": ["r0 b3", "g2 g3", "y1 y2"], "trick": ["1 r8", "2 r12", "0 r14"]},
            ["You win it, and can count it as two tricks.", "split: two tricks"],
        ),
        ({"void": ["", "r p", ""]}, ["Ada has no red and no purple."]),
        ({"predictions": ["-", "-", "-"]}, []),
    ],
)
def test_what_the_table_says(
    run: Runner, home: Path, change: dict[str, Any], words: list[str]
) -> None:
    if "void" in change:
        change = change | {"hands": ["r6 r0 b3", "y7 g2 g3", "y1 y2 y3"]}
    if change.get("predictions"):
        change = change | {"tricks": [0, 0, 0]}
        words = ["Everybody lays a card face down", "Still to predict: You.", "predict red-6 (6 or"]
    out = shown(run, home, change)
    for one in words:
        assert one in out


def test_there_may_be_no_trump(run: Runner, home: Path) -> None:
    assert "no trump" in shown(run, home, {"trump": "-"}, beginner=True)
    laying = {"predictions": ["-", "-", "-"], "tricks": [0, 0, 0], "trump": "-", "stock": "g8"}
    out = shown(run, home, laying, late_trump=True)
    assert "the trump is turned up when all have predicted" in out
    assert "trump green" in shown(run, home, laying, "r6\n", late_trump=True)
    assert "Round 1 of at most 30" in shown(run, home, {}, target=20)


def test_predictions_are_shown_to_those_who_may_see_them(run: Runner, home: Path) -> None:
    out = run("play", "--resume", str(saved(home, FOLLOWING | {"seen": ["0 1"]}))).out
    rows = {line.split()[0]: " ".join(line.split()) for line in out.splitlines() if "cards" in line}
    assert rows["Ada"] == "Ada 2 cards p6 0 0"
    assert rows["Boris"] == "Boris 2 cards ? 2 0"


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("r6", "play r6"),
        ("6", "play r6"),
        ("red 6", "play r6"),
        ("play red-6", "play r6"),
        ("r9", "play r6=9"),
        ("9", "play r6=9"),
        ("red 9", "play r6=9"),
        ("red 6 as 9", "play r6=9"),
        ("r6=9", "play r6=9"),
        ("0", "play r0"),
        ("block red 12", "block r0 2"),
        ("block red-12 with red-0", "block r0 2"),
        ("block r0 1", "block r0 1"),
        ("block red 8", "block r0 1"),
    ],
)
def test_names_as_people_type_them(run: Runner, home: Path, typed: str, action: str) -> None:
    path = saved(home, FOLLOWING)
    run("play", "--resume", str(path), answers=f"{typed}\n")
    assert lastcard.load(path).moves[0] == (0, action)


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("two", "split"),
        ("split", "split"),
        ("one", "whole"),
        ("whole", "whole"),
        ("double", "split"),
    ],
)
def test_the_choice_after_a_12(run: Runner, home: Path, typed: str, action: str) -> None:
    hands = ["r0 b3", "g2 g3", "y1 y2"]
    path = saved(home, {"hands": hands, "trick": ["1 r8", "2 r12", "0 r14"]})
    run("play", "--resume", str(path), answers=f"{typed}\n")
    assert lastcard.load(path).moves[0] == (0, action)


@pytest.mark.parametrize("typed", ["r6", "red 6", "6", "predict r6", "predict red-6", "predict 6"])
def test_predictions_as_people_type_them(run: Runner, home: Path, typed: str) -> None:
    path = saved(home, {"predictions": ["-", "-", "-"], "tricks": [0, 0, 0]})
    run("play", "--resume", str(path), answers=f"{typed}\n")
    assert (0, "predict r6") in lastcard.load(path).moves


@pytest.mark.parametrize(
    ("change", "typed", "why"),
    [
        (FOLLOWING, "b3", "Red is asked for, and you have some."),
        (FOLLOWING, "blue 3", "Red is asked for, and you have some."),
        (FOLLOWING, "y14", "You have no yellow-14 in your hand."),
        (FOLLOWING, "14", "You have no 14 in your hand."),
        ({"predictions": ["-", "-", "-"], "tricks": [0, 0, 0]}, "predict 4", "You have no 4"),
        (FOLLOWING, "block", "Which one? block red-8 with red-0, block red-12 with red-0."),
    ],
)
def test_why_not(run: Runner, home: Path, change: dict[str, Any], typed: str, why: str) -> None:
    assert why in shown(run, home, change, f"{typed}\n")


def test_the_screen_tells_nothing_that_is_hidden(run: Runner, home: Path) -> None:
    """The same table with other hidden cards looks the same, also after an error."""
    rng = random.Random(3)
    rules = lastcard.game("sixth_sense")
    compared = 0
    while compared < 6:
        match = rules.match(4, rng.getrandbits(64), {"late_trump": rng.random() < 0.5})
        for _ in range(rng.randint(4, 40)):
            seat = rng.choice(match.waiting)
            match.play(seat, rng.choice(match.legal(seat)))
        person = match.waiting[-1]  # the last one to predict, if there are several: bots go first
        assert isinstance(person, int)
        if len(match.waiting) > 1:
            continue
        legal = " ".join(match.legal(person)).split()
        wrong = next(card for card in rules.cards if card not in legal)
        kinds = ["human" if seat == person else "greedy" for seat in range(4)]
        texts = []
        for one in (match, permuted(match, person, rng)):
            path = home / "m.json"
            lastcard.save(rules.position(one.position(), 4, one.options), path, kinds)
            texts.append(run("play", "--resume", str(path), answers=f"{wrong}\nlog\nexit\n").out)
        assert "You cannot do that now" in texts[0]
        assert texts[0] == texts[1]
        compared += 1
