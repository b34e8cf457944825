"""Reproducible luck: deals from known secrets, bots whose choices depend only on what they see."""

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
    """One for each table that is opened."""
    return (hashlib.sha256(f"{name} {n}".encode()).hexdigest() for n in count())


def deciding_alike(decide: Decide) -> Decide:
    """Otherwise a bot's choice would depend on its earlier ones at other tables."""

    def alike(bot: Any, hidden: Any, seat: int, legal: list[int]) -> int:
        bot.rng = new_rng(zlib.crc32(hidden.tobytes()))
        return decide(bot, hidden, seat, legal)

    return alike


def deal_alike(name: str, patch: pytest.MonkeyPatch) -> None:
    """From here on. Not for bots that search: they depend on the clock."""
    known = secrets(name)
    patch.setattr(house, "new_secret", lambda: next(known))
    for kind in (EasyBot, NormalBot):
        patch.setattr(kind, "decide", deciding_alike(kind.decide))


@pytest.fixture(autouse=True)
def same_cards(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test has its own secrets, the same in every run."""
    deal_alike(request.node.name, monkeypatch)
