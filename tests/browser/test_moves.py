"""A move as it is seen: cards that travel, taps that count, what is said of it, how it sounds."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.harness import GAMES, PHONE, ROUNDS, Site, Table, Visitor
from tests.browser.test_app import legal_card
from tests.browser.test_connection import Line, hand, said, seats

Visit = Callable[..., Visitor]

# What is counted: cards in the air, notes that are played, and how often the device buzzes.
COUNT = """
window.flights = 0;
window.sources = 0;
window.buzzes = [];
new MutationObserver((changes) => {
  for (const { addedNodes } of changes)
    for (const node of addedNodes)
      if (node instanceof Element && node.matches('.flyer')) window.flights += 1;
}).observe(document, { subtree: true, childList: true });
for (const kind of ['createOscillator', 'createBufferSource']) {
  const make = AudioContext.prototype[kind];
  AudioContext.prototype[kind] = function () {
    window.sources += 1;
    return make.call(this);
  };
}
navigator.vibrate = (pattern) => {
  window.buzzes.push(pattern);
  return true;
};
"""
MOVING = {"reduced_motion": "no-preference"}


def counting(visit: Visit, url: str = "", **more: Any) -> Visitor:
    visitor = visit(url, **more)
    visitor.context.add_init_script(COUNT)
    return visitor


def value(page: Page, name: str) -> Any:
    return page.evaluate(f"() => window.{name}")


def play_card(table: Table) -> None:
    """Plays a card of the hand, and waits for one's next turn."""
    table.take(legal_card(table))
    table.turn()


# --- Motion -----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_cards_travel_and_land(visit: Visit, site: Site, game: str) -> None:
    table = counting(visit, **MOVING).sit(
        site.table(game, 3, options={**ROUNDS[game], "opener": 0})
    )
    page = table.page
    table.turn()
    assert value(page, "flights") > 3  # they are dealt
    for _ in range(3):
        before = value(page, "flights")
        play_card(table)
        assert value(page, "flights") > before
    page.keyboard.press("Shift")  # whatever is still in the air lands
    expect(page.locator(".flyer")).to_have_count(0)
    expect(page.locator(".arriving, .card.gone")).to_have_count(0)


def test_nothing_travels_where_motion_is_unwanted(visit: Visit, site: Site) -> None:
    table = counting(visit).sit(site.table("eight_half", 2, options=ROUNDS["eight_half"]))
    play_card(table)
    assert value(table.page, "flights") <= 1  # a card that waits for its answer is not in the hand

    visitor = counting(visit, **MOVING)
    visitor.open()
    visitor.remember(motion=False)
    table = visitor.sit(site.table("eight_half", 2, options=ROUNDS["eight_half"]))
    play_card(table)
    assert value(table.page, "flights") <= 1


def test_flights_stay_under_dialogs(visit: Visit, site: Site) -> None:
    """What is open over the table is in the browser's top layer; cards in the air are not."""
    visitor = visit(**MOVING)
    table = visitor.sit(site.table("taki", 3, options=ROUNDS["taki"]))
    page = table.page
    table.turn()
    page.get_by_role("button", name=said("menu.title")).click()
    assert page.locator("dialog").first.evaluate("(dialog) => dialog.matches(':modal')")
    above = """() => [...document.querySelectorAll('.flights')]
      .some((layer) => layer.closest('dialog, [popover]'))"""
    assert not page.evaluate(above)


# --- Taps -------------------------------------------------------------------------------------


# Taps what can be played in the very frame in which it becomes one's turn; how many cards fly then.
TAP_IN_FLIGHT = """(seen) => { window.tapped = new Promise((resolve) => {
  const look = () => {
    const board = document.querySelector('.board.mine-to-act');
    const card = document.querySelector('.card.legal, [data-place=stock].tappable');
    const soon = !board || !card || Number(board.dataset.version) <= seen;
    if (soon) return requestAnimationFrame(look);
    const flying = document.querySelectorAll('.flyer').length;
    card.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0 }));
    window.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }));
    card.click();
    resolve(flying);
  };
  look();
}); }"""


def test_a_tap_while_cards_fly_counts(visit: Visit, site: Site) -> None:
    [ann, ben] = seats(site.url)
    table = visit(**MOVING).sit(ann)
    page = table.page
    quick = site.quick(ben)
    flying = 0
    for version in range(1, 13, 4):
        table.turn()
        table.take(table.things(["[data-place=stock].tappable"])[0])
        table.shows(version + 1)
        page.evaluate(TAP_IN_FLIGHT, version + 1)
        quick.play(1)
        flying += page.evaluate("() => window.tapped")
        table.shows(version + 3)
        quick.play(1)
        table.seen = version + 3
    assert flying > 0  # or this has shown nothing


