"""All scenarios, in tests/scenarios/<game>/."""

from __future__ import annotations

from pathlib import Path

import pytest

from lastcard.core import scenarios
from lastcard.core.registry import game, games

FOLDER = Path(__file__).parent.parent / "scenarios"
FILES = sorted(FOLDER.rglob("*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_scenario(path: Path) -> None:
    assert scenarios.check(path) > 0
    content = scenarios.read(path)
    assert content["game"] == path.parent.name
    assert content["title"]
    for step in content.get("steps", []):
        if "illegal" in step:  # a misspelt action would be refused as well
            assert isinstance(step["illegal"], str)
            game(content["game"]).parse_action(step["illegal"])


def test_every_game_has_scenarios() -> None:
    for id in games():
        assert len([path for path in FILES if path.parent.name == id]) >= 30
