"""What a seat may not know is not in its page: not in what the page is sent, nor in what it draws.

All cards that an observer cannot see are dealt out anew among themselves. Then the same bytes must
reach the page, and it must draw the same.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Page, Route, WebSocketRoute, expect

from lastcard.core import files
from lastcard.core.registry import game as find
from lastcard.table.messages import encode
from lastcard.table.table import Happened
from lastcard.table.window import Window
from tests.browser.device import call
from tests.browser.harness import (
    GAMES,
    SHORT,
    Ear,
    Seat,
    Site,
    Table,
    Visitor,
    at_once,
    fill_in,
)
from tests.helpers import choose, permuted, shy_of
from tests.table.tables import random_table, welcome, with_match

A_WHILE = 10_000  # milliseconds: whatever was to be seen for a moment is gone
UPDATES = 3  # of each match that are told to a page


@contextmanager
def another_deal(site: Site, table: str, seat: int | None, rng: random.Random) -> Any:
    """The table with all that an observer cannot see dealt anew."""
    hosted = site.hosted(table)
    true = hosted.table.match
    assert true is not None
    other = permuted(true, seat, rng)
    try:
        hosted.table.match = other
        hosted.windows.clear()
        yield other.state != true.state
    finally:
        hosted.table.match = true
        hosted.windows.clear()


def taken_in(visitor: Visitor, ear: Ear, path: str) -> tuple[str, list[Any]]:
    """What a page draws with its log open, and all that it was sent for it."""
    page = visitor.go("/settings")
    ear.answers.clear()
    visitor.go(path)
    expect(Table(visitor).open_log().locator("li").first).to_be_visible()
    expect(page.locator(".plate.away")).to_have_count(1)  # the server has seen who has gone
    sent = [without_presence(json.loads(frame)) for frame in ear.frames]
    once = [one for n, one in enumerate(sent) if one["type"] != "table" or one not in sent[:n]]
    answers = [one.json() for one in ear.answers if "/api/tables" in one.url]
    return page.content(), [*once, *(without_presence(one) for one in answers)]


def without_presence(sent: Any) -> Any:
    """Who is connected just then, and the table's time."""
    if isinstance(sent, list):
        return [without_presence(one) for one in sent]
    if isinstance(sent, dict):
        return {
            key: without_presence(value)
            for key, value in sent.items()
            if key not in ("here", "watching")
        }
    return sent


@pytest.mark.parametrize("game", GAMES)
def test_other_cards_in_other_hands_look_the_same(
    visit: Callable[..., Visitor], site: Site, game: str
) -> None:
    rng = random.Random(f"hidden {game}")
    ann = site.table(game, 2, people=2)
    ben = site.join(ann.table, "Ben")
    seated, watching = visit(), visit()
    ears = {visitor: Ear(visitor.page) for visitor in (seated, watching)}
    seated.sit(ann).page.locator(".board").wait_for()
    watching.open("/settings")
    different = 0
    site.quick(ann, ben, seed=rng.randrange(1000)).play(rng.randint(4, 9))
    assert not site.match(ann.table).over
    for visitor, seat in ((seated, 0), (watching, None)):
        before = taken_in(visitor, ears[visitor], ann.path)
        with another_deal(site, ann.table, seat, rng) as differs:
            different += differs
            assert taken_in(visitor, ears[visitor], ann.path) == before
    assert different


class Told:
    """A page that is told a match by this test instead of the server."""

    def __init__(self, visitor: Visitor, table: str, at_first: dict[str, Any]) -> None:
        self.page = visitor.page
        self._visitor = visitor
        self._table = table
        self._sockets: list[WebSocketRoute] = []
        api = f"**/api/tables/{table}"
        self.page.route(api, lambda route: route.fulfill(json=at_first))
        self.page.route(
            f"{api}/matches/**", lambda route: route.fulfill(json={"of": 0, "steps": []})
        )
        self.page.route_web_socket(re.compile(r"/live$"), self._opened)
        # What is said for a while is there as long as the test looks at it.
        self.page.clock.install(time=0)
        visitor.open("/settings")
        self.page.clock.pause_at(3600)

    def _opened(self, socket: WebSocketRoute) -> None:
        self._sockets.append(socket)

    def draws(self, messages: list[dict[str, Any]]) -> list[str]:
        """What the page is after each of the messages, its log open: at once, and a while later."""
        self._visitor.go("/settings")
        self._sockets.clear()
        self._visitor.go(f"/t/{self._table}", wait=False)
        drawn = []
        for message in messages:
            while not self._sockets:
                self.page.wait_for_timeout(10)
            where = message["match"] if message["type"] == "welcome" else message
            self._sockets[0].send(json.dumps(message))
            expect(self.page.locator(f'.board[data-version="{where["version"]}"]')).to_be_attached()
            Table(self._visitor).open_log()
            at_once = self.page.content()
            self.page.clock.run_for(A_WHILE)
            drawn.append(at_once + self.page.content())
            if self.page.locator("[data-go-on]").count():
                self.page.locator("[data-go-on]").click()
        return drawn


