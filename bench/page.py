"""How long people wait for the page, how much it brings, and how much the browser caches.

usage: .venv/bin/python bench/page.py [--latency 300] [--game chiko] [--repeats 3]

A browser opens the lobby, and a table by the link to a seat, each twice: first with an empty cache,
then again. Every request is delayed by the latency. Times are until "Play now" can be tapped in the
lobby, and until the first card or other thing can be tapped at the table.

Then, without a delay, "Play now" of every game, which plays on the device: from the tap to the
first card that can be played, with nothing of the game cached, and with everything kept by the
service worker; and what a first visit brings until then. While expert bots think, no task of the
page may last 50 ms: those that do are counted. At last what everything takes, to be played without
a network.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Request

sys.path.insert(0, str(Path(__file__).parent.parent))

from lastcard.core.registry import games
from lastcard.server.files import Files
from lastcard.server.joining import DEVICE
from tests.browser.chromium import chromium
from tests.browser.harness import PATIENCE, Site, Table, Visitor, serving

# Checks on every frame whether something can be tapped. Time counts from the navigation.
WAIT = """
(selector) => new Promise((resolve) => {
  const look = () => {
    const found = document.querySelector(selector);
    if (found && found.getClientRects().length) resolve(performance.now());
    else requestAnimationFrame(look);
  };
  look();
})
"""
# From a tap on "Play now" to the first card that can be played: the time, and the version of the
# match, which is 1 as long as nobody has moved.
PLAY_NOW = """
([game, selector]) => new Promise((resolve) => {
  const began = performance.now();
  const look = () => {
    const found = document.querySelector(selector);
    if (!found) return;
    observer.disconnect();
    resolve([performance.now() - began, Number(found.closest('.board').dataset.version)]);
  };
  const observer = new MutationObserver(look);
  observer.observe(document.documentElement, { subtree: true, childList: true, attributes: true });
  document.querySelector(`[data-play="${game}"]`).click();
})
"""
LONG_TASKS = """
window.tasks = [];
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) window.tasks.push(duration);
}).observe({ type: 'longtask' });
"""
TURNS = 3  # of ours, while bots think
THOUGHT = 2000  # milliseconds of theirs after each
PLAY = "[data-play]:not([disabled])"
CARD = ".board.mine-to-act :is(.card.legal, .offer, .tappable)"


@dataclass
class Visit:
    """What one visit cost."""

    milliseconds: float = 0.0
    requests: int = 0
    cached: int = 0  # requests answered from the cache
    bytes: int = 0  # over the network
    bytes_cached: int = 0
    sizes: dict[str, int] = field(default_factory=dict)


@contextmanager
def watched(visitor: Visitor, page: Page, latency: float) -> Iterator[Visit]:
    """Counts the browser's requests."""
    session = visitor.context.new_cdp_session(page)
    session.send("Network.enable")
    slow = {"offline": False, "latency": latency}
    session.send(
        "Network.emulateNetworkConditions",
        {**slow, "downloadThroughput": -1, "uploadThroughput": -1},
    )
    visit, kept = Visit(), set()

    def asked(event: Any) -> None:
        if not event["request"]["url"].startswith("data:"):
            visit.requests += 1

    def answered(event: Any) -> None:
        if event["response"].get("fromDiskCache"):
            kept.add(event["requestId"])
            visit.cached += 1
            length = event["response"]["headers"].get("content-length", 0)
            visit.bytes_cached += int(length)

    def served(event: Any) -> None:
        kept.add(event["requestId"])
        visit.cached += 1

    def finished(event: Any) -> None:
        if event["requestId"] not in kept:
            visit.bytes += int(event["encodedDataLength"])

    session.on("Network.requestWillBeSent", asked)
    session.on("Network.responseReceived", answered)
    session.on("Network.requestServedFromCache", served)
    session.on("Network.loadingFinished", finished)
    yield visit
    page.wait_for_load_state("networkidle")
    session.detach()


def visits(browser: Browser, site: Site, path: str, selector: str, latency: float) -> list[Visit]:
    """A first and a second visit."""
    visitor = Visitor(browser, site.url, known=False)
    try:
        found = []
        for _ in range(2):
            page = visitor.context.new_page()
            with watched(visitor, page, latency) as visit:
                page.goto(path, wait_until="commit", timeout=PATIENCE)
                visit.milliseconds = page.evaluate(WAIT, selector)
            page.close()
            found.append(visit)
        return found
    finally:
        visitor.close()


def play_now(page: Page, game: str) -> float | None:
    """Milliseconds from the tap to the first card; None if somebody else begins."""
    page.locator(f'[data-play="{game}"]:not([disabled])').wait_for(timeout=PATIENCE)
    passed, version = page.evaluate(PLAY_NOW, [game, CARD])
    return passed if version == 1 else None


def player(browser: Browser, site: Site, **more: Any) -> Visitor:
    """Somebody who plays against one bot, so that it is soon their turn to begin."""
    visitor = Visitor(browser, site.url, known=False, reduced_motion="no-preference", **more)
    visitor.context.add_init_script("localStorage.setItem('lastcard.settings', '{\"bots\": 1}')")
    return visitor


