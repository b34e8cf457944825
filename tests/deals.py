"""The same luck each time: deals from known secrets, bots that decide by what they see alone."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest

from lastcard.bots.simple import EasyBot, NormalBot, new_rng
from lastcard.table import house

Decide = Callable[[Any, Any, int, list[int]], int]


def secrets(name: str) -> Iterator[str]:
    """One after the other for the tables that are opened."""
    return (hashlib.sha256(f"{name} {n}".encode()).hexdigest() for n in count())


def deciding_alike(decide: Decide) -> Decide:
    """Without it what a bot does would depend on what it has decided before, at other tables."""

    def alike(bot: Any, hidden: Any, seat: int, legal: list[int]) -> int:
        bot.rng = new_rng(zlib.crc32(hidden.tobytes()))
        return decide(bot, hidden, seat, legal)

    return alike


def deal_alike(name: str, patch: pytest.MonkeyPatch) -> None:
    """From here on; not for bots that think, which depend on how much time they have."""
    known = secrets(name)
    patch.setattr(house, "new_secret", lambda: next(known))
    for kind in (EasyBot, NormalBot):
        patch.setattr(kind, "decide", deciding_alike(kind.decide))


@pytest.fixture(autouse=True)
def same_cards(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test has its own secrets, the same ones each time."""
    deal_alike(request.node.name, monkeypatch)
