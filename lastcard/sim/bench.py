"""Speed of random play and of search on one core, side by side with peers."""

from __future__ import annotations

import importlib
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import numpy as np

from lastcard import engine
from lastcard.bots.search import Budget, SearchBot
from lastcard.core.game import Game
from lastcard.core.registry import game, games
from lastcard.kernel import LOG_COLUMNS

BATCH_SECONDS = 0.05  # between looks at the clock
ITERATIONS = 1_000  # of search per decision
SAMPLE = 2_000  # matches in which OpenSpiel's decisions are counted

# Plays that many matches and returns the number of decisions; or searches for that many decisions
# and returns the number of iterations.
Batch = Callable[[int], int]


@dataclass
class Contestant:
    """Something whose speed is measured, with the result of each repeat."""

    name: str
    batch: Batch
    speeds: list[float] = field(default_factory=list)
    game: str = ""

    @property
    def median(self) -> float:
        return median(self.speeds)

    def times(self, peer: Contestant) -> float:
        """How many times as fast as a peer: the median of the ratios repeat by repeat.

        A shared machine slows both down at the same time.
        """
        return median(a / b for a, b in zip(self.speeds, peer.speeds, strict=True))

    def measure(self, seconds: float) -> None:
        self.batch(1)  # the first call may compile
        size = self._size_for(BATCH_SECONDS)
        done, started = 0, time.perf_counter()
        while (passed := time.perf_counter() - started) < seconds:
            done += self.batch(size)
        self.speeds.append(done / passed)

    def _size_for(self, seconds: float) -> int:
        """The size of a batch that takes about that long. Finding out completes the warm-up."""
        size = 1
        while True:
            started = time.perf_counter()
            self.batch(size)
            passed = time.perf_counter() - started
            if passed >= seconds:
                return size
            size *= 2


def rounded(speed: float) -> str:
    """A speed per second in millions or thousands."""
    return f"{speed / 1e6:.2f} M" if speed >= 1e6 else f"{speed / 1e3:.1f} k"


def ours(rules: Game, players: int) -> Contestant:
    play = rules.bound("lastcard.sim.selfplay")
    array = rules.blank()
    options = np.array(rules.simulated_options(players), np.int16)
    legal = np.zeros(rules.rules.MOST_LEGAL, np.int16)
    log = np.zeros((0, LOG_COLUMNS), np.int32)
    rng = np.array([0x9E3779B97F4A7C15], np.uint64)
    played = 0

    def batch(matches: int) -> int:
        nonlocal played
        played += matches
        return int(
            play.play_many(array[0], played - matches, matches, players, options, rng, legal, log)
        )

    way = "" if rules.engine.way == engine.AHEAD else f", {rules.engine.way}"
    return Contestant(f"Last Card {rules.id}, {players} players{way}", batch)


WRITTEN_IN_PYTHON = "python_"  # OpenSpiel's prefix for games in Python


def open_spiel(name: str, players: int | None = None) -> Contestant:
    """Random bots and the loop in C++, and the game as well unless it is one of those in Python.

    Some games have a fixed number of players.
    """
    import pyspiel  # type: ignore[import-not-found, unused-ignore]

    title = name.removeprefix(WRITTEN_IN_PYTHON)
    if title != name:  # importing one registers it
        importlib.import_module(f"open_spiel.python.games.{title}")
    rules = pyspiel.load_game(name, {"players": players} if players else {})
    players = rules.num_players()
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(players)]
    seeds = iter(range(1 << 31))

    def play() -> Any:
        state = rules.new_initial_state()
        pyspiel.evaluate_bots(state, bots, next(seeds))
        return state

    # Its history includes the cards dealt and drawn; only what players decide counts here.
    decided = sum(step.player >= 0 for _ in range(SAMPLE) for step in play().full_history())

    def batch(matches: int) -> int:
        for _ in range(matches):
            play()
        return round(matches * decided / SAMPLE)

    return Contestant(f"OpenSpiel {name}, {players} players", batch, game=title)


