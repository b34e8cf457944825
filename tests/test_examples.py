"""What stands in examples/ works, in every game."""

from __future__ import annotations

from pathlib import Path

import pytest

from lastcard.core.game import Game
from lastcard.sim import arena

EXAMPLE = Path(__file__).parent.parent / "examples" / "first_bot.py"


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
