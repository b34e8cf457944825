"""How our bots do against `normal` in all games, with two players and four: a table in Markdown.

usage: bench/baselines.py [GAME...] [--bots random,...] [--matches 4000] [--minutes 1] [--seed 1]

Each cell is a bot's share of the wins in percent, its 95 % interval, and how many matches were
played: `lastcard arena` with one against the others, every deal in all rotations. A cell ends with
so many matches or after so many minutes of CPU, whichever comes first; whole deals count. One
process plays everything, and bots that may think for some milliseconds are given CPU time instead,
so that what else the machine does makes no difference to them.
"""

from __future__ import annotations

import argparse
import time

from lastcard.bots import levels_of
from lastcard.bots.search import SearchBot
from lastcard.core.registry import game, games
from lastcard.sim import arena

AGAINST = "normal"
BOTS = ("random", "easy", AGAINST, "learned", "hard", "expert")
TABLES = (2, 4)  # players
RULE_OF_THREE = 3  # what has not happened in n deals happens, with 95 %, in less than 3/n of them


def cell(id: str, players: int, bot: str, matches: int, minutes: float, seed: int) -> str:
    """One bot against the others: its share of the wins, and the number of matches."""
    if bot == AGAINST:
        return f"{100 / players:g}"  # against itself
    plan = arena.plan(id, (bot, AGAINST), matches, players, seed=seed)
    results: list[arena.Result] = []
    started = time.process_time()
    for result in arena.run(plan, workers=1):
        results.append(result)
        whole = len(results) % players == 0
        if whole and time.process_time() - started > 60 * minutes:
            break
    share = arena.standings(plan, results)[0].wins.times(100)
    if share.mean == 0:
        found = f"below {100 * RULE_OF_THREE * players / len(results):.1f}"
    else:
        found = f"{share.mean:.1f}" + ("" if share.margin is None else f" ± {share.margin:.1f}")
    return f"{found} ({len(results):,})"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", default=games(), help="by default all")
    parser.add_argument("--bots", type=lambda text: text.split(","), default=BOTS)
    parser.add_argument("--matches", type=int, default=4000, help="at most, for each cell")
    parser.add_argument("--minutes", type=float, default=1, help="of CPU, at most, for each cell")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    SearchBot.clock = staticmethod(time.thread_time)  # type: ignore[method-assign]
    print(f"| | players | {' | '.join(f'`{bot}`' for bot in given.bots)} |")
    print("|" + "---|" * (2 + len(given.bots)))
    for id in given.games:
        rules = game(id)
        for players in TABLES:
            cells: dict[str, str] = {}  # by what plays: levels may be the same bot
            print(f"| {rules.title} | {players}", end="", flush=True)
            for name in given.bots:
                bot = levels_of(rules).get(name, name)
                if bot not in cells:
                    cells[bot] = cell(id, players, bot, given.matches, given.minutes, given.seed)
                print(f" | {cells[bot]}", end="", flush=True)
            print(" |")


if __name__ == "__main__":
    main()
