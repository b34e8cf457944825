"""Whoever removes a game's folder removes the game: the page and all others still work.

A game without a face is still there for programs, but the page does not offer it.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

import lastcard
from tests.browser.harness import GAMES, Table, Visitor
from tests.server.client import Server

PACKAGE = Path(lastcard.__file__).parent
GONE, FACELESS = "taki", "eight_half"
LEFT = [game for game in GAMES if game not in (GONE, FACELESS)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("without")
    copy = folder / "lastcard"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", GONE))
    shutil.rmtree(copy / "games" / FACELESS / "face")
    with Server(f"sqlite:///{folder / 'tables.db'}", package=copy) as server:
        yield server


def test_the_page_does_not_offer_them(visit: Callable[..., Visitor], server: Server) -> None:
    visitor = visit(server.url)
    page = visitor.open("/")
    tiles = page.get_by_role("article")
    expect(tiles).to_have_count(len(LEFT))
    assert [tile.get_attribute("data-game") for tile in tiles.all()] == LEFT
    for game in (GONE, FACELESS):
        for path in (f"/new/{game}", f"/rules/{game}"):
            title = visitor.open(path).get_by_role("heading", level=1)
            expect(title).to_have_text("Nothing here")
    page = visitor.open("/rules")
    tabs = page.get_by_role("navigation", name="Games").get_by_role("link")
    expect(tabs).to_have_count(len(LEFT))


def test_a_table_that_the_page_cannot_show(visit: Callable[..., Visitor], server: Server) -> None:
    setup = {"game": FACELESS, "players": 2, "bots": ["easy"], "name": "Ann", "public": True}
    status, made = server.request("POST", "/api/tables", setup)
    assert status == 201
    visitor = visit(server.url)
    page = visitor.open(f"/t/{made['table']}")
    expect(page.get_by_role("alert")).to_have_text("This page cannot show that game.")
    page.get_by_role("link", name="All games").click()
    expect(page.get_by_text("No open tables")).to_be_visible()


def test_another_game_is_played(visit: Callable[..., Visitor], server: Server) -> None:
    visitor = visit(server.url)
    visitor.open("/").locator('[data-play="chiko"]').click()
    table = Table(visitor)
    for _ in range(2):
        table.turn()
        table.play_one()
