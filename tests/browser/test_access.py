"""Everybody can use it: no screen breaks the Web Content Accessibility Guidelines 2.2, level AA."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files

import pytest
from playwright.sync_api import Page, expect

from tests.browser.harness import (
    DESK,
    GAMES,
    LANGUAGES,
    PHONE,
    ROUNDS,
    WITH_CHOICES,
    Site,
    Visitor,
    has_choice,
)

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text()
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
CHECK = """
async (tags) => {
  const rules = { 'target-size': { enabled: true } };
  const found = await axe.run(document, { runOnly: tags, rules, resultTypes: ['violations'] });
  const told = ({ target, html, any }) =>
    `${target} ${html.slice(0, 160)} ${any[0]?.message ?? ''}`;
  return found.violations.map(({ id, help, nodes }) =>
    `${id}: ${help}: ${nodes.slice(0, 4).map(told).join(' | ')}`);
}
"""


def check(page: Page) -> None:
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE)
    assert page.evaluate(CHECK, TAGS) == [], page.url


@pytest.mark.parametrize("language", LANGUAGES)
def test_screens_without_a_match(visit: Callable[..., Visitor], site: Site, language: str) -> None:
    theme = "dark" if language == "ru" else "light"
    visitor = visit(locale=LANGUAGES[language], color_scheme=theme)
    page = visitor.open("/")
    check(page)
    visitor.go("/settings")
    check(page)
    visitor.go("/nowhere")
    check(page)
    visitor.go("/new/chichiko")
    page.locator('input[name="with"][value="here"]').check()
    page.locator("details.sheet summary").click()
    check(page)
    room = site.table("taki", 3, people=3)
    visitor.go(room.path)
    expect(page.locator(".waiting-room")).to_be_visible()
    check(page)
    page.locator('form input[name="name"]').fill("Ann")
    page.locator("[data-join]").click()
    page.locator(".waiting-room summary").click()
    check(page)


@pytest.mark.parametrize("game", GAMES)
def test_rules(visit: Callable[..., Visitor], game: str) -> None:
    language = {"taki": "he", "chiko": "ru"}.get(game, "en")
    visitor = visit(locale=LANGUAGES[language])
    page = visitor.open(f"/rules/{game}")
    expect(page.locator("[data-example]")).not_to_have_count(0)
    for example in page.locator("[data-example]").all():
        expect(example.locator(".board")).to_be_visible()
    check(page)


def in_the_dark(page: Page) -> None:
    """The same in the dark look."""
    page.evaluate("() => { document.documentElement.dataset.theme = 'dark'; }")
    check(page)
    page.evaluate("() => { document.documentElement.dataset.theme = 'light'; }")


@pytest.mark.parametrize("game", GAMES)
def test_tables(visit: Callable[..., Visitor], site: Site, game: str) -> None:
    """One's turn, and all that can be open there; the end of a round and of the match; a replay."""
    language = {"taki": "he", "sixth_sense": "ru"}.get(game, "en")
    size = PHONE if game in ("eight_half", "taki") else DESK
    visitor = visit(locale=LANGUAGES[language], viewport=size)
    seat = site.table(game, 4, options=ROUNDS[game], undo=True)
    table, page, others = visitor.sit(seat), visitor.page, site.quick(seat)
    table.turn()
    check(page)
    in_the_dark(page)
    page.locator("[data-menu]").click()
    check(page)
    page.keyboard.press("Escape")
    table.open_log()
    check(page)
    page.keyboard.press("Escape")
    if game in ("chiko", "chichiko"):  # rounds that are soon over
        others.play(until=lambda view: view["round"] > 1)
        assert table.ended() == "round"
        check(page)
    visitor.go("/settings")
    others.play()
    visitor.go(seat.path)
    for summary in table.expect_final().locator("summary").all():
        summary.click()
    check(page)
    in_the_dark(page)
    visitor.go(f"{seat.path}/matches/1")
    expect(page.locator(".board")).to_be_visible()
    check(page)


@pytest.mark.parametrize("game", WITH_CHOICES)
def test_choices(visitor: Visitor, site: Site, game: str) -> None:
    table = visitor.sit(site.at(has_choice, game))
    table.open_choice()
    check(visitor.page)
    in_the_dark(visitor.page)


@pytest.mark.parametrize("game", GAMES)
def test_what_a_screen_reader_says(visitor: Visitor, site: Site, game: str) -> None:
    """Cards have names; what happens is told; whose turn it is, too."""
    table, page = visitor.sit(site.table(game)), visitor.page
    table.turn()
    for card in page.locator(".hand .card").all():
        assert card.get_attribute("aria-label")
    expect(page.locator('.plate[aria-current="true"]')).not_to_have_count(0)
    assert table.line
    table.play_one()
    expect(page.locator('[aria-live="polite"]')).not_to_be_empty()
