from __future__ import annotations

import os
import shutil
import tempfile

import pytest
from hypothesis import HealthCheck, settings

from lastcard.core.game import Game
from lastcard.core.registry import game, games
from tests.helpers import WAY  # with the JIT, before any test imports a rule that it replaces

__all__ = ["WAY"]

# A busy machine is no reason to fail, nor is luck: the examples are the same every time.
settings.register_profile(
    "here", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("here")

MEMORY = "/dev/shm"
ROOM = 2 << 30  # bytes; tests take a tenth of that


def keep_files_in_memory() -> None:
    """For a commit a disk takes milliseconds in which nothing happens, and there are many. Not if
    somebody has chosen a folder, or memory is short: containers often have little of it."""
    if "TMPDIR" not in os.environ and os.access(MEMORY, os.W_OK | os.X_OK):
        if shutil.disk_usage(MEMORY).free > ROOM:
            os.environ["TMPDIR"] = tempfile.tempdir = MEMORY


keep_files_in_memory()


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
