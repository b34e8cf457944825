"""Bots on the device that search think in workers, as the page's files bring them."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.device import open_here
from tests.browser.harness import SHORT, Table, Visitor


def test_a_hint_comes_from_a_thinker(visitor: Visitor) -> None:
    page = visitor.open()
    options = {**SHORT["chiko"], "opener": 0}
    [seat] = open_here(page, "chiko", 2, bots=["master"], options=options)
    visitor.go(seat.path)
    table = Table(visitor)
    table.turn()
    page.get_by_role("button", name="Hint").click()
    expect(page.get_by_role("status").filter(has_text="Hint: ")).to_be_visible()
    expect(page.locator(".hinted")).not_to_have_count(0)
