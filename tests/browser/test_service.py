"""The service worker: the page without a network, and a new version of it."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from lastcard.server.app import Application
from lastcard.server.files import LIST, WEB, Files
from lastcard.server.reach import own_address
from lastcard.table.refusals import Code, Refused
from tests.browser.device import open_here
from tests.browser.harness import Site, Table, Visitor, serving
from tests.server.inside import inside

Visit = Callable[..., Visitor]
GONE = r"net::ERR_(CONNECTION_REFUSED|INTERNET_DISCONNECTED)|Refused$"  # as a browser says it
# What is kept: the caches, and the addresses in each.
KEPT = """
async () => Object.fromEntries(await Promise.all((await caches.keys()).map(async (name) =>
  [name.split(' ').at(-1),
    (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)])))
"""
# Whether the newest service worker is at work.
WORKS = """
async () => {
  const kept = await navigator.serviceWorker.ready;
  return kept.active?.state === 'activated' && !kept.installing && !kept.waiting;
}
"""


class Changing:
    """A server whose page changes."""

    def __init__(self, site: Site, folder: Path) -> None:
        self.site = site
        self._folder = folder
        shutil.copytree(WEB, folder)
        site.application.server().files = Files(folder)

    @property
    def files(self) -> Files:
        return self.site.application.server().files

    def change(self) -> str:
        """Another version."""
        path = self._folder / "words/ru.js"
        before = path.stat().st_mtime_ns
        path.write_text(f"{path.read_text()}export const news = true;\n")
        os.utime(path, ns=(before, before + 1_000_000))
        old = self.files.version
        self.files.look()
        assert self.files.version != old
        return self.files.version


@pytest.fixture
def changing(tmp_path: Path) -> Iterator[Changing]:
    with serving(f"sqlite:///{tmp_path / 'tables.db'}") as site:
        yield Changing(site, tmp_path / "web")


def kept(page: Page) -> dict[str, list[str]]:
    found: dict[str, list[str]] = page.evaluate(KEPT)
    return found


def eventually(page: Page, holds: str) -> None:
    """Waits until an asynchronous function of the page says yes."""
    page.evaluate(
        f"""async () => {{
          const holds = {holds};
          while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
        }}"""
    )


def settled(page: Page) -> None:
    eventually(page, WORKS)


# Whether there is none that could not be loaded.
FONTS = """async () => {
  await document.fonts.ready;
  return [...document.fonts].every(({ status }) => status !== 'error');
}"""


def test_after_one_visit_it_needs_no_network(visit: Visit, tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'tables.db'}") as site:
        visitor = visit(site.url, known=False, service_workers="allow")
        page = visitor.open("/settings")
        settled(page)
        files = site.application.server().files
        [paths] = kept(page).values()
        wanted = {f"/web/{files.version}/{name}" for name in files.sent if name != LIST}
        assert wanted | {"/", "/manifest.webmanifest"} <= {*paths}
        assert not [path for path in paths if path.startswith("/api/")]
        assert visitor.problems == []
    for path in ("/new/taki", "/rules/chichiko", "/"):  # nothing of these was loaded before
        visitor.open(path)
        expect(page.locator("main")).not_to_be_empty()
        assert page.evaluate(FONTS), path
    expect(page.locator("[data-play]")).to_have_count(5)
    visitor.speak("he")
    visitor.forgive(GONE)


def test_a_new_version_beside_an_open_page(changing: Changing, visit: Visit) -> None:
    """The page goes on with its own files, also those that it had not loaded; it is not loaded
    anew by itself, says in the lobby what is ready, and its files go when it has gone."""
    visitor = visit(changing.site.url, known=False, service_workers="allow")
    page = visitor.open("/")
    settled(page)
    first = changing.files.version
    page.evaluate("() => { window.mark = 'here' }")
    second = changing.change()
    page.evaluate("async () => (await navigator.serviceWorker.ready).update()")
    note = page.get_by_role("status").filter(has_text="A new version is ready.")
    expect(note).to_be_visible()
    settled(page)
    assert kept(page).keys() == {first, second}
    visitor.speak("ru")  # of the old version
    assert page.evaluate("() => window.mark") == "here"
    asked = page.evaluate(
        "async (url) => (await fetch(url)).status", f"/web/{first}/taki.rules.he.js"
    )
    assert asked == 200  # the server has it no more
    visitor.speak("en")
    note.get_by_role("button").click()
    page.wait_for_function("() => window.mark === undefined")
    visitor._shown()
    assert second in str(page.locator("script[type=module]").get_attribute("src"))
    eventually(page, "async () => (await caches.keys()).length === 1")
    assert kept(page).keys() == {second}


def test_a_match_survives_a_new_version(changing: Changing, visit: Visit) -> None:
    visitor = visit(changing.site.url, known=False, service_workers="allow")
    page = visitor.open("/")
    settled(page)
    [seat] = open_here(page, "chiko")
    visitor.go(seat.path)
    table = Table(visitor)
    table.turn()
    second = changing.change()
    page.evaluate("async () => (await navigator.serviceWorker.ready).update()")
    there = f"async () => (await caches.keys()).some((one) => one.endsWith('{second}'))"
    eventually(page, there)
    settled(page)
    before = table.version
    table.play_one()
    table.turn()  # bots have answered
    assert table.version > before
    version = table.version
    assert second not in str(page.locator("script[type=module]").get_attribute("src"))
    page.reload()
    table.shows(version)
    assert second in str(page.locator("script[type=module]").get_attribute("src"))
    table.seen = -1
    table.turn()
    table.play_one()


def test_two_pages_of_two_versions(changing: Changing, visit: Visit) -> None:
    visitor = visit(changing.site.url, known=False, service_workers="allow")
    old = visitor.open("/settings")
    settled(old)
    first = changing.files.version
    second = changing.change()
    new = visitor.context.new_page()
    new.goto("/settings")  # from the network; the browser then looks for a new service worker
    there = f"async () => (await caches.keys()).some((one) => one.endsWith('{second}'))"
    eventually(new, there)
    settled(new)
    assert kept(new).keys() == {first, second}
    for page, version in ((old, first), (new, second)):
        address = f"/web/{version}/words.ru.js"
        text = page.evaluate("async (url) => (await fetch(url)).text()", address)
        assert ("const news" in text) == (version == second)
    old.close()
    new.reload()
    eventually(new, "async () => (await caches.keys()).length === 1")


def test_what_is_not_complete_is_not_used(
    changing: Changing, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, broken = Files.answer, True

    def breaking(files: Files, path: str, headers: dict[str, str]) -> object:
        if broken and path.endswith("engine.wasm"):
            raise Refused(Code.UNAVAILABLE, "Not now.")
        return answer(files, path, headers)

    monkeypatch.setattr(Files, "answer", breaking)
    visitor = visit(changing.site.url, known=False, service_workers="allow")
    page = visitor.open("/settings")
    redundant = """async () => {
      const kept = await navigator.serviceWorker.getRegistration();
      return !kept || (!kept.installing && !kept.active);
    }"""
    eventually(page, redundant)
    assert not any("/" in paths for paths in kept(page).values())
    visitor.context.set_offline(True)
    with pytest.raises(Error, match="ERR_INTERNET_DISCONNECTED"):
        page.goto("/settings")
    visitor.context.set_offline(False)
    broken = False
    visitor.open("/settings")
    settled(page)
    assert all("/" in paths for paths in kept(page).values())
    visitor.forgive(rf"{GONE}|503")


def test_when_the_server_does_not_answer(changing: Changing, visit: Visit) -> None:
    """Whoever stands before it does, or nobody: the page that is kept comes."""
    visitor = visit(changing.site.url, known=False, service_workers="allow")
    page = visitor.open("/settings")
    settled(page)
    page.reload()
    visitor.context.route(
        re.compile("/rules$"), lambda route: route.fulfill(status=502, body="Bad gateway")
    )
    visitor.open("/rules")
    assert "Last Card" in page.title()
    visitor.forgive("502|Refused$")


def test_a_home_network_has_no_service_worker(visit: Visit, tmp_path: Path) -> None:
    """Plain HTTP, and not from this machine: everything else works, and nothing is complained of.
    A page that is open goes on without the server, also to what it had not shown before."""
    address = own_address("0.0.0.0")
    if address is None:
        pytest.skip("this machine has no network")
    application = Application(f"sqlite:///{tmp_path / 'tables.db'}")
    with inside(application, host="0.0.0.0") as local:
        visitor = visit(local.replace("127.0.0.1", address), known=False, service_workers="allow")
        last = sorted(application.server().files.kept)[-1]
        with visitor.page.expect_response(f"{visitor.url}/{last}"):
            page = visitor.open("/")
        assert page.evaluate("() => [isSecureContext, 'serviceWorker' in navigator]") == [
            False,
            False,
        ]
        expect(page.locator("[data-play]")).to_have_count(5)
        visitor.settle()
        assert visitor.problems == []
    visitor.go("/rules/taki")
    expect(page.locator("article.rules figure").first).to_be_visible()
    visitor.forgive(GONE)


def test_it_is_asked_for_each_time(site: Site, browser: Browser) -> None:
    visitor = Visitor(browser, site.url)
    try:
        ask = visitor.context.request.get
        answer = ask("/service.js")
        assert answer.headers["cache-control"] == "no-cache"
        version = re.match(r'const RELEASE = "([0-9a-f]{16})";\n', answer.text())
        assert version
        for address in ask(f"/web/{version[1]}/files.json").json():
            assert ask(f"/{address}").ok, address
    finally:
        visitor.close()
