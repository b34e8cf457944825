"""Hints on the command line."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

import lastcard
from lastcard import bots
from lastcard.bots.learned import opinions_of
from lastcard.bots.levels import SEARCHING
from tests.cli.runner import Runner
from tests.helpers import permuted, played


def test_a_hint_while_playing(run: Runner) -> None:
    result = run("play", "chiko", "-o", "opener=0", "--seed", "3", answers="hint\nexit\n")
    assert "chance to win" in result.out
    assert re.search(r"\d+\.\d % ± \d", result.out)


def test_what_the_network_thinks(run: Runner, home: Path) -> None:
    """Beside what search finds, for the same action."""
    path = home / "m.json"
    match = lastcard.game("chiko").match(3, 1, {"opener": 0})
    lastcard.save(match, path, ["human", "normal", "normal"])
    head, *rows = run("hint", str(path), "--think", "500", "--seed", "1").out.splitlines()[-8:]
    while "self-taught bot" not in head:
        head, *rows = rows
    for action, liking in opinions_of(match.game, match, 0).items():
        name = match.game.say(match.game.actions[action])
        (row,) = [row for row in rows if row.strip().startswith(name)]
        assert row.split()[-2:] == [f"{100 * liking:.0f}", "%"]


def test_hint(run: Runner, home: Path) -> None:
    path = home / "m.json"
    match = lastcard.game("chiko").match(3, 1, {"opener": 0})
    lastcard.save(match, path, ["human", "normal", "normal"])
    first = run("hint", str(path), "--think", "500", "--seed", "1")
    assert first.code == 0
    for action in match.legal(0):
        assert match.game.say(action) in first.out
    assert run("hint", str(path), "--think", "500", "--seed", "1").out == first.out
    assert run("hint", str(path), "--think", "20ms", "--seat", "0").code == 0


def test_a_hint_for_a_position(run: Runner, home: Path) -> None:
    path = home / "p.yaml"
    path.write_text(
        "game: chiko\nposition: {turn: 1, top: 3, hands: [1 1 c, 4], scores: [49, 0]}\n"
    )
    out = run("hint", str(path), "--think", "300").out
    best = next(line for line in out.splitlines() if "%" in line)
    assert best.split()[:4] == ["play", "4", "100.0", "%"]


def test_a_hint_tells_nothing_that_is_hidden(run: Runner, home: Path) -> None:
    """With other cards where the seat cannot see them: the same, letter by letter."""
    rng = random.Random(4)
    different = 0
    for seed in range(5):
        match = lastcard.game("chiko").match(3, seed)
        seat = match.waiting[0]
        assert isinstance(seat, int)
        said = set()
        for number in range(3):
            other = permuted(match, seat, rng) if number else match
            path = home / "p.yaml"
            position = other.position()
            path.write_text(json.dumps({"game": "chiko", "players": 3, "position": position}))
            different += position != match.position()
            said.add(run("hint", str(path), "--think", "200", "--seed", "1").out)
        assert len(said) == 1
    assert different > 5


def test_a_hint_by_a_tree_says_what_its_chances_are(
    run: Runner, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a game has no network."""
    monkeypatch.setattr(bots, "levels_of", lambda game: SEARCHING)
    path = home / "m.json"
    lastcard.save(lastcard.game("eight_half").match(2, 1), path)
    out = run("hint", str(path), "--think", "200").out
    assert "too high, but comparable with each other" in out


def test_a_hint_that_cannot_be_given(run: Runner, home: Path) -> None:
    path = home / "m.json"
    match = lastcard.game("chiko").match(3, 1, {"opener": 1})
    lastcard.save(match, path, ["human", "normal", "normal"])
    for arguments, says in (
        ((), "seat: no person can act now."),
        (("--seat", "1"), "seat: the match is still running, and seat 1 is a bot."),
        (("--seat", "0"), "seat: seat 0 cannot act now."),
        (("--seat", "7"), "seat: must be from 0 to 2, not 7."),
        (("--think", "soon"), "budget: is written 50ms"),
    ):
        result = run("hint", str(path), *arguments)
        assert result.code == 2
        assert says in result.err
    lastcard.save(played(10_000), path)
    assert "it is over" in run("hint", str(path)).err
    (home / "bad.yaml").write_text("game: chiko\nposition: {turn: 9}\n")
    assert "bad.yaml: " in run("hint", str(home / "bad.yaml")).err
    assert run("hint", str(home / "none.json")).code == 2
