"""The page without a server: a folder that a plain file server gives away, under strict headers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import expect

from lastcard.server.security import HEADERS
from lastcard.server.site import write_site
from tests.browser.harness import GAMES, Table, Visitor
from tests.browser.test_service import GONE, settled

Visit = Callable[..., Visitor]
STRICT = {**HEADERS, "cross-origin-embedder-policy": "require-corp"}
LIVE = "https://cards.example/"


class Plain(SimpleHTTPRequestHandler):
    """Files, and nothing else."""

    protocol_version = "HTTP/1.1"

    def end_headers(self) -> None:
        for name, value in STRICT.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def giving(folder: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Plain, directory=str(folder)))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize("path", ["", "cards/"])
def test_a_site_without_a_server(path: str, visit: Visit, tmp_path: Path) -> None:
    write_site(tmp_path / path, LIVE)
    with giving(tmp_path) as url:
        visitor = visit(f"{url}/{path}", known=False, service_workers="allow")
        page = visitor.page
        page.goto("")
        expect(page.locator("[data-play]")).to_have_count(len(GAMES))
        expect(page.get_by_role("link", name="other devices")).to_have_attribute("href", LIVE)
        assert page.evaluate("() => crossOriginIsolated")

        page.locator('[data-game="taki"]').get_by_role("link", name="Rules").click()
        expect(page.get_by_role("heading", name="TAKI: the rules")).to_be_visible()
        assert page.url == f"{url}/{path}#/rules/taki"
        page.reload()
        expect(page.get_by_role("heading", name="TAKI: the rules")).to_be_visible()
        expect(page.locator(".example .board .card").first).to_be_visible()
        page.go_back()
        expect(page.locator("[data-play]")).to_have_count(len(GAMES))

        page.locator('[data-play="chiko"]').click()
        table = Table(visitor)
        table.turn()
        table.play_one()
        assert f"{url}/{path}#/t/here-" in page.url
        settled(page)
        version = table.version
        page.reload()
        table.shows(version)
    # Nobody is there any more.
    page.reload()
    table.shows(version)
    table.turn()
    table.play_one()
    page.goto(f"{url}/{path}#/rules/chichiko")
    page.reload()
    expect(page.locator(".example .board .card").first).to_be_visible()
    visitor.forgive(GONE)


def test_a_new_table_there(visit: Visit, tmp_path: Path) -> None:
    """With people here, or with bots; where friends are to be met is said, if it is known."""
    write_site(tmp_path)
    with giving(tmp_path) as url:
        visitor = visit(url)
        page = visitor.page
        page.goto("/#/new/eight_half")
        page.locator("[data-make]").wait_for()
        values = [one.get_attribute("value") for one in page.locator('input[name="with"]').all()]
        assert values == ["here", "bots"]
        expect(page.get_by_text("There is no server here")).to_be_visible()
        expect(page.get_by_role("link", name="other devices")).to_have_count(0)
        page.locator("details.sheet summary").click()
        expect(page.locator('input[name="undo"]')).to_be_visible()
        for name in ("public", "watch"):
            expect(page.locator(f'input[name="{name}"]')).to_be_hidden()
        page.locator("[data-make]").click()
        expect(page.locator("[data-uncover]")).to_be_visible()
        assert "#/t/here-" in page.url
