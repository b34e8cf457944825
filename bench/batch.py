"""Steps per second of `lastcard.Batch` beside Pgx, with observations and masks, in one run.

usage: .venv/bin/python bench/batch.py [GAME...] [--players 4] [--count 4096] [--seconds 0.5]
           [--repeats 5]

A step is one decision in one match: it carries out the action, restarts what is over, and gives
mask, observation and rewards of whoever decides next. Actions are legal and random; drawing them
counts, too: NumPy draws ours, and Pgx's are drawn by JAX, compiled together with the steps. Each
side runs on one core, then on two.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from lastcard import Batch
from lastcard.core.registry import game, games
from lastcard.sim.bench import Contestant, nearest, rounded, run

PEERS = ("kuhn_poker", "leduc_holdem", "sparrow_mahjong")
AT_A_TIME = 16  # steps that JAX compiles into one program


def ours(id: str, players: int, count: int, cores: int) -> Contestant:
    rules = game(id)
    seats = nearest(rules, players)
    batch = Batch(rules, count, seats, seed=1, threads=cores)
    rng, rows = np.random.default_rng(1), np.arange(count)

    def steps(times: int) -> int:
        for _ in range(times):
            drawn = (rng.random(count, np.float32) * batch.counts).astype(np.int16)
            batch.step(batch.choices[rows, drawn])
        return times * count

    way = rules.engine.way
    return Contestant(f"Last Card {id}, {seats} players, {way}", steps, game=id)


def pgx(id: str, count: int) -> Contestant:
    """All as its documentation advises: `vmap`, `jit` and its own `auto_reset`."""
    import jax  # type: ignore[import-not-found, unused-ignore]
    import jax.numpy as jnp  # type: ignore[import-not-found, unused-ignore]
    import pgx  # type: ignore[import-not-found, unused-ignore]
    from pgx.experimental.wrappers import (  # type: ignore[import-not-found, unused-ignore]
        auto_reset,
    )

    env = pgx.make(id)
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(_: int, carried: Any) -> Any:
        state, key = carried
        key, draw, chance = jax.random.split(key, 3)
        action = jax.random.categorical(draw, jnp.log(state.legal_action_mask), axis=-1)
        return step(state, action, jax.random.split(chance, count)), key

    some = jax.jit(lambda carried: jax.lax.fori_loop(0, AT_A_TIME, one, carried))
    keys = jax.random.split(jax.random.PRNGKey(0), count)
    carried = jax.vmap(env.init)(keys), jax.random.PRNGKey(1)

    def steps(times: int) -> int:
        nonlocal carried
        for _ in range(times):
            carried = some(carried)
        jax.block_until_ready(carried)
        return times * AT_A_TIME * count

    return Contestant(f"Pgx {id}, {env.num_players} players", steps, game=id)


def measure(arguments: argparse.Namespace) -> None:
    """On as many cores as were asked for."""
    cores: int = arguments.cores
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
    count: int = arguments.count
    mine = [ours(id, arguments.players, count, cores) for id in arguments.games or games()]
    try:
        peers = [pgx(id, count) for id in PEERS]
    except ImportError:
        print("Pgx is not installed: pip install 'lastcard[bench]'.")
        peers = []
    for _ in run([*mine, *peers], arguments.seconds, arguments.repeats):
        pass
    print(f"{cores} {'core' if cores == 1 else 'cores'}, {count} matches side by side:")
    for one in [*mine, *peers]:
        low, high = rounded(min(one.speeds)), rounded(max(one.speeds))
        print(f"  {one.name:40} {rounded(one.median):>8} steps/s ({low} to {high})")
    for one in mine if peers else []:
        ratios = ", ".join(f"{one.times(peer):.2f} x {peer.game}" for peer in peers)
        print(f"  {one.game} beside Pgx: {ratios}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--count", type=int, default=4096)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--cores", type=int, help="only on so many")
    arguments = parser.parse_args()
    if arguments.cores:
        measure(arguments)
        return
    for cores in range(1, min(len(os.sched_getaffinity(0)), 2) + 1):
        # In a process of its own: JAX decides once how many threads it has.
        command = [sys.executable, __file__, *sys.argv[1:], f"--cores={cores}"]
        subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
