"""Bots think in workers; whatever becomes of these, every decision is made."""

from __future__ import annotations

import random
from typing import Any

import pytest

import lastcard
from lastcard.bots.learned import packed
from lastcard.core.views import legal_of
from tests.device.node import node
from tests.device.test_bots import sights
from tests.engine.tape import random_network

GAMES = ("chichiko", "sixth_sense")  # one that plays by its policy in playouts, one by a tree


@pytest.fixture(scope="module")
def seen() -> list[tuple[str, Any, int]]:
    return [
        (id, hidden, seat)
        for id in GAMES
        for hidden, seat in sights(lastcard.game(id), random.Random(f"thinkers {id}"), 0.1)[:3]
    ]


@pytest.fixture(scope="module")
def tried(seen: list[tuple[str, Any, int]]) -> dict[str, Any]:
    rng = random.Random("thinkers")
    networks = {id: random_network(lastcard.game(id), rng).net for id in GAMES}
    asked = {
        "sights": [(id, one.tobytes().hex(), seat) for id, one, seat in seen],
        "levels": {"master": "search:50ms:guided:trust=0.02:least=0.001"},
        "networks": {
            id: {"sizes": net.sizes.tolist(), "content": packed(net).hex()}
            for id, net in networks.items()
        },
    }
    found = node("thinkers.mjs", asked)
    assert isinstance(found, dict)
    return found


ALL = ("master", "before", "refusing", "dying", "without", "early", "late", "normal", "crowd")


@pytest.mark.parametrize("how", ALL)
def test_every_decision_is_made(
    how: str, seen: list[tuple[str, Any, int]], tried: dict[str, Any]
) -> None:
    assert len(tried[how]["actions"]) == len(seen)
    for (id, hidden, seat), action in zip(seen, tried[how]["actions"], strict=True):
        game = lastcard.game(id)
        waited = game.rules.waiting(hidden[0]) >> seat & 1
        assert action in legal_of(game, hidden[0], seat) or (action is None and not waited)


def test_each_decision_has_a_worker(tried: dict[str, Any]) -> None:
    assert tried["master"]["workers"] == 1
    assert tried["crowd"]["workers"] == 2  # all cores but one
    for how in ("master", "before"):
        advice = tried[how]["advice"]
        assert advice and advice[0]["worlds"] >= 1
        chances = [one["chance"] for one in advice]
        assert all(0 <= chance <= 1 for chance in chances)


@pytest.mark.parametrize("how", ["refusing", "dying", "without", "early"])
def test_without_workers_or_a_network_the_policy_decides(how: str, tried: dict[str, Any]) -> None:
    assert tried[how]["actions"] == tried["normal"]["actions"]
    assert tried[how]["advice"] == []
    assert tried[how]["workers"] <= 4  # nobody tries for ever


def test_what_was_found_before_a_failure_counts(tried: dict[str, Any]) -> None:
    """In two batches, or one where the machine is slow."""
    late = tried["late"]
    assert late["worlds"] >= 2
    assert {one["worlds"] for one in late["advice"]} == {late["worlds"]}


@pytest.mark.parametrize("how", ALL[:-1])
def test_none_is_left_running(how: str, tried: dict[str, Any]) -> None:
    assert tried[how]["left"] == 0
    assert tried[how]["after"] is not None


def test_a_decision_that_nobody_wants_ends(tried: dict[str, Any]) -> None:
    assert tried["crowd"]["unwanted"] == "AbortError"
