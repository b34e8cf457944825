"""How fast environments are beside the nearest games of each project, in turn, in one run.

usage: .venv/bin/python bench/envs.py [GAME...] [--seconds 0.5] [--repeats 5] [--matches 8192]

Prints a table in Markdown: decisions per second, how many times as fast as the first of its
project, and what is wanted at least. All play at random in one process, and each loop has what a
learner's would have but for the learning: the environment's observations and masks, and a choice
from the mask that it has returned. That choice is compiled and takes a small part of the time.

- PettingZoo: `agent_iter`, `last`, the choice and `step`, for its texas_holdem and for ours.
- OpenSpiel: `evaluate_bots` with its own random bots in C++, for games that it has in Python and
  for ours. Deals and dice are part of the time, but not of the number.
- Gymnasium: the choice and `step` of vector environments: its Blackjack-v1, where everything is
  legal, and Chiko, with copies of observations and masks, on all cores.
- PufferLib's convention: the same, where buffers hold the masks.
- RLCard: `run` with its own random agents, for its uno and for ours.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gymnasium
import numba
import numpy as np
import pettingzoo

from lastcard.core.registry import game, games
from lastcard.envs.gymnasium import SelfPlayEnv
from lastcard.envs.openspiel import PREFIX
from lastcard.envs.pettingzoo import environments
from lastcard.envs.pufferlib import SeatsEnv
from lastcard.envs.rlcard import make
from lastcard.envs.spaces import MASK
from lastcard.sim import bench
from lastcard.sim.bench import Contestant, nearest, open_spiel, rlcard, rounded, run

PLAYERS = 4
bench.SAMPLE = 100  # OpenSpiel's games in Python take their time


@dataclass
class Project:
    """Its own games, the first of which ours are compared with, and ours in its interface."""

    own: list[Contestant]
    ours: list[Contestant]
    times: float | None = None  # as fast as the first of its own: wanted of all of ours
    speed: float | None = None  # wanted of the first of ours


# --- Choices -------------------------------------------------------------------------------------


@numba.njit  # type: ignore[untyped-decorator]
def pick(mask: Any, places: Any, state: Any) -> Any:
    """One of the places where a mask is not zero, at random (by xorshift64)."""
    count = 0
    for place in range(len(mask)):
        places[count] = place
        count += mask[place] != 0
    x = state[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    state[0] = x
    return places[np.int64(((x >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))]


@numba.njit  # type: ignore[untyped-decorator]
def pick_in(rows: Any, masks: Any, places: Any, state: Any, out: Any) -> None:
    for row in rows:
        out[row] = pick(masks[row], places, state)


def picker(actions: int) -> tuple[Any, Any]:
    """What picking works in: room for so many places, and the state of the generator."""
    return np.zeros(actions, np.int64), np.array([0x9E3779B97F4A7C15], np.uint64)


# --- Loops ---------------------------------------------------------------------------------------


def in_turn(name: str, env: Any) -> Contestant:
    """PettingZoo's loop over agents."""
    places, state = picker(env.action_space(env.possible_agents[0]).n)
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
                    env.step(pick(observation[MASK], places, state))
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


def vector(name: str, count: int, step: Callable[[], object]) -> Contestant:
    def batch(steps: int) -> int:
        for _ in range(steps):
            step()
        return steps * count

    return Contestant(f"{name}, {count:,} at once", batch)


def blackjack(count: int) -> Contestant:
    env = gymnasium.make_vec("Blackjack-v1", num_envs=count, vectorization_mode="sync")
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    return vector("Gymnasium Blackjack-v1", count, lambda: env.step(rng.integers(0, 2, count)))


def in_gymnasium(count: int) -> Contestant:
    env = SelfPlayEnv("chiko", count, players=PLAYERS)
    seen, _ = env.reset(seed=1)
    rows, actions = np.arange(count), np.zeros(count, np.int64)
    places, state = picker(len(env.actions))

    def step() -> None:
        nonlocal seen
        pick_in(rows, seen[MASK], places, state, actions)
        seen, *_ = env.step(actions)

    cores = len(os.sched_getaffinity(0))
    return vector(f"Last Card chiko, {PLAYERS} players, Gymnasium, {cores} cores", count, step)


def in_pufferlib(count: int) -> Contestant:
    env = SeatsEnv("chiko", count, players=PLAYERS)
    env.reset(seed=1)
    actions = np.zeros(env.num_agents, np.int32)
    places, state = picker(int(env.single_action_space.n))

    def step() -> None:
        pick_in(np.flatnonzero(env.masks), env.legal, places, state, actions)
        env.step(actions)

    return vector(f"Last Card chiko, {PLAYERS} players, PufferLib", count, step)


def in_rlcard(id: str) -> Contestant:
    from rlcard.agents import RandomAgent

    players = nearest(game(id), PLAYERS)
    env = make(id, {"players": players, "seed": 1})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(players)])

    def batch(matches: int) -> int:
        return sum(len(one) // 2 for _ in range(matches) for one in env.run()[0])

    return Contestant(f"Last Card {id}, {players} players, RLCard", batch)


def projects(ids: list[str], matches: int) -> list[Project]:
    dominoes, poker = map(open_spiel, ("python_block_dominoes", "python_liars_poker"))
    in_open_spiel = [open_spiel(PREFIX + id, nearest(game(id), PLAYERS)) for id in ids]
    vectors = [in_gymnasium(matches), in_pufferlib(matches)]
    return [
        Project([texas_holdem()], [in_pettingzoo(id) for id in ids], times=20),
        Project([dominoes, poker], in_open_spiel, times=3),
        Project([blackjack(64)], vectors, speed=5e6),
        Project([rlcard("uno")], [in_rlcard(id) for id in ids]),
    ]


def table(projects: list[Project]) -> str:
    rows = ["| | decisions per second | times | wanted |", "|---|---|---|---|"]
    for project in projects:
        peer, first = project.own[0], project.ours[0]
        for one in (*project.own, *project.ours):
            wanted = ""
            if project.times and one in project.ours:
                wanted = f"{project.times:g} times"
            elif project.speed and one is first:
                wanted = f"{rounded(project.speed)} per second"
            rows.append(
                f"| {one.name} | {rounded(one.median)} | {one.times(peer):.1f} | {wanted} |"
            )
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("games", nargs="*", default=games(), help="by default all")
    parser.add_argument("--seconds", type=float, default=0.5, help="for each, in each repeat")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--matches", type=int, default=8192, help="at once, in vectors")
    wish = parser.parse_args()
    everything = projects(wish.games, wish.matches)
    everybody = [one for project in everything for one in (*project.own, *project.ours)]
    for _ in run(everybody, wish.seconds, wish.repeats):
        pass
    print(f"Random play, medians of {wish.repeats} repeats of {wish.seconds:g} s each.\n")
    print(table(everything))


if __name__ == "__main__":
    main()
