"""TAKI in the terminal: card names as people type them, actions out of turn."""

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


def saved(home: Path, position: dict[str, Any], seats: list[str] = PLAYERS) -> Path:
    path = home / "m.json"
    lastcard.save(lastcard.game("taki").position(position), path, seats)
    return path


HAND = {
    "turn": 0,
    "top": "r7",
    "hands": ["r5 g7 cc cz ys b1", "y1 y3 y4 y5", "b3 b4 b5 b6"],
    "stock": "y6 y8 y9 b8 b9",
}


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("e", "play r5"),
        ("play r5", "play r5"),
        ("r5", "play r5"),
        ("Red 5", "play r5"),
        ("play red-5", "play r5"),
        ("g 7", "play g7"),
        ("green7", "play g7"),
        ("cc>g", "play cc>g"),
        ("cc green", "play cc>g"),
        ("change colour green", "play cc>g"),
        ("crazy clockwise", "play cz>cw"),
        ("cz ccw", "play cz>ccw"),
        ("crazy cou", "play cz>ccw"),
    ],
)
def test_names_as_people_type_them(run: Runner, home: Path, typed: str, action: str) -> None:
    path = saved(home, HAND)
    run("play", "--resume", str(path), answers=f"{typed}\n")
    assert lastcard.load(path).moves[0] == (0, action)


def test_names_that_mean_nothing_or_several(run: Runner, home: Path) -> None:
    path = saved(home, HAND)
    out = " ".join(run("play", "--resume", str(path), answers="cc\nb1\nr\ncall\n").out.split())
    assert "Which one? play change-colour-red, play change-colour-yellow" in out
    assert "You cannot do that now: b1. You can: play red-5, play green-7" in out
    assert "You cannot do that now: r." in out
    assert "You cannot do that now: call." in out
    assert lastcard.load(path).moves == []


@pytest.mark.parametrize(("answer", "size"), [("call", 1), ("", 5)])
def test_a_person_may_call_before_others_act(
    run: Runner, home: Path, answer: str, size: int
) -> None:
    path = saved(home, {**HAND, "hands": ["r5 b1", "y1 y3 y4", "b3 b4 b6"]})
    out = run("play", "--resume", str(path), answers=f"r5\n{answer}\n").out
    assert "e call" in out
    assert "do nothing" in out
    match = lastcard.load(path)
    assert match.view(0)["hands"][0]["size"] == size
    assert ((0, "call") in match.moves) == (size == 1)
    assert ("You have not called, and pay." in out) == (size == 5)


def test_bots_call_in_time(run: Runner, home: Path) -> None:
    """Also a bot that breaks a +3 and is left with one card, out of turn."""
    hands = ["r+ r3 r9 r8", "g+ g3 b1", "y1 y4"]
    path = saved(home, {"turn": 0, "top": "r7", "hands": hands})
    run("play", "--resume", str(path), answers="r+\nr3\n")
    moves = lastcard.load(path).moves
    assert moves[2:4] == [(1, "break g"), (1, "call")]


def test_who_you_are_in_a_replay(run: Runner, home: Path) -> None:
    game = lastcard.game("taki")
    match = game.match(3, 5, {"rounds": 1, "announce": "auto", "opener": 0})
    rng = random.Random(5)
    while not match.over:
        seat = match.waiting[0]
        match.play(seat, rng.choice(match.legal(seat)))
    path = home / "m.json"
    lastcard.save(match, path, PLAYERS)
    for seat in (0, 1):
        out = run("replay", str(path), "--seat", str(seat)).out
        assert "You plays" not in out
        assert "You draws" not in out
        assert "You play" in out
        assert ("Player 1" in out) == (seat == 1)


def test_what_is_printed_keeps_the_secrets(run: Runner, home: Path) -> None:
    """Two matches that differ only in what seat 0 cannot see show exactly the same bytes."""
    game = lastcard.game("taki")
    position = {
        "turn": 1,
        "top": "r7",
        "hands": ["g1 r4 b1", "r3 b3 y9", "g4 g6 y5"],
        "memory": ["", "b3@0", "g4@1 g6@01"],
    }
    one = game.position(position, seed=1)
    two = permuted(one, 0, random.Random(3))
    assert one.state != two.state
    shown = []
    for match in (one, two):
        start = game.position(match.position(), seed=match.seed, options={"must_play": False})
        for seat, action in ((1, "draw"), (2, "draw"), (0, "play r4"), (1, "draw"), (2, "draw")):
            start.play(seat, action)
        path = home / "m.json"
        lastcard.save(start, path, PLAYERS)
        shown.append(run("replay", str(path)).out + run("play", "--resume", str(path)).out)
    assert "draws a card" in shown[0]
    assert "and  blue-3" in shown[0]
    assert shown[0] == shown[1]
