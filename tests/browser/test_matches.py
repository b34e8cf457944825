"""Whole matches through the page: against bots, and between two browsers."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from playwright.sync_api import expect

from tests.browser.harness import (
    GAMES,
    PHONE,
    SHORT,
    Ear,
    Site,
    Table,
    Visitor,
    fill_in,
    play_together,
)

LUCK = {"taki": 6}  # choices with which two come to an end soon
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    **{game: (game, {}) for game in GAMES},
    "phone": ("chichiko", {"phone": True}),
    "sausage": ("chichiko", {"sausage": True}),
}

# What a page draws of cards: those in hands, and whether the small ones of others are all alike.
DRAWN = """
() => ({
  version: Number(document.querySelector('.board')?.dataset.version ?? -1),
  mine: [...document.querySelectorAll('.hand .card')].map((one) => one.dataset.place.slice(5)),
  places: [...document.querySelectorAll('[data-place^="hand:"]')].length,
  backs: [...document.querySelectorAll('.plates .fan')].map((fan) => (fan.matches('.open')
    ? 'open' : new Set([...fan.children].map((one) => one.outerHTML)).size)),
})
"""


def test_one_click_from_the_lobby(visitor: Visitor) -> None:
    visitor.open().locator('[data-play="taki"]').click()
    table = Table(visitor)
    for _ in range(3):
        table.turn()
        table.play_one()
    table.turn()


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_match_against_bots(visitor: Visitor, variant: str) -> None:
    game, more = VARIANTS[variant]
    page = visitor.open(f"/new/{game}")
    fill_in(page, players=3, options=SHORT[game] | more, company="bots")
    page.locator("[data-make]").click()
    table = Table(visitor)
    table.play_to_end()
    final = table.expect_final()
    if variant == "chiko":
        final.locator("[data-rematch]").click()
        expect(final).to_have_count(0)
        table.play_to_end()
        table.expect_final()


@pytest.mark.parametrize("game", ["chiko", "sixth_sense", "taki"])
def test_a_match_between_two_browsers(visit: Callable[..., Visitor], site: Site, game: str) -> None:
    """And at every state neither page holds anything that its seat may not know."""
    ann, ben = visit(), visit(viewport=PHONE)
    ears = [Ear(one.page) for one in (ann, ben)]
    page = ann.open(f"/new/{game}")
    fill_in(page, players=2, options=SHORT[game], company="friends")
    page.locator('input[name="name1"]').fill("Ann")
    page.locator("[data-make]").click()
    link = page.locator(".link-row input").input_value()
    ben.page.goto(link)
    ben.page.locator('form input[name="name"]').fill("Ben")
    ben.page.locator("[data-join]").click()
    tables = [Table(one, random.Random(LUCK.get(game, 7))) for one in (ann, ben)]
    for table in tables:
        expect(table.page.locator(".board")).to_be_visible()
    checked = 0

    def check() -> None:
        nonlocal checked
        for seat, (table, ear) in enumerate(zip(tables, ears, strict=True)):
            drawn = table.page.evaluate(DRAWN)
            true = site.hosted(table.id).table
            view = msgspec.json.decode(msgspec.json.encode(site.match(table.id).view(seat)))
            if not drawn["version"] == ear.version == true.version:
                continue  # something is on its way
            if ear.view["seat"] != seat:
                continue  # the page is only about to sit down
            checked += 1
            assert ear.view == view
            assert sorted(drawn["mine"]) == sorted(view["hands"][seat]["cards"])
            assert drawn["places"] == len(drawn["mine"])
            other = view["hands"][1 - seat]
            assert drawn["backs"] == (["open"] if other["cards"] else [min(other["size"], 1)])

    moves = play_together(tables, check)
    assert checked > 0.8 * moves
    for table in tables:
        table.expect_final()
