from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import browser, site
from tests.browser.harness import Site
from tests.deals import same_cards
from tests.journeys.people import Person

__all__ = ["browser", "meet", "same_cards", "site"]


@pytest.fixture
def meet(browser: Browser, site: Site) -> Iterator[Callable[..., Person]]:
    """Makes people; when the story is over, nothing may have gone wrong in their browsers."""
    people: list[Person] = []

    def make(name: str = "Ann", kind: type[Person] = Person, **more: Any) -> Person:
        people.append(kind(browser, site.url, name, **more))
        return people[-1]

    yield make
    for person in people:
        person.leaves()
    problems = {person.name: person.visitor.problems for person in people}
    assert problems == {person.name: [] for person in people}
