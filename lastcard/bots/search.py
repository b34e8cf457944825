"""A bot for all games that searches: it guesses what it cannot see, over and over, and plays on."""

from __future__ import annotations

import math
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np

from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.core.views import legal_of
from lastcard.errors import BadOption
from lastcard.kernel import LOG_COLUMNS, NOBODY, bit
from lastcard.kernel.texts import show

from .bot import Bot
from .learned import Trained, network_of, nothing, trained_for
from .playouts import DRAWN, GUIDED, NETWORK, NODE, POLICY, RECORDS, TREE, Buffers, Tally
from .simple import NormalBot, new_rng, policy_of

FAR = 1_000_000  # choices: playouts go on to the end of the round
WAYS = {"tree": TREE, "policy": POLICY, "network": NETWORK, "drawn": DRAWN, "guided": GUIDED}
FEWEST = 2  # actions that are tried, however little the network likes them
MOST_NODES = 1 << 17  # of a tree
FIRST_WORLDS = 8  # worlds per thread in the first batch
GROWTH = 4  # each later batch adds 1/GROWTH of the worlds so far
SURE_AFTER = 24  # worlds before any action is dropped
DOUBT = 2.5  # standard errors within which an action may still be better
SLIGHT = 0.002  # a difference in the chance to win that is not worth more search
CAREFUL = 4.0  # DOUBT for hints, which have time to be right


@dataclass(frozen=True)
class Budget:
    """How long to think: milliseconds, or playouts, which can be repeated exactly."""

    ms: float | None = None
    playouts: int | None = None


def read_budget(text: str) -> Budget:
    """Reads `50ms`, or `1000` for that many playouts."""
    found = re.fullmatch(r"(\d{1,9})\s*(ms)?", text.strip())
    if not found or int(found[1]) == 0:
        raise BadOption(
            "budget", f"is written 50ms, or 1000 for that many playouts, not {show(text)}."
        )
    return Budget(ms=int(found[1])) if found[2] else Budget(playouts=int(found[1]))


@dataclass(frozen=True)
class Manner:
    """How a bot searches: how seats choose in playouts, and what it takes from a network."""

    way: int
    reach: int = FAR  # own choices in a playout, after which the network foresees how it ends
    trust: float = 0.0  # weight of how much the network likes an action
    least: float = 0.0  # what it is less likely to choose is left out
    belief: int = 0  # guesses of which each world is drawn, by how likely they are

    @property
    def by_network(self) -> bool:
        asked = self.trust > 0 or self.least > 0 or self.belief > 0
        return self.way > POLICY or self.reach < FAR or asked


PLAIN = Manner(POLICY)


def read_manner(text: str) -> Manner:
    """Reads `policy`, or `network:reach=1:trust=0.02:least=0.01`."""
    way, *settings = text.split(":")
    if way not in WAYS:
        raise BadOption("bot", f"search plays by {', '.join(WAYS)}, not by {show(way)}.")
    found: dict[str, Any] = {}
    for one in settings:
        name, _, number = one.partition("=")
        if name in ("trust", "least") and re.fullmatch(r"\d\.\d{1,6}", number):
            found[name] = float(number)
        elif name in ("reach", "belief") and re.fullmatch(r"\d{1,3}", number):
            found[name] = int(number)
        else:
            raise BadOption(
                "bot", f"search takes reach=1, trust=0.02, least=0.01, belief=8, not {show(one)}."
            )
    return Manner(WAYS[way], **found)


@dataclass(frozen=True)
class Judgement:
    """What search thinks of an action."""

    action: int  # NOBODY is to do nothing
    chance: float  # to win the match
    error: float  # the chance's standard error
    worlds: int  # in which the action was tried


def playouts_of(game: Game) -> Any:
    """The compiled part of search, bound to a game."""
    parts = {"policy": policy_of(game), "network": network_of(game)}
    return game.bound("lastcard.bots.playouts", **parts)