@pytest.mark.parametrize("watching", [False, True], ids=["seated", "watching"])
@pytest.mark.parametrize("game", GAMES)
def test_moves_are_told_alike(visitor: Visitor, game: str, watching: bool) -> None:
    """Also in the log and in what a screen reader says."""
    rng = random.Random(f"told {game} {watching}")
    worlds = told_alike(game, watching, rng)
    first = json.loads(worlds[0][0])
    page = Told(visitor, first["table"]["id"], first["table"])
    drawn = [page.draws([json.loads(one) for one in world]) for world in worlds]
    for message, one, other in zip(worlds[0], *drawn, strict=True):
        assert one == other, message
    assert "<p" in drawn[0][-1] and 'role="log"' in drawn[0][-1]


def told_alike(game: str, watching: bool, rng: random.Random) -> list[list[bytes]]:
    """What is told of the same moves in two worlds that an observer cannot tell apart."""
    while True:
        one = random_table(find(game), rng)
        seat = None if watching else rng.randrange(len(one.table.chairs))
        worlds: list[list[bytes]] = [[], []]
        before = one.table.match
        assert before is not None
        before = before.copy()
        different = 0
        for happened in one.moves(rng):
            after = one.table.match
            assert after is not None
            earlier, before = before, after.copy()
            mover, action = happened.seat, happened.action
            if rng.random() < 0.7 or not isinstance(mover, int):
                continue
            other = permuted(earlier, seat, rng)
            if action not in other.legal(mover):
                continue
            told = []
            for match in (earlier.copy(), other):
                table = with_match(one.table, match)
                window = Window(table, seat)
                hello = json.loads(welcome(table, seat))
                window.shown(table)
                happens = Happened(match.carry_out(*match.check(mover, action)), mover, action)
                update = json.loads(window.update(table, happens, None))
                hello["match"]["version"] = 2 * len(worlds[0])
                update["version"] = 2 * len(worlds[0]) + 1
                told.append((match.hidden(seat).tobytes(), hello, update))
            (record, *mine), (other_record, *others) = told
            # What the move has shown may differ, and the order of cards that were drawn.
            if record != other_record or mine[1]["events"] != others[1]["events"]:
                continue
            different += earlier.state != other.state
            worlds[0] += [encode(message) for message in mine]
            worlds[1] += [encode(message) for message in others]
            if len(worlds[0]) == 2 * UPDATES:
                break
        if len(worlds[0]) >= UPDATES and different:
            return worlds


# --- Two people at one device --------------------------------------------------------------------

# What is alive in the page: mappings that look like a view with cards in a hand, and drawn cards.
REMEMBERED = {
    "Object": """
function () {
  const known = (hand) => hand?.cards?.length > 0;
  return this.filter((one) => Array.isArray(one?.hands) && one.hands.some(known)).length;
}
""",
    "SVGSVGElement": """
function () {
  const cards = ['0 0 100 140', '0 0 100 200'];
  return this.filter((one) => cards.includes(one.getAttribute?.('viewBox'))).length;
}
""",
}


def hands_in_memory(page: Page) -> list[int]:
    """How many there are anywhere in the page's memory; what is not used is gone."""
    debug = page.context.new_cdp_session(page)
    debug.send("HeapProfiler.collectGarbage")
    counts = []
    for kind, count in REMEMBERED.items():
        prototype = debug.send("Runtime.evaluate", {"expression": f"{kind}.prototype"})
        found = debug.send(
            "Runtime.queryObjects", {"prototypeObjectId": prototype["result"]["objectId"]}
        )
        counted = debug.send(
            "Runtime.callFunctionOn",
            {
                "objectId": found["objects"]["objectId"],
                "functionDeclaration": count,
                "returnByValue": True,
            },
        )
        counts.append(counted["result"]["value"])
    debug.detach()
    return counts


