"""How fast games run in a browser: Chromium beside the native libraries, in turn, in one run.

usage: .venv/bin/python bench/browser.py [GAME...] [--players 3] [--seconds 0.3] [--repeats 5]

Three things, each with the same work on both sides, on one core: random play; choices of the
game's policy, called one by one from Python and from JavaScript, and Python's calls take longer
than the choices; and playouts of search. In Chromium they run in a worker, by the modules of the
page.
"""

from __future__ import annotations

import argparse
import random
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Page

sys.path.insert(0, str(Path(__file__).parent.parent))

import lastcard
from lastcard.bots.search import Budget, SearchBot
from lastcard.bots.simple import NormalBot
from lastcard.core.game import Game
from lastcard.core.registry import games
from lastcard.core.views import legal_of
from lastcard.sim.bench import Contestant, nearest, ours, rounded, run
from tests.browser.chromium import chromium

PACKAGE = Path(lastcard.__file__).parent
WORKER = Path(__file__).with_suffix(".js")
SIGHTS = 24  # decisions, from several matches, that policy and search are asked about
PLAYOUTS = 1_000  # of search per decision
SEED = 1

Sight = tuple[Any, int]  # a hidden record, and whose

ASK = """
(asked) => new Promise((resolve, reject) => {
  window.measuring ??= new Worker('/browser.js', {type: 'module'});
  measuring.onmessage = ({data}) => resolve(data);
  measuring.onerror = ({message}) => reject(new Error(message));
  measuring.postMessage(asked);
})
"""


class Files(SimpleHTTPRequestHandler):
    """The package's files, and the worker."""

    def translate_path(self, path: str) -> str:
        return str(WORKER) if path == f"/{WORKER.name}" else super().translate_path(path)

    def do_GET(self) -> None:
        if self.path == "/":
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html>")
        else:
            super().do_GET()

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def page_with_files() -> Iterator[Page]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(PACKAGE)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        with chromium() as browser:
            page = browser.new_page()
            page.goto(f"http://127.0.0.1:{server.server_port}/")
            yield page
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class InBrowser(Contestant):
    """Measured by itself, in its worker."""

    def __init__(self, page: Page, what: str, game: Game, given: dict[str, Any]) -> None:
        super().__init__(f"Chromium, {what}, {game.id}", lambda _: 0)
        self._ask = partial(page.evaluate, ASK)
        self._asked = {"what": what, "game": game.id, "given": given}

    def measure(self, seconds: float) -> None:
        self.speeds.append(self._ask({**self._asked, "seconds": seconds}))


def sights(game: Game, players: int) -> list[Sight]:
    """What seats see that have a choice, in matches that bots play."""
    rng, bot = random.Random(SEED), NormalBot(game, SEED)
    found: list[Sight] = []
    while len(found) < SIGHTS:
        match = game.match(players, rng.getrandbits(64))
        while not match.over and len(found) < SIGHTS:
            seat = match.waiting[0]
            if not isinstance(seat, int):
                match.roll()
                continue
            if len(match.legal_ids(seat)) > 1 and rng.random() < 0.2:
                found.append((match.hidden(seat), seat))
            match.play(seat, bot.choose(match, seat))
    return found


def policy(game: Game, seen: list[Sight]) -> Contestant:
    bot = NormalBot(game, SEED)
    choose, rng = bot.policy.choose, bot.rng
    legal = [np.array(legal_of(game, hidden[0], seat), np.int16) for hidden, seat in seen]
    asked = [(hidden[0], seat, ids) for (hidden, seat), ids in zip(seen, legal, strict=True)]

    def batch(times: int) -> int:
        for _ in range(times):
            for record, seat, ids in asked:
                choose(record, seat, ids, len(ids), rng)
        return times * len(asked)

    return Contestant(f"native, policy, {game.id}", batch)


def search(game: Game, seen: list[Sight]) -> Contestant:
    player = SearchBot(game, SEED, Budget(playouts=PLAYOUTS))
    player.load()
    asked = [(hidden, seat, legal_of(game, hidden[0], seat)) for hidden, seat in seen]
    done = 0

    def batch(times: int) -> int:
        nonlocal done
        tried = 0
        for _ in range(times):
            tried += sum(one.worlds for one in player.judge(*asked[done % len(asked)]))
            done += 1
        return tried

    return Contestant(f"native, search, {game.id}", batch)


def pairs(page: Page, game: Game, players: int) -> Iterator[tuple[str, Contestant, Contestant]]:
    """What is measured, natively and in the browser."""
    seen = sights(game, players)
    told = [
        (hidden.tobytes().hex(), seat, legal_of(game, hidden[0], seat)) for hidden, seat in seen
    ]
    options = {"players": players, "options": game.simulated_options(players)}
    yield "decisions at random", ours(game, players), InBrowser(page, "random", game, options)
    yield "choices by policy", policy(game, seen), InBrowser(page, "policy", game, {"sights": told})
    given = {"sights": told, "playouts": PLAYOUTS}
    yield "playouts of search", search(game, seen), InBrowser(page, "search", game, given)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("games", nargs="*", choices=[[], *games()], default=[])
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--repeats", type=int, default=5)
    args = parser.parse_args()
    with page_with_files() as page:
        print(f"per second on one core; medians of {args.repeats}, and of the ratios run by run")
        for game in map(lastcard.game, args.games or games()):
            players = nearest(game, args.players)
            found = list(pairs(page, game, players))
            everybody = [one for _, native, inside in found for one in (native, inside)]
            for _ in run(everybody, args.seconds, args.repeats):
                pass
            for what, native, inside in found:
                print(
                    f"{game.title}, {players} players, {what}: native {rounded(native.median)}, "
                    f"Chromium {rounded(inside.median)}, {inside.times(native):.2f} times"
                )


if __name__ == "__main__":
    main()
