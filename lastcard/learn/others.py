"""Whom a network plays against, in training or to be measured, if not itself."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

from lastcard.bots import LEARNED
from lastcard.bots.learned import read, trained_for
from lastcard.bots.network import BEHIND_ACTIONS, MOST, ONE, SHIFT, Network
from lastcard.core.game import Game

FORBIDDEN = -1e9  # the score of an action that is not legal
NORMAL = "normal"

# From what they see, what is legal, and what the game's policy would do (if they ask), to actions.
Others = Callable[[Any, Any, Callable[[], Any]], Any]


def others_of(name: str, game: Game, device: Any) -> Others:
    """`normal`, `learned`, or the network in a folder; BadOption if there is none."""
    if name == NORMAL:
        return by_policy
    trained = trained_for(game) if name == LEARNED else read(game, Path(name))
    return Frozen(trained.net, device)


def by_policy(seen: Any, legal: Any, advise: Callable[[], Any]) -> Any:
    return advise()


class Frozen:
    """A network in whole numbers, which makes the same choices as the bot that plays by it."""

    def __init__(self, net: Network, device: Any) -> None:
        self.actions = int(net.sizes[-1]) - BEHIND_ACTIONS
        self.layers: list[tuple[Any, Any, Any]] = []
        weight = unit = 0
        for width, wider in itertools.pairwise(map(int, net.sizes)):
            rows = net.weights[weight : weight + width * wider].reshape(width, wider)
            units = slice(unit, unit + wider)
            # Whole numbers up to 2**53 are exact in double precision.
            numbers = (rows.T, net.biases[units], net.factors[units] / 2.0**SHIFT)
            parts = [torch.tensor(one.astype(np.float64), device=device) for one in numbers]
            self.layers.append((parts[0], parts[1], parts[2]))
            weight += width * wider
            unit += wider

    @torch.no_grad()
    def __call__(self, seen: Any, legal: Any, advise: Callable[[], Any]) -> Any:
        scaled = seen.double() * ONE
        here = (scaled.sign() * (scaled.abs() + 0.5).floor()).clamp(-MOST, MOST)
        for number, (weight, bias, factor) in enumerate(self.layers, 1):
            here = ((here @ weight.T + bias) * factor).floor()
            if number < len(self.layers):
                here = here.clamp(0, MOST)
        return here[:, : self.actions + 1].masked_fill(~legal, FORBIDDEN).argmax(1)
