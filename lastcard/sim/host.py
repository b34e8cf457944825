"""Where a batch lives on this machine: its arrays, and the threads that work on them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from typing import Any

import numpy as np

from lastcard.bots.search import playouts_of
from lastcard.bots.simple import policy_of
from lastcard.core.game import Game
from lastcard.core.match import duplicate
from lastcard.engine import fixed
from lastcard.errors import BadOption
from lastcard.kernel import LOG_COLUMNS, NOBODY, Record

from .stepping import Arrays, Settings, Space

ALIGNED = 64  # bytes


def stepping_of(game: Game) -> Any:
    """The compiled part of a batch, bound to a game."""
    policy, playouts = policy_of(game), playouts_of(game)
    return game.bound("lastcard.sim.stepping", playouts=playouts, policy=policy)


def arrays_for(game: Game, count: int, players: int, actions: int) -> Arrays:
    rules = game.rules
    return Arrays(
        records=np.zeros(count, rules.RECORD),
        deciding=np.full(count, NOBODY, np.int8),
        counts=np.zeros(count, np.int16),
        choices=np.zeros((count, rules.MOST_LEGAL + 1), np.int16),  # and to wait
        chosen=np.zeros(count, np.int64),
        waived=np.zeros(count, np.int16),
        rounds=np.zeros(count, np.int16),
        worth=np.zeros((count, players), np.float64),
        seats=np.full(count, NOBODY, np.int8),
        legal=np.zeros((count, actions), np.bool_),
        observations=np.zeros((count, len(rules.OBSERVED)), np.float32),
        rewards=np.zeros((count, players), np.float32),
        done=np.zeros(count, np.bool_),
        played=np.zeros(count, np.int64),
        final_scores=np.zeros((count, players), np.int16),
        final_winners=np.zeros((count, players), np.bool_),
        final_observations=np.zeros((count, len(rules.OBSERVED)), np.float32),
    )


class Host:
    """A batch in the memory of this machine: a copy of the arrays it is given. Each thread works on
    its part of the matches."""

    stream: Any = None  # those are for GPUs

    def __init__(self, game: Game, settings: Settings, arrays: Arrays, threads: int) -> None:
        self.game = game
        self.settings = settings
        self.arrays = arrays = Arrays(*map(_aligned, arrays))
        self.threads = threads
        self.stepping = stepping_of(game)
        self.spaces = [
            Space(np.zeros(1, game.rules.RECORD), np.zeros((0, LOG_COLUMNS), np.int32))
            for _ in range(threads)
        ]
        self.pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        everything = (settings, arrays)
        self.start = self._in_parts(self.stepping.start_matches, *everything)
        self.advance = self._in_parts(self.stepping.step_matches, *everything)
        self.rngs = generators(len(arrays.seats))
        self.advice = np.zeros(len(arrays.seats), np.int64)
        advising = (settings.wait, arrays, self.rngs, self.advice)
        self.ask_policy = self._in_parts(self.stepping.advise_matches, *advising)
        self.find_illegal = fixed(
            self.stepping.find_illegal,
            *(arrays.deciding, arrays.counts, arrays.choices, arrays.chosen),
        )

    def _in_parts(self, function: Callable[..., Any], *given: Any) -> Callable[[], object]:
        ends = [len(self.arrays.seats) * one // self.threads for one in range(self.threads + 1)]
        calls = [
            fixed(function, ends[one], ends[one + 1], *given, space)
            for one, space in enumerate(self.spaces)
        ]
        return calls[0] if self.pool is None else partial(_together, self.pool, calls)

    def use(self, stream: Any) -> None:
        if stream is not None:
            raise BadOption("stream", "is for cuda: the CPU has threads.")

    def take(self, actions: Any, check: bool) -> None:
        """Writes down what is chosen, if it is whole numbers, one for each match."""
        chosen = self.arrays.chosen
        if type(actions) is not np.ndarray:
            actions = np.asarray(actions)
        check_actions(actions, chosen)
        chosen[:] = actions

    def observe(self, viewers: Any) -> Any:
        out = np.zeros_like(self.arrays.observations)
        records, spare = self.arrays.records, self.spaces[0].spare
        self.stepping.observe_matches(0, len(records), records, viewers, out, spare)
        return out

    def advise(self) -> Any:
        self.ask_policy()
        return self.advice.copy()

    def rewind(self) -> None:
        """Lets the policy choose between equals as it did in the beginning."""
        self.rngs[:] = generators(len(self.rngs))

    def put(self, number: int, record: Record) -> None:
        self.arrays.records[number] = record
        self.stepping.take_up(number, self.settings, self.arrays, self.spaces[0])

    def _parts(self) -> dict[str, Any]:
        """Everything that steps depend on."""
        settings = {"seed": self.settings.seed, "options": self.settings.options}
        return {**self.arrays._asdict(), **settings, "rngs": self.rngs}

    def state(self) -> dict[str, Any]:
        return {name: part.copy() for name, part in self._parts().items()}

    def write(self, name: str, content: Any) -> None:
        self._parts()[name][...] = content

    def record(self, number: int) -> Any:
        """A copy of a record, as an array of one."""
        return duplicate(self.arrays.records[number : number + 1])

    def row(self, name: str, number: int) -> Any:
        """What an array has of one match."""
        return getattr(self.arrays, name)[number]

    def told(self) -> Arrays:
        """The arrays as others get them: whoever wrote where steps rely on something could have
        them do what the rules exclude."""
        relied_on = ("records", "counts", "choices", "played")
        views = {name: _readable(getattr(self.arrays, name)) for name in relied_on}
        return self.arrays._replace(**views)

    def copy(self) -> Host:
        seed, options = self.settings.seed.copy(), self.settings.options.copy()
        settings = self.settings._replace(seed=seed, options=options)
        return Host(self.game, settings, self.arrays, self.threads)


def generators(count: int) -> Any:
    """One for each match, for policies that choose between equals; none is zero."""
    return np.random.default_rng(count).integers(1, 1 << 63, count, np.uint64)


def check_actions(actions: Any, chosen: Any) -> None:
    if actions.dtype.kind not in "iu":
        raise BadOption("actions", f"must be whole numbers, not {actions.dtype}.")
    if actions.shape != chosen.shape:
        raise BadOption(
            "actions", f"must be one for each of {len(chosen)} matches, not {actions.shape}."
        )


def _together(pool: ThreadPoolExecutor, calls: list[Callable[[], object]]) -> None:
    others = [pool.submit(call) for call in calls[1:]]
    try:
        calls[0]()
    finally:
        wait(others)  # also when interrupted: nobody may work on the arrays any more
    for one in others:
        one.result()


def _aligned(array: Any) -> Any:
    """A copy in memory that begins at a multiple of 64 bytes: JAX can share no other."""
    memory = np.empty(array.nbytes + ALIGNED, np.uint8)
    first = -memory.ctypes.data % ALIGNED
    memory = memory[first : first + array.nbytes]
    memory[:] = array.reshape(-1).view(np.uint8)
    return memory.view(array.dtype).reshape(array.shape)


def _readable(array: Any) -> Any:
    view = array.view()
    view.flags.writeable = False
    return view
