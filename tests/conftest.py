from __future__ import annotations

import pytest

from lastcard.core.game import Game
from lastcard.core.registry import game, games
from tests.helpers import WAY  # with the JIT, before any test imports a rule that it replaces

__all__ = ["WAY"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--write-playthroughs",
        action="store_true",
        help="write the playthroughs again instead of comparing with them",
    )


@pytest.fixture(params=games(), scope="session")
def any_game(request: pytest.FixtureRequest) -> Game:
    """Every registered game."""
    return game(request.param)


@pytest.fixture(scope="session")
def chiko() -> Game:
    return game("chiko")
