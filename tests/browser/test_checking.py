"""After a live match the page checks the shuffle by itself: a server that cheats is caught."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.browser.harness import GAMES, Seat, Site, Table, Visitor
from tests.browser.test_connection import LIVE, Line, said

Visit = Callable[..., Visitor]
Tamper = Callable[[dict[str, Any]], None]


class Cheat:
    """A server that tells a page something else than what is so."""

    def __init__(self, page: Page, tamper: Tamper) -> None:
        self._tamper = tamper
        self.cheated = 0
        page.route_web_socket(LIVE, self._opened)
        page.route(re.compile(r"/api/tables/[\w-]+(/matches/\d+/file)?$"), self._asked)

    def _opened(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(server.send)
        server.on_message(lambda text: socket.send(self._told(json.loads(text))))

    def _asked(self, route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=self._told(answer.json()))

    def _told(self, content: dict[str, Any]) -> str:
        before = json.dumps(content)
        self._tamper(content)
        self.cheated += json.dumps(content) != before
        return json.dumps(content)


def people(site: Site, game: str, **more: Any) -> tuple[Seat, Seat]:
    ann = site.table(game, 2, people=2, **more)
    return ann, site.join(ann.table, "Ben")


def play_out(table: Table, site: Site, *seats: Seat) -> None:
    """Somebody quicker plays for all, and the page looks on, round by round, to the end."""
    table.page.locator(".board").wait_for()
    site.quick(*seats).play()
    while (what := table.ended()) == "round":
        table.go_on()
    assert what == "final"


@pytest.mark.parametrize("game", GAMES)
def test_an_honest_match(visit: Visit, site: Site, game: str) -> None:
    ann, ben = people(site, game)
    table = visit().sit(ann)
    play_out(table, site, ann, ben)
    check = table.page.locator("dialog.final .check")
    expect(check.locator(".kept")).to_contain_text("This device checked the shuffle: ")
    check.locator("summary").click()
    expect(check.locator("h3").first).to_have_text(said("check.round", round=1))
    dealt = site.match(ann.table)
    assert check.locator("section").count() == dealt.round
    assert check.get_by_text(said("check.hand", name="Ben")).count() == dealt.round
    expect(check.locator(".dealt svg").first).to_be_visible()


def test_after_a_reload_and_a_gap(visit: Visit, site: Site) -> None:
    """The page has kept what it was shown, and is not confused by what it was not."""
    ann, ben = people(site, "chiko", undo=True)
    visitor = visit()
    line = Line(visitor.page)
    table = visitor.sit(ann)
    table.page.locator(".board").wait_for()
    quick = site.quick(ann, ben)
    quick.play(4)
    table.shows(site.hosted(ann.table).table.version)
    kept = table.page.evaluate("() => Object.keys(sessionStorage).length")
    assert kept > 4
    table.page.reload()
    table.shows(site.hosted(ann.table).table.version)
    line.break_off()
    quick.play(2)
    line.cut = False
    table.shows(site.hosted(ann.table).table.version)
    assert table.page.evaluate("() => Object.keys(sessionStorage).length") > kept
    play_out(table, site, ann, ben)
    expect(table.page.locator(".check .kept")).to_be_visible()


def swap_a_card(content: dict[str, Any]) -> None:
    """In the seat's own hand, once it has moved: a card that it does not hold."""
    changes = content.get("changes", {})
    if "hands" in changes and content["version"] > 2 and changes["hands"][0]["cards"]:
        hand = changes["hands"][0]["cards"]
        hand[0] = next(card for card in ("1", "2", "3") if card != hand[0])


def swap_a_dealt_card(content: dict[str, Any]) -> None:
    match = content.get("match") or {}
    if match.get("version") == 1:
        hand = match["view"]["hands"][0]["cards"]
        hand[-1] = next(card for card in ("1", "2", "3") if card != hand[-1])


def tell_another_event(content: dict[str, Any]) -> None:
    for event in content.get("events", []):
        if event["kind"] == "played" and event["seat"] == 1:
            event["card"] = "1" if event["card"] != "1" else "2"


def promise_another_secret(content: dict[str, Any]) -> None:
    for table in (content, content.get("table") or {}):
        if "commitment" in table:
            table["commitment"] = "0" * 64


def reveal_another_secret(content: dict[str, Any]) -> None:
    if "shuffle" in content:
        content["shuffle"]["secret"] = "f" * 64


def say_other_words(content: dict[str, Any]) -> None:
    if "shuffle" in content:
        content["shuffle"]["seeds"][1] = "not what Ben said"


@pytest.mark.parametrize(
    ("tamper", "problem"),
    [
        (swap_a_card, "check.view"),
        (swap_a_dealt_card, "check.view"),
        (tell_another_event, "check.events"),
        (promise_another_secret, "check.commitment"),
        (reveal_another_secret, "check.commitment"),
        (say_other_words, "check.seeds"),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_a_cheat_is_caught(visit: Visit, site: Site, tamper: Tamper, problem: str) -> None:
    ann, ben = people(site, "chiko")
    visitor = visit()
    cheat = Cheat(visitor.page, tamper)
    table = visitor.sit(ann)
    play_out(table, site, ann, ben)
    alert = table.page.locator(".check .alert")
    expect(alert).to_contain_text(said("check.bad"))
    expect(alert).to_contain_text(said(problem))
    expect(table.page.locator(".check .kept")).to_have_count(0)
    assert cheat.cheated


def test_a_device_that_cannot_check_says_so(visit: Visit, site: Site) -> None:
    ann, ben = people(site, "chiko")
    visitor = visit()
    visitor.context.add_init_script("delete window.WebAssembly")
    table = visitor.sit(ann)
    play_out(table, site, ann, ben)
    expect(table.page.locator(".check")).to_contain_text(said("check.cannot"))