def rlcard(name: str) -> Contestant:
    """As it plays itself: `env.run` with its own random agents."""
    import rlcard  # type: ignore[import-not-found, unused-ignore]
    from rlcard.agents import RandomAgent  # type: ignore[import-not-found, unused-ignore]

    env = rlcard.make(name)
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def batch(matches: int) -> int:
        decisions = 0
        for _ in range(matches):
            trajectories, _payoffs = env.run(is_training=False)
            # A trajectory is state, action, state, action, ..., state.
            decisions += sum(len(one) // 2 for one in trajectories)
        return decisions

    return Contestant(f"RLCard {name}, {env.num_players} players", batch, game=name)


PEERS: tuple[tuple[str, Callable[[], Contestant]], ...] = (
    ("OpenSpiel", lambda: open_spiel("crazy_eights", 4)),
    ("OpenSpiel", lambda: open_spiel("oh_hell", 4)),
    ("OpenSpiel", lambda: open_spiel("python_block_dominoes")),
    ("RLCard", lambda: rlcard("uno")),
)


def nearest(rules: Game, players: int) -> int:
    """The number of players that the game allows, as near as possible to the one given."""
    return min(max(players, rules.fewest), rules.most)


def contestants(
    ids: list[str], players: int
) -> tuple[list[Contestant], list[Contestant], list[str]]:
    """Our games (all if no ids are given), as they run here and by the JIT; the installed peers;
    and the names of what is absent."""
    chosen = [game(id) for id in ids or games()]
    mine = [ours(rules, nearest(rules, players)) for rules in chosen]
    peers, absent = [], []
    if engine.has_numba():
        ahead = [rules for rules in chosen if rules.engine.way == engine.AHEAD]
        by_jit = [Game(rules.id, rules.package, engine.JIT) for rules in ahead]
        mine += [ours(rules, nearest(rules, players)) for rules in by_jit]
    else:
        absent.append("Numba")
    for name, make in PEERS:
        try:
            peers.append(make())
        except ImportError:
            if name not in absent:
                absent.append(name)
    return mine, peers, absent


def our_search(rules: Game, players: int, way: str) -> Contestant:
    """Our search, by a tree or by the policy, at every decision of random matches."""
    player = SearchBot(rules, 1, Budget(playouts=ITERATIONS), manner=way)
    player.load()
    rng = random.Random(1)
    match = rules.match(players, 1)

    def batch(decisions: int) -> int:
        nonlocal match
        iterations = 0
        while decisions > 0:
            if match.over:
                match = rules.match(players, rng.getrandbits(64))
            seat = match.waiting[0]
            if not isinstance(seat, int):
                match.roll()
                continue
            legal = match.legal_ids(seat)
            if len(legal) > 1:
                decisions -= 1
                iterations += sum(one.worlds for one in player.advise(match, seat))
            match.play(seat, rng.choice(legal))
        return iterations

    return Contestant(f"Last Card search by {way}, {rules.id}, {players} players", batch)


def open_spiel_search(name: str, players: int) -> Contestant:
    """Its ISMCTS bot, in C++, with random playouts, at every decision of random matches."""
    import pyspiel  # type: ignore[import-not-found, unused-ignore]

    rules = pyspiel.load_game(name, {"players": players})
    player = pyspiel.ISMCTSBot(1, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, ITERATIONS)
    rng = random.Random(1)
    state = rules.new_initial_state()

    def batch(decisions: int) -> int:
        nonlocal state
        left = decisions
        while left > 0:
            if state.is_terminal():
                state = rules.new_initial_state()
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
                continue
            legal = state.legal_actions()
            if len(legal) > 1:
                left -= 1
                player.step(state)
            state.apply_action(rng.choice(legal))
        return decisions * ITERATIONS

    return Contestant(f"OpenSpiel ISMCTS, {name}, {players} players", batch, game=name)


def searchers(ids: list[str], players: int) -> tuple[list[Contestant], list[Contestant], list[str]]:
    """Like `contestants`, for search, in both ways."""
    mine = [
        our_search(rules, nearest(rules, players), way)
        for rules in map(game, ids or games())
        for way in ("tree", "policy")
    ]
    try:
        return mine, [open_spiel_search("oh_hell", min(max(players, 3), 7))], []  # what it allows
    except ImportError:
        return mine, [], ["OpenSpiel"]


def run(all: list[Contestant], seconds: float, repeats: int) -> Iterator[str]:
    """Measures everybody in turn, over and over, so that a slow moment hits all alike."""
    for _ in range(repeats):
        for one in all:
            yield one.name
            one.measure(seconds)
