"""A single round with a short deck, small enough to be solved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .components import LAST_ROUND, ROUNDS

SHORT = {"deck": "r0 r1 r2 r4 y0 y1 y2", "hand": 3}  # the smallest that is of interest
ORDERED = 1  # of what is left over, only the card that is turned up counts
POINTLESS = ("target",)  # options that say nothing about a single round


def start(
    hands: Sequence[str], rest: Sequence[str], options: Mapping[str, Any]
) -> dict[str, Any] | None:
    """The position after a deal; None for one that is dealt again."""
    last = LAST_ROUND if options["target"] else int(ROUNDS[len(hands)])
    return {"hands": hands, "stock": " ".join(rest), "round": last, "rest": "out"}
