"""The first page, by what people see and click there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.device import setup_here
from tests.browser.harness import GAMES, PHONE, Visitor
from tests.browser.test_connection import said
from tests.games.faces import face_plan

Visit = Callable[..., Visitor]


def test_every_link_leads_somewhere_and_back(visitor: Visitor) -> None:
    page = visitor.open()
    title = page.get_by_role("heading", level=1)
    for game in GAMES:
        name = face_plan(game).title
        for link in ("Play with friends", "Rules"):
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


def test_how_many_bots_and_how_good_with_one_tap_each(visit: Visit) -> None:
    visitor = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    page = visitor.open()
    now = page.get_by_role("button", name="Play now: TAKI")
    expect(now).to_have_accessible_description("against 2 bots, level: normal")
    tile = page.get_by_role("article").filter(has_text="TAKI")
    expect(tile).to_contain_text("about 10 minutes")
    page.get_by_role("radio", name="1", exact=True).tap()
    expect(now).to_have_accessible_description("against 1 bot, level: normal")
    page.get_by_role("radio", name="easy").tap()
    expect(now).to_have_accessible_description("against 1 bot, level: easy")
    expect(page.get_by_role("status").filter(has_text="Easy bots")).to_be_visible()
    page.reload()  # the device remembers it
    expect(now).to_have_accessible_description("against 1 bot, level: easy")
    expect(page.get_by_role("radio", name="easy")).to_be_checked()
    now.tap()
    expect(page.get_by_role("heading", level=1)).to_contain_text("TAKI")
    setup = setup_here(page, visitor.seats[0].table)
    assert (setup["players"], setup["bots"]) == (2, ["easy"])


def test_a_level_that_is_not_offered_any_more_is_the_usual_one(visitor: Visitor) -> None:
    page = visitor.open()
    visitor.remember(level="learned")
    page.reload()
    expect(page.get_by_role("radio", name="normal")).to_be_checked()
    expect(page.get_by_role("status").filter(has_text="Normal bots")).to_be_visible()
    page.get_by_role("link", name="Play with friends: Chiko").click()
    page.get_by_role("radio", name="Bots").check()
    expect(page.get_by_role("radio", name="normal")).to_be_checked()
    page.get_by_role("button", name="Create table").click()
    expect(page.locator(".board")).to_be_visible()
    assert set(setup_here(page, visitor.seats[0].table)["bots"]) == {"normal"}


def test_with_friends_means_friends(visitor: Visitor) -> None:
    page = visitor.open()
    page.get_by_role("link", name="Play with friends: Chiko").click()
    expect(page.get_by_role("radio", name="Friends, by link")).to_be_checked()
    expect(page.get_by_role("radio", name="easy")).to_have_count(0)  # there are no bots
    page.get_by_role("radio", name="Bots").check()
    expect(page.get_by_role("radio", name="easy")).to_be_visible()


def test_neither_the_device_nor_the_server(visitor: Visitor) -> None:
    """What is missing is said, and a later try may work."""
    visitor.context.add_init_script("delete window.WebAssembly")
    visitor.context.route("**/api/tables", lambda route: route.abort())
    page = visitor.open()
    page.locator('[data-play="chiko"]').click()
    expect(page.locator(".alert")).to_have_text(said("error.no_device"))
    expect(page.get_by_text(said("lobby.offline"))).to_be_visible()
    visitor.context.unroute("**/api/tables")
    page.locator('[data-play="chiko"]').click()
    expect(page.locator(".board")).to_be_visible()
    assert not visitor.seats[0].table.startswith("here-")
    visitor.forgive("ERR_FAILED")
