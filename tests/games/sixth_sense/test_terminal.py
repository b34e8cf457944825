"""Sixth Sense in the terminal: what is asked, who would win, what was predicted."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import lastcard
from tests.cli.runner import Runner, home, run
from tests.helpers import permuted

__all__ = ["home", "run"]  # fixtures

PLAYERS = ["human", "normal", "normal"]
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


# The other two have played, and it is the person's turn.
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
            [
                "Trick Ada r8 Boris r12",
                "Asked for: red.",
                "So far Boris would win it with red-12.",
            ],
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
        ({"void": ["", "r p", ""]}, ["Have none of: Ada red purple."]),
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
    assert "trump is turned up once everybody has predicted" in out
    assert "trump green" in shown(run, home, laying, "r6\n", late_trump=True)
    assert "Round 1 to 20 points, at most 30 rounds" in shown(run, home, {}, target=20)


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
        ("block r12", "block r0 2"),
        ("block r12 with r0", "block r0 2"),
        ("block Boris", "block r0 2"),
        ("block ada with r0", "block r0 1"),
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
        ("2", "split"),
        ("1", "whole"),
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


@pytest.mark.parametrize(
    "typed",
    ["r6", "red 6", "6", "predict r6", "predict red-6", "predict 6", "9", "predict red 9", "r9"],
)
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
        (FOLLOWING, "y9", "You have no yellow-6 in your hand."),
        (FOLLOWING, "yellow 6 as 9", "You have no yellow-6 in your hand."),
        (FOLLOWING | {"hands": ["r6 y6 b3", "g2 g3", "y1 y2"]}, "y9", "Red is asked for"),
        (FOLLOWING | {"hands": ["r6 r14 b3", "g2 g3", "y1 y2"]}, "block", "You have no 0"),
        (FOLLOWING | {"hands": ["r6 y0 b3", "g2 g3", "y1 y2"]}, "block r8", "Red is asked for"),
        (
            FOLLOWING | {"trick": ["1 r8", "2 r0>1"], "hands": ["b0 y6 b3", "g2 g3", "y1 y2"]},
            "block ada",
            "A trick has only one block, and the leader cannot block.",
        ),
        ({}, "block", "A trick has only one block, and the leader cannot block."),
        ({"predictions": ["-", "-", "-"], "tricks": [0, 0, 0]}, "predict 4", "You have no 4"),
        (FOLLOWING, "block", "Which one? block red-8 with red-0, block red-12 with red-0."),
    ],
)
def test_why_not(run: Runner, home: Path, change: dict[str, Any], typed: str, why: str) -> None:
    assert why in shown(run, home, change, f"{typed}\n")


def test_a_card_that_one_does_not_have_is_not_taken_for_another(run: Runner, home: Path) -> None:
    """There is no y1 in the hand, and y12 is not meant."""
    path = saved(home, {"hands": ["y12 y13 b3", "r2 g2 g3", "y2 y3 y4"]})
    out = run("play", "--resume", str(path), answers="y1\n1\nyellow 1\n").out
    assert lastcard.load(path).moves == []
    assert out.count("You have no yellow-1 in your hand.") == 2


def test_how_a_trick_was_won_and_a_round_scored(run: Runner, home: Path) -> None:
    last = {
        "hands": ["y4", "", ""],
        "trick": ["1 r8", "2 r12"],
        "predictions": ["p2", "p6", "p0"],
        "tricks": [1, 7, 0],
    }
    out = shown(run, home, last, "y4\nsplit\n")
    assert "Reversed: you win the trick with yellow-4." in out
    assert "Ada peeks at the prediction of you." in out
    assert "You predicted 2 (purple-2) and have won 3. You: -1 this round, -1 in all." in out
    assert "Ada predicted 6 or 9 (purple-6) and has won 7. Ada: -1 this round" in out
    assert "Round 2 is dealt; Ada will lead." in out


def test_the_screen_tells_nothing_that_is_hidden(run: Runner, home: Path) -> None:
    """The same table with other hidden cards looks the same, even after an error."""
    rng = random.Random(3)
    rules = lastcard.game("sixth_sense")
    compared = 0
    while compared < 6:
        match = rules.match(4, rng.getrandbits(64), {"late_trump": rng.random() < 0.5})
        for _ in range(rng.randint(4, 40)):
            seat = rng.choice(match.waiting)
            match.play(seat, rng.choice(match.legal(seat)))
        person = match.waiting[-1]  # the last to predict, since bots go first
        assert isinstance(person, int)
        if len(match.waiting) > 1:
            continue
        legal = " ".join(match.legal(person)).split()
        wrong = next(card for card in rules.cards if card not in legal)
        kinds = ["human" if seat == person else "normal" for seat in range(4)]
        texts = []
        for one in (match, permuted(match, person, rng)):
            path = home / "m.json"
            lastcard.save(rules.position(one.position(), 4, one.options), path, kinds)
            texts.append(run("play", "--resume", str(path), answers=f"{wrong}\nlog\nexit\n").out)
        assert "You cannot do that now" in texts[0]
        assert texts[0] == texts[1]
        compared += 1
