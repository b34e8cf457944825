"""The page as an app: what it loads and looks like, how it moves and sounds."""

from __future__ import annotations

import json
import re
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Page, Route, expect

from lastcard.server.faces import faces
from lastcard.server.files import Files
from tests.browser.harness import (
    GAMES,
    LANGUAGES,
    PHONE,
    Site,
    Table,
    Visitor,
    becomes,
    serving,
)
from tests.server.client import fetch, request

MOST_LOADED = 110_000  # bytes of the lobby, as they are sent
MOST_FILES = 9  # over a slow connection each takes its time
LETTERS = {"en": "[a-z]", "he": "[\u05d0-\u05ea]", "ru": "[\u0430-\u044f]"}

Visit = Callable[..., Visitor]


def legal_card(table: Table) -> dict[str, Any]:
    """A card that can be played; moves until there is one."""
    for _ in range(20):
        table.turn()
        cards = table.things([".hand .card.legal"])
        if cards:
            return cards[0]
        table.play_one()
    raise AssertionError(f"no card to play: {table.line}")


# --- What is served ---------------------------------------------------------------------------


def test_manifest_and_icons(visitor: Visitor, site: Site) -> None:
    page = visitor.open()
    session = visitor.context.new_cdp_session(page)
    found = session.send("Page.getAppManifest")
    assert found["url"] == f"{site.url}/manifest.webmanifest"
    assert found["errors"] == []
    manifest = json.loads(found["data"])
    assert manifest["start_url"] == manifest["scope"] == "./"
    sizes = set()
    for icon in manifest["icons"]:
        status, content = fetch("GET", f"{site.url}/{icon['src']}")
        assert status == 200
        sizes.add((icon["sizes"], icon.get("purpose", "any")))
        if icon["type"] == "image/svg+xml":
            root = ElementTree.fromstring(content)
            assert root.tag == "{http://www.w3.org/2000/svg}svg"
            width, height = root.attrib["viewBox"].split()[2:]
            assert width == height and icon["sizes"] == "any"
        else:
            assert icon["sizes"] == "{}x{}".format(*png_size(content))
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} <= sizes
    for link in page.locator("link[rel=icon], link[rel=apple-touch-icon]").all():
        assert fetch("GET", site.url + str(link.get_attribute("href")))[0] == 200


def png_size(content: bytes) -> tuple[int, int]:
    assert content[:8] == b"\x89PNG\r\n\x1a\n" and content[12:16] == b"IHDR"
    assert content.endswith(b"IEND\xaeB`\x82")
    width, height = struct.unpack(">II", content[16:24])
    return width, height


@pytest.mark.parametrize("path", ["/", "/t/any", "/rules/taki", "/web/main.js", "/api/games"])
def test_the_policy(site: Site, path: str) -> None:
    with urlopen(Request(site.url + path)) as answer:
        policy = answer.headers["content-security-policy"]
    directives = dict(one.strip().split(" ", 1) for one in policy.split(";"))
    assert directives["default-src"] == "'none'"
    assert directives["script-src"] == "'self' 'wasm-unsafe-eval'"
    assert directives["style-src"] == directives["worker-src"] == "'self'"
    assert directives["base-uri"] == directives["frame-ancestors"] == "'none'"
    assert not re.search(r"unsafe|http|\*", policy.replace("'wasm-unsafe-eval'", ""))


def test_the_policy_is_kept(visitor: Visitor) -> None:
    """Visitors report what it forbids: here something is, after a walk where nothing was."""
    page = visitor.open("/rules/chiko")
    example = page.locator(".example").first
    example.locator(".board .card.legal").first.click()
    expect(example.locator(".after")).not_to_be_empty()
    visitor.go("/settings")
    page = visitor.open()
    page.locator('[data-play="chiko"]').click()
    table = Table(visitor)
    table.turn()
    table.play_one()
    table.turn()
    expect(table.open_log().locator("li")).not_to_have_count(0)
    visitor.settle()
    assert visitor.problems == []

    page.evaluate(
        "() => document.body.append(Object.assign(new Image(), { src: 'http://x.test/' }))"
    )
    page.evaluate("() => document.body.setAttribute('style', 'color: red')")
    for policy in ("img-src http://x.test", "style-src-attr"):
        becomes(page, lambda: f"policy: {policy}" in "\n".join(visitor.problems))  # noqa: B023
    visitor.forgive("Content Security Policy|policy:|asked for http://x.test")


