"""With the keyboard alone: Tab, arrows, Enter and Escape."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.harness import GAMES, OFFERED, WITH_CHOICES, Site, Table, Visitor, has_choice

MOST_TABS = 90
FOCUS = """
(selector) => {
  const here = document.activeElement;
  return [here.matches(selector), here.closest('.hand') !== null, here.closest('.board') !== null];
}
"""


def walk_to(page: Page, selector: str) -> None:
    """Tab goes from one thing to the next, arrows along the hand."""
    for _ in range(MOST_TABS):
        there, in_hand, _ = page.evaluate(FOCUS, selector)
        if there:
            return
        legal_in_hand = in_hand and page.locator(".hand .card.legal").count()
        page.keyboard.press("ArrowRight" if legal_in_hand and not at_end(page) else "Tab")
    raise AssertionError(f"the keyboard does not come to {selector}")


def at_end(page: Page) -> bool:
    found: bool = page.evaluate(
        "() => document.activeElement.matches('.hand .row:last-child .card:last-child')"
    )
    return found


def choose(page: Page, escape: bool) -> None:
    """An open choice has the focus, can be put away, and opened again."""
    expect(page.locator(".choice:focus")).to_have_count(1)
    if escape:
        page.keyboard.press("Escape")
        expect(page.locator(".choices")).to_have_count(0)
        expect(page.locator(".card:focus, .tappable:focus")).to_have_count(1)
        page.keyboard.press("Enter")
        expect(page.locator(".choice:focus")).to_have_count(1)
    page.keyboard.press("Tab")
    expect(page.locator(".choice[data-action]:focus")).to_have_count(1)
    page.keyboard.press("Enter")


def test_from_the_lobby_to_a_table_and_back(visitor: Visitor) -> None:
    page = visitor.open("/")
    walk_to(page, '[data-play="chiko"]')
    page.keyboard.press("Enter")
    expect(page.locator(".board")).to_be_visible()
    walk_to(page, "[data-menu]")
    page.keyboard.press("Enter")
    expect(page.locator("dialog.menu")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog.menu")).to_have_count(0)
    expect(page.locator("[data-menu]:focus")).to_have_count(1)
    walk_to(page, "[data-log]")
    page.keyboard.press("Enter")
    expect(page.locator(".drawer")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator(".drawer button:focus")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".drawer")).to_have_count(0)
    expect(page.locator("[data-log]:focus")).to_have_count(1)


def play(table: Table, moves: int) -> str:
    """So many moves; the focus stays in the table. How it went on."""
    page, made = table.page, 0
    while (what := table.next()) != "final" and made < moves:
        if what == "round":
            expect(page.locator("[data-go-on]:focus")).to_have_count(1)
            page.keyboard.press("Enter")
            continue
        assert what == "turn"
        if made:
            assert page.evaluate(FOCUS, "*")[2], "the focus has left the table"
        walk_to(page, ", ".join(OFFERED))
        table.seen = table.version
        page.keyboard.press("Enter")
        if page.locator(".choices").count():
            choose(page, escape=False)
        made += 1
    return what


@pytest.mark.parametrize("game", GAMES)
def test_a_round(visitor: Visitor, site: Site, game: str) -> None:
    table = visitor.sit(site.table(game, 2))
    table.turn()
    if play(table, 15) == "final":
        expect(visitor.page.locator("dialog.final [data-rematch]:focus")).to_have_count(1)


def last_card(view: dict[str, Any]) -> bool:
    can_play = any(action.startswith("play ") for action in view["legal"])
    return view["hands"][0]["size"] == 1 and can_play


def test_the_last_card_of_a_hand(visitor: Visitor, site: Site) -> None:
    """Then the focus has to go somewhere else: in Eight and a Half there is more to play."""
    table = visitor.sit(site.at(last_card, "eight_half", 2))
    table.turn()
    play(table, 3)


@pytest.mark.parametrize("game", WITH_CHOICES)
def test_choices(visitor: Visitor, site: Site, game: str) -> None:
    table, page = visitor.sit(site.at(has_choice, game)), visitor.page
    table.turn()
    walk_to(page, '.board [aria-expanded="false"]')
    table.seen = table.version
    page.keyboard.press("Enter")
    choose(page, escape=True)
    assert table.next() in ("turn", "round", "final")
