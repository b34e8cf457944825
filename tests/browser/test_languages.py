"""Three languages, one of them from right to left; and everything fits on a phone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from lastcard.core.registry import game as find
from tests.browser.harness import GAMES, LANGUAGES, PHONE, Site, Table, Visitor, fill_in

# What does not lie within the screen, of what is needed to play; and whether anything is scrolled.
OUTSIDE = """
() => {
  const needed = '.expects, .offer, .hand, .hand .card, .mine-plate, .middle, .plates .plate, .own';
  const { innerWidth: width, innerHeight: height } = window;
  const found = [...document.querySelectorAll(needed)].flatMap((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    const fits = left >= -1 && top >= -1 && right <= width + 1 && bottom <= height + 1;
    return fits ? [] : [`${one.className} ${[left, top, right, bottom].map(Math.round)}`];
  });
  const { scrollWidth, scrollHeight } = document.scrollingElement;
  if (scrollWidth > width) found.push(`${scrollWidth} wide`);
  if (document.querySelector('.board') && scrollHeight > height) found.push(`${scrollHeight} high`);
  return found;
}
"""
# What sticks out to the sides, to name it.
WIDE = """
() => [...document.querySelectorAll('body *')].filter((one) =>
  one.getBoundingClientRect().right > innerWidth + 1 || one.getBoundingClientRect().left < -1)
  .slice(0, 3).map((one) => one.outerHTML.slice(0, 120))
