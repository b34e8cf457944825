"""How fast environments are beside the nearest games of each project, in turn, in one run.

usage: .venv/bin/python bench/envs.py [GAME...] [--seconds 0.5] [--repeats 5] [--matches 8192]

All play at random, in one process, and what is counted are decisions.

- PettingZoo: `agent_iter`, `last` and `step`, the same loop for its texas_holdem and for ours.
- Gymnasium: vector environments, its Blackjack-v1 beside Chiko with observations and masks, on all
  cores.
- RLCard: `run` with its own random agents, its uno beside ours.
"""

from __future__ import annotations

import argparse
import os
import random
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pettingzoo

from lastcard.core.registry import game, games
from lastcard.envs.gymnasium import SelfPlayEnv
from lastcard.envs.pettingzoo import environments
from lastcard.envs.pufferlib import SeatsEnv
from lastcard.envs.rlcard import make
from lastcard.sim.batch import Batch
from lastcard.sim.bench import Contestant, nearest, rlcard, rounded, run

PLAYERS = 4


def in_turn(name: str, env: Any) -> Contestant:
    """PettingZoo's loop over agents."""
    rng = random.Random(1)
    seeds = iter(range(1 << 31))

    def batch(matches: int) -> int:
        decisions = 0
        for _ in range(matches):
            env.reset(seed=next(seeds))
            for _ in env.agent_iter():
                observation, _, ended, cut, _ = env.last()
                if ended or cut:
                    env.step(None)
                else:
                    env.step(rng.choice(observation["action_mask"].nonzero()[0].tolist()))
                    decisions += 1
        return decisions

    return Contestant(name, batch)


def texas_holdem() -> Contestant:
    env = pettingzoo.make("aec", "classic/texas_holdem-v4")
    return in_turn(f"PettingZoo texas_holdem, {env.unwrapped.max_num_agents} players", env)


def in_pettingzoo(id: str) -> Contestant:
    players = nearest(game(id), PLAYERS)
    env = environments(id).env(players=players)
    return in_turn(f"Last Card {id}, {players} players, PettingZoo", env)


def chooser(batch: Batch) -> Callable[[], Any]:
    """Legal actions at random, one for each match."""
    rng, rows = np.random.default_rng(1), np.arange(batch.count)

    def choose() -> Any:
        drawn = rng.integers(0, 1 << 16, batch.count, np.uint16) * batch.counts.astype(np.uint32)
        return batch.choices[rows, drawn >> 16]

    return choose


def blackjack(count: int) -> Contestant:
    env = gymnasium.make_vec("Blackjack-v1", num_envs=count, vectorization_mode="sync")
    env.reset(seed=1)

    def batch(steps: int) -> int:
        for _ in range(steps):
            env.step(env.action_space.sample())
        return steps * count

    return Contestant(f"Gymnasium Blackjack-v1, {count} at once", batch)


def in_gymnasium(count: int) -> Contestant:
    env = SelfPlayEnv("chiko", count, players=PLAYERS)
    env.reset(seed=1)
    choose = chooser(env.batch)

    def batch(steps: int) -> int:
        for _ in range(steps):
            env.step(choose())
        return steps * count

    cores = len(os.sched_getaffinity(0))
    name = f"Last Card chiko, {PLAYERS} players, Gymnasium, {count} at once, {cores} cores"
    return Contestant(name, batch)


def in_pufferlib(count: int) -> Contestant:
    env = SeatsEnv("chiko", count, players=PLAYERS)
    env.reset(seed=1)
    choose, actions = chooser(env.batch), np.zeros(env.num_agents, np.int32)

    def batch(steps: int) -> int:
        for _ in range(steps):
            actions[env.masks] = choose()
            env.step(actions)
        return steps * count

    return Contestant(f"Last Card chiko, {PLAYERS} players, PufferLib, {count} at once", batch)


def in_rlcard(id: str) -> Contestant:
    from rlcard.agents import RandomAgent

    players = nearest(game(id), PLAYERS)
    env = make(id, {"players": players, "seed": 1})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(players)])

    def batch(matches: int) -> int:
        return sum(len(one) // 2 for _ in range(matches) for one in env.run()[0])

    return Contestant(f"Last Card {id}, {players} players, RLCard", batch)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("games", nargs="*", default=games(), help="by default all")
    parser.add_argument("--seconds", type=float, default=0.5, help="for each, in each repeat")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--matches", type=int, default=8192, help="at once, in vectors")
    wish = parser.parse_args()
    groups = [
        (texas_holdem(), [in_pettingzoo(id) for id in wish.games]),
        (blackjack(64), [in_gymnasium(wish.matches), in_pufferlib(wish.matches)]),
        (rlcard("uno"), [in_rlcard(id) for id in wish.games]),
    ]
    everybody = [one for peer, ours in groups for one in (peer, *ours)]
    for _ in run(everybody, wish.seconds, wish.repeats):
        pass
    print(f"Decisions per second: medians of {wish.repeats} runs of {wish.seconds:g} s")
    for peer, ours in groups:
        print(f"\n{peer.name:<70}{rounded(peer.median):>10}")
        for one in ours:
            print(f"{one.name:<70}{rounded(one.median):>10}{one.times(peer):>9.1f} x")


if __name__ == "__main__":
    main()
