"""A bot for all games that guesses what it cannot see, again and again, and plays on from there."""

from __future__ import annotations

import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.core.views import legal_of
from lastcard.errors import BadOption
from lastcard.kernel import LOG_COLUMNS, NOBODY, bind, bit
from lastcard.kernel.texts import show

from .bot import Bot
from .playouts import NODE, RECORDS
from .simple import NormalBot, new_rng, policy_of

TREE, POLICY = "tree", "policy"  # how it plays on: see playouts.py
MOST_NODES = 1 << 17  # of a tree
FIRST_WORLDS = 8  # in which every thread tries all actions at first;
GROWTH = 4  # then each time in a quarter more of all so far
SURE_AFTER = 24  # worlds: before that no action is given up
DOUBT = 2.5  # standard errors within which an action may still be better,
SLIGHT = 0.002  # and by how much it would have to be
CAREFUL = 4.0  # standard errors, for hints: who has time need not be wrong


@dataclass(frozen=True)
class Budget:
    """How long to think: milliseconds, or playouts, which can be repeated exactly."""

    ms: float | None = None
    playouts: int | None = None


def read_budget(text: str) -> Budget:
    """`50ms`, or `1000` for so many playouts."""
    found = re.fullmatch(r"(\d{1,9})\s*(ms)?", text.strip())
    if not found or int(found[1]) == 0:
        raise BadOption(
            "budget", f"is written 50ms, or 1000 for so many playouts, not {show(text)}."
        )
    return Budget(ms=int(found[1])) if found[2] else Budget(playouts=int(found[1]))


@dataclass(frozen=True)
class Judgement:
    """What an action is worth: the chance to win the match with it."""

    action: int  # NOBODY is to let it be
    chance: float
    error: float  # the standard error of that
    worlds: int  # in which it was tried


class Desk:
    """What one thread works with: room for records, a generator, and a tally."""

    def __init__(self, game: Game, seed: int) -> None:
        self.table = np.zeros(RECORDS, game.rules.RECORD)
        self.legal = np.zeros(game.rules.MOST_LEGAL, np.int16)
        self.log = np.zeros((0, LOG_COLUMNS), np.int32)
        self.rng = new_rng(seed)
        self.deal = game.new_deal()
        self.tree = np.zeros(MOST_NODES, NODE)
        self.places = np.zeros(len(game.actions), np.int32)

    def sample(
        self,
        kernel: Any,
        hidden: Any,
        seat: int,
        actions: Any,
        alive: Any,
        worlds: int,
        guessing: bool = True,
        trusting: bool = True,
    ) -> int:
        """Tries actions in some worlds; the tally is in `sums` and `squares` then."""
        n = len(actions)
        self.sums, self.squares = np.zeros(n), np.zeros((n, n))
        return int(
            kernel.sample(
                *(hidden[0], seat, actions, alive, worlds, guessing, trusting),
                *(self.table, self.legal, self.log, self.rng, self.deal, self.tree, self.places),
                *(np.zeros(n), self.sums, self.squares),
            )
        )


