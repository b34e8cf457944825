"""Who may come in."""

from __future__ import annotations

import pytest

from lastcard.server.doors import Doors
from lastcard.server.limits import Limits


def test_who_may_come_in(caplog: pytest.LogCaptureFixture) -> None:
    bounds = Limits(raw_per_address=2, arrivals_per_second=1e-9, raw_connections=6)
    doors = Doors(bounds, proxies={"p"})
    assert [doors.enter("a", "a") for _ in range(3)] == [True, True, False]
    doors.leave("a")
    assert not doors.enter("a", "a")  # it came too often
    assert all(doors.enter("p", "p") for _ in range(4))  # a proxy comes for many
    assert doors.enter("b", "b")
    assert "no room" not in caplog.text
    assert not doors.enter("p", "p") and not doors.enter("c", "c")
    assert "no room for more connections" in caplog.text
    assert doors.refused == 4
    doors.leave("b")
    assert doors.enter("c", "c")
