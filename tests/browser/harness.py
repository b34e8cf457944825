"""The page as people use it: visitors with a browser of their own, and tables that they play at."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import count, cycle
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    Request,
    Response,
    Route,
    WebSocket,
    expect,
)
from websockets.sync.client import ClientConnection, connect

from lastcard.core.match import Match
from lastcard.server.app import Application
from lastcard.server.catalogue import catalogue
from lastcard.server.limits import Limits
from lastcard.table.hosted import HostedTable
from lastcard.table.times import Times
from tests.games.faces import IDS, face_plan
from tests.server.client import request
from tests.server.inside import inside

GAMES = tuple(one["id"] for one in catalogue() if one["id"] in IDS)  # as in the lobby
WITH_CHOICES = tuple(game for game in GAMES if game != "chiko")
LANGUAGES = {"en": "en-US", "he": "he-IL", "ru": "ru-RU"}
PHONE = {"width": 360, "height": 640}
DESK = {"width": 1280, "height": 800}
PATIENCE = 30_000  # milliseconds; for anything that must happen
MOST_MOVES = 400  # by clicks
BOTS_MOVE = 60.0  # seconds; search may still have to be compiled
SHORT = {game: face_plan(game).short for game in GAMES}
ROUNDS = {game: face_plan(game).rounds for game in GAMES}
ROOMY = Limits(
    messages_per_second=1e6,
    address_messages_per_second=1e6,
    address_messages_at_once=10**6,
    messages_at_once=1_000_000,
    requests_per_second=1e5,
    tables_per_hour=1_000_000,
    connections_per_address=10_000,
    reactions_per_second=1e3,
    reactions_at_once=1000,
)
BLOCKED = "Service Worker registration blocked by Playwright"
AT_ONCE = Times(pace=0.0, patience=0.0)
expect.set_options(timeout=PATIENCE)

# The page tells in its console what it misses; its policy is watched in the same way.
WATCH = """
document.addEventListener('securitypolicyviolation', (event) =>
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
"""

# On a busy machine a click may last longer than a long press, which plays nothing: so it takes
# minutes, but for those who want to press long.
NO_LONG_PRESS = """
const later = window.setTimeout;
window.setTimeout = (work, ms, ...more) => later(work, ms === 450 ? 600_000 : ms, ...more);
"""

# Waits until a table wants something of whoever sits there: without looking again and again. What
# is shown for a moment, such as a full trick, is tapped away.
NEXT = """
([seen, ms]) => new Promise((resolve) => {
  const look = () => {
    if (document.querySelector('dialog.final[open]')) return 'final';
    if (document.querySelector('dialog.round[open] [data-go-on]')) return 'round';
    if (document.querySelector('[data-uncover]')) return 'covered';
    const board = document.querySelector('.board.mine-to-act');
    if (!board?.querySelector('.card.legal, .offer, .tappable')) return ''; // a move is on its way
    return Number(board.dataset.version) > seen ? 'turn' : '';
  };
  const now = look();
  if (now || !ms) return resolve(now);
  const done = (what) => {
    observer.disconnect();
    clearTimeout(timer);
    clearTimeout(again);
    clearInterval(taps);
    resolve(what);
  };
  const taps = setInterval(() => document.dispatchEvent(new Event('pointerdown')), 20);
  const observer = new MutationObserver(() => {
    const what = look();
    if (what) done(what);
  });
  observer.observe(document.documentElement,
    { subtree: true, childList: true, attributes: true, characterData: true });
  const timer = setTimeout(() => done(''), ms);
  // A click misses what has just moved: whoever sees that nothing came of it clicks once more.
  const again = setTimeout(() => {
    const board = document.querySelector('.board.mine-to-act');
    if (Number(board?.dataset.version) === seen) done('turn');
  }, 5000);
})
"""

# Things to click, each with a point at which a finger hits it and nothing that lies over it: of a
# card under others only a strip is left.
POINTS = """
(kinds) => kinds.flatMap((kind) => [...document.querySelectorAll(kind)].map((element) => {
  if (element.matches('.choice')) element.scrollIntoView({ block: 'nearest' });
  const box = element.getBoundingClientRect();
  const parts = [0.5, 0.12, 0.88, 0.3, 0.7];
  const at = parts.flatMap((x) => parts.map((y) => [box.x + x * box.width, box.y + y * box.height]))
    .find(([x, y]) => element.contains(document.elementFromPoint(x, y)));
  const { action = '', place = '' } = element.dataset;
  const text = element.getAttribute('aria-label') ?? element.innerText;
  const version = Number(element.closest('.board')?.dataset.version ?? 0);
  return { kind, at, action, place, text, version };
}))
"""
OFFERED = [f".board {kind}" for kind in (".card.legal", ".offer", ":is(.middle, .own) .tappable")]
CHOICES = [".choices .choice[data-action]"]
SHY = ("quit", "draw", "eat", "end", "keep")  # actions that are taken if nothing else is there


@dataclass(frozen=True)
class Seat:
    """A seat at a table that was made without the page."""

    table: str
    number: int
    token: str

    @property
    def path(self) -> str:
        return f"/t/{self.table}"

    @property
    def own_path(self) -> str:
        return f"{self.path}#{self.token}"


def becomes(page: Page, look: Callable[[], Any], wanted: Any = True) -> None:
    """Waits until something looks as it should: for what Playwright cannot wait for."""
    until = time.monotonic() + PATIENCE / 1000
    while (found := look()) != wanted:
        assert time.monotonic() < until, f"{found} instead of {wanted}"
        page.wait_for_timeout(20)


class Site:
    """A server in this process."""

    def __init__(self, url: str, application: Application) -> None:
        self.url = url
        self.application = application

    def table(
        self,
        game: str,
        players: int = 3,
        *,
        people: int = 1,
        name: str = "Ann",
        options: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> Seat:
        """A table with bots, and perhaps seats for more people."""
        setup = {"game": game, "players": players, "bots": ["easy"] * (players - people)}
        setup |= {"name": name, "options": SHORT[game] if options is None else options}
        status, made = request("POST", f"{self.url}/api/tables", {**setup, "grace": None, **more})
        assert status == 201, made
        return Seat(made["table"], made["seat"], made["token"])

    def join(self, table: str, name: str, **more: Any) -> Seat:
        body = {"name": name, **more}
        status, made = request("POST", f"{self.url}/api/tables/{table}/join", body)
        assert status == 201, made
        return Seat(made["table"], made["seat"], made["token"])

    def quick(self, *seats: Seat, seed: int = 7) -> Quick:
        return Quick(self.url, seats, random.Random(seed))

    def at(self, moment: Callable[[dict[str, Any]], bool], game: str, players: int = 3) -> Seat:
        """A seat that is on turn and has such a view."""
        for _ in range(50):
            seat = self.table(game, players)
            self.quick(seat).play(until=moment)
            if not self.match(seat.table).over:
                return seat
        raise AssertionError("this does not happen")

    @property
    def times(self) -> Times:
        """How long bots wait, for instance."""
        return self.application.server().house.turns._times

    @times.setter
    def times(self, times: Times) -> None:
        self.application.server().house.turns._times = times

    def hosted(self, table: str) -> HostedTable:
        return self.application.server().house.tables[table]

    def match(self, table: str) -> Match:
        """The truth."""
        match = self.hosted(table).table.match
        assert match is not None
        return match


@contextmanager
def serving(database: str, times: Times = AT_ONCE) -> Iterator[Site]:
    application = Application(database, limits=ROOMY, times=times)
    with inside(application) as url:
        yield Site(url, application)


class Quick:
    """Seats that play without the page: for moments that would take long to come to by clicks."""

    def __init__(self, url: str, seats: Iterable[Seat], rng: random.Random | None = None) -> None:
        self._rng = rng or random.Random(7)
        self._url = url.replace("http", "ws", 1)
        self._seats = list(seats)

    def play(
        self, moves: int = 10_000, until: Callable[[dict[str, Any]], bool] = lambda _: False
    ) -> int:
        """So many moves of these seats, or to the end, or until somebody on turn has such a view;
        how many there were."""
        with ExitStack() as stack:
            players = []
            for seat in self._seats:
                socket = stack.enter_context(
                    connect(f"{self._url}/api/tables/{seat.table}/live", proxy=None)
                )
                players.append(_Player(socket, seat.token))
            made = 0
            while made < moves:
                for player in players:
                    player.catch_up()
                if players[0].view["over"]:
                    break
                busy = [one for one in players if one.view["legal"]]
                if any(until(one.view) for one in busy):
                    break
                if busy:
                    busy[0].move(self._rng)
                    made += 1
                else:
                    players[0].hear()
            return made

    def make(self, action: str) -> None:
        """The first seat makes this move."""
        [seat, *_] = self._seats
        with connect(f"{self._url}/api/tables/{seat.table}/live", proxy=None) as socket:
            _Player(socket, seat.token).make(action, "made")


def has_choice(view: dict[str, Any]) -> bool:
    """Whether there is a card that may be played in several ways."""
    legal = [action.split(" ") for action in view["legal"] if " " in action]
    cards = [re.split(r"[>=x]", words[1])[0].split("-") for words in legal]
    return len({frozenset(card) for card in cards}) < len(cards)


class _Player:
    def __init__(self, socket: ClientConnection, token: str) -> None:
        self._socket = socket
        self.view: dict[str, Any] = {}
        self.version = 0
        socket.send(json.dumps({"type": "hello", "token": token}))
        while not self.view:
            self.hear()

    def catch_up(self) -> None:
        """What came meanwhile: the server answers in order."""
        self._socket.send('{"type": "ping", "id": "p"}')
        while self.hear().get("id") != "p":
            pass

    def hear(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self._socket.recv(BOTS_MOVE))
        if message["type"] in ("welcome", "match") and message["match"] is not None:
            self.view, self.version = message["match"]["view"], message["match"]["version"]
        elif message["type"] == "update":
            self.view, self.version = self.view | message["changes"], message["version"]
        return message

    def move(self, rng: random.Random) -> None:
        bold = [one for one in self.view["legal"] if one.split(" ")[0] not in SHY]
        self.make(rng.choice(bold or self.view["legal"]), f"{self.version} {rng.random()}")

    def make(self, action: str, id: str) -> None:
        move = {"type": "move", "version": self.version, "action": action, "id": id}
        self._socket.send(json.dumps(move))
        while self.hear().get("id") != id:
            pass


class Ear:
    """All that a page is sent."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.sockets: list[WebSocket] = []
        self.frames: list[str] = []  # of the last socket
        self.answers: list[Response] = []
        self.view: dict[str, Any] = {}
        self.version = -1
        page.on("websocket", self._opened)
        page.on("response", self._answered)

    def _opened(self, socket: WebSocket) -> None:
        self.sockets.append(socket)
        self.frames = []
        socket.on("framereceived", lambda frame: self._heard(socket, str(frame)))

    def _heard(self, socket: WebSocket, frame: str) -> None:
        if socket is not self.sockets[-1]:
            return
        self.frames.append(frame)
        message = json.loads(frame)
        if message["type"] in ("welcome", "match") and message["match"] is not None:
            self.view, self.version = message["match"]["view"], message["match"]["version"]
        elif message["type"] == "update":
            self.view, self.version = self.view | message["changes"], message["version"]

    def all_closed(self) -> None:
        """Waits until no connection is left."""
        becomes(self._page, lambda: all(socket.is_closed() for socket in self.sockets))

    def _answered(self, answer: Response) -> None:
        if "/api/" in answer.url:
            self.answers.append(answer)


# How long bots wait on a device, and where its luck comes from, in the text of its worker.
WORKER = re.compile(r"/web/device/worker\.js$")
PACE = re.compile(r"\b(pace|patience|hurry): [\d.]+")
HOUSE = "new House("
LUCK = "crypto.getRandomValues(new Uint8Array(count))"
KNOWN_LUCK = """Uint8Array.from({ length: count }, () => {
  self.luck = Math.imul((self.luck ?? SEED) ^ 61, 0x27d4eb2d) + 12345;
  self.luck ^= self.luck >>> 15;
  return self.luck >>> 8;
})"""


def at_once(context: BrowserContext, seconds: float = 0.0) -> None:
    """Bots on the device wait so long before they move; the same cards are dealt every time. The
    worker's house can be reached as `house`."""
    started = count(1)

    def answer(route: Route) -> None:
        with suppress(Error):  # the page may be gone by now
            change(route)

    def change(route: Route) -> None:
        response = route.fetch()
        text = PACE.sub(lambda found: f"{found[1]}: {seconds}", response.text())
        assert LUCK in text and HOUSE in text
        text = text.replace(LUCK, KNOWN_LUCK.replace("SEED", str(next(started))))
        route.fulfill(response=response, body=text.replace(HOUSE, f"self.house = {HOUSE}"))

    context.route(WORKER, answer)


class Visitor:
    """Somebody with a browser of their own. Whatever goes wrong in it is kept."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        *,
        known: bool = True,
        long_presses: bool = False,
        **more: Any,
    ) -> None:
        """`known`: the device deals the same cards every time, and bots do not wait there.
        `long_presses`: a click is one if it lasts."""
        settings: dict[str, Any] = {
            "base_url": url,
            "locale": LANGUAGES["en"],
            "viewport": DESK,
            "reduced_motion": "reduce",
            "color_scheme": "light",
            "service_workers": "block",  # they would fetch everything for each visitor
        }
        self.url = url
        self.problems: list[str] = []
        self.context: BrowserContext = browser.new_context(**{**settings, **more})
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(WATCH)
        if not long_presses:
            self.context.add_init_script(NO_LONG_PRESS)
        if known:
            at_once(self.context)
        self.context.on("request", self._asked)
        self.context.on("console", self._said)
        self.context.on("weberror", lambda error: self.problems.append(f"error: {error.error}"))
        self.page: Page = self.context.new_page()

    def _asked(self, asked: Request) -> None:
        address = urlsplit(asked.url)
        if address.scheme not in ("data", "blob") and address.netloc != urlsplit(self.url).netloc:
            self.problems.append(f"asked for {asked.url}")

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and message.text != BLOCKED:
            self.problems.append(f"{message.type}: {message.text}")

    def forgive(self, pattern: str) -> None:
        """What is expected here: that a table is missing, say."""
        self.problems = [one for one in self.problems if not re.search(pattern, one)]

    def settle(self) -> None:
        """What the browser has reported comes in before it is looked at."""
        if not self.page.is_closed():
            self.page.evaluate("() => 0")

    def open(self, path: str = "/") -> Page:
        """Loads the page at an address."""
        self.page.goto(path)
        self._shown()
        return self.page

    def go(self, path: str, *, wait: bool = True) -> Page:
        """The same without loading it anew, as its own links do."""
        self.page.evaluate(
            """(path) => {
              document.getElementById('app').replaceChildren();
              history.pushState(null, '', path);
              window.dispatchEvent(new PopStateEvent('popstate'));
            }""",
            path,
        )
        if wait:
            self._shown()
        return self.page

    def _shown(self) -> None:
        self.page.locator(".screen .bar h1").first.wait_for()

    def speak(self, language: str) -> None:
        """Another language, as the buttons for it do."""
        self.page.evaluate(
            """async (language) => {
              const { $need } = await import(document.querySelector('script[type=module]').src);
              $need('web/lib/settings.js').set({ language });
              await $need('web/lib/router.js').again();
            }""",
            language,
        )
        expect(self.page.locator("html")).to_have_attribute("lang", language)
        self._shown()

    def bots_wait(self, seconds: float) -> None:
        """On this device, after somebody's move."""
        [worker] = [one for one in self.page.workers if WORKER.search(one.url)]
        worker.evaluate("(patience) => Object.assign(self.house._times, { patience })", seconds)

    def remember(self, **settings: Any) -> None:
        self.page.evaluate(
            """(some) => {
              const before = JSON.parse(localStorage.getItem('lastcard.settings') ?? '{}');
              localStorage.setItem('lastcard.settings', JSON.stringify({ ...before, ...some }));
            }""",
            settings,
        )

    @property
    def seats(self) -> list[Seat]:
        """Those that this device keeps, the latest first."""
        kept = self.page.evaluate(
            "() => JSON.parse(localStorage.getItem('lastcard.tables') ?? '[]')"
        )
        return [
            Seat(one["id"], int(number), token)
            for one in kept
            for number, token in one["tokens"].items()
        ]

    def sit(self, seat: Seat) -> Table:
        """Takes a seat by its own link."""
        self.page.goto(seat.own_path)
        return Table(self)

    def close(self) -> None:
        self.context.close()


class Table:
    """A table as one of those who sit there has it before them."""

    def __init__(self, visitor: Visitor, rng: random.Random | None = None) -> None:
        self.visitor = visitor
        self.page = visitor.page
        self.rng = rng or random.Random(7)
        self.seen = -1  # the version of the last turn that was taken

    @property
    def id(self) -> str:
        return urlsplit(self.page.url).path.split("/")[2]

    @property
    def version(self) -> int:
        return int(self.page.locator(".board").get_attribute("data-version") or 0)

    def next(self, seconds: float = BOTS_MOVE) -> str:
        """`turn`, `round`, `covered` or `final`: what is shown; nothing if it takes too long."""
        until = time.monotonic() + seconds
        while True:
            left = max(until - time.monotonic(), 0.0)
            try:
                found: str = self.page.evaluate(NEXT, [self.seen, round(1000 * left)])
                return found
            except Error as error:
                if "garbage collected" not in str(error):  # the browser forgets some promises
                    raise

    def turn(self) -> None:
        """Waits for one's turn; ends of rounds are put away."""
        while (what := self.next()) != "turn":
            assert what == "round", f"{what or 'nothing'} instead of a turn: {self.line}"
            self.go_on()

    def shows(self, version: int) -> None:
        """Waits until the page has come to a version, or further."""
        until = time.monotonic() + BOTS_MOVE
        while self.version < version:
            assert time.monotonic() < until, f"version {version} is not shown: {self.line}"
            if self.next(0) == "round":
                self.go_on()
            self.page.wait_for_timeout(20)

    def ended(self) -> str:
        """Waits for the end of a round, or of the match."""
        self.seen = 1 << 30
        what = self.next()
        self.seen = -1
        return what

    def open_choice(self) -> None:
        """Opens something that may be done in several ways."""
        self.turn()
        [thing, *_] = self.things(['.board [aria-expanded="false"]:not(.icon-button)'])
        self.click(thing)
        expect(self.page.locator(".choices")).to_be_visible()

    def go_on(self) -> None:
        self.click(self.things(["[data-go-on]"])[0])

    @property
    def line(self) -> str:
        """What is expected."""
        lines = self.page.locator(".expects").all_inner_texts()
        return " ".join(lines)

    def things(self, kinds: list[str]) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.page.evaluate(POINTS, kinds)
        return found

    def offered(self) -> list[dict[str, Any]]:
        return self.things(OFFERED)

    def choose(self, things: list[dict[str, Any]]) -> dict[str, Any]:
        bold = [one for one in things if one["action"].split(" ")[0] not in SHY]
        return self.rng.choice(bold if bold and self.rng.random() < 0.95 else things)

    def click(self, thing: Mapping[str, Any]) -> None:
        assert thing["at"], f"this cannot be hit: {thing}"
        self.page.mouse.click(*thing["at"])

    def take(self, thing: Mapping[str, Any]) -> None:
        """Clicks it, and what is to be chosen then."""
        self.seen = thing["version"]
        self.click(thing)
        choices = self.things(CHOICES)
        if choices:
            action = self.choose(choices)["action"]  # there may be more than fit: it is scrolled to
            self.click(self.things([f'.choices [data-action="{action}"]'])[0])

    def play_one(self) -> None:
        """Takes something that is offered, if it still is: a chance out of turn soon passes."""
        offered = self.offered()
        if offered and all(thing["at"] for thing in offered):
            self.take(self.choose(offered))
        elif self.next(0) == "turn" and self.offered() == offered:
            raise AssertionError(f"it is my turn ({self.line}), and this is offered: {offered}")

    def play_to_end(self) -> None:
        """Plays until the final standing is shown."""
        for _ in range(MOST_MOVES):
            what = self.next()
            if what == "round":
                self.go_on()
            elif what == "turn":
                self.play_one()
            else:
                assert what == "final", f"{what or 'nothing'} comes: {self.line}"
                return
        raise AssertionError("it does not end")

    def hurry_to_end(self) -> None:
        """Somebody quicker plays the rest."""
        seat = self.visitor.seats[0]
        self.visitor.go("/settings")
        Quick(self.visitor.url, [seat], self.rng).play()
        self.visitor.go(seat.path)

    def open_log(self) -> Locator:
        """Where there is room it is open beside the table from the beginning."""
        drawer, button = self.page.locator(".drawer"), self.page.locator("[data-log]")
        if button.get_attribute("aria-expanded") == "false":  # it is there as soon as the table is
            button.click()
        expect(self.page.locator(".drawer:not([aria-busy])")).to_be_visible()
        return drawer

    def expect_final(self) -> Locator:
        final = self.page.locator("dialog.final")
        expect(final).to_be_visible()
        expect(final.locator("table.scores tr.first")).not_to_have_count(0)
        return final


def play_together(tables: list[Table], each: Callable[[], None]) -> int:
    """To the end of a match in which nobody but these has something to do; how many moves there
    were."""
    ended: set[Table] = set()
    made = 0
    for table in cycle(tables):
        what = table.next(0.05)
        if what == "round":
            table.go_on()
        elif what == "final":
            ended.add(table)
        elif what == "turn":
            each()
            table.play_one()
            made += 1
        if len(ended) == len(tables) or made == MOST_MOVES:
            break
    return made


def fill_in(page: Page, *, players: int, options: Mapping[str, Any], company: str) -> None:
    """The form for a new table; `company`: bots, friends or here."""
    page.locator(f'input[name="players"][value="{players}"]').check()
    page.locator(f'input[name="with"][value="{company}"]').check()
    if company != "friends":
        page.locator('input[name="level"][value="easy"]').check()
    page.locator("details.sheet summary").click()
    for name, value in options.items():
        field = page.locator(f'[name="option.{name}"]')
        if isinstance(value, bool):
            field.set_checked(value)
        else:
            field.fill(str(value))
