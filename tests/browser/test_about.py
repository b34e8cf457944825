"""What is this? Anything on the table says it in a sentence, however somebody asks."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.harness import GAMES, LANGUAGES, PHONE, Site, Table, Visitor
from tests.browser.test_hidden import another_deal

TIP = ".about-tip"
# Whatever a newcomer may wonder about: each has a sentence, or lies in something that has one.
THINGS = ", ".join(
    f".board {thing}"
    for thing in (
        "[data-place]",
        ".plate",
        ".score",
        ".extras > *",
        ".hand .card",
        ".own-heap",
        ".own-slot.none",
        ".own-card",
        ".moon",
        ".sign",
        ".heap",
        ".ss-badge",
        ".ss-chip",
        ".ss-rounds",
        ".taki-note",
        ".taki-burst",
        ".taki-colour",
        ".taki-ring",
        ".chiko-ring",
        ".chiko-side",
        ".tile",
        ".slot",
        ".legend",
        ".direction",
        ".who-beats",
    )
)
MUTE = """
(things) => [...document.querySelectorAll(things)]
  .filter((one) => {
    const told = one.closest('[data-about]');
    return !told?.dataset.about || !told.dataset.what;
  })
  .map((one) => one.outerHTML.slice(0, 120))
"""
SENTENCES = """
() => [...document.querySelectorAll('[data-about]')]
  .map((one) => `${one.dataset.what}: ${one.dataset.about}`)
"""
# A finger on the glass, as the browser sees one.
TOUCH = """
([selector, kind]) => {
  const element = document.querySelector(selector), box = element.getBoundingClientRect();
  const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
  const how = { pointerType: 'touch', pointerId: 5, bubbles: true, cancelable: true };
  element.dispatchEvent(new PointerEvent(kind, { ...at, ...how }));
}
"""
# A click that does not last, however busy the machine is.
CLICK = """
(selector) => {
  const element = document.querySelector(selector);
  const how = { bubbles: true, cancelable: true, button: 0, detail: 1 };
  element.dispatchEvent(new PointerEvent('pointerdown', how));
  element.dispatchEvent(new PointerEvent('pointerup', how));
  return element.dispatchEvent(new MouseEvent('click', how));
}
"""


def middle_of(thing: Locator) -> tuple[float, float]:
    box = thing.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def at_turn(visitor: Visitor, site: Site, game: str, players: int = 3, moves: int = 3) -> Table:
    """A table some moves on, at which it is one's turn."""
    for _ in range(20):
        seat = site.table(game, players, options={})
        site.quick(seat).play(moves)
        if not site.match(seat.table).over:
            break
    table = visitor.sit(seat)
    table.turn()
    return table


def with_card(visitor: Visitor, site: Site) -> Table:
    """A table of Chiko at which one has a card that fits."""
    seat = site.at(lambda view: view["legal"][0].startswith("play"), "chiko")
    table = visitor.sit(seat)
    table.turn()
    return table


def expect_tip(page: Page, about: Locator) -> None:
    tip = page.locator(TIP)
    expect(tip).to_contain_text(about.get_attribute("data-about") or "nothing")
    box, screen = tip.bounding_box(), page.viewport_size
    assert box and screen
    assert box["x"] >= 0 and box["x"] + box["width"] <= screen["width"]
    assert box["y"] >= 0 and box["y"] + box["height"] <= screen["height"]


@pytest.mark.parametrize("game", GAMES)
def test_everything_says_what_it_is(visit: Callable[..., Visitor], site: Site, game: str) -> None:
    visitor = visit(viewport=PHONE)
    table = at_turn(visitor, site, game)
    page = table.page
    for language in 3 * list(LANGUAGES):
        visitor.speak(language)
        page.locator(".board").wait_for()
        assert page.evaluate(MUTE, THINGS) == []
        for sentence in page.evaluate(SENTENCES):
            assert "undefined" not in sentence and "{" not in sentence, sentence
            assert re.search(r"[.?]$", sentence), sentence
            if language != "en":  # names of bots are in the reader's language, too
                assert not re.search(r"[a-z]{3}", sentence.replace("Ann", "")), sentence
        what = table.next()
        if what == "final":
            break
        table.go_on() if what == "round" else table.play_one()


