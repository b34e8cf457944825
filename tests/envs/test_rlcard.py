"""RLCard's agents and tools, unchanged, on our games."""

from __future__ import annotations

import json
from collections import OrderedDict
from typing import Any

import numpy as np
import pytest
from rlcard.agents import RandomAgent
from rlcard.models.leducholdem_rule_models import LeducHoldemRuleAgentV1
from rlcard.models.uno_rule_models import UNORuleAgentV1
from rlcard.utils import reorganize, tournament

from lastcard.core.game import Game
from lastcard.envs.rlcard import RLCardEnv, make
from lastcard.errors import BadOption, IllegalAction
from tests.helpers import times


class Saver:
    """An agent in the form of RLCard's rule-based ones: draws and quits only if it must.

    All of RLCard's own are for one of its games, by the keys of its states and the names or numbers
    of its actions, so none can play another game as it is.
    """

    use_raw = True

    def step(self, state: dict[str, Any]) -> str:
        legal = state["raw_legal_actions"]
        assert state["raw_obs"]["seat"] in state["raw_obs"]["waiting"]
        return next((one for one in legal if one not in ("draw", "quit")), legal[0])

    def eval_step(self, state: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        return self.step(state), {}


class InTaki:
    """RLCard's rule-based agent for UNO, unchanged, in TAKI, which is much like it: it is given an
    UNO player's words, in which one draws only if there is nothing else to do."""

    use_raw = True

    def __init__(self) -> None:
        self.theirs = UNORuleAgentV1()
        self.chosen: list[tuple[str, list[str]]] = []  # with what it could choose from

    def step(self, state: dict[str, Any]) -> str:
        legal = state["raw_legal_actions"]
        words = {
            "draw" if legal == ["draw"] else f"{number}-{name}": name
            for number, name in enumerate(legal)
            if name != "draw" or legal == ["draw"]
        }
        view = state["raw_obs"]
        hand = [f"{card[0]}-{card[1:]}" for card in view["hands"][view["seat"]]["cards"]]
        uno = {"raw_legal_actions": list(words), "raw_obs": {"hand": hand}}
        self.chosen.append((words[str(self.theirs.step(uno))], legal))
        return self.chosen[-1][0]

    def eval_step(self, state: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        return self.step(state), {}


def random_agents(env: RLCardEnv) -> list[Any]:
    return [RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)]


def test_its_random_agents_play(any_game: Game) -> None:
    np.random.seed(1)
    env = make(any_game, {"players": any_game.most, "seed": 1})
    if times(0, 1):
        pytest.skip("whole matches take too long this way")
    env.set_agents(random_agents(env))
    trajectories, payoffs = env.run(is_training=True)
    assert env.is_over()
    assert payoffs.sum() == pytest.approx(1)
    for seat, (trajectory, shape) in enumerate(zip(trajectories, env.state_shape, strict=True)):
        states, actions = trajectory[::2], trajectory[1::2]
        assert len(states) == len(actions) + 1
        record = [(seat, env.match.actions[action]) for action in actions]
        assert [state["action_record"] for state in states] == [
            record[:number] for number in range(len(states))
        ]
        for state, action in zip(states[:-1], actions, strict=True):
            assert isinstance(state["legal_actions"], OrderedDict)
            assert action in state["legal_actions"]
            assert list(state["obs"].shape) == shape
            names = [env.match.actions[one] for one in state["legal_actions"]]
            assert names == state["raw_legal_actions"]
            json.dumps(state["raw_obs"])
    moved = reorganize(trajectories, payoffs)  # as its learners are fed
    assert [transitions[-1][2] for transitions in moved if transitions] == [
        payoff for payoff, transitions in zip(payoffs, moved, strict=True) if transitions
    ]


def test_a_rule_based_agent_plays_against_random_ones() -> None:
    """By names instead of numbers; and it wins more than its share."""
    np.random.seed(2)
    env = make("chiko", {"players": 3, "seed": 2})
    env.set_agents([Saver(), *random_agents(env)[1:]])
    matches = times(200, 2)
    payoffs = tournament(env, matches)
    assert sum(payoffs) == pytest.approx(1)
    assert payoffs[0] > 0.5 or matches == 2


def test_its_rule_based_agent_for_uno_plays_taki() -> None:
    np.random.seed(4)
    env = make("taki", {"players": 3, "seed": 4, "options": {"rounds": 1}})
    agent = InTaki()
    env.set_agents([agent, *random_agents(env)[1:]])
    assert sum(tournament(env, times(20, 1))) == pytest.approx(1)
    assert len(agent.chosen) > times(100, 2)
    assert all(name != "draw" or legal == ["draw"] for name, legal in agent.chosen)


def test_its_rule_based_agents_are_for_their_own_games() -> None:
    env = make("taki", {"players": 2, "seed": 1})
    state, _ = env.reset()
    with pytest.raises(KeyError, match="hand"):
        UNORuleAgentV1().step(state)
    assert LeducHoldemRuleAgentV1().step(state) == "fold"
    with pytest.raises(IllegalAction, match="there is no 'fold' in TAKI"):
        env.step("fold", raw_action=True)


def test_steps_can_be_taken_back(any_game: Game) -> None:
    rng = np.random.default_rng(3)
    env = make(any_game, {"seed": 3, "allow_step_back": True})
    env.reset()
    states = [env.match.batch.records.tobytes()]
    assert env.step_back() is False
    for _ in range(6):
        if not env.is_over():
            env.step(rng.choice(env.match.choices))
            states.append(env.match.batch.records.tobytes())
    while states:
        assert env.match.batch.records.tobytes() == states.pop()
        env.step_back()
    assert env.action_recorder == []
    with pytest.raises(BadOption, match=r"^allow_step_back: "):
        make(any_game).step_back()


def test_what_else_its_environments_have() -> None:
    env = make("chiko", {"players": 2})
    env.seed(5)
    first = env.reset()[0]["obs"]
    env.seed(5)
    assert np.array_equal(env.reset()[0]["obs"], first)
    assert env.get_action_feature(3).tolist() == [0, 0, 0, 1] + [0] * (env.num_actions - 4)
    assert len(env.get_perfect_information()["hands"][1].split()) == 6
    assert env.get_player_id() in (0, 1) and env.name == "chiko"
    other = env.get_state(1 - env.get_player_id())
    assert (other["legal_actions"], other["raw_legal_actions"]) == (OrderedDict(), [])


def test_an_illegal_action_changes_nothing() -> None:
    env = make("chiko", {"players": 2, "seed": 1})
    env.reset()
    before = env.match.batch.records.tobytes()
    wrong = next(one for one in range(env.num_actions) if not env.match.allows(one))
    with pytest.raises(IllegalAction, match=r"^action: seat \d cannot .*Possible"):
        env.step(wrong)
    assert env.match.batch.records.tobytes() == before
    assert env.action_recorder == [] and env.timestep == 0