LOADED = """
() => ['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))
  .map(({ name, transferSize }) => [new URL(name).pathname, transferSize])
"""


def test_the_first_load_is_small_and_the_second_is_there_already(
    visit: Callable[..., Visitor],
) -> None:
    page = visit(known=False).page  # where requests are changed on their way, nothing is cached
    loads = []
    for _ in range(2):
        page.goto("/")
        page.locator("[data-play]").last.wait_for()
        page.wait_for_load_state("networkidle")
        loads.append(dict(page.evaluate(LOADED)))
    first, second = loads
    print(f"the lobby: {sum(first.values())} bytes in {len(first)} answers")
    assert len(first) <= MOST_FILES
    assert 10_000 < sum(first.values()) < MOST_LOADED
    assert second.keys() == first.keys()
    files = [path for path in first if path.startswith("/web/")]
    assert len(files) >= 4
    assert [second[path] for path in files] == [0] * len(files)  # from the browser's cache


def test_a_page_that_is_older_than_the_server(visit: Visit, tmp_path: Path) -> None:
    """What it has not loaded yet is not there any more: it is loaded anew, where it is."""
    face = tmp_path / "face"
    shutil.copytree(faces()["chiko"], face)
    with serving(f"sqlite:///{tmp_path / 'tables.db'}") as site:
        files = site.application.server().files = Files(faces=faces() | {"chiko": face})
        visitor = visit(site.url)
        page = visitor.open("/")
        before = files.version
        words = face / "words.en.js"
        words.write_text(words.read_text().replace("'Chiko'", "'Chiko the Second'"))
        files.look()  # as for the next one who comes
        page.get_by_role("link", name="Rules: Chiko").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Chiko the Second")
        assert files.version != before and page.url.endswith("/rules/chiko")
        visitor.forgive("404")
        visitor.close()  # what it still loads, for the examples, comes from this server


# --- What a device wants, and what it remembers -----------------------------------------------


def test_who_goes_back_before_there_are_words(visitor: Visitor) -> None:
    """Nothing is shown without words; then what the address says by that time."""
    page, held = visitor.page, list[Route]()

    def hold(asked: Route) -> None:
        held.append(asked)

    page.route("**/words.*.js", hold)
    page.goto("/", wait_until="commit")
    expect(page.locator("html[data-theme]")).to_be_attached()  # the page's programs are running
    visitor.go("/settings", wait=False)
    expect(page.locator(".screen")).to_have_count(0)
    held[0].continue_()
    expect(page.get_by_role("heading", level=1, name="Settings")).to_be_visible()


@pytest.mark.parametrize(
    ("locale", "language"), [("he-IL", "he"), ("ru-RU", "ru"), ("de-DE", "en")]
)
def test_the_language_of_the_browser(visit: Visit, locale: str, language: str) -> None:
    page = visit(locale=locale).open()
    root = page.locator("html")
    expect(root).to_have_attribute("lang", language)
    expect(root).to_have_attribute("dir", "rtl" if language == "he" else "ltr")
    assert re.search(LETTERS[language], page.locator(".lead").inner_text())


def test_light_and_dark(visit: Visit) -> None:
    visitor = visit(color_scheme="dark")
    page = visitor.open("/settings")
    root = page.locator("html")
    expect(root).to_have_attribute("data-theme", "dark")
    assert brightness(page) < 80
    page.emulate_media(color_scheme="light")
    expect(root).to_have_attribute("data-theme", "light")
    assert brightness(page) > 180
    page.locator('input[name="theme"][value="dark"]').check()
    expect(root).to_have_attribute("data-theme", "dark")
    page = visitor.open()
    expect(root).to_have_attribute("data-theme", "dark")
    assert brightness(page) < 80
    visitor.go("/settings")
    page.locator('input[name="theme"][value="light"]').check()
    page.emulate_media(color_scheme="dark")
    expect(root).to_have_attribute("data-theme", "light")
    page.locator('input[name="theme"][value=""]').check()
    expect(root).to_have_attribute("data-theme", "dark")