@pytest.mark.parametrize("game", GAMES)
def test_a_sentence_tells_no_secret(visitor: Visitor, site: Site, game: str) -> None:
    """Other cards where they cannot be seen change no sentence, whoever looks."""
    rng = random.Random(f"about {game}")
    ann = site.table(game, 3, people=3, options={})  # bots would move while it is another deal
    others = [site.join(ann.table, name) for name in ("Ben", "Cid")]
    site.quick(ann, *others).play(6)
    page = visitor.sit(ann).page
    different = 0
    for seat in (0, None):
        if seat is None:
            page.evaluate("() => localStorage.clear()")

        def told() -> list[str]:
            visitor.go("/settings")
            visitor.go(ann.path)
            page.locator(".board").wait_for()
            return list(page.evaluate(SENTENCES))

        before = told()
        assert len(before) > 8
        with another_deal(site, ann.table, seat, rng) as differs:
            different += differs
            assert told() == before
    assert different


def test_a_long_press_tells_and_plays_nothing(visit: Callable[..., Visitor], site: Site) -> None:
    table = with_card(visit(long_presses=True), site)
    page = table.page
    card = page.locator(".hand .card.legal").first
    version = table.version
    page.mouse.move(*middle_of(card))
    page.mouse.down()
    expect_tip(page, card)
    page.mouse.up()
    expect(page.locator(TIP)).to_be_visible()  # to be read when the finger is gone
    assert table.version == version and card.is_visible()
    assert page.locator(".choices").count() == 0
    page.keyboard.press("Escape")
    expect(page.locator(TIP)).to_have_count(0)
    assert page.evaluate(CLICK, ".hand .card.legal")  # a plain click still plays it
    table.shows(version + 1)


def test_a_long_press_with_a_finger(visit: Callable[..., Visitor], site: Site) -> None:
    visitor = visit(long_presses=True, viewport=PHONE, has_touch=True, locale=LANGUAGES["he"])
    table = at_turn(visitor, site, "taki")
    page = table.page
    for selector in (".hand .card", ".taki-pile", ".plates .plate .backs"):
        page.evaluate(TOUCH, [selector, "pointerdown"])
        expect_tip(page, page.locator(selector).first)
        page.evaluate(TOUCH, [selector, "pointerup"])
    expect(page.locator(TIP)).to_have_attribute("dir", "rtl")
    # What the system would open for it, a menu or a selection, does not come.
    prevented = page.evaluate(
        """() => !document.querySelector('.plate').dispatchEvent(
          new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))"""
    )
    assert prevented
    board = page.locator(".board")
    assert board.evaluate("(board) => getComputedStyle(board).userSelect") == "none"


def test_a_press_that_moves_is_a_drag(visit: Callable[..., Visitor], site: Site) -> None:
    """Also after it was held: the sentence goes, and the card is played where it is dropped."""
    table = with_card(visit(long_presses=True), site)
    page = table.page
    card, pile = page.locator(".hand .card.legal").first, page.locator(".middle")
    version = table.version
    page.mouse.move(*middle_of(card))
    page.mouse.down()
    expect_tip(page, card)
    page.mouse.move(*middle_of(pile), steps=4)
    expect(page.locator(TIP)).to_have_count(0)
    page.mouse.up()
    table.shows(version + 1)
    expect(page.locator(TIP)).to_have_count(0)


def test_a_tap_tells_where_it_does_nothing_else(visitor: Visitor, site: Site) -> None:
    table = at_turn(visitor, site, "sixth_sense")
    page = table.page
    tip = page.locator(TIP)
    version = table.version
    for thing in (
        ".plates .ss-aim",
        ".plates .score",
        '[data-place="stock"]',
        ".plate.mine .ss-tricks",
    ):
        page.locator(thing).first.click()
        expect_tip(page, page.locator(thing).first)
    page.locator(".mine .ss-tricks").click()  # once more puts it away
    expect(tip).to_have_count(0)
    page.locator(".plates .ss-aim").first.click()
    expect(tip).to_be_visible()
    page.mouse.click(2, 2)
    expect(tip).to_have_count(0)
    assert table.version == version


