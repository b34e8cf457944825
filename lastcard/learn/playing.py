"""Matches to learn from: all numbers of players and all variants, side by side."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from lastcard.core.game import Game
from lastcard.errors import BadOption
from lastcard.kernel.options import Choice, Flag
from lastcard.sim.batch import Batch

from .others import Choices

USUAL = 0.5  # the share of matches with the usual options
OFTEN = (2, 4)  # numbers of players that half of the groups have


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


def groups_of(game: Game) -> list[int]:
    """The numbers of players in each group of matches: all of them once, and as many again of
    those that are played most."""
    numbers = list(range(game.fewest, game.most + 1))
    often = [one for one in OFTEN if one in numbers] or numbers[:1]
    return numbers + [often[n % len(often)] for n in range(len(numbers))]


@dataclass(frozen=True)
class Table:
    """The only kind of match that is played, if it is not to be all of them."""

    players: int
    options: Mapping[str, Any]  # all of them


class Tables:
    """Batches of matches, a group for each number of players. Now and then one begins anew with
    other options, so that in time everything is played; or all of them have one kind of match."""

    def __init__(
        self,
        game: Game,
        matches: int,
        rng: random.Random,
        on: str,
        threads: int,
        only: Table | None = None,
    ) -> None:
        self.game = game
        self.rng = rng
        self.on = on
        self.only = only
        players = groups_of(game)
        if only is not None:
            players = [only.players] * len(players)
        self.each = max(matches // len(players), 1)
        self.count = len(players) * self.each
        self.batches = [self._batch(number, on, threads) for number in players]
        self.streams = [torch.cuda.Stream() for _ in players] if on == "cuda" else []
        self.oldest = 0

    def _batch(self, players: int, on: str, threads: int) -> Batch:
        return Batch(
            self.game,
            self.each,
            players=players,
            options=self._options(players),
            seed=self.rng.getrandbits(120),
            rewards="round",
            out_of_turn=True,
            threads=threads if on == "cpu" else None,
            on=on,
        )

    def state(self) -> dict[str, Any]:
        """All that is needed to go on from here."""
        return {
            "rng": self.rng.getstate(),
            "oldest": self.oldest,
            "batches": [
                {name: torch.from_numpy(part) for name, part in batch.state().items()}
                for batch in self.batches
            ],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self.rng.setstate(state["rng"])
        self.oldest = state["oldest"]
        for batch, parts in zip(self.batches, state["batches"], strict=True):
            batch.restore({name: part.cpu().numpy() for name, part in parts.items()})

    def _options(self, players: int) -> Mapping[str, Any]:
        return variant(self.game, players, self.rng) if self.only is None else self.only.options

    def renew(self) -> None:
        """The group that has played longest begins anew."""
        batch = self.batches[self.oldest]
        if self.streams:
            batch.stream = torch.cuda.current_stream()  # in order with what repeats all the rest
        batch.reset(self.rng.getrandbits(120), self._options(batch.players))
        self.oldest = (self.oldest + 1) % len(self.batches)

    def look(self, seen: Any, choices: Choices, seats: Any) -> None:
        """What those who decide see, may do, and where they sit."""
        for place, batch in self._each():
            seen[place].copy_(tensor(batch.observations))
            choices.actions[place].copy_(tensor(batch.choices))
            choices.counts[place].copy_(tensor(batch.counts))
            seats[place].copy_(tensor(batch.seats))

    def step(self, actions: Any, rewards: Any, ended: Any) -> None:
        """Carries out legal actions; tells what that brought each seat, and whether a round has
        ended."""
        rewards.zero_()
        for place, batch in self._each():
            batch.step(actions[place] if self.on == "cuda" else actions[place].numpy(), check=False)
            brought = tensor(batch.rewards)
            rewards[place, : batch.players].copy_(brought)
            ended[place].copy_(tensor(batch.done) | (brought != 0).any(1))

    def advise(self, out: Any) -> None:
        for place, batch in self._each():
            out[place].copy_(tensor(batch.advise()))

    def _each(self) -> Iterator[tuple[slice, Batch]]:
        """Every group with its place among all matches. On a GPU they work at the same time."""
        for number, batch in enumerate(self.batches):
            with _beside(self.streams[number], batch) if self.streams else _here():
                yield slice(number * self.each, (number + 1) * self.each), batch
        for stream in self.streams:
            torch.cuda.current_stream().wait_stream(stream)


@contextmanager
def _here() -> Iterator[None]:
    yield


@contextmanager
def _beside(stream: Any, batch: Batch) -> Iterator[None]:
    """What is asked of the GPU goes to a stream of its own, after what was asked so far."""
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        batch.stream = stream.cuda_stream
        yield


def tensor(array: Any) -> Any:
    """An array of a batch without a copy, where it lives."""
    if isinstance(array, np.ndarray):
        return torch.from_numpy(array) if array.flags.writeable else torch.from_numpy(array.copy())
    return torch.as_tensor(array, device="cuda")