def test_a_tap_counts_before_the_last_move_has_been_shown(visit: Visit, site: Site) -> None:
    """Two moves of others arrive at once: the second is still to be shown when somebody taps."""
    [ann, ben] = seats(site.url)
    visitor = visit(**MOVING)
    line = Line(visitor.page)
    table = visitor.sit(ann)
    page = table.page
    table.turn()
    table.take(table.things(["[data-place=stock].tappable"])[0])
    line.slow = True
    site.quick(ben).play(1)
    line.let_through()
    table.turn()
    left = hand(page)
    card = legal_card(table)
    table.click(card)
    left.remove(card["place"].removeprefix("hand:"))
    expect(page.locator(".board")).not_to_have_attribute("data-version", str(table.seen))
    table.shows(4)
    assert hand(page) == left


# --- The server is far away -------------------------------------------------------------------


def test_the_card_goes_at_the_tap(visit: Visit, site: Site) -> None:
    """Long before the server has answered; and it is not sent twice."""
    [ann, _] = seats(site.url)
    visitor = counting(visit, **MOVING)
    line = Line(visitor.page)
    table = visitor.sit(ann)
    page = table.page
    card = legal_card(table)
    line.slow = True
    before, number = value(page, "flights"), page.locator(".hand .card:visible").count()
    table.click(card)
    expect(page.locator(".flyer")).to_have_count(1)
    assert value(page, "flights") > before
    expect(page.locator(".hand .card:visible")).to_have_count(number - 1)
    expect(page.locator(".card.legal, .offer")).to_have_count(0)  # one move at a time
    assert table.version == 1
    line.let_through()
    expect(page.locator(".board")).to_have_attribute("data-version", "2")
    expect(page.locator(".flyer")).to_have_count(0)
    expect(page.locator(".hand .card")).to_have_count(number - 1)
    assert len(line.moves) == 1


@pytest.mark.parametrize("more", [MOVING, {}], ids=["moving", "still"])
def test_a_refused_card_comes_back(visit: Visit, site: Site, more: dict[str, Any]) -> None:
    [ann, _] = seats(site.url)
    visitor = visit(**more)
    line = Line(visitor.page)
    table = visitor.sit(ann)
    page = table.page
    card = legal_card(table)
    before = hand(page)
    line.refuse = line.slow = True
    table.click(card)
    expect(page.locator(".card.gone")).to_have_count(1)
    line.let_through()
    expect(page.locator(".expects")).to_have_text(said("error.illegal"))
    expect(page.locator(".card.gone, .flyer")).to_have_count(0)
    assert hand(page) == before
    table.seen = -1
    table.take(legal_card(table))  # and nothing is stuck
    expect(page.locator(".board")).to_have_attribute("data-version", "2")


# --- What is said of it -----------------------------------------------------------------------


def test_others_say_what_they_do(visit: Visit, site: Site) -> None:
    """At their plates, for a while; the last move is marked on the table."""
    [ann, ben] = seats(site.url)
    table = visit().sit(ann)
    page = table.page
    table.take(legal_card(table))
    expect(page.locator(".plate.moved .name")).to_have_text("Ann")
    expect(page.locator(".middle .last-move")).to_have_count(1)
    expect(page.locator(".plate.mine .bubble")).to_have_count(0)  # she knows
    expect(page.locator(".board")).to_have_attribute("data-version", "2")
    site.quick(ben).play(1)
    bubble = page.locator('.plate[data-seat="1"] .bubble')
    expect(bubble).to_contain_text("Ben")
    expect(page.locator(".plate.moved .name")).to_have_text("Ben")
    expect(bubble).to_have_count(0)


# How often a full trick was seen, and how often nothing was said of it.
TRICKS = """() => {
  window.tricks = window.silences = 0;
  const look = () => {
    const cards = document.querySelectorAll('[data-place^="spot:"] svg');
    const line = document.querySelector('.expects')?.textContent.trim();
    if (cards.length < 2 || document.querySelector('.mine-to-act, dialog')) return;
    window.tricks += 1;
    if (!line) window.silences += 1;
  };
  const all = { subtree: true, childList: true, characterData: true };
  new MutationObserver(look).observe(document.querySelector('main'), all);
}"""


def test_how_a_trick_ends_is_said(visit: Visit, site: Site) -> None:
    """The line is never empty while a full trick lies there."""
    table = visit().sit(site.table("sixth_sense", 2, options=ROUNDS["sixth_sense"]))
    page = table.page
    table.turn()
    page.evaluate(TRICKS)
    while value(page, "tricks") < 3:
        if table.next() == "round":
            table.go_on()
        else:
            table.play_one()
    assert value(page, "silences") == 0