def test_a_card_keeps_its_own_tap(visitor: Visitor, site: Site) -> None:
    """One that cannot be played says why."""
    seat = site.at(lambda view: 0 < len(view["legal"]) < 5, "eight_half")
    table = visitor.sit(seat)
    table.turn()
    table.page.mouse.click(*middle_of(table.page.locator(".own-card.open").first))
    expect(table.page.locator(".expects.warning")).to_be_visible()
    expect(table.page.locator(TIP)).to_have_count(0)


def test_a_mouse_that_rests_is_told(visitor: Visitor, site: Site) -> None:
    table = at_turn(visitor, site, "eight_half")
    page = table.page
    moon = page.locator(".night")
    page.mouse.move(5, 5)
    page.mouse.move(*middle_of(moon))
    expect_tip(page, moon)
    page.mouse.move(5, 5)
    expect(page.locator(TIP)).to_have_count(0)
    page.locator(".heap").click(button="right")
    expect_tip(page, page.locator(".heap"))


@pytest.mark.parametrize(
    ("language", "item"), [("en", "What is what?"), ("he", "מה זה מה?")], ids=["en", "he"]
)
def test_with_the_keyboard(
    visit: Callable[..., Visitor], site: Site, language: str, item: str
) -> None:
    visitor = visit(locale=LANGUAGES[language])
    table = at_turn(visitor, site, "chichiko")
    page = table.page
    card = page.locator(".hand .card").first
    card.focus()
    page.keyboard.press("?")
    expect_tip(page, card)
    expect(page.locator(TIP)).to_have_attribute("role", "status")
    page.keyboard.press("Escape")
    expect(page.locator(TIP)).to_have_count(0)
    expect(card).to_be_focused()
    # What cannot have the focus is in a list, which opens with the same key or from the menu.
    page.locator(".board").focus()
    page.keyboard.press("?")
    dialog = page.locator("dialog.what")
    expect(dialog).to_be_visible()
    listed = dialog.inner_text()
    for thing in page.locator(".board [data-about]").all():
        for attribute in ("data-what", "data-about"):
            assert (thing.get_attribute(attribute) or "nothing") in listed
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.locator("[data-menu]").click()
    page.get_by_role("button", name=item).click()
    expect(dialog).to_be_visible()


def test_what_is_told_stays_true(visitor: Visitor, site: Site) -> None:
    """While others play, the sentence is brought up to date; what is gone tells nothing more."""
    ann = site.table("chiko", 2, people=2, options={})
    ben = site.join(ann.table, "Ben")
    site.quick(ann, ben).play(until=lambda view: bool(view["seat"] == ben.number))
    page = visitor.sit(ann).page
    cards = page.locator(".plates .backs")
    cards.click()
    expect_tip(page, cards)
    before = page.locator(TIP).inner_text()
    site.quick(ben).play(1)
    expect(page.locator(TIP)).not_to_have_text(before)
    expect_tip(page, cards)


def test_a_tile_is_not_a_card_to_a_screen_reader(visitor: Visitor, site: Site) -> None:
    table = at_turn(visitor, site, "chichiko")
    tree = table.page.locator(".board").aria_snapshot()
    assert "tiles" in tree and not re.search(r"\bcards?\b", tree)


def test_stopping_in_chiko_says_what_it_costs(visitor: Visitor, site: Site) -> None:
    """The rules count it, and only for one's own hand."""
    table = at_turn(visitor, site, "chiko")
    seat = visitor.seats[0]
    match = site.match(seat.table)
    points = match.view(seat.number)["points"]
    assert [isinstance(one, int) for one in points] == [True, False, False]
    assert match.view(None)["points"] == ["?", "?", "?"]
    expect(table.page.locator('[data-action="quit"]')).to_contain_text(f"{points[0]} point")
