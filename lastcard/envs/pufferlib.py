"""The games in the convention of PufferLib 3.0's `PufferEnv`: buffers that are filled in place.
PufferLib is not needed.

    from lastcard.envs.pufferlib import SeatsEnv
    env = SeatsEnv("taki", count=1024, players=4)

An agent is a seat of a match: seat s of match m is agent m * players + s. In every step the seats
that decide, one in each match, are those where `masks` is true. The actions of all others are not
read, and their observations are those of their last decision. `rewards` are for all seats, and
`terminals` true for all seats of a match that has ended; the next one has begun by then.

An observation is one row of numbers, as the convention asks for: the game's features, then a one or
a zero for every action: whether it is legal (`legal` is that part of `observations`).

With `illegal="replace"` an illegal action becomes the first legal one and costs `penalty`: that is
for policies that do not look at the mask. Otherwise it raises `IllegalAction`.

`buf` has a trainer's buffers: the six arrays above, by key or as attributes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from numbers import Real
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector.utils import batch_space

from lastcard.core.game import Game
from lastcard.errors import BadOption, IllegalAction
from lastcard.kernel.texts import show
from lastcard.sim.batch import Batch

from .single import ERROR, begun, read_choice
from .spaces import numbers

REPLACE = "replace"
PENALTY = 0.1  # for an illegal action that is replaced, unless another is wished
Step = tuple[Any, Any, Any, Any, list[dict[str, Any]]]


class SeatsEnv:
    """All seats of many matches, over one `lastcard.Batch`."""

    observations: Any
    rewards: Any
    terminals: Any
    truncations: Any
    masks: Any
    actions: Any

    emulated = False
    done = False  # matches that end start again by themselves
    render_mode = None

    def __init__(
        self,
        game: str | Game,
        count: int = 1,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        rewards: str = "match",
        through: bool = True,
        out_of_turn: bool = False,
        illegal: str = ERROR,
        penalty: float | None = None,
        threads: int | None = None,
        buf: Any = None,
        seed: int = 0,
    ) -> None:
        self.illegal = read_choice("illegal", illegal, (ERROR, REPLACE))
        self.penalty = self._read_penalty(penalty)
        self.batch = Batch(
            *(game, count, players, options, seed, rewards),
            through=through,
            out_of_turn=out_of_turn,
            threads=threads,
        )
        self.action_names = self.batch.actions
        self.num_agents = count * self.batch.players
        width = len(self.batch.observed) + len(self.action_names)
        self.single_observation_space = numbers(width)
        self.single_action_space = spaces.Discrete(len(self.action_names))
        self.observation_space = batch_space(self.single_observation_space, self.num_agents)
        self.action_space = batch_space(self.single_action_space, self.num_agents)
        self.agent_ids = np.arange(self.num_agents)
        self._set_buffers(buf)
        self.infos: list[dict[str, Any]] = []
        self._begun = False
        self._numbers = np.arange(count)
        self._first = self._numbers * self.batch.players  # each match's seat 0

    def _read_penalty(self, penalty: object) -> float:
        if penalty is None:
            return PENALTY
        if self.illegal != REPLACE:
            raise BadOption("penalty", f"is for illegal={REPLACE!r}, not {self.illegal!r}.")
        number = isinstance(penalty, Real) and not isinstance(penalty, bool)
        if not number or not 0 <= penalty < math.inf:  # type: ignore[operator]
            raise BadOption("penalty", f"must be a number of 0 or more, not {show(penalty)}.")
        return float(penalty)  # type: ignore[arg-type]

    def _set_buffers(self, buf: Any) -> None:
        """The buffers that are given, by key or as attributes, or new ones."""
        agents = self.num_agents
        shape = self.observation_space.shape
        needed = {
            "observations": np.zeros(shape or (), np.float32),
            "rewards": np.zeros(agents, np.float32),
            "terminals": np.zeros(agents, np.bool_),
            "truncations": np.zeros(agents, np.bool_),
            "masks": np.ones(agents, np.bool_),
            "actions": np.zeros(agents, np.int32),
        }
        find = buf.get if isinstance(buf, Mapping) else partial(getattr, buf)
        for name, ours in needed.items():
            array = ours if buf is None else find(name, None)
            if not isinstance(array, np.ndarray) or array.shape != ours.shape:
                raise BadOption("buf", f"{name} must be an array of shape {ours.shape}.")
            if array.dtype != ours.dtype and (name != "actions" or array.dtype != np.int64):
                raise BadOption("buf", f"{name} must be {ours.dtype}, not {array.dtype}.")
            if not array.flags.writeable:
                raise BadOption("buf", f"{name} must be writeable.")
            setattr(self, name, array)
        self.legal = self.observations[:, len(self.batch.observed) :]

    @property
    def agents_per_batch(self) -> int:
        return self.num_agents

    agent_per_batch = agents_per_batch

    @property
    def driver_env(self) -> SeatsEnv:
        return self

    def reset(self, seed: int | None = None) -> tuple[Any, list[dict[str, Any]]]:
        """The same matches for the same seed; without one, those of the last seed again."""
        self.batch.reset(seed)
        self.observations[:] = 0.0
        for name in ("rewards", "terminals", "truncations"):
            getattr(self, name)[:] = 0
        self._show()
        self._begun = True
        self.infos = []
        return self.observations, self.infos

    def step(self, actions: Any) -> Step:
        batch = self.batch
        begun(self._begun, "step")
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise BadOption("actions", f"must be whole numbers, not {given.dtype}.")
        if given.shape != (self.num_agents,):
            raise BadOption(
                "actions", f"must be one for each agent, {self.num_agents}, not {given.shape}."
            )
        self.actions[:] = given
        chosen, wrong = given[self._deciding], None  # before they are cut to 32 bits
        if self.illegal == REPLACE:
            wrong = ~self._fine(chosen)
            chosen = np.where(wrong, batch.choices[:, 0], chosen)
        acted = self._deciding
        try:
            batch.step(chosen)
        except IllegalAction as problem:
            where = int(acted[~self._fine(chosen)][0])
            raise IllegalAction(f"{problem} It is agent {where}.") from None
        self.rewards[:] = batch.rewards.reshape(-1)
        if wrong is not None:
            self.rewards[acted[wrong]] -= self.penalty
        self.terminals.reshape(-1, batch.players)[:] = batch.done[:, None]
        self._show()
        self.infos = self._ended()
        return self.observations, self.rewards, self.terminals, self.truncations, self.infos

    def _fine(self, chosen: Any) -> Any:
        known = (chosen >= 0) & (chosen < len(self.action_names))
        return known & self.batch.legal[self._numbers, np.where(known, chosen, 0)]

    def _show(self) -> None:
        """Writes what the deciding seats see into their rows."""
        batch, split = self.batch, len(self.batch.observed)
        self._deciding = self._first + batch.seats
        self.observations[self._deciding, :split] = batch.observations
        self.observations[self._deciding, split:] = batch.legal
        self.masks[:] = False
        self.masks[self._deciding] = True

    def _ended(self) -> list[dict[str, Any]]:
        """One info for all matches that have ended: what trainers log is its means."""
        done = self.batch.done
        if not done.any():
            return []
        scores = self.batch.final_scores[done]
        return [{"matches": int(done.sum()), "score": float(scores.mean())}]

    # --- The same in two steps, as vectorized environments have it --------------------------------

    def async_reset(self, seed: int | None = None) -> None:
        self.reset(seed)

    def send(self, actions: Any) -> None:
        self.step(actions)

    def recv(self) -> tuple[Any, ...]:
        begun(self._begun, "recv")
        return (
            *(self.observations, self.rewards, self.terminals, self.truncations),
            *(self.infos, self.agent_ids, self.masks),
        )

    def close(self) -> None:
        """There is nothing to release."""
