"""Golden playthroughs: whole matches, move by move: what changes, and a digest of every state.

Compiled or not, on any machine, the same text must come out. To write them anew after a change
that is meant: pytest tests/rules/test_playthroughs.py --write-playthroughs
"""

from __future__ import annotations

import hashlib
import random
from pathlib import Path
from typing import Any

import pytest

from lastcard.core.registry import game, games
from tests.helpers import choose

FOLDER = Path(__file__).parent.parent / "playthroughs"

EVERYTHING = (
    "out_of_turn",
    "blitz",
    "open",
    "faces",
    "apocalypse",
)  # that goes with phone, sausage

# Game, name, players, options.
CASES: list[tuple[str, str, int, dict[str, Any]]] = [
    ("chiko", "default", 3, {}),
    ("chiko", "target", 5, {"target": 120}),
    ("chiko", "opener", 2, {"opener": 1}),
    ("eight_half", "default", 3, {}),
    ("eight_half", "rounds", 5, {"rounds": 2}),
    ("eight_half", "opener", 2, {"opener": 1, "rounds": 1}),
    ("eight_half", "four", 4, {"rounds": 1}),
    ("sixth_sense", "default", 4, {}),
    ("sixth_sense", "beginner", 3, {"beginner": True, "target": 10}),
    ("sixth_sense", "late_trump", 5, {"late_trump": True}),
    ("sixth_sense", "target_of_1", 2, {"target": 1}),
    ("sixth_sense", "beginner_target", 6, {"beginner": True, "target": 12}),
    ("sixth_sense", "late_trump_target_soon", 3, {"late_trump": True, "target": 1}),
    ("sixth_sense", "opener", 2, {"opener": 1}),
    ("taki", "default", 4, {}),
    ("taki", "rounds", 10, {"rounds": 2}),
    ("taki", "must_play", 3, {"must_play": False, "rounds": 1}),
    ("taki", "crazy_all", 6, {"crazy_all": True, "rounds": 1}),
    ("taki", "announce", 5, {"announce": "auto", "rounds": 1}),
    ("taki", "opener", 2, {"opener": 1, "rounds": 1}),
    ("chichiko", "default", 4, {}),
    ("chichiko", "hand", 8, {"hand": 4, "rounds": 2, "opener": 5}),
    ("chichiko", "blitz", 3, {"blitz": True, "rounds": 2}),
    ("chichiko", "phone", 4, {"phone": True, "rounds": 2}),
    ("chichiko", "sausage", 4, {"sausage": True, "rounds": 2}),
    ("chichiko", "open", 2, {"open": True, "rounds": 2}),
    ("chichiko", "faces", 3, {"open": True, "faces": True, "rounds": 2}),
    ("chichiko", "apocalypse", 5, {"apocalypse": True, "rounds": 2}),
    ("chichiko", "out_of_turn", 3, {"out_of_turn": True, "rounds": 1}),
    ("chichiko", "blitz_phone", 6, {"blitz": True, "phone": True, "rounds": 1}),
    ("chichiko", "blitz_sausage", 2, {"blitz": True, "sausage": True, "rounds": 1}),
    (
        "chichiko",
        "everything_with_phone",
        7,
        {**dict.fromkeys(("phone", *EVERYTHING), True), "rounds": 1},
    ),
    (
        "chichiko",
        "everything_with_sausage",
        3,
        {**dict.fromkeys(("sausage", *EVERYTHING), True), "rounds": 1},
    ),
]


def text_of(id: str, name: str, players: int, options: dict[str, Any]) -> str:
    rng = random.Random(f"{id} {name}")
    match = game(id).match(players, rng.getrandbits(200), options)
    lines = [f"{id}, {players} players, options {options}, key {match.seed.hex()}"]
    shy = ("quit",) if "quit" in match.game.actions else ("draw",)
    told: dict[str, Any] = {}
    while True:
        position = match.position()
        lines += [f"  {key}: {value}" for key, value in position.items() if told.get(key) != value]
        told = position
        lines.append(f"  state: {hashlib.sha256(match.state).hexdigest()[:16]}")
        if match.over:
            break
        for seat in match.waiting:
            lines.append(f"  {seat} may: {', '.join(match.legal(seat))}")
        seat, action = choose(rng, match, shy)
        events = match.play(seat, action)
        lines += ["", f"{len(match.moves)}. {seat}: {action}"]
        lines += [f"  spectator: {line}" for line in match.lines(events, None)]
        lines += [f"  seat 0: {line}" for line in match.lines(events, 0)]
    lines.append(f"winners {match.winners}, scores {match.scores}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[1]}")
def test_playthrough(
    case: tuple[str, str, int, dict[str, Any]], request: pytest.FixtureRequest
) -> None:
    id, name, *_ = case
    path = FOLDER / id / f"{name}.txt"
    text = text_of(*case)
    if request.config.getoption("--write-playthroughs"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    assert text.splitlines() == path.read_text().splitlines()


def test_every_game_has_a_playthrough() -> None:
    assert {case[0] for case in CASES} == set(games())
