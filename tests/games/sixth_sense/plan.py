from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from typing import Any

from lastcard.core.match import Match
from lastcard.core.registry import game
from tests.games.plans import Plan
from tests.helpers import times


def short(options: dict[str, Any]) -> tuple[str, tuple[Any, ...]]:
    """Beginners soon have some points; others lose them when they play at random."""
    return "target", (1, 6, 6, 20) if options.get("beginner") else (None,) * 40 + (1, 20)


def near_the_end(match: Match, rng: random.Random) -> Match:
    """Mostly the same deal as one of the last rounds."""
    if rng.random() >= 0.9:
        return match
    last = match.view()["rounds"]
    scores = [rng.randint(-20, 20) for _ in range(match.players)]
    start = {**match.position(), "round": last - (rng.random() < 0.2), "scores": scores}
    return match.game.position(start, match.players, match.options, match.seed)


def excluded(position: Mapping[str, Any], seat: int, _: random.Random) -> list[Collection[str]]:
    void = position["void"][seat].split()
    return [[card for card in game("sixth_sense").cards if card[0] in void]] * 15


PLAN = Plan(
    twins=times(100, 4),
    playthroughs={
        "default": (4, {}),
        "beginner": (3, {"beginner": True, "target": 10}),
        "late_trump": (5, {"late_trump": True}),
        "target_of_1": (2, {"target": 1}),
        "beginner_target": (6, {"beginner": True, "target": 12}),
        "late_trump_target_soon": (3, {"late_trump": True, "target": 1}),
        "opener": (2, {"opener": 1}),
    },
    short=short,
    later=near_the_end,
    excluded=excluded,
)
