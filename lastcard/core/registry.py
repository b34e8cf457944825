"""Which games there are: ours, and those that other packages add.

A package adds a game with an entry point in the group `lastcard.games`, named by the game's id,
that points to the game's module.
"""

from __future__ import annotations

import importlib
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from lastcard.errors import UnknownGame

from .game import Game

GROUP = "lastcard.games"
OURS = {
    "chiko": "lastcard.rules.chiko",
    "eight_half": "lastcard.rules.eight_half",
    "sixth_sense": "lastcard.rules.sixth_sense",
    "taki": "lastcard.rules.taki",
    "chichiko": "lastcard.rules.chichiko",
}


@cache
def _others() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP) if point.name not in OURS}


def games() -> list[str]:
    """The ids of all games."""
    return [*OURS, *sorted(_others())]


@cache
def game(id: str) -> Game:
    """The game with an id, such as "chiko"."""
    if id in OURS:
        return Game(id, importlib.import_module(OURS[id]))
    if id in _others():
        return Game(id, _others()[id].load())
    raise UnknownGame(f"There is no game {id!r}; there are {', '.join(games())}.")