"""


def too_wide(page: Page) -> list[str]:
    width: int = page.evaluate("() => document.scrollingElement.scrollWidth")
    found: list[str] = page.evaluate(WIDE) if width > PHONE["width"] else []
    return [page.url, str(width), *found] if width > PHONE["width"] else []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_language_that_the_browser_asks_for(
    visit: Callable[..., Visitor], language: str
) -> None:
    page = visit(locale=LANGUAGES[language]).open("/")
    root = page.locator("html")
    expect(root).to_have_attribute("lang", language)
    expect(root).to_have_attribute("dir", "rtl" if language == "he" else "ltr")
    expect(page.locator(f'[data-language="{language}"]')).to_have_attribute("aria-pressed", "true")


def test_another_language_at_once_and_for_good(visitor: Visitor) -> None:
    page = visitor.open("/")
    headings = set()
    for language in ("ru", "he", "en", "he"):
        page.locator(f'[data-language="{language}"]').click()
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("html")).to_have_attribute("dir", "rtl" if language == "he" else "ltr")
        headings.add(page.locator("main .lead").inner_text())
        assert page.locator("[data-play]").count() == len(GAMES)
    assert len(headings) == 3
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "he")


def places(page: Page) -> list[tuple[str, int, int]]:
    """The seats around the table, and where they are on the screen."""
    found = page.evaluate(
        """() => [...document.querySelectorAll('.plate')].map((one) => {
          const { x, y } = one.getBoundingClientRect();
          return [one.dataset.seat, x, y];
        })"""
    )
    return [(seat, round(x), round(y)) for seat, x, y in sorted(found)]


def test_clockwise_is_clockwise_in_every_language(
    visit: Callable[..., Visitor], site: Site
) -> None:
    visitor = visit()
    table = visitor.sit(site.table("taki", 6))
    orders = []
    for language in LANGUAGES:
        visitor.speak(language)
        table.turn()
        seats = places(visitor.page)
        by_x = [seat for seat, _, _ in sorted(seats, key=lambda one: (one[1] // 50, one[2]))]
        orders.append(by_x)
    assert orders[0] == orders[1] == orders[2]
    assert len(orders[0]) == 6


@pytest.mark.parametrize("language", ["he", "ru"])
def test_moves_are_made_in_every_language(
    visit: Callable[..., Visitor], site: Site, language: str
) -> None:
    visitor = visit(locale=LANGUAGES[language])
    game = {"he": "chichiko", "ru": "eight_half"}[language]
    table = visitor.sit(site.table(game, 3, options={"rounds": 4}))
    for _ in range(4):
        table.turn()
        table.play_one()
    table.hurry_to_end()
    letters = {"he": "[\u0590-\u05ff]", "ru": "[\u0400-\u04ff]"}[language]
    for text in visitor.page.locator("dialog.final button").all_inner_texts():
        assert re.search(letters, text), text


def test_counts_have_their_forms(visit: Callable[..., Visitor], site: Site) -> None:
    rooms = {free: site.table("taki", free + 1, people=free + 1, public=True) for free in (1, 2, 5)}
    page = visit(locale=LANGUAGES["ru"]).open("/")
    for free, words in {1: "свободное место", 2: "свободных места", 5: "свободных мест"}.items():
        line = page.locator("li").filter(has=page.locator(f'a[href="{rooms[free].path}"]'))
        expect(line.locator("small")).to_have_text(f"{free} {words}")


def told(table: Table) -> list[str]:
    """The lines of the log, without marks for directions."""
    lines = table.open_log().locator("li")
    expect(lines).not_to_have_count(0)
    return [re.sub("[\u2066-\u2069]", "", text) for text in lines.all_inner_texts()]


def test_hebrew_tells_of_a_woman_a_man_and_somebody_who_said_neither(
    visit: Callable[..., Visitor], site: Site
) -> None:
    ruth = site.table("chiko", 4, people=3, name="רות", pronoun="she", options={"target": 50})
    friends = [ruth, site.join(ruth.table, "Dan", pronoun="he"), site.join(ruth.table, "נועם")]
    site.quick(*friends).play(18)
    visitor = visit(locale=LANGUAGES["he"], viewport=PHONE)
    visitor.open(ruth.path)
    lines = told(Table(visitor))
    verbs = {
        "רות": r"רות (הניחה|משכה|פרשה|נשארה|הטילה|פותחת)",
        "Dan": r"Dan (הניח|משך|פרש|נשאר|הטיל|פותח)\b",
        "נועם": r"נועם (עונה ב|כבר לא בסיבוב)|לנועם (נוסף|נוספו) |(ביד|הפתיחה|הקוביות) של נועם",
        "מיה": r"מיה (הניחה|משכה|פרשה|נשארה|הטילה|פותחת)",  # a bot is what its name is
    }
    for name, verb in verbs.items():
        about = [line for line in lines if name in line and not re.match(rf"{name}: ", line)]
        assert about, f"nothing of {name}: {lines}"
        assert [line for line in about if not re.search(verb, line)] == []


def test_who_sits_down_says_how_to_be_addressed(visit: Callable[..., Visitor], site: Site) -> None:
    """It is remembered, it reaches the others, and the page speaks so to who said it."""
    ruth, dan = (visit(locale=LANGUAGES["he"], viewport=PHONE) for _ in range(2))
    page = ruth.open("/new/chiko")
    fill_in(page, players=2, options={"target": 50}, company="friends")
    page.locator('input[name="name1"]').fill("רות")
    page.locator('select[name="pronoun1"]').select_option("she")
    page.locator("[data-make]").click()
    expect(page.locator(".waiting-room")).to_be_visible()
    dan.open(urlsplit(page.url).path)
    dan.page.locator('input[name="name"]').fill("דן")
    dan.page.locator('select[name="pronoun"]').select_option("he")
    dan.page.locator("[data-join]").click()
    words = {ruth: "הניחי|משכי|פרשי", dan: "הנח|משוך|פרוש"}
    about = {ruth: "רות (הניחה|משכה|פרשה)", dan: "דן (הניח|משך|פרש)\\b"}
    tables = {ruth: Table(ruth), dan: Table(dan)}
    for visitor in (ruth, dan):
        expect(visitor.page.locator(".board")).to_be_visible()
    hosted = site.hosted(tables[ruth].id).table
    for _ in range(2):
        visitor = ruth if hosted.waiting == [0] else dan
        table = tables[visitor]
        table.turn()
        assert re.search(rf"\b({words[visitor]})\b", table.line), table.line
        table.play_one()
        for one in tables.values():  # both have been told before the log is read
            one.shows(table.seen + 1)
    for visitor, other in ((ruth, dan), (dan, ruth)):
        assert [line for line in told(tables[visitor]) if re.search(about[other], line)]
        visitor.go("/settings")
        remembered = {ruth: "she", dan: "he"}[visitor]
        expect(visitor.page.locator("[data-pronoun]")).to_have_value(remembered)


@pytest.mark.parametrize("language", LANGUAGES)
def test_screens_are_no_wider_than_a_phone(
    visit: Callable[..., Visitor], site: Site, language: str
) -> None:
    visitor = visit(locale=LANGUAGES[language], viewport=PHONE)
    page = visitor.open("/")
    wide = [too_wide(page)]
    for path in ("/settings", "/nowhere", *(f"/rules/{game}" for game in GAMES)):
        visitor.go(path)
        if path.startswith("/rules"):
            expect(page.locator(".example .board")).not_to_have_count(0)
        wide.append(too_wide(page))
    for game in GAMES:
        visitor.go(f"/new/{game}")
        page.locator("details.sheet summary").click()
        wide.append(too_wide(page))
    room = site.table("taki", 3, people=3)
    visitor.go(room.path)
    expect(page.locator(".waiting-room")).to_be_visible()
    wide.append(too_wide(page))
    seat = site.table("sixth_sense", 6)
    site.quick(seat).play()
    visitor.go(f"{seat.path}/matches/1")
    expect(page.locator(".board")).to_be_visible()
    wide.append(too_wide(page))
    assert [one for one in wide if one] == []


def test_known_hands_among_many_players_fit_a_phone(
    visit: Callable[..., Visitor], site: Site
) -> None:
    """After a crazy card one knows the hand that one has passed on: here two long ones."""
    cards = ["r1", "r3", "y4", "y5", "y+", "g8", "g9", "g9", "b1", "b5", "b7", "cc", "st"]

    def show(route: WebSocketRoute) -> None:
        def to_page(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "welcome":
                for hand in message["match"]["view"]["hands"][4:6]:
                    hand.update(size=len(cards), cards=cards)
            route.send(json.dumps(message))

        server = route.connect_to_server()
        route.on_message(server.send)
        server.on_message(to_page)

    visitor = visit(viewport=PHONE, has_touch=True)
    visitor.page.route_web_socket(re.compile("/live$"), show)
    visitor.sit(site.table("taki", find("taki").most, options={"opener": 0})).turn()
    expect(visitor.page.locator(".fan.open")).to_have_count(2)
    assert visitor.page.evaluate(OUTSIDE) == []
