"""Eight and a Half in the terminal: what the pot asks for, and where everybody plays from."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path
from typing import Any

import pexpect
import pytest

import lastcard
from tests.cli.runner import Runner, home, run
from tests.helpers import permuted

__all__ = ["home", "run"]  # fixtures

PLAYERS = ["human", "normal", "normal"]
TABLE: dict[str, Any] = {
    "turn": 0,
    "pot": "3 h",
    "turns": 9,
    "hands": ["4 8 h", "1 6 6", "2 7 7"],
    "banks": ["5 5", "9 9", "0 0"],
    "open": ["g 1 2", "9 0 0", "3 3 g"],
    "blind": ["6 6 6", "7 7 7", "8 8 8"],
    "burned": ["", "5 5 5", ""],
}


def saved(home: Path, change: dict[str, Any], seats: list[str] = PLAYERS) -> Path:
    path = home / "m.json"
    lastcard.save(lastcard.game("eight_half").position(TABLE | change), path, seats)
    return path


def shown(run: Runner, home: Path, change: dict[str, Any], answers: str = "") -> str:
    out = run("play", "--resume", str(saved(home, change)), answers=answers).out
    return " ".join(out.split())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({}, ["The pot stands at 3½ 3 ½", "Boris can be caught with a 4."]),
        ({}, ["Legal on it: 4, 5, 6, 7, 8, 9, half, ghost, 8-and-half."]),
        ({"pot": "h"}, ["The pot stands at ½", "Boris can be caught with a 1."]),
        ({"pot": "4 h h"}, ["The pot stands at 5", "Go down: a number of 5 or lower, or a joker."]),
        ({"pot": "4 h h"}, ["Legal on it: 0, 1, 2, 3, 4, 5, half, ghost."]),
        ({"pot": "9 h"}, ["The pot stands at 9½", "Legal on it: half, ghost."]),
        ({"pot": "9 h h h"}, ["The pot stands at 10½", "Legal on it: half, ghost."]),
        ({"pot": "9 h h"}, ["The pot stands at 10 9 ½ ½", "Legal on it: 0, half, ghost."]),
        ({"pot": "0 1 2 3 4 4 h h 7 8 9 9 9"}, ["13 cards ... 1 2 3 4 4 ½ ½ 7 8 9 9 9"]),
        ({"pot": ""}, ["The pot is empty.", "Any card opens it."]),
        ({"pot": "", "turns": 0}, ["The lowest yellow card in any hand opens the first pot."]),
        ({"pot": "9", "hands": ["4 8", "1", "2"]}, ["You have no legal card, so you must eat"]),
        (
            {"pot": "", "turns": 0, "round": 2, "swap": [0, 2]},
            [
                "You may swap an open card with Boris, the big loser.",
                "a swap ghost for 3 b swap ghost for 3 c swap ghost for ghost d swap 1 for 3",
                "keep",
            ],
        ),
    ],
)
def test_what_the_pot_asks_for(
    run: Runner, home: Path, change: dict[str, Any], words: list[str]
) -> None:
    out = shown(run, home, change)
    for one in words:
        assert one in out


def test_the_places_of_every_player(run: Runner, home: Path) -> None:
    change = {"hands": ["4 8 h", "", "2 7"], "banks": ["5 5", "", ""], "table": [2]}
    out = run("play", "--resume", str(saved(home, change))).out
    rows = {line.split()[0]: " ".join(line.split()) for line in out.splitlines() if "?" in line}
    # Hand, open, blind, bank, burned, score, remarks.
    assert rows[">"] == "> You 4 8 ½ ghost 1 2 ? ? ? 2 0 0"
    assert rows["Ada"] == "Ada 9 0 0 ? ? ? 0 3 0"
    assert "Ada: plays the open cards." in out
    # Everybody knows the hand of one who has played from the table.
    assert rows["Boris"] == "Boris 2 7 3 3 ghost ? ? ? 0 0 0"
    assert "Boris: eats into the hand." in out


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("4", "play 4"),
        ("a", "play 4"),
        ("8", "play 8"),
        ("half", "play h"),
        ("h", "play h"),
        ("play 8h", "play 8h"),
        ("8 and half", "play 8h"),
        ("8½", "play 8h"),
        ("8.5", "play 8h"),
        ("8 and a half", "play 8h"),
        ("half 8", "play 8h"),
        ("½", "play h"),
        ("d", "play 8h"),
    ],
)
def test_names_as_people_type_them(run: Runner, home: Path, typed: str, action: str) -> None:
    path = saved(home, {})
    run("play", "--resume", str(path), answers=f"{typed}\n")
    assert lastcard.load(path).moves[0] == (0, action)


def test_a_number_is_a_card_and_not_a_place_in_the_menu(run: Runner, home: Path) -> None:
    """Card names are numbers here, so the menu has letters, except those of half and ghost."""
    path = saved(home, {})
    out = " ".join(run("play", "--resume", str(path), answers="2\ng\ne\n").out.split())
    assert "a play 4 b play 8 c play half d play 8-and-half" in out
    can = "You can: play 4, play 8, play half, play 8-and-half."
    legal = "legal on it are 4, 5, 6, 7, 8, 9, half, ghost, 8-and-half."
    assert f"You cannot do that now: 2. The pot stands at 3½: {legal} {can}" in out
    assert f"You cannot do that now: g. You have no ghost in your hand. {can}" in out
    assert f"You cannot do that now: e. {can}" in out
    assert lastcard.load(path).moves == []


@pytest.mark.parametrize(
    ("change", "typed", "why"),
    [
        ({"pot": "8 h"}, "half", "The pot stands at 8½: legal on it are 9, ghost, 8-and-half."),
        ({"pot": "8 h", "hands": ["9 8 1", "1", "2"]}, "8½", "You have no 8-and-half in your hand"),
        ({"pot": "", "turns": 0}, "8", "Only the lowest yellow card opens the first pot."),
        ({"hands": ["", "1", "2"], "banks": [""] * 3}, "9", "You have no 9 open."),
        (
            {"hands": ["", "1", "2"], "banks": [""] * 3, "open": ["-"] * 3},
            "9",
            "You can only flip a blind card.",
        ),
        ({"pot": "", "turns": 0, "swap": [0, 1]}, "9", "9. You can: swap ghost for 9"),
    ],
)
def test_why_a_card_is_not_possible(
    run: Runner, home: Path, change: dict[str, Any], typed: str, why: str
) -> None:
    assert why in shown(run, home, change, f"{typed}\n")


def test_many_identical_cards(run: Runner, home: Path) -> None:
    hands = ["h h h h h h h g g g g g g g g 0 0 0 0 0 0 1 1 1 1 9 9 9 9 9 9", "6 6", "7 7"]
    change = {
        "pot": "",
        "turns": 9,
        "hands": hands,
        "banks": ["", "", ""],
        "open": ["2 - -"] * 3,
        "burned": ["", "", ""],
        "table": [0],
    }
    path = saved(home, change)
    out = " ".join(run("play", "--resume", str(path), answers="am\n").out.split())
    assert "play half-x7" in out
    assert "al play ghost-x3 am play ghost-x4" in out
    assert lastcard.load(path).moves[0] == (0, "play gx4")


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        *[(way, "play 7x2") for way in ("7x2", "7 7", "77", "two 7s", "2x7", "play 7 7")],
        *[(way, "play hx2") for way in ("half half", "hh", "two halves", "½½", "half x2")],
        *[(way, "play 0") for way in ("0", "zero")],
        *[(way, "play g") for way in ("g", "ghost", "gho")],
    ],
)
def test_several_cards_as_people_type_them(
    run: Runner, home: Path, typed: str, action: str
) -> None:
    change = {"pot": "6", "hands": ["7 7 h h 0 g", "1", "2"], "blind": ["6 6 6", "-", "8 8 8"]}
    path = saved(home, change)
    run("play", "--resume", str(path), answers=f"{typed}\n")
    assert lastcard.load(path).moves[0] == (0, action)


@pytest.mark.parametrize("typed", ["e", "eat", "a", "eat the pot"])
def test_the_only_action(run: Runner, home: Path, typed: str) -> None:
    path = saved(home, {"pot": "9", "hands": ["4 8", "1", "2"]})
    run("play", "--resume", str(path), answers=f"{typed}\n")
    assert lastcard.load(path).moves[0] == (0, "eat")


@pytest.mark.parametrize("typed", ["1 for 9", "swap 1 for 9", "swap 1 0"])
def test_an_exchange_is_told_by_cards(run: Runner, home: Path, typed: str) -> None:
    path = saved(home, {"pot": "", "turns": 0, "round": 2, "swap": [0, 1]})
    out = " ".join(run("play", "--resume", str(path), answers=f"{typed}\n").out.split())
    assert lastcard.load(path).moves[0] == (0, "swap 1 0")
    assert "You give your open 1 for 9. Ada, the big loser, gets 1 for 9." in out


def test_the_end_of_a_round_is_told(run: Runner, home: Path) -> None:
    change = {"pot": "6", "hands": ["7", "1 1", "2"], "banks": [""] * 3, "open": ["-"] * 3}
    out = shown(run, home, {**change, "blind": ["-"] * 3}, "7\n")
    assert (
        "You play 7: the pot stands at 7. You have no card left and win the round: 2 points. "
        "The lowest count is 0: 1 point. You: a count of 0, 3 this round, 3 in all. "
        "Ada: a count of 5, 0 this round, 0 in all. Boris: a count of 1, 0 this round, 0 in all. "
        "Ada is the big loser. Round 2 is dealt."
    ) in out


def test_what_happens_is_told(run: Runner, home: Path) -> None:
    out = shown(run, home, {}, "4\n")
    assert "You play 4: the pot stands at 4. Boris is caught!" in out
    assert "Boris eats the pot: 3 cards burned, 3 half 4. You fill up with 5." in out
    assert "Ada fills up" not in out
    out = shown(run, home, {"table": [2], "banks": ["5 5", "9 9", ""]}, "4\n")
    assert "Boris eats the pot: 3 half 4 into the hand." in out


def test_what_is_printed_keeps_the_secrets(run: Runner, home: Path) -> None:
    """Two matches that differ only in what seat 0 cannot see show exactly the same bytes."""
    game = lastcard.game("eight_half")
    # Only halves and ghosts are legal, and all of these lie open: seat 2 eats, whatever it has.
    one = game.position({**TABLE, "pot": "9 h h h", "turn": 2, "memory": ["", "0", "3"]}, seed=1)
    two = permuted(one, 0, random.Random(3))
    assert one.position()["hands"][1] != two.position()["hands"][1]
    texts = []
    for match in (one, two):
        start = game.position(match.position(), seed=match.seed)
        start.play(2, "eat")
        path = home / "m.json"
        lastcard.save(start, path, PLAYERS)
        texts.append(run("replay", str(path)).out + run("play", "--resume", str(path)).out)
    assert "Boris eats the pot: 4 cards burned, 9 half half half." in texts[0]
    assert "3 cards" in texts[0]
    assert texts[0] == texts[1]


def test_nobody_sees_a_hand_while_all_are_looking(home: Path) -> None:
    """The winner who acts first in the next round is asked to be alone first; exit leaves."""
    change = {"pot": "6", "hands": ["7", "1 1", "2"], "banks": [""] * 3, "open": ["-"] * 3}
    path = saved(home, {**change, "blind": ["-"] * 3}, ["human", "human", "normal"])
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "120", "XDG_DATA_HOME": str(home / "data")}
    command = ["-m", "lastcard.cli", "play", "--resume", str(path)]
    child = pexpect.spawn(sys.executable, command, env=env, encoding="utf-8", timeout=60)
    child.setecho(False)
    child.expect(r"Press Enter when only you are looking\.")
    child.sendline("")
    child.expect("Player 1 >")
    child.sendline("7")
    child.expect(r"Press Enter for the next round\.")
    child.sendline("")
    found = child.expect([r"Player 1, it is your turn\.", "Player 1 >"])
    assert found == 0
    child.expect(r"Press Enter when only you are looking\.")
    child.sendline("exit")
    found = child.expect([r"Saved\. To continue", "Player 1 >"])
    assert found == 0
    child.expect(pexpect.EOF)
