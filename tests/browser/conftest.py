from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import chromium
from tests.browser.harness import Site, Visitor, serving
from tests.deals import same_cards

__all__ = ["browser", "same_cards", "site", "visit", "visitor"]


# Not for the session: while a browser is open, asyncio.run does not work in the same thread.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    database = tmp_path_factory.mktemp("browser") / "tables.db"
    with serving(f"sqlite:///{database}") as site:
        yield site


@pytest.fixture
def visit(browser: Browser, site: Site) -> Iterator[Callable[..., Visitor]]:
    """Makes visitors; when the test is over, nothing may have gone wrong in their browsers."""
    visitors: list[Visitor] = []

    def make(url: str = "", **more: Any) -> Visitor:
        visitors.append(Visitor(browser, url or site.url, **more))
        return visitors[-1]

    yield make
    for visitor in visitors:
        visitor.settle()
        visitor.close()
    assert [visitor.problems for visitor in visitors] == [[] for _ in visitors]


@pytest.fixture
def visitor(visit: Callable[..., Visitor]) -> Visitor:
    return visit()
