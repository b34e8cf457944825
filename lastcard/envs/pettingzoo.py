"""The games in PettingZoo: `taki_v1.env()` and `taki_v1.parallel_env()`, and so for every game.

    from lastcard.envs.pettingzoo import taki_v1
    env = taki_v1.env(players=4)

or `pettingzoo.make("aec", "lastcard/Taki-v1", players=4)` once this module is imported.

Agents are `seat_0`, `seat_1`, ... An observation has `observation`, the numbers of the game's
features, and `action_mask`, which is also in the deciding agent's info. Everything an agent is
given is made from what its seat may know; `state` alone holds what others know.

- Rewards are those of `lastcard.Batch`: the share of the win when the match ends ("match"), the
  change of the chance to win by each round ("round"), or points ("score").
- Forced moves are played by themselves, unless `through` is False. Dice always are.
- `env`: seats that decide at the same time are asked one after the other, the lowest first, and
  see nothing of what others choose. With `out_of_turn` whoever may act out of turn is asked first,
  and may also `wait`: the last action.
- `parallel_env`: in every step the seats that the match waits for decide, all at once where they
  do so by the rules, as for predictions in Sixth Sense. All others can only `wait`, the last
  action, and their mask says so. Nobody acts out of turn: who would be first?
- An illegal action raises `IllegalAction` and changes nothing. With `illegal="lose"` it ends the
  match instead, as PettingZoo's `TerminateIllegalWrapper` does: the seat gets -1, the others 0.
- `reset(seed=7)` deals the match of seed 7; without a seed, one that follows from the last seed.
  `reset(options={"position": ...})` starts from a position; other keys have no meaning, but
  PettingZoo's tests pass some.
- `render` draws what a spectator sees, or the seat `observer`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import gymnasium
import numpy as np
import pettingzoo
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

from lastcard.core.game import Game
from lastcard.core.registry import games
from lastcard.core.views import legal_of, seats_of
from lastcard.errors import BadOption, IllegalAction
from lastcard.kernel.texts import show
from lastcard.sim.batch import WAIT, read_flag

from .drawing import MODES
from .rendering import FPS, Renderer
from .single import (
    ERROR,
    LOSE,
    PENALTY,
    POSITION,
    Single,
    begun,
    read_action,
    read_choice,
    read_reset,
)
from .spaces import MASK, agents_of, both, masked, numbers, title_of

VERSION = "_v1"
Observation = dict[str, Any]


class Environments(NamedTuple):
    """What PettingZoo's modules have."""

    env: Callable[..., TurnsEnv]
    raw_env: Callable[..., TurnsEnv]
    parallel_env: Callable[..., AtOnceEnv]


class _Common:
    """What both kinds of environments are made of."""

    match: Single
    _begun = False

    def _set_up(
        self, match: Single, actions: int, illegal: str, mode: str | None, observer: int | None
    ) -> None:
        self.match = match
        self.illegal = read_choice("illegal", illegal, (ERROR, LOSE))
        self.renderer, self.render_mode = Renderer(match, mode, observer), mode
        if observer is not None and mode is None:
            raise BadOption("observer", "says who sees what is drawn, so it needs a render_mode.")
        self.metadata = {
            "name": match.game.id + VERSION,
            "render_modes": list(MODES),
            "render_fps": FPS,
            "is_parallelizable": False,
        }
        self.possible_agents = agents_of(match.players)
        self.agents: list[str] = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        observed = len(match.batch.observed)
        self.state_space = numbers(match.players * observed)
        self._observation_spaces = {
            agent: masked(observed, actions) for agent in self.possible_agents
        }
        self._action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observation_spaces[self._known(agent)]

    def action_space(self, agent: str) -> Any:
        return self._action_spaces[self._known(agent)]

    def state(self) -> Any:
        """What all seats see, one after the other: together more than any of them may know."""
        begun(self._begun, "state")
        return np.concatenate([self.match.observe(seat) for seat in range(self.match.players)])

    def render(self) -> Any:
        begun(self._begun, "render")
        if self.render_mode is None:
            gymnasium.logger.warn("render_mode is None: there is nothing to render.")
        return self.renderer.render()

    def close(self) -> None:
        """There is nothing to release."""

    def _known(self, agent: object) -> str:
        if not isinstance(agent, str) or agent not in self._seat_of:
            raise BadOption(
                "agent", f"is one of {', '.join(self.possible_agents)}, not {show(agent)}."
            )
        return agent


