"""Other rulings, run as plain Python: compiling each would take longer than these tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lastcard.sim import rulings


@pytest.fixture
def plainly(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    rulings.ruled.cache_clear()
    monkeypatch.setattr(rulings, "has_numba", lambda: False)
    yield
    rulings.ruled.cache_clear()
