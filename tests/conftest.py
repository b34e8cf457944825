from __future__ import annotations

import os

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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Each process begins with a long test, if there is one: whoever begins one late is waited for.
    Processes get equal parts of the list."""
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    long = [item for item in items if item.get_closest_marker("long")]
    items[:] = [item for item in items if item not in long]
    part = (len(items) + len(long)) // processes
    for number, item in enumerate(long):
        items.insert(number % processes * part, item)


@pytest.fixture(params=games(), scope="session")
def any_game(request: pytest.FixtureRequest) -> Game:
    """Every registered game."""
    return game(request.param)


@pytest.fixture(scope="session")
def chiko() -> Game:
    return game("chiko")
