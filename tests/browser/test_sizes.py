"""All that is needed at a table can be seen at once, on every screen; and the screen is used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from lastcard.core.registry import game as find
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

SIDEWAYS = {"width": 640, "height": 360}
SIZES = (
    SIDEWAYS,
    PHONE,
    {"width": 932, "height": 430},
    {"width": 768, "height": 1024},
    {"width": 1024, "height": 768},
    DESK,
    {"width": 1600, "height": 1000},
)

TOOLS = """
  const wrong = [], box = (one) => one.getBoundingClientRect();
  const all = (kind) => [...document.querySelectorAll(kind)].filter((one) => one.checkVisibility());
  const called = (one) => `${one.getAttribute('class')} "${one.textContent.trim().slice(0, 20)}"`;
  const inside = (a, b) => a.left >= b.left - 1 && a.top >= b.top - 1
    && a.right <= b.right + 1 && a.bottom <= b.bottom + 1;
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1.5;
  const wide = (one) => one.scrollWidth > one.clientWidth + 1;
  const high = (one) => one.scrollHeight > one.clientHeight + 1;
  const screen = new DOMRect(0, 0, innerWidth, innerHeight);
"""

# What is wrong with a table: what is cut off, what lies on something else, what is too small.
WRONG = f"""
() => {{
{TOOLS}
  const plates = all('.plates .plate'), own = all('.plate.mine'), cards = all('.hand .card');
  const line = all('.expects'), buttons = all('.buttons .offer'), middle = all('.middle');
  const apart = [...plates, ...own, ...line, ...buttons, ...middle];
  for (const one of [...apart, ...cards, ...all('.bar .icon-button'), ...all('.own > *')])
    if (!inside(box(one), screen)) wrong.push(`off the screen: ${{called(one)}}`);
  apart.forEach((one, n) => apart.slice(n + 1).forEach((other) => {{
    if (meet(box(one), box(other))) wrong.push(`together: ${{called(one)}}, ${{called(other)}}`);
  }}));
  for (const one of [...plates, ...line, ...buttons]) for (const card of cards)
    if (meet(box(one), box(card))) wrong.push(`on the hand: ${{called(one)}}`);
  for (const plate of [...plates, ...own]) {{
    const parts = (kind) => [...plate.querySelectorAll(kind)]
      .filter((part) => part.checkVisibility() && !part.closest('.unseen'));
    for (const part of parts('.avatar, .name, .score, .count, .fan, .extras > :not(.suspect)'))
      if (!inside(box(part), box(plate))) wrong.push(`over the plate's edge: ${{called(part)}}`);
    for (const part of parts('.name, .note, .extras *'))
      if (part.clientWidth && wide(part)) wrong.push(`cut: ${{called(part)}}`);
    for (const part of parts('.name, .count, .score'))
      if (parseFloat(getComputedStyle(part).fontSize) < 9.5) wrong.push(`small: ${{called(part)}}`);
  }}
  for (const one of [...all('.bar h1'), ...all('.bar .icon-button'), ...line, ...buttons])
    if (wide(one) || high(one)) wrong.push(`cut: ${{called(one)}}`);
  const cuts = all('.plates').filter((one) => getComputedStyle(one).overflowY !== 'visible');
  for (const one of [document.scrollingElement, ...all('.table-screen, .board'), ...cuts])
    if (wide(one) || high(one)) wrong.push(`has to be scrolled: ${{one.className || one.tagName}}`);
  if ([plates, cards, line, middle].some((some) => !some.length)) wrong.push('parts are missing');
  return wrong;
}}
"""

# A sentence at one plate after the other: where it would stand.
BUBBLES = f"""
async () => {{
{TOOLS}
  const {{ placeBubbles }} = await import('/web/table/bubbles.js');
  const kept = all('.expects, .offer, .card').map(box), main = document.querySelector('main');
  for (const real of all('.bubble')) real.remove();
  for (const plate of all('.plate')) {{
    const bubble = document.createElement('div');
    bubble.className = 'bubble';
    bubble.textContent = 'Leo draws two cards and misses a turn';
    plate.append(bubble);
    placeBubbles(main);
    const here = box(bubble);
    bubble.remove();
    if (!inside(here, screen)) wrong.push(`off the screen: ${{called(plate)}}`);
    if (kept.some((one) => meet(here, one))) wrong.push(`on line or hand: ${{called(plate)}}`);
  }}
  return wrong;
}}
"""

# Whether an open choice hides what it is about.
HIDES = f"""
() => {{
{TOOLS}
  const here = box(document.querySelector('.choices'));
  for (const one of all('.expects, .card, .middle, .slot, .own > *')) {{
    if (meet(here, box(one))) wrong.push(`hidden: ${{called(one)}}`);
    if (!inside(box(one), screen)) wrong.push(`off the screen: ${{called(one)}}`);
  }}
  if (!inside(here, screen)) wrong.push('off the screen');
  return wrong;
}}
"""
LETTERS = """
(kinds) => kinds.map((kind) => parseFloat(getComputedStyle(document.querySelector(kind)).fontSize))
"""
MIDDLE = "() => document.querySelector('.middle').getBoundingClientRect().height"
# The screen has its size, and was drawn with it.
DRAWN = """
([width, height]) => new Promise((done) => {
  const look = () => requestAnimationFrame(() =>
    (innerWidth === width && innerHeight === height ? setTimeout(done) : look()));
  look();
})
"""


def at_all_sizes(page: Page, look: Callable[[], Any]) -> dict[str, Any]:
    """What is seen at each of the sizes, after the page has been drawn for it."""
    seen = {}
    for size in SIZES:
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.evaluate(DRAWN, list(size.values()))
        seen[f"{size['width']}x{size['height']}"] = look()
    return seen


@pytest.mark.parametrize("many", [False, True], ids=["three", "most"])
@pytest.mark.parametrize("game", GAMES)
def test_a_table_fits_every_screen(visitor: Visitor, site: Site, game: str, many: bool) -> None:
    seat = site.table(game, find(game).most if many else 3, options=ROUNDS[game])
    site.quick(seat).play(2)
    table, page = visitor.sit(seat), visitor.page
    for language in LANGUAGES:
        visitor.speak(language)
        table.turn()
        wrong = at_all_sizes(page, lambda: page.evaluate(WRONG) + page.evaluate(BUBBLES))
        assert {size: found for size, found in wrong.items() if found} == {}, language


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_thinks_is_not_cut(visit: Callable[..., Visitor], site: Site, language: str) -> None:
    """Three others who are waited for, on a narrow phone."""
    visitor = visit(locale=LANGUAGES[language], viewport=PHONE)
    seat = site.table("sixth_sense", 4, people=4)
    for name in ("Bea", "Cleo", "Dov"):
        site.join(seat.table, name)
    visitor.sit(seat)
    page = visitor.page
    expect(page.locator(".plates .thinks")).to_have_count(3)
    for width in (PHONE["width"], 320):
        page.set_viewport_size({"width": width, "height": 640})
        page.evaluate(DRAWN, [width, 640])
        assert page.evaluate(WRONG) == []


def test_a_large_screen_is_used(visitor: Visitor, site: Site) -> None:
    visitor.sit(site.table("taki", 4, options=ROUNDS["taki"])).turn()
    page = visitor.page
    kinds = [".plate .name", ".expects", ".plate.mine .name", ".bar h1"]
    letters = at_all_sizes(page, lambda: page.evaluate(LETTERS, kinds))
    phone, tablet, large = (letters[size] for size in ("360x640", "768x1024", "1600x1000"))
    assert all(one >= 1.15 * other for one, other in zip(tablet, phone, strict=True)), letters
    assert all(one >= 1.3 * other for one, other in zip(large, phone, strict=True)), letters
    cards = at_all_sizes(page, lambda: page.locator(".hand .card").first.bounding_box()["width"])  # type: ignore[index]
    assert cards["1600x1000"] > 1.7 * cards["360x640"] and cards["768x1024"] > cards["360x640"]
    middles = at_all_sizes(page, lambda: page.evaluate(MIDDLE))
    assert middles["1600x1000"] > 0.35 * 1000


def test_the_log_stands_beside_the_table(visit: Callable[..., Visitor], site: Site) -> None:
    visitor = visit()
    table = visitor.sit(site.table("chiko", 3, options={"target": 40}))
    table.turn()
    page = visitor.page
    log = page.locator("aside.drawer")
    expect(log).to_be_visible()
    here, board = log.bounding_box(), page.locator(".board").bounding_box()
    assert here and board and board["x"] + board["width"] <= here["x"] + 1
    table.play_one()
    table.turn()
    expect(log.locator("li").first).to_be_visible()
    before = board["width"]
    page.locator("[data-log]").click()
    expect(log).to_have_count(0)
    wider = page.locator(".board").bounding_box()
    assert wider and wider["width"] > before
    page.reload()
    table.turn()
    expect(page.locator(".drawer")).to_have_count(0)  # as it was left on this device
    page.locator("[data-log]").click()
    expect(log).to_be_visible()
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    expect(page.locator(".drawer")).to_have_count(0)
    page.locator("[data-log]").click()
    expect(page.locator("dialog.drawer:modal")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".drawer")).to_have_count(0)


@pytest.mark.parametrize("game", WITH_CHOICES)
def test_a_choice_hides_nothing(visit: Callable[..., Visitor], site: Site, game: str) -> None:
    visitor = visit(viewport=PHONE)
    table, page = visitor.sit(site.at(has_choice, game)), visitor.page
    table.open_choice()
    wrong = at_all_sizes(page, lambda: page.evaluate(HIDES))
    assert {size: found for size, found in wrong.items() if found} == {}
    page.locator(".choices [data-action-none]").click()
    expect(page.locator(".choices")).to_have_count(0)


@pytest.mark.parametrize("size", [SIDEWAYS, PHONE], ids=["sideways", "upright"])
def test_a_rounds_result_opens_at_its_top(
    visit: Callable[..., Visitor], site: Site, size: dict[str, int]
) -> None:
    visitor = visit(viewport=size)
    seat = site.table("chichiko", 8, options={"rounds": 2})
    table, page = visitor.sit(seat), visitor.page
    table.turn()
    site.quick(seat).play(until=lambda view: view["round"] > 1)
    assert table.ended() == "round"
    dialog = page.locator("dialog.round")
    assert dialog.evaluate("(one) => one.scrollTop") == 0
    expect(dialog.locator("h2").first).to_be_in_viewport(ratio=1)
    expect(dialog.locator("[data-go-on]")).to_be_in_viewport(ratio=1)
    assert dialog.evaluate("(one) => one.scrollWidth <= one.clientWidth")


@pytest.mark.parametrize("language", LANGUAGES)
def test_icons_have_words_where_there_is_room(
    visit: Callable[..., Visitor], site: Site, language: str
) -> None:
    visitor = visit(locale=LANGUAGES[language])
    seat = site.table("eight_half", 3, undo=True)
    visitor.sit(seat).turn()
    labels = visitor.page.locator(".bar .icon-button .label")
    for size, shown in (
        (DESK, True),
        ({"width": 768, "height": 1024}, True),
        (PHONE, False),
        ({"width": 320, "height": 568}, False),
    ):
        visitor.page.set_viewport_size(size)  # type: ignore[arg-type]
        visitor.page.evaluate(DRAWN, list(size.values()))
        assert {one.is_visible() for one in labels.all()} == {shown}
        for button in visitor.page.locator(".bar .icon-button").all():
            expect(button).to_be_in_viewport(ratio=1)
            assert button.get_attribute("aria-label")
