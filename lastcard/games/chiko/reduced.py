"""A single round with a short deck, small enough to be solved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .components import CARDS, EGG, LAST_ROUND

SHORT = {"deck": "1 1 2 2 3 3", "hand": 2}  # the smallest that is of interest
ORDERED = None  # the stock is drawn, so its whole order counts
POINTLESS = ("target",)  # options that say nothing about a single round


def start(
    hands: Sequence[str], rest: Sequence[str], options: Mapping[str, Any]
) -> dict[str, Any] | None:
    """The position after a deal; None for one that is dealt again."""
    if rest[0] == CARDS[EGG]:
        return None
    stock = " ".join(rest[1:])
    return {"hands": hands, "top": rest[0], "stock": stock, "round": LAST_ROUND, "rest": "out"}
