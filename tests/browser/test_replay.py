"""A match again: step by step, from a seat or with all cards open, and as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

import lastcard
from tests.browser.harness import Ear, Seat, Site, Visitor
from tests.server.client import request

PAGE = 50  # steps at a time: so there are several
PACE = 1100  # milliseconds between steps that play by themselves

# The hands as they are drawn: at the bottom, and those of others as long as they are open.
HANDS = """
() => ({
  mine: [...document.querySelectorAll('.hand .card')]
    .map((one) => one.dataset.place.slice(5)).sort(),
  open: [...document.querySelectorAll('.plates .plate')].map((plate) =>
    [Number(plate.dataset.seat), plate.querySelectorAll('.fan.open > *').length]),
})
"""


@pytest.fixture
def over(site: Site) -> Seat:
    return finished(site, "chiko")


def finished(site: Site, game: str) -> Seat:
    seat = site.table(game, 3)
    site.quick(seat).play()
    assert site.match(seat.table).over
    return seat


def steps(site: Site, seat: Seat, how: str) -> list[dict[str, Any]]:
    """All of them, however long the match was."""
    found: list[dict[str, Any]] = []
    while True:
        path = f"/api/tables/{seat.table}/matches/1/steps?from={len(found)}&count={PAGE}&{how}"
        status, answer = request("GET", site.url + path, token=seat.token)
        assert status == 200, answer
        found += answer["steps"]
        if len(found) == answer["of"]:
            return found


def watch(visitor: Visitor, seat: Seat) -> Page:
    page = visitor.open(f"{seat.path}/matches/1")
    expect(page.locator(".scrub .count")).to_be_visible()
    return page


def button(page: Page, place: int) -> Locator:
    """Back, play or stop, on."""
    return page.locator(".scrub > button").nth(place)


def expect_step(page: Page, n: int, all: list[dict[str, Any]]) -> None:
    """The nth, from 0."""
    expect(page.locator(".scrub .count")).to_have_text(f"{n + 1}/{len(all)}")
    expect(page.locator(".board")).to_have_attribute("data-version", str(all[n]["version"]))
    expect(page.locator("[data-scrub]")).to_have_js_property("value", str(n))
    expect(page.locator(".scrub .said")).not_to_be_empty()


def choose(page: Page, who: str) -> None:
    page.locator(".scrub select").select_option(who)


def offered(page: Page) -> list[str]:
    values: list[str] = page.locator(".scrub option").evaluate_all(
        "(all) => all.map((one) => one.value)"
    )
    return values


def test_to_any_step(visitor: Visitor, site: Site, over: Seat) -> None:
    all = steps(site, over, "open=true")
    page = watch(visitor, over)
    last = len(all) - 1
    assert last > 6
    expect_step(page, 0, all)
    expect(button(page, 0)).to_be_disabled()
    for n in (1, 2, 3):
        button(page, 2).click()
        expect_step(page, n, all)
    button(page, 0).click()
    expect_step(page, 2, all)
    page.locator("[data-scrub]").fill(str(last - 1))
    expect_step(page, last - 1, all)

    # The slider has keys of its own; elsewhere arrows do the same.
    page.locator("[data-scrub]").press("ArrowLeft")
    expect_step(page, last - 2, all)
    page.evaluate("() => document.activeElement.blur()")
    for key, n in (("ArrowRight", last - 1), ("ArrowRight", last), ("ArrowRight", last)):
        page.keyboard.press(key)
        expect_step(page, n, all)
    for key, n in (("Home", 0), ("ArrowLeft", 0), ("End", last), ("ArrowLeft", last - 1)):
        page.keyboard.press(key)
        expect_step(page, n, all)


def test_it_plays_by_itself(visitor: Visitor, site: Site, over: Seat) -> None:
    all = steps(site, over, "open=true")
    visitor.page.clock.install()
    page = watch(visitor, over)
    expect_step(page, 0, all)
    button(page, 1).click()
    for n in (1, 2):
        page.clock.run_for(PACE)
        expect_step(page, n, all)
    button(page, 1).click()
    page.clock.run_for(3 * PACE)
    expect_step(page, 2, all)

    last = len(all) - 1
    page.locator("[data-scrub]").fill(str(last - 1))
    expect_step(page, last - 1, all)
    button(page, 1).click()
    page.clock.run_for(PACE)
    expect_step(page, last, all)
    page.clock.run_for(PACE)  # it has stopped
    expect_step(page, last, all)
    button(page, 1).click()
    expect_step(page, 0, all)
    page.clock.run_for(PACE)
    expect_step(page, 1, all)


@pytest.mark.parametrize("game", ["chichiko", "taki"])
def test_who_sees_what(visitor: Visitor, site: Site, game: str) -> None:
    over = finished(site, game)
    page = watch(visitor, over)
    assert offered(page) == ["open", "0", "1", "2", ""]
    n = 1
    for who, how in (("open", "open=true"), ("0", "seat=0"), ("2", "seat=2"), ("", "")):
        all = steps(site, over, how)
        choose(page, who)
        page.locator("[data-scrub]").fill(str(n))
        expect_step(page, n, all)
        hands = all[n]["view"]["hands"]
        bottom = int(who) if who.isdigit() else 0
        drawn = page.evaluate(HANDS)
        assert drawn["mine"] == sorted(hands[bottom]["cards"])
        assert dict(drawn["open"]) == {
            seat: len(hand["cards"]) for seat, hand in enumerate(hands) if seat != bottom
        }
        if who == "open":
            assert all_are_open(hands)
        n += 1


def all_are_open(hands: list[dict[str, Any]]) -> bool:
    return all(len(hand["cards"]) == hand["size"] for hand in hands)


def test_the_last_choice_counts(visitor: Visitor, site: Site, over: Seat) -> None:
    """Also if the answer to an earlier one comes later: from the server, here."""
    visitor.context.add_init_script("delete window.WebAssembly")
    page = watch(visitor, over)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/steps*seat=1*", hold)
    choose(page, "1")
    choose(page, "2")
    all = steps(site, over, "seat=2")
    expect(page.locator(".mine-plate .plate")).to_have_attribute("data-seat", "2")
    with page.expect_response("**/steps*seat=1*"):
        held[0].continue_()
    page.wait_for_timeout(50)  # it would be drawn now
    expect_step(page, 0, all)
    assert page.evaluate(HANDS)["mine"] == sorted(all[0]["view"]["hands"][2]["cards"])


def test_a_live_match_that_is_over_is_played_again_here(
    visitor: Visitor, site: Site, over: Seat
) -> None:
    """From its file: the server is asked for nothing else, and would tell the same steps."""
    ear = Ear(visitor.page)
    page = watch(visitor, over)
    all = steps(site, over, "open=true")
    page.keyboard.press("End")
    expect_step(page, len(all) - 1, all)
    asked = [one.url for one in ear.answers]
    assert any(one.endswith("/matches/1/file") for one in asked)
    assert not any("/steps" in one for one in asked)


def test_while_it_goes_on(visitor: Visitor, site: Site) -> None:
    """One sees what one knew; a stranger sees what everybody knows."""
    seat = site.table("taki", 3, options={})
    site.quick(seat).play(2)
    page = watch(visitor, seat)
    assert offered(page) == [""]
    assert page.evaluate(HANDS)["mine"] == []
    assert page.locator("[data-download]").count() == 0

    visitor.sit(seat)
    expect(page.locator(".board")).to_be_visible()
    page = watch(visitor, seat)
    assert offered(page) == ["0", ""]
    all = steps(site, seat, "seat=0")
    expect_step(page, 0, all)
    assert page.evaluate(HANDS)["mine"] == sorted(all[0]["view"]["hands"][0]["cards"])
    page.keyboard.press("End")
    expect_step(page, len(all) - 1, all)
    choose(page, "")
    expect(page.locator(".hand .card")).to_have_count(0)
    expect_step(page, len(all) - 1, all)
    assert page.evaluate(HANDS)["mine"] == []
    assert page.locator("[data-download]").count() == 0


def test_the_file(visitor: Visitor, site: Site, over: Seat, tmp_path: Path) -> None:
    match = site.match(over.table)
    table = visitor.sit(over)
    page = table.page
    final = table.expect_final()
    saved = [save(page, final.locator("[data-download]"), tmp_path)]
    final.locator("a[href*=matches]").click()
    expect(page.locator("[data-scrub]")).to_be_visible()
    expect(page.locator("dialog")).to_have_count(0)
    saved.append(save(page, page.locator(".scrub [data-download]"), tmp_path))
    for one in saved:
        assert one.over and one.scores == match.scores and one.winners == match.winners
        assert one.position() == match.position()


def save(page: Page, button: Locator, folder: Path) -> lastcard.Match:
    with page.expect_download() as download:
        button.click()
    name = download.value.suggested_filename
    assert name.startswith("chiko-") and name.endswith("-1.json")
    path = folder / name
    download.value.save_as(path)
    return lastcard.load(path)