def brightness(page: Page) -> float:
    """Of the ground, from 0 to 255."""
    colour = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    found = re.fullmatch(r"rgb\((\d+), (\d+), (\d+)\)", colour)
    assert found, colour
    return sum(map(int, found.groups())) / 3


# --- Cards ------------------------------------------------------------------------------------


def middle_of(page: Page, what: str) -> tuple[float, float]:
    box = page.locator(what).first.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def laid_after(site: Site, table: Table, version: int) -> bool:
    """Whether the next move was that seat 0 laid a card."""
    path = f"/api/tables/{table.id}/matches/1/steps?from={version}&count=1"
    event = request("GET", site.url + path)[1]["steps"][0]["events"][0]
    return event["seat"] == 0 and event["kind"] in ("played", "hatched")


def test_a_card_is_dragged(visitor: Visitor, site: Site) -> None:
    table = visitor.sit(site.table("chiko", 2, people=1, options={"opener": 0}))
    page = table.page
    card = legal_card(table)
    version = table.version
    dragged = page.locator(".card.dragged")

    # A little way, and back to the hand: nothing happens.
    page.mouse.move(*card["at"])
    page.mouse.down()
    page.mouse.move(*middle_of(page, ".middle"), steps=4)
    expect(dragged).to_have_count(1)
    expect(page.locator(".middle.over-here")).to_have_count(1)
    page.mouse.move(*card["at"], steps=4)
    expect(page.locator(".middle.over-here")).to_have_count(0)
    page.mouse.up()
    expect(dragged).to_have_count(0)
    page.evaluate("() => new Promise((resolve) => setTimeout(resolve, 60))")  # a click is not due
    assert table.version == version and site.hosted(table.id).table.version == version

    table.seen = version
    page.mouse.down()
    page.mouse.move(*middle_of(page, ".middle"), steps=4)
    page.mouse.up()
    table.turn()
    assert laid_after(site, table, version)


def test_a_card_is_dragged_with_a_finger(visit: Visit, site: Site) -> None:
    visitor = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    table = visitor.sit(site.table("chiko", 2, people=1, options={"opener": 0}))
    page = table.page
    card = legal_card(table)
    version = table.seen = table.version
    session = visitor.context.new_cdp_session(page)
    (x, y), (to_x, to_y) = card["at"], middle_of(page, ".middle")

    def touch(kind: str, *at: float) -> None:
        points = [{"x": at[0], "y": at[1]}] if at else []
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", x, y)
    for n in range(1, 9):
        touch("touchMove", x + (to_x - x) * n / 8, y + (to_y - y) * n / 8)
    touch("touchEnd")
    table.turn()
    assert laid_after(site, table, version)


@pytest.mark.parametrize("game", GAMES)
def test_why_a_card_cannot_be_played(visitor: Visitor, site: Site, game: str) -> None:
    seat = site.table(game, 3, options={})
    table = visitor.sit(seat)
    page = table.page
    refused = page.locator(".board:has(.mine-plate .plate.turn) .hand .card:not(.legal)")
    table.turn()
    while not refused.count():
        table.play_one()
        table.turn()
    version = table.version
    said = {}
    for language in LANGUAGES:
        if language != "en":
            visitor.go("/settings")
            page.locator(f'input[name="language"][value="{language}"]').check()
            expect(page.locator("html")).to_have_attribute("lang", language)
            visitor.go(seat.path)
            table.turn()
        expected = table.line
        cards = table.things([".hand .card:not(.legal)"])
        table.click(cards[0])
        warning = page.locator(".expects.warning")
        expect(warning).not_to_be_empty()
        said[language] = warning.inner_text()
        assert said[language] != expected
        assert re.search(LETTERS[language], said[language].lower())
    assert len(set(said.values())) == len(LANGUAGES), said
    assert table.version == version
