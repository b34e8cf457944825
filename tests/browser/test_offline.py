"""Everything but live tables without a network: a match of every game, in Hebrew, on a phone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from lastcard.server.files import WEB, Files
from tests.browser.harness import (
    GAMES,
    LANGUAGES,
    PACE,
    PHONE,
    SHORT,
    Table,
    Visitor,
    fill_in,
    serving,
)
from tests.browser.test_service import GONE, settled


@pytest.fixture(scope="module")
def alone(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """Somebody who has opened the lobby once; since then there is no network, and no server. Bots
    do not wait, or it would take long."""
    folder = tmp_path_factory.mktemp("offline")
    shutil.copytree(WEB, folder / "web")
    times = folder / "web/device/times.js"
    times.write_text(PACE.sub(r"\1: 0", times.read_text()))
    with serving(f"sqlite:///{folder / 'tables.db'}") as site:
        site.application.server().files = Files(folder / "web")
        visitor = Visitor(
            browser,
            site.url,
            known=False,
            service_workers="allow",
            viewport=PHONE,
            locale=LANGUAGES["he"],
            has_touch=True,
        )
        settled(visitor.open("/"))
    visitor.context.set_offline(True)
    yield visitor
    visitor.close()


@pytest.mark.parametrize("game", GAMES)
def test_a_match_without_a_network(alone: Visitor, game: str) -> None:
    page = alone.open(f"/new/{game}")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    fill_in(page, players=2, options=SHORT[game], company="bots")
    page.locator("[data-make]").click()
    table = Table(alone)
    table.turn()
    table.play_one()
    page.reload()  # the match is kept
    table.play_to_end()
    table.expect_final()
    seat = alone.seats[0]
    assert seat.table.startswith("here-")

    page.locator(f'dialog.final a[href="{seat.path}/matches/1"]').click()
    expect(page.locator(".scrub")).to_be_visible()
    expect(page.locator(".board")).to_be_visible()

    alone.open(f"/rules/{game}")
    example = page.locator(".example").first
    thing = example.locator(".board :is(.card.legal, .offer, .tappable):not([aria-expanded])").first
    thing.click()
    expect(example.locator(".after")).not_to_be_empty()

    alone.open("/")
    expect(page.locator(f'a[href^="{seat.path}"]').first).to_be_visible()
    alone.settle()
    alone.forgive(GONE)
    assert alone.problems == []
