"""What the tests of the page need to know about each game: tests/games/<id>/face.py."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

from tests.games.plans import FOLDER

IDS = sorted(path.parent.name for path in FOLDER.glob("*/face.py"))


@dataclass(frozen=True)
class FacePlan:
    """One game's `FACE`."""

    title: str  # in English
    # Options that keep a match short, and the same with more than one round.
    short: dict[str, Any]
    rounds: dict[str, Any]
    # Keys of the view as a round ended that have to be the same as the rules say; and those of
    # zones of which only the sizes are known.
    same: str
    sizes: str = ""
    # What the tasks of the examples ask for, in every way that it can be done.
    right: Mapping[str, set[tuple[str, ...]]] = field(default_factory=dict)


def face_plan(id: str) -> FacePlan:
    plan: FacePlan = importlib.import_module(f"tests.games.{id}.face").FACE
    return plan


def shuffled(*moves: str) -> set[tuple[str, ...]]:
    return set(permutations(moves))
