"""What the tests shared by all games need to know about each: tests/games/<id>/plan.py."""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lastcard.core.match import Match

FOLDER = Path(__file__).parent
IDS = sorted(path.parent.name for path in FOLDER.glob("*/plan.py"))


def unchanged(match: Match, _: random.Random) -> Match:
    return match


def nothing(_: Mapping[str, Any], __: int, ___: random.Random) -> list[Collection[str]]:
    return []


@dataclass(frozen=True)
class Plan:
    """One game's `PLAN`."""

    # Matches played against the twin, for each number of players.
    twins: int
    # By name: number of players, and options.
    playthroughs: dict[str, tuple[int, dict[str, Any]]]
    # Given the other options, one more with values that keep a match short.
    short: Callable[[dict[str, Any]], tuple[str, tuple[Any, ...]]]
    # Skips rounds of a fresh match where whole matches would take too long.
    later: Callable[[Match, random.Random], Match] = unchanged
    # Given a position and a seat: for each card of its hand that the table remembers something
    # about, the oldest first, what it cannot be.
    excluded: Callable[[Mapping[str, Any], int, random.Random], list[Collection[str]]] = nothing


def plan_of(id: str) -> Plan | None:
    """None for a game that is registered, but not tested here."""
    return _module(id, "plan").PLAN if id in IDS else None


def twin_of(id: str) -> Any:
    """The slow twin of a game."""
    return _module(id, "twin").Twin


def _module(id: str, name: str) -> Any:
    return importlib.import_module(f"tests.games.{id}.{name}")
