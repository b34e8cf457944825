"""Pairs of bots in one go: a row of a table for each, and a file with all of its matches.

    python bench/arena.py OUT --minutes 10 --matches 2000 taki:2:master,search:500ms ...

A pair is a game, a number of players, and bots as `lastcard arena` takes them: the last one takes
all remaining seats. Each pair stops after so many minutes, or so many matches; whole deals count.
Needs no more than the package itself.
"""

from __future__ import annotations

import argparse
import os
import re
import time
from pathlib import Path

from lastcard.sim import arena


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("out", type=Path, help="the folder for files of results")
    asked.add_argument("pairs", nargs="+", help="such as taki:4:master,search:500ms")
    asked.add_argument("--matches", type=int, default=2000, help="at most, for each pair")
    asked.add_argument("--minutes", type=float, default=1e9, help="at most, for each pair")
    asked.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    print("| game | players | bot | against | matches | share of wins | ms | ms of the others |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for pair in given.pairs:
        game, players, bots = pair.split(":", 2)
        plan = arena.plan(game, bots.split(","), given.matches, int(players), seed=given.seed)
        results = played(plan, given.workers, given.minutes)
        name = re.sub(r"[^\w.]+", "-", pair)
        arena.save(plan, results, given.out / f"{name}.json")
        print(row(plan, results), flush=True)


def played(plan: arena.Plan, workers: int, minutes: float) -> list[arena.Result]:
    started, results = time.monotonic(), []
    for result in arena.run(plan, workers):  # which stops them when it is left
        results.append(result)
        if time.monotonic() - started > 60 * minutes:
            break
    return results


def row(plan: arena.Plan, results: list[arena.Result]) -> str:
    found = arena.standings(plan, results)
    if not found:
        return f"| {plan.game} | {plan.players} | no deal was played in all rotations |"
    first, last = found[0], found[-1]
    cells = (
        *(plan.game, plan.players, f"`{first.bot}`", f"`{last.bot}`", len(results)),
        *(f"{first.wins.times(100)} %", f"{first.ms:.2f}", f"{last.ms:.2f}"),
    )
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    main()
