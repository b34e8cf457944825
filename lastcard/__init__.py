"""Last Card: five family table games, complete by their rulebooks.

    import lastcard
    m = lastcard.game("chiko").match(players=4, seed=7)

Nothing heavy is imported before it is used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from . import games as _  # noqa: F401  # the folder, loaded before the function takes its name
from .errors import BadFile, BadOption, BadPosition, IllegalAction, LastCardError, UnknownGame

if TYPE_CHECKING:
    from .core.files import load as load
    from .core.files import save as save
    from .core.game import Game as Game
    from .core.match import Match as Match
    from .core.registry import game as game
    from .sim.batch import Batch as Batch
    from .sim.simulation import simulate as simulate

_HOMES = {
    "Batch": "sim.batch",
    "Game": "core.game",
    "Match": "core.match",
    "game": "core.registry",
    "load": "core.files",
    "save": "core.files",
    "simulate": "sim.simulation",
}
__all__ = [
    "BadFile",
    "BadOption",
    "BadPosition",
    "Batch",
    "Game",
    "IllegalAction",
    "LastCardError",
    "Match",
    "UnknownGame",
    "game",
    "games",
    "load",
    "save",
    "simulate",
]
__version__ = "0.1.0"


def games() -> list[str]:
    """The ids of all games."""
    from .core import registry

    return registry.games()


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'lastcard' has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
