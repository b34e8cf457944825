"""Matches to learn from: all numbers of players and all variants, side by side."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import torch

from lastcard.core.game import Game
from lastcard.errors import BadOption
from lastcard.kernel.options import Choice, Flag
from lastcard.sim.batch import Batch

USUAL = 0.5  # the share of matches with the usual options
TWICE = (2, 4)  # numbers of players that are played more often than others


def variant(game: Game, players: int, rng: random.Random) -> dict[str, Any]:
    """Options to play with: the usual ones, or others that go together."""
    while rng.random() >= USUAL:
        options: dict[str, Any] = {}
        for option in game.options:
            if rng.random() < 0.5:
                continue
            if isinstance(option, Flag):
                options[option.name] = rng.random() < 0.5
            elif isinstance(option, Choice):
                options[option.name] = rng.choice(option.choices)
            elif option.kind == "number" and isinstance(option.default, int):
                most = min(option.high, 2 * option.default)
                options[option.name] = rng.randint(max(option.low, option.default // 4), most)
        try:
            game.read_options(options, players)
        except BadOption:
            continue
        return options
    return {}


class Tables:
    """Batches of matches, each with its number of players and its options. They are replaced one
    by one, so that in time everything is played."""

    def __init__(
        self, game: Game, groups: int, each: int, rng: random.Random, on: str, threads: int
    ) -> None:
        self.game = game
        self.each = each
        self.rng = rng
        self.on = on
        self.threads = threads
        self.count = groups * each
        numbers = range(game.fewest, game.most + 1)
        self.players = [*numbers, *(one for one in TWICE if one in numbers)] * 2
        self.batches = [self._batch() for _ in range(groups)]
        self.oldest = 0

    def _batch(self) -> Batch:
        players = self.rng.choice(self.players)
        return Batch(
            self.game,
            self.each,
            players=players,
            options=variant(self.game, players, self.rng),
            seed=self.rng.getrandbits(120),
            rewards="round",
            out_of_turn=True,
            threads=self.threads if self.on == "cpu" else None,
            on=self.on,
        )

    def renew(self) -> None:
        """Another batch in the place of the oldest."""
        self.batches[self.oldest] = self._batch()
        self.oldest = (self.oldest + 1) % len(self.batches)

    def look(self, seen: Any, legal: Any, seats: Any) -> None:
        """What those who decide see, may do, and where they sit."""
        for place, batch in self._placed():
            seen[place] = tensor(batch.observations)
            legal[place] = tensor(batch.legal)
            seats[place] = tensor(batch.seats)

    def step(self, actions: Any, rewards: Any, ended: Any) -> None:
        """Carries out actions; tells what that brought each seat, and whether a round has ended."""
        rewards.zero_()
        for place, batch in self._placed():
            batch.step(actions[place] if self.on == "cuda" else actions[place].numpy())
            brought = tensor(batch.rewards)
            rewards[place, : batch.players] = brought
            ended[place] = tensor(batch.done) | (brought != 0).any(1)

    def advise(self, out: Any) -> None:
        for place, batch in self._placed():
            out[place] = tensor(batch.advise())

    def _placed(self) -> list[tuple[slice, Batch]]:
        each = self.each
        return [(slice(n * each, (n + 1) * each), one) for n, one in enumerate(self.batches)]


def tensor(array: Any) -> Any:
    """An array of a batch without a copy, where it lives."""
    if isinstance(array, np.ndarray):
        return torch.from_numpy(array) if array.flags.writeable else torch.from_numpy(array.copy())
    return torch.as_tensor(array, device="cuda")