def test_the_table_stays_until_somebody_has_looked(visit: Visit, site: Site) -> None:
    """The next round is dealt when the result has been put away, not behind it."""
    table = visit().sit(site.table("chiko", 2, options=ROUNDS["chiko"]))
    page = table.page
    round = page.locator("header h1 small")
    while table.next() != "round":
        size = page.locator(".hand .card").count()
        table.play_one()
    assert page.locator(".hand .card").count() in (size, size - 1)
    expect(round).to_contain_text("1")
    expect(page.locator(".board.mine-to-act, .card.legal, .offer")).to_have_count(0)
    page.get_by_role("dialog").get_by_role("button", name=said("result.goOn")).click()
    expect(page.locator(".hand .card")).to_have_count(6)
    expect(round).to_contain_text("2")


# --- Sounds, buzzing, reactions ---------------------------------------------------------------


# What a browser says of somebody who has done nothing yet: tests do things without a finger.
TOUCHED = """
let touched = false;
addEventListener('pointerdown', ({ isTrusted }) => (touched ||= isTrusted), true);
Object.defineProperty(navigator, 'userActivation', { get: () => ({ hasBeenActive: touched }) });
"""


def test_sounds_from_the_first_tap_until_muted(visit: Visit, site: Site) -> None:
    visitor = counting(visit, viewport=PHONE, has_touch=True)
    visitor.context.add_init_script(TOUCHED)
    table = visitor.sit(site.table("eight_half", 2, options=ROUNDS["eight_half"]))
    page = table.page
    table.turn()
    assert value(page, "sources") == 0  # nobody has touched the page
    play_card(table)
    page.wait_for_function("() => window.sources > 0")
    mute = page.get_by_role("button", name=said("menu.sound"))
    expect(mute).to_have_attribute("aria-pressed", "true")
    mute.click()
    expect(mute).to_have_attribute("aria-pressed", "false")
    before = value(page, "sources"), value(page, "buzzes")
    play_card(table)
    assert (value(page, "sources"), value(page, "buzzes")) == before


def test_a_phone_buzzes_when_it_is_ones_turn(visit: Visit, site: Site) -> None:
    for more, buzzes in ((MOVING, True), ({}, False)):  # not where motion is reduced
        visitor = counting(visit, viewport=PHONE, has_touch=True, **more)
        table = visitor.sit(site.table("chiko", 2, options={"target": 500, "opener": 0}))
        play_card(table)
        assert bool(value(table.page, "buzzes")) == buzzes


def test_a_reaction_is_two_taps_away(visit: Visit, site: Site) -> None:
    table = visit().sit(site.table("chiko", 2))
    page = table.page
    smile = page.get_by_role("button", name=said("menu.reactions"))
    expect(smile).to_have_attribute("aria-expanded", "false")
    smile.click()
    page.keyboard.press("Escape")
    expect(smile).to_have_attribute("aria-expanded", "false")
    expect(smile).to_be_focused()
    smile.click()
    page.get_by_role("button", name=said("reaction.wow")).click()
    expect(page.locator(".plate.mine .bubble")).to_have_text(said("reaction.wow"))
    expect(smile).to_have_attribute("aria-expanded", "false")


@pytest.mark.parametrize("won", [True, False])
def test_the_end_is_a_moment(visit: Visit, site: Site, won: bool) -> None:
    """Confetti for the winners, kind words for everybody else; a tap ends it."""
    visitor = visit(**MOVING)
    while True:
        seat = site.table("chiko", 2)
        table = visitor.sit(seat)
        table.play_to_end()
        if (0 in site.match(seat.table).winners) == won:
            break
    page = table.page
    final = table.expect_final()
    if won:
        expect(page.locator(".confetti")).to_have_count(1)
        page.keyboard.press("Shift")
        expect(page.locator(".confetti")).to_have_count(0)
    else:
        expect(final).to_contain_text(said("result.console"))
        expect(page.locator(".confetti")).to_have_count(0)


def test_after_a_hint_the_keyboard_goes_on(visit: Visit, site: Site) -> None:
    [ann] = seats(site.url, bots=1)
    page = visit().sit(ann).page
    hint = page.get_by_role("button", name=said("hint.ask"))
    hint.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".hinted").first).to_be_visible(timeout=60_000)
    expect(hint).to_be_focused()
    expect(page.locator(".notice")).to_contain_text(re.compile(r"\d+"))