class Workspace:
    """What one thread works with: arrays for playouts, its network, and its tally."""

    def __init__(self, game: Game, seed: int, trained: Trained) -> None:
        self.net, self.belief, self.work = trained.net, trained.belief, trained.new_work()
        self.buffers = Buffers(
            records=np.zeros(RECORDS, game.rules.RECORD),
            legal=np.zeros(game.rules.MOST_LEGAL, np.int16),
            log=np.zeros((0, LOG_COLUMNS), np.int32),
            rng=new_rng(seed),
            deal=game.new_deal(),
            tree=np.zeros(MOST_NODES, NODE),
            places=np.zeros(len(game.actions), np.int32),
        )

    def sample(
        self,
        kernel: Any,
        hidden: Any,
        seat: int,
        actions: Any,
        alive: Any,
        worlds: int,
        guessing: bool = True,
        manner: Manner = PLAIN,
    ) -> int:
        """Tries actions in some worlds, with a new tally; returns the number of playouts."""
        n = len(actions)
        self.tally = Tally(np.zeros(n), np.zeros(n), np.zeros((n, n)))
        how = (guessing, manner.belief, manner.way, manner.reach)
        given = (self.buffers, self.net, self.belief, self.work, self.tally)
        return int(kernel.sample(hidden[0], seat, actions, alive, worlds, *how, *given))


