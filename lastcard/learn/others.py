"""Whom a network plays against, in training or to be measured, if not itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from lastcard.bots import LEARNED
from lastcard.bots.learned import Trained, read, trained_for
from lastcard.bots.network import MOST, ONE, Network
from lastcard.core.game import Game

from .model import layers_of

FORBIDDEN = -1e9  # the score of an action that is not legal
NORMAL = "normal"


@dataclass(frozen=True)
class Choices:
    """What those who decide may choose from, as batches list it. There are far fewer legal actions
    than actions, so scores are taken from where they are listed."""

    actions: Any  # in each row, their numbers; then come some that mean nothing
    counts: Any  # of those that mean something

    def scored(self, scores: Any) -> Any:
        """Their scores, of all actions' scores."""
        places = torch.arange(self.actions.shape[1], device=self.actions.device)
        listed = scores.gather(1, self.actions.long()).float()
        return listed.masked_fill(places >= self.counts[:, None], FORBIDDEN)

    def at(self, places: Any) -> Any:
        """Actions by their places."""
        return self.actions.gather(1, places[:, None])[:, 0].long()

    def best(self, scores: Any) -> Any:
        """The actions with the highest scores, the first of equal ones."""
        return self.at(self.scored(scores).argmax(1))

    def of(self, rows: Any) -> Choices:
        """Those of some rows."""
        return Choices(self.actions[rows], self.counts[rows])


# From what is seen, what may be chosen, where it is theirs to act, and what the game's policy would
# do (if they ask), to actions; those in other places mean nothing.
Others = Callable[[Any, Choices, Any, Callable[[], Any]], Any]


def others_of(name: str, game: Game, device: Any) -> Others:
    """`normal`, `learned`, or the network in a folder; BadOption if there is none."""
    if name == NORMAL:
        return by_policy
    return Frozen(network_named(name, game).net, device)


def network_named(name: str, game: Game) -> Trained:
    """`learned`, which comes with the game, or the network in a folder."""
    return trained_for(game) if name == LEARNED else read(game, Path(name))


def bot_named(name: str) -> str:
    """What arenas call it."""
    return name if name in (NORMAL, LEARNED) else f"{LEARNED}:{name}"


def by_policy(seen: Any, choices: Choices, theirs: Any, advise: Callable[[], Any]) -> Any:
    return advise()


class Frozen:
    """A network in whole numbers, which makes the same choices as the bot that plays by it."""

    def __init__(self, net: Network, device: Any) -> None:
        # Whole numbers up to 2**53 are exact in double precision.
        self.layers = [
            [torch.tensor(part, device=device) for part in layer] for layer in layers_of(net)
        ]

    def __call__(self, seen: Any, choices: Choices, theirs: Any, advise: Callable[[], Any]) -> Any:
        if seen.device.type == "cuda":  # which is told the same work each time
            return self.choose(seen, choices)
        actions = torch.zeros(len(seen), dtype=torch.int64)
        actions[theirs] = self.choose(seen[theirs], choices.of(theirs))
        return actions

    @torch.no_grad()
    def choose(self, seen: Any, choices: Choices) -> Any:
        scaled = seen.double() * ONE
        here = (scaled.sign() * (scaled.abs() + 0.5).floor()).clamp(-MOST, MOST)
        for number, (weight, bias, factor) in enumerate(self.layers, 1):
            here = ((here @ weight.T + bias) * factor).floor()
            if number < len(self.layers):
                here = here.clamp(0, MOST)
        return choices.best(here)
