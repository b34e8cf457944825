"""A hint, by what is to be seen of it."""

from __future__ import annotations

import threading

import pytest
from playwright.sync_api import expect

import lastcard
from lastcard.bots.search import loading
from tests.browser.harness import Site, Visitor


def test_the_first_one_takes_a_moment_and_is_about_what_is_there(
    visitor: Visitor, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    coming = loading(lastcard.game("chiko"))
    coming.wait()
    compiled = threading.Event()
    thread = threading.Thread(target=compiled.wait, args=(60,))
    thread.start()
    monkeypatch.setattr(coming, "thread", thread)
    table = visitor.sit(site.table("chiko", options={"opener": 0}))
    table.turn()
    page = table.page
    page.get_by_role("button", name="Hint").click()
    status = page.get_by_role("status").filter(has_text="first hint")
    expect(status).to_be_visible()
    compiled.set()
    expect(page.get_by_role("status").filter(has_text="Hint: ")).to_be_visible()
    expect(page.locator(".hinted")).not_to_have_count(0)
