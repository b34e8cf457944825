"""Tables on the device: no server plays there, and nothing that was done is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Error, Page, Route, expect

from tests.browser.device import call, open_here
from tests.browser.harness import GAMES, WORKER, Ear, Table, Visitor
from tests.browser.test_connection import said

Visit = Callable[..., Visitor]


@pytest.mark.parametrize("game", GAMES)
def test_a_match_without_a_server(visitor: Visitor, game: str) -> None:
    page = visitor.open()
    [seat] = open_here(page, game)
    ear = Ear(page)
    visitor.go(seat.path)
    table = Table(visitor)
    table.play_to_end()
    table.expect_final()
    assert ear.sockets == [] and ear.answers == []


def kill(visitor: Visitor) -> None:
    """The tab, as a system does that needs its memory; then there is another one."""
    with visitor.page.expect_event("crash"), pytest.raises(Error, match="crash"):
        visitor.page.goto("chrome://crash")
    visitor.page = visitor.context.new_page()


def in_tab(visitor: Visitor, page: Page) -> Table:
    table = Table(visitor)
    table.page = page
    return table


def hand(table: Table) -> str:
    cards = table.page.locator('.hand [data-place^="hand:"]')
    return " ".join(cards.evaluate_all("(all) => all.map((one) => one.dataset.place)"))


def test_it_is_back_after_the_tab_was_killed(visitor: Visitor) -> None:
    [seat] = open_here(visitor.open(), "taki", undo=True)
    visitor.go(seat.path)
    table = Table(visitor)
    for _ in range(3):
        table.turn()
        table.play_one()
    table.turn()
    version, held = table.version, hand(table)
    kill(visitor)
    visitor.open(seat.path)
    table = Table(visitor)
    table.turn()
    assert table.version == version and hand(table) == held
    [listed] = call(visitor.page, "web/lib/api.js", "tablesHere")
    assert listed["id"] == seat.table and listed["status"] == "playing"
    table.play_to_end()
    [listed] = call(visitor.page, "web/lib/api.js", "tablesHere")
    assert (listed["status"], listed["over"]) == ("over", 1)


def test_two_tabs_stay_in_step(visitor: Visitor) -> None:
    [seat] = open_here(visitor.open(), "chiko", options={"target": 30, "opener": 0})
    visitor.go(seat.path)
    other = visitor.context.new_page()
    other.goto(seat.path)
    tables = [Table(visitor), in_tab(visitor, other)]
    for number in range(6):
        mover, follower = tables[number % 2], tables[1 - number % 2]
        mover.turn()
        mover.play_one()
        mover.turn()
        follower.shows(mover.version)
        assert follower.version == mover.version
        mover.seen = follower.seen = -1
    assert len({hand(table) for table in tables}) == 1


# What a browser does that keeps nothing. Workers do not run the scripts of tests.
FORBID = """
Object.defineProperty(self, 'indexedDB', {
  get() { throw new DOMException('', 'SecurityError'); },
});
"""
UNKEPT = """
async () => {
  const { $need } = await import(document.querySelector('script[type=module]').src);
  return new Promise((resolve) => $need('web/lib/device.js').whenUnkept(resolve));
}
"""


def test_forbidden_storage(visitor: Visitor) -> None:
    def forbid(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=f"{FORBID}\n{response.text()}")

    visitor.context.route(WORKER, forbid)
    [seat] = open_here(visitor.open(), "chiko")
    assert visitor.page.evaluate(UNKEPT) == "forbidden"
    visitor.go(seat.path)
    expect(visitor.page.locator(".notice")).to_have_text(said("unkept.forbidden"))
    table = Table(visitor)
    table.turn()
    table.play_one()
    table.turn()


def test_storage_of_a_newer_version(visitor: Visitor) -> None:
    page = visitor.open("/settings")
    page.evaluate("""() => new Promise((resolve) => {
      indexedDB.open('lastcard', 1000).onsuccess = ({ target }) => resolve(target.result.close());
    })""")
    [seat] = open_here(page, "chiko")
    assert page.evaluate(UNKEPT) == "newer"
    visitor.go(seat.path)
    expect(page.locator(".notice")).to_have_text(said("unkept.newer"))
    Table(visitor).turn()


@pytest.mark.parametrize("missing", ["WebAssembly", "Worker"])
def test_a_browser_that_cannot(visitor: Visitor, missing: str) -> None:
    """Then the server plays."""
    visitor.context.add_init_script(f"delete window.{missing}")
    [seat] = open_here(visitor.open(), "chiko")
    assert not seat.table.startswith("here-")
    visitor.go(seat.path)
    Table(visitor).turn()


@pytest.mark.parametrize("broken", ["worker.js", "engine.wasm", "engine.json"])
def test_an_engine_that_does_not_load(visitor: Visitor, broken: str) -> None:
    def spoil(route: Route) -> None:
        route.fulfill(status=200, body=b"nothing of use", content_type="text/javascript")

    visitor.context.route(f"**/{broken}", spoil)
    [seat] = open_here(visitor.open(), "chiko")
    assert not seat.table.startswith("here-")
    visitor.forgive("SyntaxError|CompileError|WebAssembly|Unexpected")


def test_examples_are_played_here(visitor: Visitor) -> None:
    ear = Ear(visitor.page)
    page = visitor.open("/rules/chiko")
    example = page.locator(".example").first
    expect(example.locator(".board")).to_be_visible()
    table = Table(visitor)
    things: list[dict[str, Any]] = table.things([".example .card.legal"])
    assert things
    example.locator(".card.legal").first.click()
    expect(example.locator(".after")).not_to_be_empty()
    assert not [one for one in ear.answers if "/examples/" in one.url]