class TurnsEnv(_Common, AECEnv[str, Observation, int]):  # type: ignore[misc]
    """One agent after the other (PettingZoo's AEC)."""

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        rewards: str = "match",
        through: bool = True,
        out_of_turn: bool = False,
        illegal: str = ERROR,
        render_mode: str | None = None,
        observer: int | None = None,
    ) -> None:
        match = Single(game, players, options, rewards, through, out_of_turn)
        self.actions = match.actions
        self._set_up(match, len(self.actions), illegal, render_mode, observer)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.match.reset(seed, read_reset(options).get(POSITION))
        self.agents = list(self.possible_agents)
        self._begun = True
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._rewarded = False
        self._ask()

    def _ask(self) -> None:
        """Turns to the agent that decides."""
        self.agent_selection = self.possible_agents[self.match.seat]
        self.infos[self.agent_selection] = {MASK: self.match.mask}

    def observe(self, agent: str) -> Observation:
        begun(self._begun, "observe")
        if agent == self.agent_selection and MASK in self.infos.get(agent, ()):
            return both(self.match.observation, self.infos[agent][MASK])
        seat = self._seat_of[self._known(agent)]
        return both(self.match.observe(seat), np.zeros(len(self.actions), np.int8))

    def step(self, action: int | None) -> None:
        if not self.agents:
            raise IllegalAction("step: the match is over, or has not begun; call reset.")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._step_of_the_dead(action)
            return
        number = read_action(action)
        legal = self.match.allows(number)
        if not legal and self.illegal == ERROR:
            raise self.match.refusal(number)
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {}
        if not legal:
            self._lose(agent)
            return
        self.match.act(number)
        self._give(self.match.rewards)
        if self.match.over:
            self.terminations = dict.fromkeys(self.agents, True)
            self._deads_step_first()
        else:
            self._ask()

    def _give(self, rewards: list[float]) -> None:
        """Most actions bring nothing."""
        if any(rewards):
            self.rewards = dict(zip(self.agents, rewards, strict=True))
            self._accumulate_rewards()
            self._rewarded = True
        elif self._rewarded:
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self._rewarded = False

    def _lose(self, agent: str) -> None:
        self._give([PENALTY * (agent == other) for other in self.agents])
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self._deads_step_first()

    def _step_of_the_dead(self, action: int | None) -> None:
        """Everybody has to hear of the end."""
        if action is not None:
            raise IllegalAction("action: must be None, as the match is over.")
        self._was_dead_step(action)


