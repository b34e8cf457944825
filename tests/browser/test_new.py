"""The form for a new table, by what people see of it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.device import setup_here
from tests.browser.harness import LANGUAGES, PHONE, Visitor

Visit = Callable[..., Visitor]
# What the switches are called, and what is said of them.
PHONE_AND_SAUSAGE = {
    "en": ("Telephone", "Sausage", "Not together with “Telephone”."),
    "he": ("טלפון", "נקניקייה", "לא יחד עם ״טלפון״."),
    "ru": ("Телефон", "Сосиска", "Не вместе с «Телефон»."),  # noqa: RUF001
}


def switch(page: Page, name: str) -> Locator:
    """A switch by the words it begins with."""
    return page.get_by_role("checkbox", name=re.compile(f"^{name}"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_excludes_what_is_shown_before(visit: Visit, language: str) -> None:
    page = visit(locale=LANGUAGES[language], viewport=PHONE).open("/new/chichiko")
    page.locator("summary").first.click()
    phone, sausage, why = PHONE_AND_SAUSAGE[language]
    expect(page.get_by_text(why)).to_have_count(0)
    switch(page, phone).check()
    expect(switch(page, sausage)).to_be_disabled()
    expect(page.get_by_text(why)).to_be_visible()
    switch(page, phone).uncheck()
    expect(switch(page, sausage)).to_be_enabled()
    expect(page.get_by_text(why)).to_have_count(0)


def test_what_needs_another_goes_with_it(visitor: Visitor) -> None:
    page = visitor.open("/new/chichiko")
    page.locator("summary").first.click()
    faces, everything = switch(page, "Funny faces"), switch(page, "In the open")
    expect(faces).to_be_disabled()
    expect(page.get_by_text("Only with “In the open”.")).to_be_visible()
    everything.check()
    faces.check()
    everything.uncheck()
    expect(faces).not_to_be_checked()
    expect(faces).to_be_disabled()
    page.get_by_role("radio", name="Bots").check()
    page.get_by_role("button", name="Create table").click()
    expect(page.locator(".board")).to_be_visible()
    options = setup_here(page, visitor.seats[0].table)["options"]
    assert options["faces"] is False and options["open"] is False


def test_a_number_that_has_a_limit_now(visitor: Visitor) -> None:
    page = visitor.open("/new/chichiko")
    page.locator("summary").first.click()
    page.get_by_role("radio", name="8", exact=True).check()
    hand = page.get_by_role("spinbutton", name="Tiles per player")
    hand.fill("7")
    switch(page, "Apocalypse").check()
    expect(hand).to_have_value("6")
    expect(page.get_by_text("With “Apocalypse” and 8 players: at most 6.")).to_be_visible()
    hand.fill("7")
    page.get_by_role("radio", name="Bots").check()
    page.get_by_role("button", name="Create table").click()
    expect(page.locator(".board")).to_be_visible()
    assert setup_here(page, visitor.seats[0].table)["options"]["hand"] == 6
