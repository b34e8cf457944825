"""How a link gets from here to friends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from lastcard.server.app import Application
from lastcard.server.reach import Reach
from tests.browser.harness import AT_ONCE, LANGUAGES, PHONE, ROOMY, Site, Visitor
from tests.server.inside import inside

Visit = Callable[..., Visitor]
# As over plain http in a network at home.
NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', { value: undefined });"
NO_COPYING = "document.execCommand = () => false;"
SELECTED = "() => document.activeElement.value.slice(document.activeElement.selectionStart)"


def room(visitor: Visitor, site: Site) -> Page:
    """A table that waits for somebody."""
    visitor.page.goto(site.table("chiko", 3, people=2).own_path)
    expect(visitor.page.get_by_role("button", name="Copy the link")).to_be_visible()
    return visitor.page


def test_a_link_is_copied_over_plain_http(visitor: Visitor, site: Site) -> None:
    visitor.context.add_init_script(NO_CLIPBOARD)
    page = room(visitor, site)
    link = page.get_by_label("Link to this table").input_value()
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("status").filter(has_text="Link copied.")).to_be_visible()
    page.get_by_text("A shuffle you can check").click()
    words = page.get_by_label("Your words for the shuffle")
    words.focus()
    page.keyboard.press("Control+V")
    expect(words).to_have_value(link)


def test_a_link_is_copied_from_the_menu(visitor: Visitor, site: Site) -> None:
    visitor.context.add_init_script(NO_CLIPBOARD)
    table = visitor.sit(site.table("chiko"))
    table.turn()
    table.page.get_by_role("button", name="Menu").click()
    table.page.get_by_role("button", name="Copy the link").click()
    said = table.page.get_by_role("status").filter(has_text="Link copied.")
    expect(said).to_be_visible()


def test_what_cannot_be_copied_is_selected(visitor: Visitor, site: Site) -> None:
    visitor.context.add_init_script(NO_CLIPBOARD + NO_COPYING)
    page = room(visitor, site)
    link = page.get_by_label("Link to this table").input_value()
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("status").filter(has_text="by hand")).to_be_visible()
    assert page.evaluate(SELECTED) == link

    table = visitor.sit(site.table("chiko"))
    table.turn()
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Copy the link").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("by hand")
    assert page.evaluate(SELECTED) == dialog.get_by_role("textbox").input_value()
    assert dialog.get_by_role("textbox").input_value().endswith(f"/t/{table.id}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_server_that_listens_only_to_itself_says_so(
    visit: Visit, site: Site, language: str
) -> None:
    visitor = visit(locale=LANGUAGES[language], viewport=PHONE)
    page = visitor.page
    page.goto(site.table("chiko", 3, people=2).own_path)
    expect(page.get_by_text('make play ARGS="--host 0.0.0.0"')).to_be_visible()
    expect(page.locator("img.qr")).to_have_count(0)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]


def test_the_address_in_the_network_is_shown(
    visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also to who has opened the page as localhost."""
    monkeypatch.setattr("lastcard.server.reach.own_address", lambda wildcard: "192.168.7.5")
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    everywhere = Reach(listening=("0.0.0.0", 8421))
    application = Application(database, limits=ROOMY, times=AT_ONCE, reach=everywhere)
    with inside(application) as url:
        visitor = visit(url)
        seat = Site(url, application).table("chiko", 3, people=2)
        page = visitor.page
        page.goto(seat.own_path)
        field = page.get_by_label("Link to this table")
        expect(field).to_have_value(f"http://192.168.7.5:8421/t/{seat.table}")
        expect(page.get_by_role("img", name="QR code")).to_be_visible()
        expect(page.get_by_text("--host")).to_have_count(0)
        visitor.close()
