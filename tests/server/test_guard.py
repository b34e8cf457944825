"""Requests are limited before they are answered."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.server.client import fetch
from tests.server.wire import Raw, served


def test_who_asks_too_much_has_to_come_again(tmp_path: Path) -> None:
    with served(tmp_path, requests_per_second=0.01) as url, Raw(url) as raw:
        raw.send(f"GET /api/games HTTP/1.1\r\nHost: {urlsplit(url).netloc}\r\n\r\n".encode())
        answer = raw.rest()
        assert b" 429 " in answer and b"connection: close" in answer


@pytest.mark.parametrize("path", ["/metrics", "/ready", "/live"])
def test_what_is_for_operators_is_bounded_too(tmp_path: Path, path: str) -> None:
    with served(tmp_path, requests_per_second=0.4) as url:
        statuses = [fetch("GET", url + path)[0] for _ in range(4)]
    assert 429 not in statuses[:2] and statuses[2:] == [429, 429]
