"""A bot that plays by a network alone, as it was trained by self-play (`lastcard train`).

A network is two files in the folder `learned` of its game: `network.bin`, which the page reads as
well, and `network.json`, which says how it was made. network.py says what is done with it.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.core.views import legal_of
from lastcard.errors import BadOption
from lastcard.kernel import NOBODY, bit

from .bot import Bot
from .network import BEHIND_ACTIONS, ONE, Belief, Network, Work

FOLDER = "learned"
WEIGHTS, FACTS = "network.bin", "network.json"
BELIEF = ("belief.bin", "belief.json")  # of another network: how likely guessed worlds are
FORM = 1  # of these files


@dataclass(frozen=True)
class Trained:
    """A network, and what is known about it."""

    net: Network
    facts: Mapping[str, Any]
    believed: Network | None = None  # how likely worlds are; where it is asked

    @property
    def belief(self) -> Belief:
        return Belief(*(nothing().net if self.believed is None else self.believed))

    def new_work(self) -> Work:
        """Room for one thread."""
        widest = int(max(self.net.sizes.max(), self.belief.belief_sizes.max()))
        seen = np.zeros(self.net.sizes[0], np.float32)
        here, there, lit = np.zeros((3, widest), np.int32)
        return Work(seen, here, there, lit)


def nothing() -> Trained:
    """In the place of a network where there is none."""
    numbers = np.zeros(0, np.int32)
    return Trained(Network(np.zeros(1, np.int32), np.zeros(0, np.int8), numbers, numbers), {})


def network_of(game: Game) -> Any:
    """The compiled part, bound to a game."""
    return game.bound("lastcard.bots.network")


def told_to(game: Game) -> str:
    """Changes whenever what a network is told of a game does, or what it can choose from: then it
    has to be trained anew."""
    names = "\n".join((*game.rules.OBSERVED, "", *game.actions))
    return hashlib.sha256(names.encode()).hexdigest()[:12]


def outputs_of(game: Game) -> int:
    return len(game.actions) + BEHIND_ACTIONS


@cache
def trained_for(game: Game) -> Trained:
    """The network that comes with a game; BadOption if there is none."""
    return read(game, game.folder / FOLDER)


def has_learned(game: Game) -> bool:
    """Whether a network comes with a game."""
    return (game.folder / FOLDER / FACTS).is_file()


def read(game: Game, folder: Path) -> Trained:
    """The network in a folder, with its belief if there is one; BadOption if it is none for this
    game."""
    trained = _read(game, folder, WEIGHTS, FACTS)
    if not (folder / BELIEF[1]).is_file():
        return trained
    return replace(trained, believed=_read(game, folder, *BELIEF).net)


def _read(game: Game, folder: Path, weights: str, told: str) -> Trained:
    try:
        facts = json.loads((folder / told).read_text(encoding="utf-8"))
        content = (folder / weights).read_bytes()
    except FileNotFoundError:
        raise BadOption(
            "bot", f"there is no trained network for {game.title}: lastcard train {game.id}."
        ) from None
    except (OSError, ValueError) as problem:
        raise BadOption("bot", f"the network in {folder} cannot be read: {problem}.") from problem
    if not isinstance(facts, dict) or facts.get("form") != FORM:
        raise BadOption("bot", f"the network in {folder} has another form than {FORM}.")
    if facts.get("game") != game.id or facts.get("told") != told_to(game):
        raise BadOption(
            "bot",
            f"the network in {folder} was trained for another game, or for {game.title} as it was: "
            f"lastcard train {game.id} makes a new one.",
        )
    return Trained(unpacked(facts["sizes"], content), facts)


def packed(net: Network) -> bytes:
    """A network as the bytes of a file: biases, factors, weights."""
    parts = (net.biases.astype("<i4"), net.factors.astype("<i4"), net.weights.astype("i1"))
    return b"".join(part.tobytes() for part in parts)


def unpacked(sizes: Sequence[int], content: bytes) -> Network:
    units = sum(sizes[1:])
    weights = sum(one * next for one, next in itertools.pairwise(sizes))
    if len(content) != 8 * units + weights:
        raise BadOption("bot", f"a network of the sizes {list(sizes)} has other files.")
    numbers = np.frombuffer(content, "<i4", 2 * units).astype(np.int32)
    return Network(
        sizes=np.array(sizes, np.int32),
        weights=np.frombuffer(content, np.int8, weights, 8 * units).copy(),
        biases=numbers[:units].copy(),
        factors=numbers[units:].copy(),
    )


def write(
    folder: Path, net: Network, facts: Mapping[str, Any], names: tuple[str, str] = (WEIGHTS, FACTS)
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    weights, told = names
    (folder / weights).write_bytes(packed(net))
    content = {"form": FORM, "sizes": net.sizes.tolist(), **facts}
    (folder / told).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


@dataclass(frozen=True)
class Opinion:
    """What a network thinks of an action."""

    action: int  # NOBODY is to do nothing
    liking: float  # with which probability it would choose it


def opinions_of(game: Game, match: Match, seat: int) -> dict[int, float]:
    """How much the network that comes with a game likes each action of a seat; nothing if there is
    none."""
    if not has_learned(game):
        return {}
    player, hidden = LearnedBot(game), match.hidden(seat)
    found = player.think(hidden, seat, legal_of(game, hidden[0], seat))
    return {one.action: one.liking for one in found}


class LearnedBot(Bot):
    """Plays what its network likes best."""

    def __init__(self, game: Game, trained: Trained | None = None) -> None:
        super().__init__(game)
        self.trained = trained or trained_for(game)
        self.network = network_of(game)
        self.work = self.trained.new_work()

    def decide(self, hidden: Any, seat: int, legal: list[int]) -> int:
        choices = self._choices(hidden, seat, legal)
        scores = self.weigh(hidden, seat)
        best = max(choices, key=lambda action: (scores[action], -action))
        return NOBODY if best == len(self.game.actions) else best

    def think(self, hidden: Any, seat: int, legal: list[int]) -> list[Opinion]:
        """What it makes of everything that a seat may do, best first."""
        choices = self._choices(hidden, seat, legal)
        scores = self.weigh(hidden, seat)[choices] / ONE
        odds = np.exp(scores - scores.max())
        likings = odds / odds.sum()
        order = sorted(range(len(choices)), key=lambda place: (-likings[place], choices[place]))
        wait = len(self.game.actions)
        return [
            Opinion(NOBODY if choices[one] == wait else choices[one], float(likings[one]))
            for one in order
        ]

    def _choices(self, hidden: Any, seat: int, legal: list[int]) -> list[int]:
        """What it can choose from; who is not waited for can wait."""
        waited = self.game.rules.waiting(hidden[0]) & bit(seat)
        return legal if waited else [*legal, len(self.game.actions)]

    def weigh(self, hidden: Any, seat: int) -> Any:
        """What comes out for each action, then for waiting; the array is used again."""
        self.network.weigh(hidden[0], seat, self.trained.net, self.work)
        return self.work.here
