"""Decisions per second of `lastcard.simulate`, from the deal to rows in Arrow: one thread, and two.

    python bench/simulate.py [GAME ...] [--bots random] [--rows match] [--seconds 3] [--repeats 5]

Both are measured in turn, repeat by repeat; the ratio is the median of the repeats' ratios. On a
machine that others use, too, look at the CPU time that two threads take for the same matches: the
less it grows, the nearer they come to being twice as fast where two cores are free.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lastcard.core.registry import game, games
from lastcard.sim.plans import DECISION, MATCH, ROUND, Plan, plan
from lastcard.sim.simulation import run

THREADS = (1, 2)


def decisions_in(table: Any, rows: str) -> int:
    if rows == DECISION:
        return table.num_rows - table["action"].null_count
    return int(table["decisions"].to_numpy().sum())


def measure(whole: Plan, workers: int) -> tuple[float, float]:
    """Decisions per second, and the CPU's seconds for all of them."""
    started, busy, decisions = time.perf_counter(), time.process_time(), 0
    for _, table in run(whole, range(whole.parts), "cpu", workers, as_file=False):
        decisions += decisions_in(table, whole.rows)
    return decisions / (time.perf_counter() - started), time.process_time() - busy


def sized(id: str, arguments: argparse.Namespace) -> Plan:
    """A plan that takes one thread about as long as wished."""
    players = min(max(arguments.players, game(id).fewest), game(id).most)
    given: dict[str, Any] = {"players": players, "bots": arguments.bots, "rows": arguments.rows}
    measure(plan(id, 1, **given), 1)  # may compile
    matches = 1
    while True:
        started = time.perf_counter()
        measure(plan(id, matches, **given), 1)
        passed = time.perf_counter() - started
        if passed > arguments.seconds / 10:
            return plan(id, max(int(matches * arguments.seconds / passed), 1), **given)
        matches *= 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=games())
    parser.add_argument("--bots", default="random")
    parser.add_argument("--rows", default=MATCH, choices=(MATCH, ROUND, DECISION))
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    print(f"{arguments.bots}, rows by {arguments.rows}; millions of decisions per second")
    for id in arguments.games:
        whole = sized(id, arguments)
        runs = [[measure(whole, threads) for threads in THREADS] for _ in range(arguments.repeats)]
        one, two = (median(speed for speed, _ in both) / 1e6 for both in zip(*runs, strict=True))
        ratio = median(fast[0] / slow[0] for slow, fast in runs)
        busy = median(fast[1] / slow[1] for slow, fast in runs)
        print(
            f"{id:12} {whole.players} players, {whole.matches} matches: 1 thread {one:.2f}, "
            f"2 threads {two:.2f}, {ratio:.2f} times as fast, {busy:.2f} times the CPU time",
            flush=True,
        )


if __name__ == "__main__":
    main()
