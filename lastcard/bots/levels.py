"""The levels at which bots play, and which bot plays at each.

A game may have its own (`LEVELS` in its `levels.py`), which count only where it has a network.
How large the steps are has been measured in the arena: docs/bots.md has the figures.
"""

from __future__ import annotations

from collections.abc import Mapping

from lastcard.core.game import Game

from .learned import has_learned

LEVELS = ("easy", "normal", "hard", "expert", "master")  # offered to people
BEST = LEVELS[-1]

# Games without a network.
SEARCHING = {
    "easy": "easy:20",
    "normal": "normal",
    "hard": "search:4ms",
    "expert": "search:15ms",
    "master": "search:50ms",
}
# Games with one that have no levels of their own.
LEARNED = {
    "easy": "easy:20",
    "normal": "normal",
    "hard": "learned",
    "expert": "search:8ms:guided:trust=0.003:least=0.001",
    "master": "search:50ms:guided:trust=0.003:least=0.001",
}


def levels_of(game: Game) -> Mapping[str, str]:
    """The bot of each level."""
    if not has_learned(game):
        return SEARCHING
    own = game.part("levels")
    return LEARNED if own is None else own.LEVELS
