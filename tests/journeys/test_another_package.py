"""A game of another package: once installed, it stands in the lobby like ours, and is played."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from lastcard.core.registry import game, games, packages
from lastcard.engine.choosing import ENGINE, PLAIN
from tests.browser.harness import Site, serving
from tests.journeys.people import Person
from tests.journeys.test_learning import learns

LADDER = Path(__file__).parents[2] / "examples" / "ladder"
Meet = Callable[..., Person]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server beside which `examples/ladder` is installed."""
    folder = tmp_path_factory.mktemp("another")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    where = ["--no-build-isolation", "--target", str(folder / "packages"), str(LADDER)]
    subprocess.run([*install, *where], check=True, env={"PIP_DISABLE_PIP_VERSION_CHECK": "1"})
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder / "packages")
        packages.cache_clear()
        with pytest.MonkeyPatch.context() as plainly:  # to compile it would take long
            plainly.setenv(ENGINE, PLAIN)
            game("ladder")
        with serving(f"sqlite:///{folder / 'tables.db'}") as site:
            yield site
    packages.cache_clear()


@pytest.mark.parametrize(("language", "device"), [("en", "desk"), ("he", "phone")])
def test_it_is_played_from_the_first_page_to_the_end(
    meet: Meet, language: str, device: str
) -> None:
    assert "ladder" in games()
    ann = meet("Ann", language=language, device=device)
    ann.opens()
    expect(ann.page.get_by_role("article")).to_have_count(len(games()))
    ann.makes_a_table("ladder", players=3, numbers={"rounds": 2})
    ann.plays_to_the_end()
    final = ann.dialog("dialog.final")
    expect(final).to_be_visible()
    ann.follows("result.watch", within=final)
    expect(ann.finds("heading", "replay.of", game=ann.words("ladder.title"))).to_be_visible()


def test_as_many_bots_as_it_is_for(meet: Meet) -> None:
    """ "Play now" offers more bots than Ladder takes: it takes as many as it can."""
    ann = meet("Ann", language="ru", device="tablet")
    ann.opens()
    ann.chooses("lobby.bots", "4")
    ann.chooses("new.level", "level.easy")
    now, title = ann.words("lobby.now"), ann.words("ladder.title")
    ann.taps(ann.page.get_by_role("button", name=f"{now}: {title}"))
    assert ann.is_asked_soon() == "turn"
    ann.plays()


@pytest.mark.parametrize("language", ["en", "he", "ru"])
def test_its_rules_are_learnt(meet: Meet, language: str) -> None:
    learns(meet("Kim", device="phone", language=language), "ladder")
