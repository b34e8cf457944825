"""Players that are programs. A bot sees only the hidden record of its own seat."""

from __future__ import annotations

import importlib
import importlib.util
import secrets
from typing import Any, Protocol

import numpy as np

from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.core.views import legal_of
from lastcard.errors import BadOption, IllegalAction
from lastcard.rules.kernel import NOBODY, Record, bind, random_below

NAMES = ("greedy", "random")


class Bot(Protocol):
    """Chooses one of its seat's legal actions, by number."""

    def choose(self, match: Match, seat: int) -> int: ...

    def interject(self, match: Match, seat: int) -> int | None:
        """The same for a seat that is not waited for, and may let it be: None."""

    def warm(self) -> None:
        """Compiles or loads what it needs, so that its first move does not take long."""


def bot(name: str, game: Game, seed: int | None = None) -> Bot:
    """A bot by name, for one game. With a seed it plays the same way every time."""
    if name not in NAMES:
        raise BadOption("bot", f"there is no bot {name!r}; there are {', '.join(NAMES)}.")
    state = secrets.randbits(64) if seed is None else seed
    rng = np.array([(2 * state + 1) % (1 << 64)], np.uint64)  # never zero
    policy = f"lastcard.bots.greedy.{game.id}"
    if name == "greedy" and importlib.util.find_spec(policy):
        return PolicyBot(game, bind(policy, rules=game.rules), rng)
    return RandomBot(game, rng)


def what_it_sees(match: Match, seat: int) -> tuple[Record, list[int]]:
    """All that a bot is given: the hidden record of its seat, and its legal actions."""
    hidden = match.hidden(seat)[0]
    legal = legal_of(match.game, hidden, seat)
    if not legal:
        raise IllegalAction(f"Seat {seat} has nothing to choose now.")
    return hidden, legal


class RandomBot:
    """Any legal action, all equally likely."""

    def __init__(self, game: Game, rng: Any) -> None:
        self.game = game
        self.rng = rng

    def choose(self, match: Match, seat: int) -> int:
        _, legal = what_it_sees(match, seat)
        return legal[random_below(self.rng, len(legal))]

    def interject(self, match: Match, seat: int) -> int | None:
        return self.choose(match, seat) if random_below(self.rng, 2) else None

    def warm(self) -> None:
        self.game.warm()


class PolicyBot:
    """Asks a compiled policy: `choose(hidden record, seat, legal actions, how many, rng)`.

    For a seat that is not waited for it may answer NOBODY, to let it be.
    """

    def __init__(self, game: Game, policy: Any, rng: Any) -> None:
        self.game = game
        self.policy = policy
        self.rng = rng

    def choose(self, match: Match, seat: int) -> int:
        hidden, legal = what_it_sees(match, seat)
        ids = np.array(legal, np.int16)
        return int(self.policy.choose(hidden, seat, ids, len(ids), self.rng))

    def interject(self, match: Match, seat: int) -> int | None:
        action = self.choose(match, seat)
        return None if action == NOBODY else action

    def warm(self) -> None:
        match = self.game.match(seed=0)
        seat = match.waiting[0]
        if isinstance(seat, int):
            self.choose(match, seat)
