"""Random play through OpenSpiel's interface: our games beside those that it has in Python.

usage: bench/openspiel.py [--seconds 1] [--repeats 5] [--players 4]
The loop and the random bots are OpenSpiel's, in C++; the games are in Python on both sides. What
counts is what players decide: deals and dice are part of the time, but not of the number.
"""

from __future__ import annotations

import argparse

import lastcard.envs.openspiel  # registers the games
from lastcard.core.registry import game, games
from lastcard.sim import bench

PEERS = ("python_block_dominoes", "python_liars_poker")
WANTED = 3  # times as fast as the first peer


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--players", type=int, default=4)
    given = parser.parse_args()
    bench.SAMPLE = 100  # games in Python take their time
    peers = [bench.open_spiel(name) for name in PEERS]
    ours = [
        bench.open_spiel(
            lastcard.envs.openspiel.PREFIX + id, bench.nearest(game(id), given.players)
        )
        for id in games()
    ]
    for _ in bench.run([*peers, *ours], given.seconds, given.repeats):
        pass
    print(f"{'decisions per second, one core':46}{'':10}times {PEERS[0]}")
    for one in [*peers, *ours]:
        times = one.times(peers[0])
        print(f"{one.name:46}{bench.rounded(one.median):>10}{times:6.1f}")
    slowest = min(one.times(peers[0]) for one in ours)
    print(f"wanted: {WANTED} times; the slowest of ours: {slowest:.1f} times")


if __name__ == "__main__":
    main()
