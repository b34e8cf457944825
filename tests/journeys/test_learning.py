"""A child learns the games from the first page: the rules, and all examples, right and wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.harness import GAMES
from tests.journeys.people import Person
from tests.web.test_words import modules

LANGUAGES = {"taki": "he", "sixth_sense": "ru"}  # the others in English
# What takes several moves is read in the task; all else is tried until it is right.
READ = {
    "alone": ["hand.legal"] * 4,
    "run": [
        "taki.card.g.taki",
        "taki.card.g.number",
        "taki.card.g.reverse",
        "taki.card.g.stop",
        "taki.offer.close",
    ],
    "plus_three": ["taki.card.b.plus", "taki.card.b.number"],
    "last_card": ["hand.legal", "taki.offer.call"],
    "draw": ["chichiko.do.draw", "chichiko.do.draw", "hand.legal"],
    "telephone": ["hand.legal"] * 4,
}


class Example:
    """Something to try out, with what the page will say to who is right."""

    def __init__(self, child: Person, n: int, part: dict[str, Any]) -> None:
        self.name = part["example"]
        self.praise = part["shows"].replace("**", "")
        self._child = child
        self.box = child.finds("group", "rules.try").nth(n)
        expect(self.box).to_contain_text(part["task"].replace("**", ""))

    def refuses(self) -> bool:
        """A card that does not fit, if there is one: then it says why."""
        hand = self._child.finds("group", "hand.label", "hand.tiles", within=self.box)
        cards = hand.get_by_role("button", disabled=True)
        if not cards.count():
            return False
        self._child.taps_and_sees(cards.last)
        expect(self.again).to_have_count(0)
        return True

    @property
    def again(self) -> Locator:
        return self._child.finds("button", "rules.again", within=self.box)

    def praises(self) -> bool:
        """Whether it was right, as soon as something is said to it."""
        expect(self.again).to_be_visible()
        return self.praise in self.box.inner_text()

    def corrects(self) -> None:
        expect(self.box).to_contain_text(self._child.words.within("rules.otherwise"))

    def plays(self, wanted: str = "", tried: set[tuple[str, str]] | None = None) -> None:
        """What is wanted, or else something that has not been tried."""
        child, tried = self._child, set() if tried is None else tried
        offered = child.offered(self.box)
        expect(offered).not_to_have_count(0)
        names = child.names(offered)
        pattern = child.words.within(wanted) if wanted else None
        for n, name in enumerate(names):
            if (name, "") in tried or (pattern and not pattern.search(name)):
                continue
            child.taps_and_sees(offered.nth(n))
            ways = child.names(child.ways())
            rest = [way for way in ways if (name, way) not in tried]
            if not rest:
                tried.add((name, ""))
            if not ways:
                return
            if rest:
                child.taps_and_sees(child.ways().nth(ways.index(rest[0])))
                tried.add((name, rest[0]))
                return
        raise AssertionError(f"{self.name}: {wanted or 'nothing new'} among {names}")

    def once_more(self) -> None:
        self._child.taps(self.again)
        expect(self.again).to_have_count(0)


@pytest.mark.parametrize("game", GAMES)
def test_a_child_learns(meet: Callable[..., Person], game: str) -> None:
    learns(meet("Kim", device="phone", language=LANGUAGES.get(game, "en")), game)


def learns(child: Person, game: str) -> None:
    """From the first page to the rules of a game, through all its examples, and back."""
    child.opens()
    child.follows("lobby.rulesOf", game=child.words(f"{game}.title"))
    expect(child.finds("heading", "rules.title")).to_be_visible()
    parts = modules()["games"][game]["rules"][child.words.language]
    examples = [part for part in parts if "example" in part]
    expect(child.finds("group", "hand.label", "hand.tiles")).to_have_count(
        len(examples)
    )  # all are there
    wrong = 0
    for n, part in enumerate(examples):
        example = Example(child, n, part)
        wrong += example.refuses()
        known = READ.get(example.name, [])
        for wanted in known:
            example.plays(wanted)
        tried: set[tuple[str, str]] = set()  # and in which ways
        while not known:
            example.plays(tried=tried)
            if example.praises():
                break
            wrong += 1
            example.corrects()
            example.once_more()
        expect(example.box).to_contain_text(example.praise)
        example.once_more()
        expect(example.box).not_to_contain_text(example.praise)
    assert wrong
    child.follows("nav.back")
    child.sees("lobby.lead")
