from __future__ import annotations

import pytest

from lastcard.core.game import Game
from lastcard.core.registry import game


@pytest.fixture(scope="session")
def taki() -> Game:
    return game("taki")
