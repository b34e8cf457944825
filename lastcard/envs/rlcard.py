"""The games as RLCard's environments, so that its agents play them unchanged. RLCard is not needed.

    from lastcard.envs.rlcard import make
    env = make("taki", {"players": 4, "seed": 1})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])
    trajectories, payoffs = env.run()

A state has

- `obs`: the game's features, as float32;
- `legal_actions`: an OrderedDict with the numbers of legal actions as keys;
- `raw_obs`: what `Match.view` gives to the seat, a mapping that can be written as JSON;
- `raw_legal_actions`: the names of legal actions;
- `action_record`: what this seat has done so far. RLCard lists everybody's actions; here some are
  secret, as predictions in Sixth Sense, and what is public of them is in `raw_obs`.

Payoffs are the rewards of `lastcard.Batch`, added up.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lastcard.core.game import Game
from lastcard.errors import BadOption, IllegalAction
from lastcard.kernel.texts import show
from lastcard.sim.batch import read_flag, read_seed

from .single import Single, begun, read_action, read_seat

State = dict[str, Any]
AGENT = ("use_raw", "step", "eval_step")  # what RLCard's agents have
CONFIG = ("players", "options", "rewards", "through", "out_of_turn", "seed", "allow_step_back")


def make(game: str | Game, config: Mapping[str, Any] | None = None) -> RLCardEnv:
    """RLCard's `make`: the config has any arguments of `RLCardEnv`."""
    if config is not None and not isinstance(config, Mapping):
        raise BadOption("config", f"must be a mapping, not {show(config)}.")
    given = dict(config or {})
    for name in given:
        if name not in CONFIG:
            raise BadOption("config", f"{show(name)} is none of {', '.join(CONFIG)}.")
    return RLCardEnv(game, **given)


class RLCardEnv:
    """One match after the other, decision by decision."""

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        rewards: str = "match",
        through: bool = True,
        out_of_turn: bool = False,
        seed: int | None = None,
        allow_step_back: bool = False,
    ) -> None:
        self.match = Single(game, players, options, rewards, through, out_of_turn)
        self.name = self.match.game.id
        self.num_players, self.num_actions = self.match.players, len(self.match.actions)
        self.state_shape = [[len(self.match.batch.observed)]] * self.num_players
        self.action_shape = [None] * self.num_players
        self.allow_step_back = read_flag("allow_step_back", allow_step_back)
        self.agents: list[Any] = []
        self.timestep = 0
        self.seed(seed)
        self._begun = False
        self._forget()

    def _forget(self) -> None:
        self.action_recorder: list[tuple[int, str]] = []
        self._done: list[list[tuple[int, str]]] = [[] for _ in range(self.num_players)]
        self._payoffs = np.zeros(self.num_players)
        self._past: list[tuple[Single, Any]] = []

    def seed(self, seed: int | None = None) -> int | None:
        """From here on matches are dealt from this seed."""
        self._seed = None if seed is None else read_seed(seed)
        return self._seed

    def set_agents(self, agents: Sequence[Any]) -> None:
        if not isinstance(agents, Sequence) or len(agents) != self.num_players:
            raise BadOption("agents", f"must be {self.num_players} of them, not {show(agents)}.")
        for number, agent in enumerate(agents):
            for name in AGENT:
                if not hasattr(agent, name):
                    raise BadOption("agents", f"number {number} is {show(agent)}: no {name}.")
        self.agents = list(agents)

    def reset(self) -> tuple[State, int]:
        self.match.reset(self._seed)
        self._seed = None  # the matches that follow go on from there
        self._begun = True
        self._forget()
        return self._now()

    def step(self, action: int | str, raw_action: bool = False) -> tuple[State, int]:
        """An action by its number, or with `raw_action` by its name."""
        if not self._begun or self.match.over:
            raise IllegalAction("step: the match is over, or has not begun; call reset.")
        number = self._number(action) if raw_action else read_action(action)
        if not self.match.allows(number):
            raise self.match.refusal(number)
        if self.allow_step_back:
            self._past.append((self.match.copy(), self._payoffs.copy()))
        self.timestep += 1
        moved = self.match.seat, self.match.actions[number]
        self.action_recorder.append(moved)
        self._done[moved[0]].append(moved)
        self.match.act(number)
        self._payoffs += self.match.rewards
        return self._now()

    def step_back(self) -> tuple[State, int] | bool:
        """Takes the last action back; False if there is none."""
        if not self.allow_step_back:
            raise BadOption("allow_step_back", "must be True to step back.")
        if not self._past:
            return False
        self.match, self._payoffs = self._past.pop()
        self.timestep -= 1
        self._done[self.action_recorder.pop()[0]].pop()
        return self._now()

    def run(self, is_training: bool = False) -> tuple[list[list[Any]], Any]:
        """Lets the agents play a match: states and actions in turn for each, and the payoffs."""
        if not self.agents:
            raise BadOption("agents", "are missing: call set_agents first.")
        trajectories: list[list[Any]] = [[] for _ in range(self.num_players)]
        state, player = self.reset()
        while not self.is_over():
            agent = self.agents[player]
            action = agent.step(state) if is_training else agent.eval_step(state)[0]
            trajectories[player] += [state, action]
            state, player = self.step(action, agent.use_raw)
        for player, trajectory in enumerate(trajectories):
            trajectory.append(self.get_state(player))
        return trajectories, self.get_payoffs()

    def is_over(self) -> bool:
        return self.match.over

    def get_player_id(self) -> int:
        begun(self._begun, "get_player_id")
        return self.match.seat

    def get_payoffs(self) -> Any:
        return self._payoffs.copy()

    def get_state(self, player_id: int) -> State:
        """A seat's state; only the deciding one has legal actions."""
        begun(self._begun, "get_state")
        match, player_id = self.match, read_seat("player_id", player_id, self.num_players)
        deciding = player_id == match.seat
        legal = match.choices if deciding else []
        return {
            "obs": match.observation if deciding else match.observe(player_id),
            "legal_actions": OrderedDict.fromkeys(legal),
            "raw_obs": match.view(player_id),
            "raw_legal_actions": [match.actions[action] for action in legal],
            "action_record": list(self._done[player_id]),
        }

    def get_perfect_information(self) -> dict[str, Any]:
        """The whole position, secrets included."""
        begun(self._begun, "get_perfect_information")
        return self.match.batch.match(0).position()

    def get_action_feature(self, action: int) -> Any:
        if not 0 <= read_action(action) < self.num_actions:
            raise BadOption("action", f"is 0 to {self.num_actions - 1}, not {show(action)}.")
        feature = np.zeros(self.num_actions, np.int8)
        feature[action] = 1
        return feature

    def _now(self) -> tuple[State, int]:
        """The deciding seat's state and number; after the end those of the one that acted last."""
        player = self.action_recorder[-1][0] if self.match.over else self.match.seat
        return self.get_state(player), player

    def _number(self, name: object) -> int:
        if not isinstance(name, str) or name not in self.match.actions:
            raise IllegalAction(f"action: there is no {show(name)} in {self.match.game.title}.")
        return self.match.actions.index(name)
