"""All scenarios, in tests/games/<id>/scenarios."""

from __future__ import annotations

import pytest

from lastcard.core.registry import game, games
from lastcard.core.scenarios import Document, documents
from tests.games.plans import FOLDER, IDS

SCENARIOS = [
    pytest.param(id, document, id=f"{id}/{path.stem}/{number} {document.title}")
    for id in IDS
    for path in sorted((FOLDER / id / "scenarios").glob("*.yaml"))
    for number, document in enumerate(documents(path), 1)
]


@pytest.mark.parametrize(("id", "document"), SCENARIOS)
def test_scenario(id: str, document: Document) -> None:
    assert document.check() > 0
    content = document.read()
    assert content["game"] == id
    assert content["title"] == document.title
    for step in content.get("steps", []):
        if "illegal" in step:  # a misspelt action would be refused as well
            assert isinstance(step["illegal"], str)
            game(id).parse_action(step["illegal"])


def test_every_game_has_scenarios() -> None:
    ids = [scenario.values[0] for scenario in SCENARIOS]
    assert all(ids.count(id) >= 30 for id in games())
