from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from typing import Any

from tests.games.plans import Plan
from tests.helpers import times


def excluded(position: Mapping[str, Any], seat: int, rng: random.Random) -> list[Collection[str]]:
    alternatives = str(position["memory"][seat]).split("|")
    return list(rng.choice(alternatives).split())


PLAN = Plan(
    twins=times(120, 8),
    playthroughs={
        "default": (3, {}),
        "rounds": (5, {"rounds": 2}),
        "opener": (2, {"opener": 1, "rounds": 1}),
        "four": (4, {"rounds": 1}),
    },
    short=lambda _: ("rounds", (1, 1, 1, 2)),
    excluded=excluded,
)
