"""The first page, by what people see and click there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.harness import GAMES, PHONE, Visitor

TITLES = {
    "chiko": "Chiko",
    "eight_half": "Eight and a Half",
    "sixth_sense": "Sixth Sense",
    "taki": "TAKI",
    "chichiko": "Chi-Chi-Ko",
}
Visit = Callable[..., Visitor]


def test_every_link_leads_somewhere_and_back(visitor: Visitor) -> None:
    page = visitor.open()
    title = page.get_by_role("heading", level=1)
    for game in GAMES:
        name = TITLES[game]
        for link in ("New table", "Rules"):
            page.get_by_role("link", name=f"{link}: {name}", exact=True).click()
            expect(title).to_contain_text(name)
            page.go_back()
            expect(title).to_have_text("Last Card")
    page.get_by_role("link", name="Settings").click()
    expect(title).to_have_text("Settings")
    page.get_by_role("link", name="Back").click()
    expect(title).to_have_text("Last Card")


@pytest.mark.parametrize("where", ["the button", "the picture"])
def test_a_tap_on_a_tile_begins_a_match(visit: Visit, where: str) -> None:
    page = visit(viewport=PHONE, has_touch=True, is_mobile=True).open()
    tile = page.get_by_role("article").filter(has_text="Sixth Sense")
    if where == "the button":
        tile.get_by_role("button", name="Play now: Sixth Sense").tap()
    else:
        tile.locator("svg").first.tap()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Sixth Sense")
    expect(page.get_by_role("button", name="Menu")).to_be_visible()
