"""OpenSpiel's information set Monte Carlo tree search against our `normal`, in all five games.

usage: examples/openspiel_ismcts.py [--matches 100] [--simulations 100] [--seed 1] [GAME ...]
Two players, one round each; every deal is played twice, with the seats exchanged. Its tree is in
Python, its playouts are random and compiled. All chance is from the seed: two runs print the same.
"""

from __future__ import annotations

import argparse
import random
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts

import lastcard.envs.openspiel  # registers the games
from lastcard.core.registry import games
from lastcard.envs.openspiel_bots import Player, RandomPlayouts
from lastcard.sim.arena import mean_of

ONE_ROUND = {
    "chiko": "target=1",
    "sixth_sense": "beginner=True,target=1",
    **dict.fromkeys(("chichiko", "eight_half", "taki"), "rounds=1"),
}
EXPLORATION = 1.0


def searcher(at: Any, simulations: int, seed: int) -> Any:
    rng = np.random.RandomState(seed)
    worlds = random.Random(seed)
    bot = ismcts.ISMCTSBot(
        at,
        RandomPlayouts(at, seed),
        EXPLORATION,
        max_simulations=simulations,
        random_state=rng,
    )
    # As it does by itself, but from our seed instead of the clock.
    bot.set_resampler(lambda state, seat: state.resample_from_infostate(seat, worlds.random))
    return bot


def play(at: Any, seat: int, simulations: int, deal: int, seed: int) -> float:
    """One match; what the search in a seat returns from it."""
    bots = {seat: searcher(at, simulations, seed), 1 - seat: Player(at, "normal", 1 - seat, seed)}
    chance = random.Random(deal)  # deals come first, so they are the same in both matches
    state = at.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(outcomes, weights)[0])
        else:
            state.apply_action(int(bots[state.current_player()].step(state)))
    return state.returns()[seat]


def share(id: str, matches: int, simulations: int, seed: int) -> str:
    """The search's share of the wins, in percent, with its interval."""
    at = pyspiel.load_game(f"{lastcard.envs.openspiel.PREFIX}{id}({ONE_ROUND[id]})")
    pairs = []
    for deal in range(-(-matches // 2)):
        number = 1_000 * seed + deal
        both = [play(at, seat, simulations, number, 2 * number + seat) for seat in range(2)]
        pairs.append(sum(1 + one for one in both) / 4)
    return f"{mean_of(pairs).times(100)} %"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", default=games())
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--simulations", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(f"ISMCTS, {given.simulations} simulations, against normal: {given.matches} matches each")
    for id in given.games:
        print(f"{id:14}{share(id, given.matches, given.simulations, given.seed)}", flush=True)


if __name__ == "__main__":
    main()
