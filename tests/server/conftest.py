from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.deals import same_cards
from tests.server.client import Server

__all__ = ["same_cards"]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with room for all tests that need nothing special of it."""
    folder = tmp_path_factory.mktemp("server")
    limits = ("--tables-per-hour", "1000", "--requests-per-second", "1000")
    with Server(f"sqlite:///{folder / 'tables.db'}", *limits, "--log-level", "info") as one:
        yield one
