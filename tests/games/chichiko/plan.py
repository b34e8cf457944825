from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

from tests.games.chichiko import twin
from tests.games.plans import Plan
from tests.helpers import times


def excluded(position: Mapping[str, Any], seat: int, _: random.Random) -> list[Collection[str]]:
    kinds = [word.split(":") for word in position["memory"][seat].split()]
    return [excluded_tiles(what) for count, what in kinds for _ in range(int(count))]


@cache
def excluded_tiles(what: str) -> frozenset[str]:
    """The tiles that fit an end, or are doubles, as a position's `memory` names them."""
    names = what.replace("doubles", ",".join(twin.DOUBLES)).split(",")
    return frozenset(
        tile
        for tile in twin.DECK
        if tile in names or any("-" not in end and twin.ways_to_fit(tile, end) for end in names)
    )


# All that goes with `phone`, and with `sausage`.
VARIANTS = dict.fromkeys(("out_of_turn", "blitz", "open", "faces", "apocalypse"), True)

PLAN = Plan(
    twins=times(2 * 72, 8),  # the variants combine in 72 ways
    playthroughs={
        "default": (4, {}),
        "hand": (8, {"hand": 4, "rounds": 2, "opener": 5}),
        "blitz": (3, {"blitz": True, "rounds": 2}),
        "phone": (4, {"phone": True, "rounds": 2}),
        "sausage": (4, {"sausage": True, "rounds": 2}),
        "open": (2, {"open": True, "rounds": 2}),
        "faces": (3, {"open": True, "faces": True, "rounds": 2}),
        "apocalypse": (5, {"apocalypse": True, "rounds": 2}),
        "out_of_turn": (3, {"out_of_turn": True, "rounds": 1}),
        "blitz_phone": (6, {"blitz": True, "phone": True, "rounds": 1}),
        "blitz_sausage": (2, {"blitz": True, "sausage": True, "rounds": 1}),
        "everything_with_phone": (7, {"phone": True, **VARIANTS, "rounds": 1}),
        "everything_with_sausage": (3, {"sausage": True, **VARIANTS, "rounds": 1}),
    },
    short=lambda _: ("rounds", (1, 1, 1, 2)),
    excluded=excluded,
)
