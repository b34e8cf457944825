"""Golden playthroughs: whole matches, move by move, with what changes and a digest of each state.

The text must be the same compiled or not, on any machine. To write it again after a change that
is meant: pytest tests/games/test_playthroughs.py --write-playthroughs
"""

from __future__ import annotations

import hashlib
import random
from typing import Any

import pytest

from lastcard.core.registry import game, games
from tests.games.plans import FOLDER, IDS, plan_of
from tests.helpers import choose


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


def cases() -> list[tuple[str, str]]:
    return [(id, name) for id in IDS if (plan := plan_of(id)) for name in plan.playthroughs]


@pytest.mark.parametrize(("id", "name"), cases())
def test_playthrough(id: str, name: str, request: pytest.FixtureRequest) -> None:
    plan = plan_of(id)
    assert plan
    text = text_of(id, name, *plan.playthroughs[name])
    path = FOLDER / id / "playthroughs" / f"{name}.txt"
    if request.config.getoption("--write-playthroughs"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    assert text.splitlines() == path.read_text().splitlines()


def test_every_game_has_a_playthrough() -> None:
    assert {id for id, _ in cases()} == set(games())