class Loading:
    """Compiles search for one game, or loads it, in the background."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.kernel: Any = None  # once it is ready
        self.problem: Exception | None = None
        self.thread = threading.Thread(target=self._load, daemon=True)
        self.thread.start()

    def _load(self) -> None:
        try:
            kernel = playouts_of(self.game)
            match = self.game.match(seed=0)
            while not isinstance(seat := match.waiting[0], int):
                match.roll()
            actions = np.array(match.legal_ids(seat), np.int16)
            alive = np.ones(len(actions), np.bool_)
            space = Workspace(self.game, 1, nothing())
            space.sample(kernel, match.hidden(seat), seat, actions, alive, 1)
            kernel.narrow(alive, 1, space.tally.sums, space.tally.squares, DOUBT, SLIGHT)
            kernel.plant(space.buffers.tree, seat, len(actions))
            self.kernel = kernel
        except Exception as problem:
            self.problem = problem

    def wait(self) -> None:
        self.thread.join()
        if self.problem is not None:
            raise self.problem


loading = cache(Loading)  # once for each game


class SearchBot(Bot):
    """Plays the action that wins most often in playouts.

    While search is still being compiled or loaded in the background, a bot with a budget of
    milliseconds answers by the game's policy; one with a budget of playouts waits, as it must be
    repeatable: the same seed, playouts and number of threads give the same answers.
    """

    thinks = True
    guessing = True

    def __init__(
        self,
        game: Game,
        seed: int,
        budget: Budget,
        threads: int = 1,
        manner: str = "",
        doubt: float = DOUBT,
        everything: bool = False,
        trained: Trained | None = None,
    ) -> None:
        super().__init__(game)
        self.budget = budget
        self.doubt = doubt
        self.policy = NormalBot(game, seed)
        self.asked = read_manner(manner) if manner else None
        if self.asked is not None and everything:
            self.asked = replace(self.asked, least=0.0)
        self.network = network_of(game)
        if trained is None:
            by_network = self.asked is not None and self.asked.by_network
            trained = trained_for(game) if by_network else nothing()
        if self.asked is not None and self.asked.belief and trained.believed is None:
            raise BadOption("bot", f"nobody has trained a belief for {game.title}.")
        self.spaces = [Workspace(game, seed << 8 | number, trained) for number in range(threads)]
        self.pool = ThreadPoolExecutor(threads) if threads > 1 else None

    @staticmethod
    def clock() -> float:
        """Seconds, by which budgets of milliseconds are counted."""
        return time.perf_counter()

    def manner(self, players: int) -> Manner:
        """As was asked for, or what does better in this game."""
        if self.asked is not None:
            return self.asked
        return Manner(POLICY if players > self.policy.policy.TREE_UP_TO else TREE)

    def warm(self) -> None:
        # The policy first, as it is needed sooner: only one thread can compile at a time.
        self.policy.warm()
        loading(self.game)

    def load(self) -> None:
        self.warm()
        loading(self.game).wait()
        if self.asked is not None and self.asked.by_network:
            self._favours(self.game.match(seed=0).hidden(0), 0, np.zeros(1, np.int16))

    def decide(self, hidden: Any, seat: int, legal: list[int]) -> int:
        waited = self.game.rules.waiting(hidden[0]) & bit(seat)
        if waited and len(legal) == 1:
            return legal[0]
        coming = loading(self.game)
        if self.budget.playouts is not None or coming.problem is not None:
            coming.wait()
        if coming.kernel is None:
            return self.policy.decide(hidden, seat, legal)
        return self.judge(hidden, seat, legal)[0].action

    def advise(self, match: Match, seat: int) -> list[Judgement]:
        """Everything that a seat may do, best first. Waits until search is compiled."""
        hidden = self.sight(match, seat)
        return self.judge(hidden, seat, legal_of(match.game, hidden[0], seat))

    def judge(self, hidden: Any, seat: int, legal: list[int]) -> list[Judgement]:
        """The legal actions, and doing nothing if the seat is not waited for; best first."""
        coming = loading(self.game)
        coming.wait()
        kernel = coming.kernel
        waited = self.game.rules.waiting(hidden[0]) & bit(seat)
        actions = np.array(legal if waited else [*legal, NOBODY], np.int16)
        n = len(actions)
        manner = self.manner(int(hidden[0].players))
        favours = self._favours(hidden, seat, actions) if manner.by_network else np.zeros(n)
        alive = _worth_a_try(favours, manner.least)
        favours *= manner.trust
        tried, sums, squares = np.zeros(n, np.int64), np.zeros(n), np.zeros((n, n))
        for space in self.spaces:
            kernel.plant(space.buffers.tree, seat, n)
        worlds = played = 0
        started = self.clock()
        while (step := self._next_worlds(worlds, played, alive, started)) > 0:
            work = partial(
                Workspace.sample,
                kernel=kernel,
                hidden=hidden,
                seat=seat,
                actions=actions,
                alive=alive,
                worlds=step,
                guessing=self.guessing,
                manner=manner,
            )
            played += sum(
                map(work, self.spaces) if self.pool is None else self.pool.map(work, self.spaces)
            )
            worlds += step * len(self.spaces)
            tried[alive] = worlds
            for space in self.spaces:
                sums += space.tally.sums
                squares += space.tally.squares
            if worlds >= SURE_AFTER:
                kernel.narrow(alive, worlds, sums + worlds * favours, squares, self.doubt, SLIGHT)
                if alive.sum() == 1 < n:
                    break
        found = np.flatnonzero(tried).tolist()
        tries = np.maximum(tried, 1)
        chances = sums / tries
        errors = np.sqrt(np.maximum(squares.diagonal() / tries - chances**2, 0) / tries)
        worths = chances + favours
        return [
            Judgement(int(actions[a]), float(chances[a]), float(errors[a]), int(tried[a]))
            for a in sorted(found, key=lambda a: (not alive[a], -worths[a], a))
        ]

    def _favours(self, hidden: Any, seat: int, actions: Any) -> Any:
        """How much the network likes each action, as a logarithm."""
        favours, space = np.zeros(len(actions)), self.spaces[0]
        self.network.favour(hidden[0], seat, actions, space.net, space.work, favours)
        return favours

    def _next_worlds(self, worlds: int, played: int, alive: Any, started: float) -> int:
        """The worlds per thread in the next batch; 0 once the budget is spent."""
        step = max(FIRST_WORLDS, worlds // len(self.spaces) // GROWTH)
        count = int(alive.sum())
        if self.budget.playouts is not None:
            left = (self.budget.playouts - played) // (count * len(self.spaces))
            return max(min(step, left), 0 if worlds else 1)
        if worlds == 0:
            return min(step, 2)
        passed = 1000 * (self.clock() - started)
        assert self.budget.ms is not None
        each = passed / played * count * len(self.spaces)
        return min(step, int((self.budget.ms - passed) / each))


def _worth_a_try(favours: Any, least: float) -> Any:
    """Which actions are tried: the first of those that the network likes best, and all that it may
    well choose."""
    if least == 0:
        return np.ones(len(favours), np.bool_)
    alive = favours >= math.log(least)
    alive[np.argsort(-favours, kind="stable")[:FEWEST]] = True
    return alive
