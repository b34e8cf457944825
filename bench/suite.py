"""The games as a benchmark suite: how large each is, as a table in Markdown.

usage: bench/suite.py [--players 2] [--matches 200] [--seed 1]
Branching and length are those of `normal` against itself: decisions with more than one legal
action. Histories of a round are Knuth's estimate of the size of the tree after a deal: the mean,
over random rounds, of the product of what was legal. It is unbiased, but rare rounds make most of
it, so with few rounds it is too low.
"""

from __future__ import annotations

import argparse
import math
import random
from collections import Counter
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from lastcard.bots import bot
from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.core.registry import game, games


@dataclass
class Course:
    """What was counted in a match."""

    decisions: int = 0
    legal: int = 0
    widest: int = 0


def played(rules: Game, players: int, seed: int) -> Course:
    """A match of `normal` against itself."""
    match = new(rules, players, seed)
    bots = [bot("normal", rules, seed + seat) for seat in range(players)]
    course = Course()
    while not match.over:
        seat = match.waiting[0]
        if not isinstance(seat, int):
            match.roll()
            continue
        count = len(match.legal_ids(seat))
        if count > 1:
            course.decisions += 1
            course.legal += count
            course.widest = max(course.widest, count)
        match.play(seat, bots[seat].choose(match, seat))
    return course


def histories(rules: Game, players: int, seed: int) -> float:
    """The logarithm of what was legal in a random round, multiplied up."""
    match, rng = new(rules, players, seed), random.Random(seed)
    product = 0.0
    while not match.over and match.round == 1:
        seat = match.waiting[0]
        legal = match.legal_ids(seat)
        product += math.log10(len(legal))
        match.play(seat, rng.choice(legal))
    return product


def new(rules: Game, players: int, seed: int) -> Match:
    simulated = rules.simulated_options(players)
    options: dict[str, Any] = {
        option.name: option.write(value)
        for option, value in zip(rules.options, simulated, strict=True)
    }
    return rules.match(players, seed, options)


def mean_of_powers(logarithms: list[float]) -> float:
    """The logarithm of the mean of numbers that are given by theirs."""
    most = max(logarithms)
    return most + math.log10(fmean(10 ** (one - most) for one in logarithms))


def hands(rules: Game, view: dict[str, Any]) -> int:
    """How many different hands there are to be dealt from what is in play."""
    size = view["hands"][0]["size"]
    boxed = Counter(map(rules.parse_card, view.get("outside", "").split()))
    ways = [1] + [0] * size
    for card, whole in enumerate(rules.rules.DECK):
        count = whole - boxed[card]
        ways = [sum(ways[n - k] for k in range(min(count, n) + 1)) for n in range(size + 1)]
    return ways[size]


def row(rules: Game, players: int, matches: int, seed: int) -> str:
    courses = [played(rules, players, seed + number) for number in range(matches)]
    decisions = sum(one.decisions for one in courses)
    rounds = [histories(rules, players, seed + number) for number in range(20 * matches)]
    cells = (
        rules.title,
        f"{rules.fewest} to {rules.most}",
        f"{rules.rules.RECORD.itemsize:,}",
        f"{len(rules.rules.OBSERVED):,}",
        len(rules.actions),
        f"{sum(one.legal for one in courses) / decisions:.1f}",
        max(one.widest for one in courses),
        f"{decisions / matches:.0f}",
        f"{hands(rules, new(rules, players, seed).view(0)):.1e}",
        f"10^{mean_of_powers(rounds):.0f}",
    )
    return "| " + " | ".join(map(str, cells)) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(
        "| game | players | bytes | numbers | actions | legal, mean | legal, most "
        "| decisions a match | first hands | histories of a round |"
    )
    print("|" + "---|" * 10)
    for id in games():
        print(row(game(id), given.players, given.matches, given.seed), flush=True)


if __name__ == "__main__":
    main()
