"""Connections that break, people who come and go, and what they say to each other."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from lastcard.table import setup
from lastcard.table.times import Times
from tests.browser.harness import Quick, Seat, Site, Table, Visitor, serving
from tests.server.client import Server, request
from tests.web.test_words import catalogues

LIVE = re.compile("/live$")
FIRST = {"opener": 0, "target": 30}  # of Chiko: seat 0 begins, and it does not end soon
GONE = r"ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_SOCKET_NOT_CONNECTED|WebSocket connection"
LONG = 60_000  # milliseconds; a server of its own may have to be started, search to be compiled

Visit = Callable[..., Visitor]


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Bots there wait before they move: so somebody can think twice."""
    database = tmp_path_factory.mktemp("patient") / "tables.db"
    with serving(f"sqlite:///{database}", Times(pace=600.0, patience=600.0)) as site:
        yield site


class Line:
    """The connection of a page, in our hands."""

    def __init__(self, page: Page) -> None:
        self.cut = False  # nobody can be reached
        self.swallow = False  # the next move is carried out, but its answer does not arrive
        self.slow = False  # what the server says stays on its way until it is let through
        self.refuse = False  # the next move does not get to the server; it is refused
        self._held: list[tuple[WebSocketRoute, str | bytes]] = []
        self.moves: list[dict[str, Any]] = []
        self._open: list[WebSocketRoute] = []
        page.route_web_socket(LIVE, self._opened)

    def break_off(self) -> None:
        self.cut = True
        for socket in self._open:
            socket.close()
        self._open = []

    def let_through(self) -> None:
        self.slow = False
        for socket, text in self._held:
            socket.send(text)
        self._held = []

    def _opened(self, socket: WebSocketRoute) -> None:
        if self.cut:
            socket.close()
            return
        server = socket.connect_to_server()
        self._open.append(socket)
        lost = False

        def to_server(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "move":
                self.moves.append(message)
                if self.refuse:
                    self.refuse = False
                    refused = {"type": "error", "id": message["id"], "code": "illegal", "text": ""}
                    self._say(socket, json.dumps(refused))
                    return
            server.send(text)

        def to_page(text: str | bytes) -> None:
            nonlocal lost
            if self.swallow and json.loads(text)["type"] == "update":
                self.swallow, lost = False, True
                socket.close()
            if not lost:
                self._say(socket, text)

        socket.on_message(to_server)
        server.on_message(to_page)

    def _say(self, socket: WebSocketRoute, text: str | bytes) -> None:
        if self.slow:
            self._held.append((socket, text))
        else:
            socket.send(text)


def seats(url: str, *, bots: int = 0, **more: Any) -> list[Seat]:
    """Ann, and Ben if there is no bot, at a table of Chiko where Ann has a card to play first."""
    setup = {"game": "chiko", "players": 2, "bots": ["easy"] * bots, "name": "Ann", **more}
    while True:
        status, made = request("POST", f"{url}/api/tables", {"options": FIRST, **setup})
        assert status == 201, made
        found = [Seat(made["table"], made["seat"], made["token"])]
        if not bots:
            _, made = request("POST", f"{url}/api/tables/{made['table']}/join", {"name": "Ben"})
            found.append(Seat(made["table"], made["seat"], made["token"]))
        if any(action.startswith("play") for action in dealt(url, found[0])["legal"]):
            return found


def steps(url: str, seat: Seat, more: str = "") -> dict[str, Any]:
    path = f"{url}/api/tables/{seat.table}/matches/1/steps?seat={seat.number}{more}"
    return request("GET", path, token=seat.token)[1]


def dealt(url: str, seat: Seat) -> dict[str, Any]:
    view: dict[str, Any] = steps(url, seat)["steps"][0]["view"]
    return view


def sit(visit: Visit, site: Site, **more: Any) -> list[Table]:
    """All people of a table, each with a browser of their own."""
    tables = [visit(site.url).sit(seat) for seat in seats(site.url, **more)]
    for table in tables:
        expect(table.page.locator(".hand .card")).to_have_count(6)
    return tables


def hand(page: Page) -> list[str]:
    cards: list[str] = page.locator(".hand .card").evaluate_all(
        "(cards) => cards.map((card) => card.dataset.place.slice(5))"
    )
    return sorted(cards)


def expect_version(page: Page, version: int) -> None:
    expect(page.locator(".board")).to_have_attribute("data-version", str(version), timeout=LONG)


def expect_past(page: Page, version: int) -> None:
    board = page.locator(".board")
    expect(board).not_to_have_attribute("data-version", str(version), timeout=LONG)


def play_card(table: Table) -> list[str]:
    """Plays a card; what stays in the hand."""
    left = hand(table.page)
    card = table.things([".hand .card.legal"])[0]
    table.click(card)
    left.remove(card["place"].removeprefix("hand:"))
    return left


def mine(page: Page) -> Locator:
    """The tables of this device, in the lobby."""
    return page.locator("main > section").first


def said(key: str, **values: Any) -> str:
    """What the page says in English."""
    text = catalogues("en")[key]
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", str(value))
    return text


def menu(page: Page, key: str) -> None:
    page.locator("[data-menu]").click()
    page.locator("dialog.menu").get_by_text(said(key), exact=True).click()


# --- Connections that break -------------------------------------------------------------------


def test_a_server_that_dies_and_comes_back(visit: Visit, tmp_path: Path) -> None:
    with Server(f"sqlite:///{tmp_path / 'tables.db'}") as server:
        ann, ben = seats(server.url)
        visitor = visit(server.url)
        table = visitor.sit(ann)
        page = table.page
        lost = page.locator(".notice.lost")
        expect_version(page, 1)
        before = hand(page)
        assert before == sorted(dealt(server.url, ann)["hands"][0]["cards"])

        server.kill()
        expect(lost).to_be_visible()
        assert hand(page) == before
        left = play_card(table)  # while nobody is there
        server.start()
        expect_version(page, 2)
        expect(lost).to_have_count(0, timeout=LONG)
        assert hand(page) == left

        assert steps(server.url, ann)["of"] == 2
        Quick(server.url, [ben]).play(1)
        table.turn()
        visitor.forgive(GONE)


def test_an_answer_that_was_lost(visit: Visit, site: Site) -> None:
    """The move is sent again, and is one move."""
    [ann, _] = seats(site.url)
    visitor = visit()
    line = Line(visitor.page)
    table = visitor.sit(ann)
    expect_version(table.page, 1)
    line.swallow = True
    left = play_card(table)
    expect(table.page.locator(".notice.lost")).to_be_visible()
    expect_version(table.page, 2)
    expect(table.page.locator(".notice.lost")).to_have_count(0)
    assert hand(table.page) == left
    first, again = line.moves
    assert first == again
    assert site.hosted(ann.table).table.version == 2


def test_a_match_that_goes_on_without_the_page(visit: Visit, site: Site) -> None:
    [ann] = seats(site.url, bots=1, options={"opener": 0, "target": 1})
    visitor = visit()
    line = Line(visitor.page)
    table = visitor.sit(ann)
    page = table.page
    expect_version(page, 1)

    line.break_off()
    expect(page.locator(".notice.lost")).to_be_visible()
    play_card(table)  # on this device; meanwhile on another one:
    site.quick(ann).play(1)
    line.cut = False
    expect(page.locator(".expects.warning")).to_have_text(said("error.stale"))
    expect(page.locator(".notice.lost")).to_have_count(0)
    assert hand(page) == sorted(site.match(ann.table).view(0)["hands"][0]["cards"])

    line.break_off()
    expect(page.locator(".notice.lost")).to_be_visible()
    site.quick(ann).play()
    line.cut = False
    table.expect_final()


# --- Coming back, leaving, watching -----------------------------------------------------------


def test_coming_back(visit: Visit, site: Site) -> None:
    """By one's own link on another device, by loading the page again, and from the lobby."""
    [ann, _] = seats(site.url)
    here, there = visit(), visit()
    tables = here.sit(ann), there.sit(ann)
    for table in tables:
        expect_version(table.page, 1)
        assert table.page.url == f"{site.url}{ann.path}"  # and no token
    assert hand(here.page) == hand(there.page)
    left = play_card(tables[1])
    expect_version(here.page, 2)
    assert hand(here.page) == left

    page = there.page
    page.reload()
    expect_version(page, 2)
    assert hand(page) == left
    page.locator("header a[href='/']").click()
    mine(page).get_by_role("link", name=said("lobby.back")).click()
    expect_version(page, 2)
    assert hand(page) == left


def test_a_link_that_nobody_answers_at_first(visit: Visit, site: Site) -> None:
    """The seat is not lost if the page is loaded again, or told anew, before it is connected."""
    [ann, _] = seats(site.url)
    visitor = visit()
    line = Line(visitor.page)
    line.cut = True
    table = visitor.sit(ann)
    expect(table.page.locator(".notice.lost")).to_be_visible()
    visitor.speak("ru")
    table.page.reload()
    expect(table.page.locator(".notice.lost")).to_be_visible()
    line.cut = False
    table.turn()
    assert table.page.url == f"{site.url}{ann.path}"


def test_leaving(visit: Visit, site: Site) -> None:
    ann, ben = seats(site.url)
    visitor = visit()
    line = Line(visitor.page)
    page = visitor.sit(ann).page
    other = visit().sit(ben).page
    for one in (page, other):
        expect_version(one, 1)

    line.break_off()
    expect(page.locator(".notice.lost")).to_be_visible()
    menu(page, "menu.leave")
    page.locator("[data-yes]").click()  # nobody hears it: so the seat is still one's own
    expect(page.locator(".notice:not(.lost)")).to_have_text(said("error.offline"))
    line.cut = False
    expect(page.locator(".notice.lost")).to_have_count(0)
    assert not site.hosted(ann.table).table.chairs[0].left

    menu(page, "menu.leave")
    page.locator("[data-yes]").click()
    expect(page.locator("[data-play]").first).to_be_visible()
    expect(mine(page).locator("li")).to_have_count(0)
    expect(other.locator('.plate[data-seat="0"] .note')).to_contain_text(said("plate.left"))
    assert site.hosted(ann.table).table.chairs[0].left


def test_a_full_table_is_watched(visit: Visit, site: Site) -> None:
    [ann, _] = sit(visit, site)
    page = visit().open(f"/t/{ann.id}")
    expect(page.locator(".board")).to_be_visible()
    expect(page.locator(".notices")).to_contain_text(said("table.watching"))
    assert hand(page) == []
    assert page.locator(".fan.open").count() == 0
    assert page.locator("[data-join], [data-hint], [data-undo], .mine-to-act").count() == 0
    expect(page.locator(".expects")).to_have_text(said("table.waiting", names="Ann"))
    page.locator("[data-menu]").click()
    expect(page.locator("dialog.menu")).to_contain_text("1 ")
    assert page.get_by_role("button", name=said("menu.reactions")).count() == 0
    expect(page.locator("dialog.menu").get_by_text(said("menu.leave"))).to_have_count(0)

    play_card(ann)
    expect_version(page, 2)
    assert hand(page) == []


def test_a_full_table_that_nobody_may_watch(visit: Visit, site: Site) -> None:
    [ann, _] = seats(site.url, watch=False)
    visitor = visit()
    for path in (ann.path, f"{ann.path}#no-such-token"):
        page = visitor.open(path)
        expect(page.locator(".alert")).to_have_text(said("table.none"))


def test_no_such_table(visitor: Visitor) -> None:
    page = visitor.open("/t/no-such-table")
    expect(page.locator(".alert")).to_have_text(said("table.none"))
    page.get_by_role("main").get_by_role("link", name=said("nav.lobby")).click()
    expect(page.locator("[data-play]").first).to_be_visible()
    visitor.settle()
    visitor.forgive("status of 404")


# --- What people say to each other, and to the table ------------------------------------------


def test_two_people(visit: Visit, site: Site) -> None:
    """They have reactions and pauses, and no hints."""
    ann, ben = sit(visit, site)
    pages = ann.page, ben.page
    watching = visit().open(f"/t/{ann.id}")
    expect(ann.page.locator(".mine-to-act")).to_be_visible()
    for page in pages:
        expect(page.locator("[data-hint]")).to_have_count(0)

    ben.page.get_by_role("button", name=said("menu.reactions")).click()
    ben.page.get_by_role("button", name=said("reaction.well_played")).click()
    for page in pages:
        bubble = page.locator('.plate[data-seat="1"] .bubble')
        expect(bubble).to_have_text(said("reaction.well_played"))

    menu(ann.page, "menu.pause")
    expect(ben.page.locator(".notice")).to_have_text(said("table.wantsPause", names="Ann"))
    expect(ann.page.locator(".notice")).to_have_text(said("table.askedPause"))
    assert site.hosted(ann.id).table.status == "playing"
    menu(ben.page, "menu.pause")
    for page in pages:
        expect(page.locator(".notice")).to_contain_text(said("table.paused"))
        expect(page.locator(".expects")).to_have_text(said("table.paused"))
        expect(page.locator(".card.legal, .offer")).to_have_count(0)
    expect(watching.locator(".notice")).to_have_text(said("table.paused"))  # and no button
    ben.page.locator(".notice").get_by_role("button", name=said("menu.resume")).click()
    for page in pages:
        expect(page.locator(".notice")).to_have_count(0)
    play_card(ann)
    expect_version(ben.page, 2)


def test_taking_back(visit: Visit, patient: Site) -> None:
    [table] = sit(visit, patient, bots=1, undo=True)
    page = table.page
    before = hand(page)
    expect(page.locator("[data-undo]")).to_be_disabled()
    left = play_card(table)
    expect_version(page, 2)
    assert hand(page) == left
    page.locator("[data-undo]").click()
    expect_version(page, 3)
    assert hand(page) == before
    expect(page.locator(".notice")).to_have_text(said("table.undoneYou"))
    expect(page.locator("[data-undo]")).to_be_disabled()
    play_card(table)
    expect_version(page, 4)


def test_a_hint(visit: Visit, site: Site) -> None:
    [table] = sit(visit, site, bots=1)
    page = table.page
    pattern = re.escape(said("hint.line", what="WHAT", chance="CHANCE"))
    pattern = pattern.replace("WHAT", ".+").replace("CHANCE", r"\d+")
    page.locator("[data-hint]").click()
    hinted = page.locator(".hinted")
    expect(hinted.first).to_be_visible(timeout=LONG)
    expect(page.locator(".notice")).to_have_text(re.compile(pattern))
    places = hinted.evaluate_all("(all) => all.map((one) => one.dataset.place ?? one.className)")
    assert len(set(places)) == 1  # equal cards are hinted alike
    assert hinted.first.evaluate("(one) => one.matches('.card.legal, .offer, .tappable')")
    hinted.first.click()
    expect_past(page, 1)
    expect(hinted).to_have_count(0)


# What a clock has shown, for however short a time.
CLOCKS = """
window.clocks = new Set();
new MutationObserver(() => {
  const shown = document.querySelector('.clock')?.textContent;
  if (shown) window.clocks.add(shown);
}).observe(document, { subtree: true, childList: true, characterData: true });
"""


def test_the_clock(visit: Visit, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "SHORTEST_WAIT", 1)
    [ann] = seats(site.url, bots=1, clock=2)
    visitor = visit()
    visitor.context.add_init_script(CLOCKS)
    page = visitor.sit(ann).page
    expect_past(page, 1)  # nobody has moved: so a bot did
    page.wait_for_function("() => window.clocks.has('0:01')")
    assert all(re.fullmatch(r"0:0\d", one) for one in page.evaluate("() => [...window.clocks]"))
    [step] = steps(site.url, ann, "&from=1&count=1")["steps"]
    assert step["seat"] == 0 and step["by"] == "clock"