@pytest.mark.parametrize("game", GAMES)
def test_a_device_that_is_passed_on_shows_no_hand(visitor: Visitor, game: str) -> None:
    ear = Ear(visitor.page)
    page = visitor.open(f"/new/{game}")
    fill_in(page, players=2, options=SHORT[game], company="here")
    page.locator("[data-make]").click()
    table = Table(visitor)
    passed = 0
    while passed < 3:
        what = table.next()
        if what != "covered":
            assert what in ("turn", "round"), what
            table.play_one() if what == "turn" else table.go_on()
            continue
        passed += 1
        text = page.content()
        assert page.locator(".hand, .card, .board, dialog, .drawer").count() == 0
        assert "hand:" not in text
        ear.all_closed()
        assert hands_in_memory(page) == [0, 0]
        page.locator("[data-uncover]").click()
        expect(page.locator(".hand .card").first).to_be_visible()
        table.seen = -1
    assert min(hands_in_memory(page)) > 0  # it is looked for in the right way


def shared(visitor: Visitor, site: Site) -> tuple[Table, str]:
    """A live table of Chiko at which two people sit with one device, and its id."""
    ann = site.table("chiko", 2, people=2, options={"opener": 0, "target": 50})
    ben = site.join(ann.table, "Ben")
    tokens = {"0": ann.token, "1": ben.token}
    visitor.open().evaluate(
        """([id, tokens]) => localStorage.setItem('lastcard.tables', JSON.stringify(
          [{ id, game: 'chiko', tokens, names: ['Ann', 'Ben'], at: 0, matches: 0 }]))""",
        [ann.table, tokens],
    )
    visitor.open(ann.path)
    return Table(visitor), ann.table


def test_what_comes_late_is_not_for_the_next_one(visitor: Visitor, site: Site) -> None:
    """Who gets the device is told what happened; what was asked for the one before is dropped."""
    table, _ = shared(visitor, site)
    page = table.page

    def take_over() -> None:
        assert table.next() == "covered"
        page.locator("[data-uncover]").click()
        table.seen = -1
        table.turn()

    take_over()
    table.play_one()
    held: list[tuple[Route, APIResponse]] = []
    page.route("**/steps?*from=*", lambda route: held.append((route, route.fetch())))
    take_over()  # there is a move to be told, but the answer takes its time
    # For the line above the table, and for the log beside it. The one before may have asked, too.
    while sum("seat=1" in route.request.url for route, _ in held) < 2:
        page.wait_for_timeout(20)
    table.play_one()
    assert table.next() == "covered"
    for route, answer in held:
        with page.expect_response("**/steps?*from=*"):
            route.fulfill(response=answer)
    page.evaluate("() => new Promise((done) => setTimeout(done))")
    assert page.locator(".notice, .drawer").count() == 0
    assert hands_in_memory(page) == [0, 0]
    page.unroute("**/steps?*from=*")
    take_over()
    expect(page.locator(".notice")).not_to_be_empty()  # what is for this one is told


# --- Tables on the device -------------------------------------------------------------------------

# All that a page says to its workers, and hears from them.
LISTEN = """
window.said = [];
window.heard = [];
window.Worker = class extends Worker {
  constructor(...how) {
    super(...how);
    this.addEventListener('message', ({ data }) => window.heard.push(JSON.stringify(data)));
  }
  postMessage(message) {
    window.said.push(JSON.stringify(message));
    super.postMessage(message);
  }
};
"""
# Other cards at a table, as Python has dealt them. Whoever has seen some sees all of them anew.
DEAL = """
async ([id, bytes]) => {
  const hosted = await self.house.find(id), { match } = hosted.table;
  const before = [...match.bytes];
  hosted.table.match = match.constructor.from(match.engine, Uint8Array.from(bytes), match.moves);
  hosted.windows.clear();
  return before;
}
"""
IMPORT = """
async (file) => {
  const { $need } = await import(document.querySelector('script[type=module]').src);
  const { importMatch, tablesHere } = $need('web/lib/api.js');
  const { table } = await importMatch(file, ['Ann', 'Ben', 'Cid']);
  $need('web/lib/settings.js').adopt(await tablesHere());
  return table;
}
"""
RUNNING_FILE = """
async (path) => {
  const { $need } = await import(document.querySelector('script[type=module]').src);
  const { askHere } = $need('web/lib/device.js');
  return askHere('GET', path).then(() => 'given', ({ code }) => code);
}
"""


def looked_at(visitor: Visitor, path: str) -> tuple[str, str, list[str]]:
    """What a page draws, what it says to screen readers, and all that it heard for it."""
    page = visitor.go("/settings")
    page.evaluate("() => (window.heard = [])")
    visitor.go(path)
    expect(Table(visitor).open_log().locator("li").first).to_be_visible()
    page.evaluate("() => new Promise((done) => setTimeout(done))")
    heard = [json.loads(one) for one in page.evaluate("() => window.heard")]
    return page.content(), page.locator("body").aria_snapshot(), [numberless(one) for one in heard]