class AtOnceEnv(_Common, ParallelEnv[str, Observation, int]):  # type: ignore[misc]
    """All agents in every step (PettingZoo's Parallel)."""

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        rewards: str = "match",
        through: bool = True,
        illegal: str = ERROR,
        render_mode: str | None = None,
        observer: int | None = None,
    ) -> None:
        # Forced moves are played here: one of those who decide at once may have no choice.
        match = Single(game, players, options, rewards, through=False)
        self.through = read_flag("through", through)
        self.actions = (*match.actions, WAIT)
        self._set_up(match, len(self.actions), illegal, render_mode, observer)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        self.match.reset(seed, read_reset(options).get(POSITION))
        self.agents = list(self.possible_agents)
        self._begun = True
        self._play_through()
        self._ask()
        return self._seen(), self._infos()

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], ...]:
        if not self.agents:
            raise IllegalAction("step: the match is over, or has not begun; call reset.")
        chosen = self._read(actions)
        wrong = [agent for agent in self.agents if not self._masks[agent][chosen[agent]]]
        if wrong and self.illegal == ERROR:
            raise self._refusal(wrong[0], chosen[wrong[0]])
        if wrong:
            return self._end({agent: PENALTY * (agent in wrong) for agent in self.agents}, True)
        total = np.zeros(self.match.players)
        for _ in range(len(self._asked)):  # the batch asks in the same order
            self.match.act(chosen[self.possible_agents[self.match.seat]])
            total += self.match.rewards
        total += self._play_through()
        rewards = dict(zip(self.agents, total.tolist(), strict=True))
        if self.match.over:
            return self._end(rewards, False)
        self._ask()
        never = dict.fromkeys(self.agents, False)
        return self._seen(), rewards, never, dict(never), self._infos()

    def observe(self, agent: str) -> Observation:
        """What an agent sees now."""
        begun(self._begun, "observe")
        seat = self._seat_of[self._known(agent)]
        return both(self.match.observe(seat), self._masks[agent].copy())

    def _ask(self) -> None:
        """Finds out who decides now, and what each may do."""
        match, record = self.match, self.match.batch.records[0]
        self._asked = [] if match.over else seats_of(int(match.game.rules.waiting(record)))
        self._masks = {}
        for seat, agent in enumerate(self.possible_agents):
            mask = self._masks[agent] = np.zeros(len(self.actions), np.int8)
            mask[legal_of(match.game, record, seat) if seat in self._asked else [-1]] = 1

    def _play_through(self) -> Any:
        """Plays while nobody has a choice; what that brings."""
        total = np.zeros(self.match.players)
        while self.through and not self.match.over:
            self._ask()
            if any(mask.sum() > 1 for mask in self._masks.values()):
                break
            for _ in range(len(self._asked)):
                self.match.act(self.match.choices[0])
                total += self.match.rewards
        return total

    def _read(self, actions: object) -> dict[str, int]:
        if not isinstance(actions, Mapping):
            raise BadOption("actions", f"must be an action by agent, not {show(actions)}.")
        for agent in actions:
            self._known(agent)
        if missing := [agent for agent in self.agents if agent not in actions]:
            raise BadOption("actions", f"lack {', '.join(missing)}.")
        chosen = {agent: read_action(actions[agent]) for agent in self.agents}
        for agent, number in chosen.items():
            if not 0 <= number < len(self.actions):
                raise IllegalAction(f"actions[{agent!r}]: there is no action {number}.")
        return chosen

    def _refusal(self, agent: str, action: int) -> IllegalAction:
        possible = [self.actions[one] for one in np.flatnonzero(self._masks[agent])[:12]]
        return IllegalAction(
            f"actions[{agent!r}]: cannot {self.actions[action]} ({action}) now. "
            f"Possible: {', '.join(possible)}."
        )

    def _end(self, rewards: dict[str, float], cut: bool) -> tuple[dict[str, Any], ...]:
        self._asked = []
        self._masks = {agent: np.zeros(len(self.actions), np.int8) for agent in self.agents}
        seen, infos = self._seen(), self._infos()
        ended, cuts = dict.fromkeys(self.agents, True), dict.fromkeys(self.agents, cut)
        self.agents = []
        return seen, rewards, ended, cuts, infos

    def _seen(self) -> dict[str, Observation]:
        return {agent: self.observe(agent) for agent in self.agents}

    def _infos(self) -> dict[str, dict[str, Any]]:
        return {agent: {MASK: self._masks[agent].copy()} for agent in self.agents}


def environments(game: str | Game) -> Environments:
    """The environments of a game, by its id or the game itself."""
    turns = partial(TurnsEnv, game)
    return Environments(turns, turns, partial(AtOnceEnv, game))


for _id in games():
    _name, _kwargs = f"lastcard/{title_of(_id)}-v1", {"game": _id}
    pettingzoo.register("aec", _name, f"{__name__}:TurnsEnv", kwargs=_kwargs)
    pettingzoo.register("parallel", _name, f"{__name__}:AtOnceEnv", kwargs=_kwargs)


def __getattr__(name: str) -> Any:
    """`taki_v1` and the like, for all games there are."""
    if name.endswith(VERSION) and name.removesuffix(VERSION) in games():
        return environments(name.removesuffix(VERSION))
    there = ", ".join(__dir__())
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; there are {there}")


def __dir__() -> list[str]:
    return [id + VERSION for id in games()]