def finished(visitor: Visitor) -> list[Request]:
    """The requests that have been answered, those of workers as well; it grows."""
    asked: list[Request] = []

    def note(one: Request) -> None:
        asked.append(one)

    visitor.context.on("requestfinished", note)
    return asked


def first_plays(browser: Browser, site: Site, game: str, repeats: int) -> tuple[list[float], int]:
    """Milliseconds with nothing cached, and bytes since the lobby was asked for."""
    times: list[float] = []
    while len(times) < repeats:
        visitor = player(browser, site)
        asked = finished(visitor)
        visitor.page.goto("/")
        passed = play_now(visitor.page, game)
        sizes = [one.sizes() for one in asked]
        size = sum(one["responseHeadersSize"] + one["responseBodySize"] for one in sizes)
        visitor.close()
        if passed is not None:
            times.append(passed)
    return times, size


def later_plays(browser: Browser, site: Site, game: str, repeats: int) -> list[float]:
    """The same, each in a new tab of a browser that has been here before."""
    visitor = player(browser, site, service_workers="allow")
    visitor.page.goto("/")
    visitor.page.evaluate("async () => { await navigator.serviceWorker.ready }")
    times: list[float] = []
    while len(times) < repeats:
        page = visitor.context.new_page()
        page.goto("/")
        passed = play_now(page, game)
        page.close()
        if passed is not None:
            times.append(passed)
    visitor.close()
    return times


def report_device(browser: Browser, site: Site, repeats: int) -> None:
    print('"Play now" to the first card, on the device')
    for game in games():
        first, size = first_plays(browser, site, game, repeats)
        later = later_plays(browser, site, game, repeats)
        print(
            f"{game:12} {statistics.median(first):5.0f} ms, first visit; "
            f"{statistics.median(later):5.0f} ms, later; {size / 1000:4.0f} KB in all"
        )


def long_tasks(browser: Browser, site: Site, game: str) -> list[float]:
    """Milliseconds of the page's tasks over 50 ms while expert bots play against it."""
    visitor = Visitor(browser, site.url, known=False, reduced_motion="no-preference")
    visitor.context.add_init_script(LONG_TASKS)
    visitor.open("/")
    visitor.remember(bots=2, level="expert")
    visitor.page.reload()
    visitor.page.locator(f'[data-play="{game}"]').click()
    table = Table(visitor)
    table.turn()
    visitor.page.evaluate("() => (window.tasks = [])")
    for _ in range(TURNS):
        table.turn()
        table.play_one()
        table.page.wait_for_timeout(THOUGHT)
    found: list[float] = visitor.page.evaluate("() => window.tasks")
    visitor.close()
    return found


def report_long_tasks(browser: Browser, site: Site) -> None:
    print("tasks of the page over 50 ms while expert bots think")
    for game in games():
        found = long_tasks(browser, site, game)
        longest = f", the longest {max(found):.0f} ms" if found else ""
        print(f"{game:12} {len(found)}{longest}")


def report_sizes(files: Files) -> None:
    """By what it is for, compressed."""
    kinds: Counter[str] = Counter()
    for name, file in files.sent.items():
        kinds[kind_of(name)] += len(file.packed.body)
    kinds["icons"] += sum(len(file.packed.body) for file in files.kept.values())
    for kind, size in kinds.most_common():
        print(f"{kind:12} {size / 1000:5.0f} KB")
    print(f"{'everything':12} {sum(kinds.values()) / 1000:5.0f} KB, to play without a network")


def kind_of(name: str) -> str:
    if "/engine/" in name:
        return "engines"
    if name.startswith(DEVICE):
        return "workers"
    if name.startswith("web/"):
        return "icons"
    return (
        "page"
        if name.startswith("app.")
        else next((kind for kind in ("rules", "words") if kind in name.split(".")), "faces")
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--latency", type=float, default=300.0, help="milliseconds per request")
    parser.add_argument("--game", choices=games(), default="chiko")
    parser.add_argument("--repeats", type=int, default=3)
    args = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(f"sqlite:///{folder}/tables.db") as site,
        chromium() as browser,
    ):
        site.table(args.game)  # compiles the game before anything is timed
        print(f"{args.latency:.0f} ms per request; medians of {args.repeats}")
        for name, selector in (("lobby", PLAY), ("table", CARD)):
            runs = []
            for _ in range(args.repeats):
                path = "/"
                if name == "table":
                    path = site.table(args.game, options={"opener": 0}).own_path
                runs.append(visits(browser, site, path, selector, args.latency))
            for number, which in enumerate(("first visit", "second visit")):
                some = [run[number] for run in runs]
                print(
                    f"{name}, {which}: "
                    f"{statistics.median(one.milliseconds for one in some):5.0f} ms, "
                    f"{some[0].requests} requests ({some[0].cached} from the cache), "
                    f"{some[0].bytes / 1000:.0f} KB, {some[0].bytes_cached / 1000:.0f} KB cached"
                )
        report_device(browser, site, args.repeats)
        report_long_tasks(browser, site)
        report_sizes(site.application.server().files)


if __name__ == "__main__":
    main()
