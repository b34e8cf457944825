from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import pytest

from tests.deals import same_cards
from tests.postgres import postgres
from tests.table.earlier import path_of, run

__all__ = ["same_cards"]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'folder' / 'tables.db'}"
    url: str = request.getfixturevalue("server")
    return url


@pytest.fixture
def empty(database: str, request: pytest.FixtureRequest) -> str:
    """The address of a database with nothing in it."""
    if database.startswith("sqlite"):
        path_of(database).parent.mkdir()
        return database
    name = f"empty_{crc32(request.node.nodeid.encode())}"
    run(database, f"CREATE DATABASE {name}")
    return f"{database.rpartition('/')[0]}/{name}"
