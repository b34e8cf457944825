"""The crash storm, short; `python -m tests.server.crash` is the long one."""

from __future__ import annotations

import pytest

from tests.server.crash import database, storm


@pytest.mark.parametrize(("kind", "kills"), [("sqlite", 2), ("postgresql", 2)])
def test_nothing_acknowledged_is_lost(kind: str, kills: int) -> None:
    with database(kind) as url:
        report = storm(url, kills=kills, tables=5, seed=1)
    assert report.kills == kills
    assert not report.lost and not report.twice
    assert report.acknowledged >= 5 * 10
