"""Logs do not fill the disk."""

from __future__ import annotations

import logging
from pathlib import Path

from lastcard.server.logs import LINES_AT_ONCE, Thrift
from tests.server.client import Server
from tests.server.wire import Raw


def test_lines_of_one_kind_are_written_now_and_then() -> None:
    now = 0.0
    thrift = Thrift(lambda: now)

    def lines(count: int, text: str, level: int = logging.WARNING) -> list[logging.LogRecord]:
        made = [logging.LogRecord("a", level, "", 0, text, (), None) for _ in range(count)]
        return [one for one in made if thrift.filter(one)]

    assert len(lines(1000, "garbage")) == LINES_AT_ONCE
    assert len(lines(1, "something else")) == 1
    assert len(lines(100, "told", logging.INFO)) == 100
    now = 60.0
    (first, *others) = lines(1000, "garbage")
    assert len(others) < LINES_AT_ONCE
    assert first.facts == {"left_out": 1000 - LINES_AT_ONCE}  # type: ignore[attr-defined]


def test_garbage_does_not_fill_the_log(tmp_path: Path) -> None:
    with Server(f"sqlite:///{tmp_path / 'tables.db'}") as server:
        for _ in range(2 * LINES_AT_ONCE):
            with Raw(server.url) as raw:
                raw.send(b"\x16\x03\x01 no HTTP\r\n\r\n")
                raw.rest()
        told = server.log.count("Invalid HTTP request")
    assert 1 <= told <= LINES_AT_ONCE + 5
