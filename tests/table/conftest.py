from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deals import same_cards
from tests.postgres import postgres

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
