"""Bots that do not look ahead: they play at random, or by a game's policy."""

from __future__ import annotations

import hashlib
import re
from typing import Any

import numpy as np

from lastcard.core.game import Game
from lastcard.errors import BadOption
from lastcard.kernel import NOBODY, Rng, bit, random_below
from lastcard.kernel.texts import show

from .bot import Bot
from .chance import EXPORTS


def new_rng(seed: int) -> Rng:
    """A generator from a seed of any size. Similar seeds give unrelated numbers."""
    mixed = hashlib.sha256(str(seed).encode()).digest()[:8]
    return np.array([int.from_bytes(mixed, "little") | 1], np.uint64)  # never zero


def read_slips(text: str) -> int:
    """Reads how often of a hundred times an easy bot slips."""
    if re.fullmatch(r"\d{1,2}|100", text) is None:
        raise BadOption("bot", f"easy:20 slips in 20 of 100 choices, not in {show(text)}.")
    return int(text)


def policy_of(game: Game) -> Any:
    """A game's rules of thumb: the policy in its package, or else random play."""
    policy = game.part("policy")
    return game.running(policy, EXPORTS) if policy else game.bound("lastcard.bots.chance")


class RandomBot(Bot):
    """Plays legal actions at random, all equally likely."""

    def __init__(self, game: Game, seed: int) -> None:
        super().__init__(game)
        self.rng = new_rng(seed)

    def decide(self, hidden: Any, seat: int, legal: list[int]) -> int:
        if not self.game.rules.waiting(hidden[0]) & bit(seat) and random_below(self.rng, 2):
            return NOBODY
        return legal[random_below(self.rng, len(legal))]


class NormalBot(Bot):
    """Asks the game's policy: `choose(hidden record, seat, legal actions, how many, rng)`."""

    def __init__(self, game: Game, seed: int) -> None:
        super().__init__(game)
        self.policy: Any = policy_of(game)
        self.rng = new_rng(seed)

    def decide(self, hidden: Any, seat: int, legal: list[int]) -> int:
        ids = np.array(legal, np.int16)
        return int(self.policy.choose(hidden[0], seat, ids, len(ids), self.rng))

    def warm(self) -> None:
        match = self.game.match(seed=0)
        seat = match.waiting[0]
        if isinstance(seat, int):
            self.choose(match, seat)


class EasyBot(NormalBot):
    """Plays by the policy but slips now and then, as people do: it plays anything, or misses its
    chance to act out of turn."""

    def __init__(self, game: Game, seed: int, slips: int) -> None:
        super().__init__(game, seed)
        self.slips = slips  # in so many of a hundred choices

    def decide(self, hidden: Any, seat: int, legal: list[int]) -> int:
        if random_below(self.rng, 100) >= self.slips:
            return super().decide(hidden, seat, legal)
        if not self.game.rules.waiting(hidden[0]) & bit(seat):
            return NOBODY
        return legal[random_below(self.rng, len(legal))]
