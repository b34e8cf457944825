"""Spaces in Gymnasium's terms, and the names of seats and games."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

BOUND = 2.0**15  # what is observed are counts and scores, or parts of them: all fit 16 bits
OBSERVATION, MASK = "observation", "action_mask"


def numbers(*shape: int) -> spaces.Box:
    return spaces.Box(-BOUND, BOUND, shape, np.float32)


def masked(observed: int, actions: int) -> spaces.Dict:
    """What a seat sees, and a one for everything it may do."""
    return spaces.Dict(
        {OBSERVATION: numbers(observed), MASK: spaces.Box(0, 1, (actions,), np.int8)}
    )


def agents_of(players: int) -> list[str]:
    return [f"seat_{seat}" for seat in range(players)]


def title_of(id: str) -> str:
    """A game's name in registries: SixthSense for sixth_sense."""
    return "".join(part.capitalize() for part in id.split("_"))


def both(observation: Any, mask: Any) -> dict[str, Any]:
    return {OBSERVATION: observation, MASK: mask}
