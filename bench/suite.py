"""The games as a benchmark suite: how large each is, as tables in Markdown.

usage: bench/suite.py [--players 2] [--matches 100] [--rounds 400] [--seed 1]
Branching and length are those of `normal` against itself: decisions with more than one legal
action. Histories of a round are Knuth's estimate of the size of the tree after a deal: the mean,
over random rounds, of the product of what was legal. Information sets of a round are his estimate
of the size of the trees of what seats see, for all hands that they can be dealt. Both are unbiased
but for what few guesses miss, and rare rounds make most of them, so with few rounds they are too
low. The second table has the same estimate for short decks, whose information sets can be counted
(examples/openspiel_equilibrium.py does).
"""

from __future__ import annotations

import argparse
import math
import random
from collections import Counter
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any

import numpy as np
import pyspiel

import lastcard.envs.openspiel  # noqa: F401  registers the short decks
from lastcard.bots import bot
from lastcard.bots.simple import new_rng
from lastcard.core.game import Game
from lastcard.core.match import Match, duplicate
from lastcard.core.registry import game, games
from lastcard.core.views import legal_of, seats_of
from lastcard.kernel import LOG_COLUMNS, NOBODY

WORLDS = 64  # guesses in which the ways on are counted
SHORT = (
    "lastcard_chiko(deck=1 1 2 2 c c e,hand=2)",
    "lastcard_sixth_sense(deck=r0 r1 r2 r4 y0 y1 y2,hand=3)",
)


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


def information_sets(rules: Game, hidden: Any, seat: int, seed: int) -> float:
    """The logarithm of Knuth's estimate of how many information sets a seat decides in, from a
    hidden record on to the end of its round.

    They form a tree: what the seat sees, step by step. How many ways lead on from a step is counted
    in guesses of what it cannot see: whoever acts takes every legal action in each, and what looks
    different afterwards is another way. One of them is gone at random.
    """
    guesses, rng, deal = new_rng(seed), random.Random(seed), rules.new_deal()
    log = np.zeros((0, LOG_COLUMNS), np.int32)
    ways, first = 0.0, hidden[0].round_number
    decisions = []  # the logarithms of the ways to come to each
    while not hidden[0].over and hidden[0].round_number == first:
        acting = seats_of(int(rules.rules.waiting(hidden[0])))[0]
        if acting == seat:
            decisions.append(ways)
        found: dict[tuple[int, bytes], Any] = {}
        for _ in range(WORLDS):
            world = duplicate(hidden)
            rules.rules.guess(world[0], seat, guesses, deal)
            for action in legal_of(rules, world[0], acting):
                then = duplicate(world)
                rules.rules.apply(then[0], acting, action, log)
                after = hidden_from(rules, then, seat)
                found.setdefault((action if acting == seat else NOBODY, after.tobytes()), after)
        ways += math.log10(len(found))
        hidden = rng.choice(list(found.values()))
    return sum_of_powers(decisions)


def hidden_from(rules: Game, array: Any, seat: int) -> Any:
    hidden = duplicate(array)
    rules.rules.hide(hidden[0], seat)
    return hidden


def new(rules: Game, players: int, seed: int) -> Match:
    simulated = rules.simulated_options(players)
    options: dict[str, Any] = {
        option.name: option.write(value)
        for option, value in zip(rules.options, simulated, strict=True)
    }
    return rules.match(players, seed, options)


def sum_of_powers(logarithms: list[float]) -> float:
    """The logarithm of the sum of numbers that are given by theirs."""
    most = max(logarithms, default=-math.inf)
    return (
        most
        if most == -math.inf
        else most + math.log10(sum(10 ** (one - most) for one in logarithms))
    )


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


def information_sets_of(rules: Game, players: int, rounds: int, seed: int) -> float:
    """The logarithm of how many there are in a round, for all seats and all hands."""
    found = []
    for number in range(rounds):
        match, seat = new(rules, players, seed + number), number % players
        found.append(information_sets(rules, match.hidden(seat), seat, seed + number))
    first = hands(rules, new(rules, players, seed).view(0))
    return math.log10(players * first) + mean_of_powers(found)


def row(rules: Game, players: int, matches: int, rounds: int, seed: int) -> str:
    courses = [played(rules, players, seed + number) for number in range(matches)]
    decisions = sum(one.decisions for one in courses)
    products = [histories(rules, players, seed + number) for number in range(20 * matches)]
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
        f"10^{mean_of_powers(products):.0f}",
        f"10^{information_sets_of(rules, players, rounds, seed):.0f}",
    )
    return "| " + " | ".join(map(str, cells)) + " |"


def short(name: str, rounds: int, seed: int) -> str:
    """Of a game with a short deck: its information sets, by the same estimate."""
    at = pyspiel.load_game(name)
    rules, total, variance = at.rules, 0.0, 0.0
    for seat in range(at.players):
        views: dict[bytes, Any] = {}  # what the seat may see first
        for number in range(len(at.deals.all)):
            start = rules.blank()
            start.view(np.uint8)[:] = np.frombuffer(at.deals.start(number), np.uint8)
            hidden = hidden_from(rules, start, seat)
            views[hidden.tobytes()] = hidden
        firsts, rng = list(views.values()), random.Random(seed)
        found = [
            len(firsts) * 10 ** information_sets(rules, rng.choice(firsts), seat, seed + number)
            for number in range(rounds)
        ]
        total += fmean(found)
        variance += stdev(found) ** 2 / rounds
    return f"| `{name}` | {total:,.0f} ± {1.96 * math.sqrt(variance):,.0f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=400, help="for information sets")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(
        "| game | players | bytes | numbers | actions | legal, mean | legal, most "
        "| decisions a match | first hands | histories of a round | information sets of a round |"
    )
    print("|" + "---|" * 11)
    for id in games():
        print(row(game(id), given.players, given.matches, given.rounds, given.seed), flush=True)
    print("\n| short deck | information sets, estimated |\n|---|---|")
    for name in SHORT:
        print(short(name, 10 * given.rounds, given.seed), flush=True)


if __name__ == "__main__":
    main()
