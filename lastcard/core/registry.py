"""Which games there are: every folder of `lastcard.games`, and those that other packages add.

A package adds a game with an entry point in the group `lastcard.games`: its name is the game's id,
and it points to a package built like the folders of `lastcard.games`.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

from lastcard.errors import UnknownGame

from .game import Game

GROUP = "lastcard.games"  # of entry points; also the package of our own games


@cache
def packages() -> dict[str, str]:
    """The package of every game, by the game's id."""
    installed = {point.name: point.value for point in entry_points(group=GROUP)}
    folders = pkgutil.iter_modules(import_module(GROUP).__path__)
    ours = {folder.name: f"{GROUP}.{folder.name}" for folder in folders if folder.ispkg}
    return dict(sorted((installed | ours).items()))


def games() -> list[str]:
    """The ids of all games."""
    return list(packages())


def folder_of(id: str) -> Path:
    """Where a game's files lie; the game itself is not loaded."""
    if id not in packages():
        raise UnknownGame(f"There is no game {id!r}; there are {', '.join(games())}.")
    return Path(import_module(packages()[id]).__path__[0])


@cache
def game(id: str) -> Game:
    """The game with an id, such as "chiko"."""
    if id not in packages():
        raise UnknownGame(f"There is no game {id!r}; there are {', '.join(games())}.")
    return Game(id, packages()[id])
