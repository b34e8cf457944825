"""The page opens in the operator's browser."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

import pytest

from lastcard.server import browser
from tests.server.client import READY, Server


def test_the_page_is_opened_once_the_server_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, program = tmp_path / "asked", tmp_path / "program"
    program.write_text(f'#!/bin/sh\necho "$1" > {asked}.part && mv {asked}.part {asked}\n')
    program.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(program))
    with Server(f"sqlite:///{tmp_path / 'tables.db'}", "--open") as server:
        until = time.monotonic() + READY
        while not asked.exists() and time.monotonic() < until:
            time.sleep(0.05)
        assert asked.read_text().strip() == server.url
        first, second = server.log.splitlines()[:2]
        assert first == f"Last Card is at {server.url}"
        assert second.endswith("lastcard serve --host 0.0.0.0")


def test_without_a_browser_nothing_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in browser.SCREENS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    before = threading.active_count()
    browser.open_soon("http://127.0.0.1:1")
    assert threading.active_count() == before
    # One that is not there fails for itself.
    monkeypatch.setenv("BROWSER", "/no/such/browser")
    monkeypatch.setattr(browser, "_answers", lambda url: True)
    browser._open("http://127.0.0.1:1")