def numberless(heard: dict[str, Any]) -> str:
    """Without the numbers of requests and connections; a record in it would be seen as well."""
    return json.dumps(
        {key: None if key in ("answer", "from", "closed") else one for key, one in heard.items()}
    )


@pytest.mark.parametrize("game", GAMES)
def test_a_device_tells_its_page_what_the_seat_may_know(visitor: Visitor, game: str) -> None:
    """The worker knows all cards. Other cards where the seat cannot see them: it says the same."""
    rng = random.Random(f"device {game}")
    at_once(visitor.context, 600.0)  # bots do not move meanwhile
    visitor.context.add_init_script(LISTEN)
    match = find(game).match(3, rng.randbytes(32), SHORT[game])
    shy = shy_of(rng, match)
    while len(match.moves) < 12 or 0 not in match.waiting:
        match.play(*choose(rng, match, shy))
        if match.over:
            match = find(game).match(3, rng.randbytes(32), SHORT[game])
    page = visitor.open("/settings")
    table = page.evaluate(IMPORT, files.dumps(match, ["human", "easy", "easy"]))
    path = f"/t/{table}"
    before = looked_at(visitor, path)
    [worker] = [one for one in page.workers if one.url.endswith("worker.js")]
    other = permuted(match, 0, rng)
    while other.state == match.state:
        other = permuted(match, 0, rng)
    assert worker.evaluate(DEAL, [table, list(other.state)]) == list(match.state)
    after = looked_at(visitor, path)
    assert after == before
    assert worker.evaluate(DEAL, [table, list(match.state)]) == list(other.state)  # all the time
    assert page.evaluate(RUNNING_FILE, f"/api/tables/{table}/matches/1/file") == "not_now"


# Everything that this device keeps of a page.
STORED = """
async () => {
  const kept = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)];
  for (const { name } of await indexedDB.databases()) {
    const asked = (request) => new Promise((done, failed) => {
      request.onsuccess = () => done(request.result);
      request.onerror = () => failed(request.error);
    });
    const database = await asked(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      const all = database.transaction(store).objectStore(store).getAll();
      kept.push(JSON.stringify(await asked(all)));
    }
    database.close();
  }
  for (const name of await caches.keys())
    kept.push(...(await (await caches.open(name)).keys()).map(({ url }) => url));
  return kept;
}
"""


@pytest.mark.parametrize("game", GAMES)
def test_of_a_live_table_nothing_is_kept_but_what_was_shown(
    visit: Callable[..., Visitor], site: Site, game: str
) -> None:
    """Not in any storage, and the worker is told nothing at all before the end."""
    rng = random.Random(f"kept {game}")
    ann = site.table(game, 2, people=2)
    ben = site.join(ann.table, "Ben")
    site.quick(ann, ben, seed=rng.randrange(1000)).play(6)
    kept = []
    with another_deal(site, ann.table, 0, rng) as differs:
        assert differs
        kept.append(kept_of(visit(), ann))
    kept.append(kept_of(visit(), ann))
    assert kept[0] == kept[1]


def kept_of(visitor: Visitor, seat: Seat) -> list[str]:
    visitor.context.add_init_script(LISTEN)
    page = visitor.open("/")
    call(page, "web/lib/api.js", "tablesHere")  # the worker is there, and knows of no table
    visitor.go(seat.own_path)
    visitor.page.locator(".board").wait_for()
    Table(visitor).open_log()
    said = [one for one in page.evaluate("() => window.said") if seat.table in one]
    assert said == []
    found: list[str] = page.evaluate(STORED)
    assert any(seat.table in one for one in found)
    return [re.sub(r'\\?"at\\?":\d+', "", one) for one in found]


def test_a_live_table_is_passed_on_without_a_trace(visitor: Visitor, site: Site) -> None:
    """Two people of a live table at one device: what one was shown is not kept for the other."""
    table, id = shared(visitor, site)
    page = table.page
    for seat in (0, 1):
        assert table.next() == "covered"
        shown = [one for one in page.evaluate(STORED) if '\\"hands\\"' in one]
        assert shown == [] and hands_in_memory(page) == [0, 0]
        page.locator("[data-uncover]").click()
        table.seen = -1
        table.turn()
        [mine] = [one for one in page.evaluate(STORED) if '\\"hands\\"' in one]
        assert f"lastcard.witness.{id}.{seat}" in mine
        assert f"lastcard.witness.{id}.{1 - seat}" not in mine
        table.play_one()
