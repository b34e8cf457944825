"""PufferLib's convention for environments of its own kind, as its `PufferEnv` has it."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest

from lastcard.core.game import Game
from lastcard.envs.pufferlib import SeatsEnv
from lastcard.errors import BadOption, IllegalAction
from lastcard.sim.batch import Batch
from tests.helpers import times

BUFFERS = ("observations", "rewards", "terminals", "truncations", "masks", "actions")


def buffers(env: SeatsEnv) -> dict[str, Any]:
    """Others of the same kinds, as a trainer has them in memory that processes share."""
    return {name: np.full_like(getattr(env, name), 1) for name in BUFFERS}


def chosen(env: SeatsEnv, rng: np.random.Generator) -> Any:
    """Random legal actions; for those who do not decide, numbers that are none."""
    actions = np.full(env.num_agents, 10_000)
    for agent in np.flatnonzero(env.masks):
        actions[agent] = rng.choice(np.flatnonzero(env.legal[agent]))
    return actions


def test_it_has_what_the_convention_asks_for(any_game: Game) -> None:
    env = SeatsEnv(any_game, count=3, players=any_game.most)
    agents = env.num_agents
    assert agents == 3 * any_game.most
    assert isinstance(env.single_observation_space, gymnasium.spaces.Box)
    assert isinstance(env.single_action_space, gymnasium.spaces.Discrete)
    assert env.observation_space.shape == (agents, *env.single_observation_space.shape)
    assert env.action_space.shape == (agents,)
    kinds = {name: (getattr(env, name).dtype, getattr(env, name).shape) for name in BUFFERS}
    assert kinds == {
        "observations": (np.float32, (agents, *env.single_observation_space.shape)),
        "rewards": (np.float32, (agents,)),
        "terminals": (np.bool_, (agents,)),
        "truncations": (np.bool_, (agents,)),
        "masks": (np.bool_, (agents,)),
        "actions": (np.int32, (agents,)),
    }
    assert env.agents_per_batch == env.agent_per_batch == agents
    assert env.agent_ids.tolist() == list(range(agents))
    assert (env.emulated, env.done, env.driver_env) == (False, False, env)


def test_buffers_are_filled_in_place(any_game: Game) -> None:
    """The same in memory of its own and in memory that it is given, in one step or in two."""
    rng = np.random.default_rng(1)
    own = SeatsEnv(any_game, 2, seed=5)
    given = buffers(own)
    env = SeatsEnv(any_game, 2, seed=5, buf=given)
    observations, infos = own.reset(5)
    env.async_reset(5)
    assert observations is own.observations and infos == []
    for _ in range(times(40, 3)):
        actions = chosen(own, rng)
        result = own.step(actions)
        env.send(actions)
        received = env.recv()
        mine, its = (*result[:4], own.masks), (*received[:4], received[6])
        for name, one, other in zip(BUFFERS, mine, its, strict=False):
            assert one is getattr(own, name)
            assert other is given[name]
            assert np.array_equal(one, other)
        assert isinstance(result[4], list) and result[4] == received[4]
        assert np.array_equal(received[5], env.agent_ids)
        assert np.array_equal(own.actions, actions)
        assert own.observations in own.observation_space


def test_each_seat_has_its_row(any_game: Game) -> None:
    count, players = 4, any_game.most
    env = SeatsEnv(any_game, count, players=players, rewards="round")
    batch = Batch(any_game, count, players=players, rewards="round", seed=8)
    env.reset(8)
    rng = np.random.default_rng(2)
    split, ended = len(batch.observed), 0
    for _ in range(times(3_000, 10)):
        rows = np.arange(count) * players + batch.seats
        assert np.flatnonzero(env.masks).tolist() == rows.tolist()
        assert np.array_equal(env.observations[rows, :split], batch.observations)
        assert np.array_equal(env.legal[rows] != 0, batch.legal)
        actions = chosen(env, rng)
        others = env.observations[~env.masks].copy()
        waiting = np.flatnonzero(~env.masks)
        env.step(actions)
        batch.step(actions[rows])
        assert np.array_equal(env.rewards.reshape(count, players), batch.rewards)
        assert np.array_equal(env.terminals.reshape(count, players).all(1), batch.done)
        assert np.array_equal(env.terminals.reshape(count, players).any(1), batch.done)
        still = ~env.masks[waiting]
        assert np.array_equal(env.observations[waiting[still]], others[still])
        assert not env.truncations.any()
        ended += int(batch.done.sum())
        if env.infos:
            assert env.infos[0]["matches"] == batch.done.sum()
        if ended > count:
            return
    assert times(0, 1)


def test_a_policy_need_not_look_at_the_mask() -> None:
    env = SeatsEnv("chiko", 3, players=2, illegal="replace", penalty=0.25)
    twin = SeatsEnv("chiko", 3, players=2)
    env.reset(1)
    twin.reset(1)
    right = env.legal.argmax(1)
    wrong = right.copy()
    agent = int(np.flatnonzero(env.masks)[1])
    wrong[agent] = -7
    env.step(wrong)
    twin.step(right)
    assert np.array_equal(env.observations, twin.observations)
    assert (twin.rewards - env.rewards).tolist() == [0.25 * (one == agent) for one in range(6)]


def test_mistakes_change_nothing() -> None:
    env = SeatsEnv("chiko", 2, players=2)
    env.reset(1)
    before = env.observations.copy()
    fine = env.legal.argmax(1)
    agent = int(np.flatnonzero(env.masks)[1])
    for number in (30, -1, len(env.action_names), int(fine[agent]) + (1 << 32)):
        wrong = fine.copy()
        wrong[agent] = number
        with pytest.raises(IllegalAction, match=rf"^actions\[1\] is {number}, .* agent {agent}\.$"):
            env.step(wrong)
    for actions in (fine.astype(float), fine[:2]):
        with pytest.raises(BadOption, match=r"^actions: "):
            env.step(actions)
    assert np.array_equal(env.observations, before)
    env.step(fine)
    assert not np.array_equal(env.observations, before)


@pytest.mark.parametrize("kind", [dict, SimpleNamespace])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_a_trainer_gives_buffers_in_its_own_way(kind: Callable[..., Any], dtype: Any) -> None:
    """PufferLib 3.0 by key, 2.0 as attributes; actions are 32 bits in one process and may be 64 in
    others."""
    own = SeatsEnv("chiko", 2, seed=5)
    given = buffers(own) | {"actions": np.zeros(own.num_agents, dtype)}
    env = SeatsEnv("chiko", 2, seed=5, buf=kind(**given))
    own.reset()
    env.reset()
    given["actions"][:] = env.legal.argmax(1)
    env.step(given["actions"])  # as its workers do
    own.step(own.legal.argmax(1))
    for name in BUFFERS:
        assert getattr(env, name) is given[name]
        assert np.array_equal(given[name], getattr(own, name))