class Loading:
    """The compiled part of search for one game, on its way."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.kernel: Any = None  # when it is there
        self.problem: Exception | None = None
        self.thread = threading.Thread(target=self._load, daemon=True)
        self.thread.start()

    def _load(self) -> None:
        try:
            rules = self.game.rules
            kernel: Any = bind("lastcard.bots.playouts", rules=rules, policy=policy_of(self.game))
            match = self.game.match(seed=0)
            while not isinstance(seat := match.waiting[0], int):
                match.roll()
            actions = np.array(match.legal_ids(seat), np.int16)
            alive = np.ones(len(actions), np.bool_)
            desk = Desk(self.game, 1)
            desk.sample(kernel, match.hidden(seat), seat, actions, alive, 1)
            kernel.narrow(alive, 1, desk.sums, desk.squares, DOUBT, SLIGHT)
            kernel.plant(desk.tree, seat, len(actions))
            self.kernel = kernel
        except Exception as problem:
            self.problem = problem

    def wait(self) -> None:
        self.thread.join()
        if self.problem is not None:
            raise self.problem


loading = cache(Loading)  # once for each game


class SearchBot(Bot):
    """Plays what wins most of the matches that it imagines.

    With a budget of milliseconds it answers by the game's policy as long as search is still being
    compiled, or loaded, in the background; with a budget of playouts, which is for repeating
    exactly, it waits for that. With the same seed, playouts and threads it repeats itself.
    """

    thinks = True
    guessing = True

    def __init__(
        self,
        game: Game,
        seed: int,
        budget: Budget,
        threads: int = 1,
        way: str = "",
        doubt: float = DOUBT,
    ) -> None:
        super().__init__(game)
        self.budget = budget
        self.doubt = doubt
        self.policy = NormalBot(game, seed)
        if way not in ("", TREE, POLICY):
            raise BadOption("bot", f"search plays on by {TREE} or {POLICY}, not by {show(way)}.")
        self.way = way
        self.desks = [Desk(game, seed << 8 | number) for number in range(threads)]
        self.pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def trusting(self, players: int) -> bool:
        """Whether seats play on by the policy, not by a tree."""
        if self.way:
            return self.way == POLICY
        return players > self.policy.policy.TREE_UP_TO

    def warm(self) -> None:
        # First what has to be there soon: only one thread can compile at a time.
        self.policy.warm()
        loading(self.game)

    def load(self) -> None:
        self.warm()
        loading(self.game).wait()

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
        """All that a seat may do, the best first; waits until search is compiled."""
        hidden = self.sight(match, seat)
        return self.judge(hidden, seat, legal_of(match.game, hidden[0], seat))

    def judge(self, hidden: Any, seat: int, legal: list[int]) -> list[Judgement]:
        """The legal actions, and to let it be if the seat is not waited for; the best first."""
        coming = loading(self.game)
        coming.wait()
        kernel = coming.kernel
        waited = self.game.rules.waiting(hidden[0]) & bit(seat)
        actions = np.array(legal if waited else [*legal, NOBODY], np.int16)
        n = len(actions)
        alive = np.ones(n, np.bool_)
        tried, sums, squares = np.zeros(n, np.int64), np.zeros(n), np.zeros((n, n))
        for desk in self.desks:
            kernel.plant(desk.tree, seat, n)
        worlds = played = 0
        started = time.perf_counter()
        while (step := self._next_worlds(worlds, played, alive, started)) > 0:
            work = partial(
                Desk.sample,
                kernel=kernel,
                hidden=hidden,
                seat=seat,
                actions=actions,
                alive=alive,
                worlds=step,
                guessing=self.guessing,
                trusting=self.trusting(int(hidden[0].players)),
            )
            played += sum(
                map(work, self.desks) if self.pool is None else self.pool.map(work, self.desks)
            )
            worlds += step * len(self.desks)
            tried[alive] = worlds
            for desk in self.desks:
                sums += desk.sums
                squares += desk.squares
            if worlds >= SURE_AFTER:
                kernel.narrow(alive, worlds, sums, squares, self.doubt, SLIGHT)
                if alive.sum() == 1 < n:
                    break
        chances = sums / tried
        errors = np.sqrt(np.maximum(squares.diagonal() / tried - chances**2, 0) / tried)
        order = sorted(range(n), key=lambda a: (not alive[a], -chances[a], a))
        return [
            Judgement(int(actions[a]), float(chances[a]), float(errors[a]), int(tried[a]))
            for a in order
        ]

    def _next_worlds(self, worlds: int, played: int, alive: Any, started: float) -> int:
        """In how many worlds every thread tries all actions next; 0 if the budget is spent."""
        step = max(FIRST_WORLDS, worlds // len(self.desks) // GROWTH)
        count = int(alive.sum())
        if self.budget.playouts is not None:
            left = (self.budget.playouts - played) // (count * len(self.desks))
            return max(min(step, left), 0 if worlds else 1)
        if worlds == 0:
            return min(step, 2)
        passed = 1000 * (time.perf_counter() - started)
        assert self.budget.ms is not None
        each = passed / played * count * len(self.desks)
        return min(step, int((self.budget.ms - passed) / each))
