"""What stands in bench/ counts right. How fast anything is, no test asks."""

from __future__ import annotations

import itertools
import re
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lastcard.envs.openspiel  # noqa: F401  registers the short decks
from lastcard.bots import bot
from lastcard.bots.search import SearchBot
from lastcard.core.registry import game

BENCH = Path(__file__).parent.parent / "bench"


def program(name: str) -> dict[str, Any]:
    return runpy.run_path(str(BENCH / name))


def test_baselines_are_shares_of_whole_deals() -> None:
    cell = program("baselines.py")["cell"]
    assert cell("chiko", 4, "normal", 1000, 1, 1) == "25"
    once, again = (cell("chiko", 2, "easy", 40, 1, 1) for _ in range(2))
    assert once == again and re.fullmatch(r"\d\d\.\d ± \d+\.\d \(40\)", once)
    assert cell("taki", 3, "easy", 1000, 0, 1).endswith("(3)")  # no time: the first deal
    assert cell("eight_half", 2, "random", 20, 1, 1) == "below 30.0 (20)"  # none of ten deals


def test_search_may_be_given_another_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """One by which a look takes a millisecond: so many milliseconds are so many looks."""
    ticks = itertools.count()
    monkeypatch.setattr(SearchBot, "clock", lambda _: next(ticks) / 1000)
    rules = game("chiko")
    player = bot("search:7ms", rules, 1)
    player.load()
    assert isinstance(player, SearchBot)
    player.doubt = 100.0  # it never stops because the answer is clear
    player.advise(rules.match(2, 7, {"opener": 0}), 0)
    assert next(ticks) == 8  # one at the start, and one after each millisecond


def test_information_sets_are_estimated_without_bias() -> None:
    """That there are 9,214 in this game OpenSpiel counts (docs/research.md)."""
    suite = program("suite.py")
    row = suite["short"]("lastcard_sixth_sense(deck=r0 r1 r2 r4 y0 y1 y2,hand=3)", 80, 1)
    found, margin = (int(one.replace(",", "")) for one in re.findall(r"[\d,]+\d(?= ±| \|$)", row))
    assert abs(found - 9214) < margin < 1000


def test_random_choices_are_legal_and_all_alike() -> None:
    envs = program("envs.py")
    places, state = envs["picker"](6)
    mask = np.array([0, 1, 0, 1, 1, 0], np.int8)
    found = np.bincount(
        [envs["pick"].py_func(mask, places, state) for _ in range(3000)], minlength=6
    )
    assert (found > 0).tolist() == mask.astype(bool).tolist()
    assert found[mask > 0].min() > 900
