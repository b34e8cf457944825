"""How bots of any kind decide, search and users' bots among them: in Python.

Stands where `deciding` does for compiled matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lastcard.bots import Bot
from lastcard.core.match import duplicate
from lastcard.kernel import Rng


def decide(
    bots: Sequence[Bot], records: Any, seat: int, waited: int, legal: Any, n: int, rng: Rng
) -> int:
    """What the bot in a seat does, given the hidden record and no more. It has its own generator,
    and `rng` stays as it is."""
    hidden = duplicate(records[:1])
    bots[seat].game.rules.hide(hidden[0], seat)
    return bots[seat].decide(hidden, seat, legal[:n].tolist())
