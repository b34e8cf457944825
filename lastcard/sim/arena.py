"""Bots against each other, on the same deals in all seats, and how often each wins."""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from lastcard import __version__
from lastcard.bots import LEARNED, WITH_NUMBERS, Bot, bot, play_out
from lastcard.bots.learned import LearnedBot
from lastcard.bots.learned import read as read_network
from lastcard.bots.others import other_bot
from lastcard.bots.search import SearchBot, read_budget
from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.core.registry import game
from lastcard.errors import BadOption

from .pools import in_processes

FORMAT = 1
ORACLE = "oracle"
FEWEST = 5  # deals needed for an interval


@dataclass(frozen=True)
class Plan:
    """An arena: who plays what. Every deal is played with the seats rotated."""

    game: str
    bots: tuple[str, ...]
    matches: int
    options: tuple[tuple[str, Any], ...]
    seed: int

    @property
    def players(self) -> int:
        return len(self.bots)

    def seating(self, match: int) -> list[int]:
        """Which bot sits in each seat. Everybody moves one seat with every match of a deal."""
        return [(seat + match) % self.players for seat in range(self.players)]

    def seed_of(self, *what: object) -> int:
        """The seed of a deal, or of a bot in a match."""
        text = " ".join(map(str, (self.seed, *what)))
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")


@dataclass(frozen=True)
class Result:
    """How a match ended. Lists are by seat."""

    match: int
    deal: int
    key: str
    seats: list[str]
    seeds: list[int]  # of the bots
    winners: list[int]
    scores: list[int]
    choices: list[int]  # decisions with more than one legal action
    seconds: list[float]  # spent on those decisions

    def share(self, seat: int) -> float:
        """A seat's share of the win, which winners split evenly."""
        return (seat in self.winners) / len(self.winners)


@dataclass(frozen=True)
class Mean:
    """A mean over deals, with half the width of its 95 % confidence interval."""

    mean: float
    margin: float | None  # None if there are too few deals

    def times(self, factor: float) -> Mean:
        margin = None if self.margin is None else factor * self.margin
        return Mean(factor * self.mean, margin)

    def __str__(self) -> str:
        return f"{self.mean:.2f}" + ("" if self.margin is None else f" ± {self.margin:.2f}")


@dataclass(frozen=True)
class Standing:
    """How one kind of bot did, per seat."""

    bot: str
    seats: int  # in each match
    wins: Mean  # share of the wins
    score: Mean
    ms: float  # per choice


class Timed(Bot):
    """Counts a bot's choices, and the time it spends on them."""

    def __init__(self, inner: Bot) -> None:
        super().__init__(inner.game)
        self.inner = inner
        self.choices = 0
        self.seconds = 0.0

    def sight(self, match: Match, seat: int) -> Any:
        return self.inner.sight(match, seat)

    def decide(self, hidden: Any, seat: int, legal: list[int]) -> int:
        started = time.perf_counter()
        action = self.inner.decide(hidden, seat, legal)
        if len(legal) > 1:
            self.choices += 1
            self.seconds += time.perf_counter() - started
        return action


class Oracle(SearchBot):
    """Search that sees all cards, even those to come: an upper bound for search.

    It breaks the first rule of bots, so it plays only in arenas.
    """

    guessing = False

    def sight(self, match: Match, seat: int) -> Any:
        whole = self.game.blank()
        whole[0] = match.record
        return whole


def contestant(name: str, rules: Game, seed: int) -> Bot:
    """A bot by name. Arenas also take `oracle:50ms`, networks and users' bots."""
    kind, colon, rest = name.partition(":")
    if colon and kind == ORACLE:
        budget, _, manner = rest.partition(":")
        return Oracle(rules, seed, read_budget(budget), manner=manner)
    if colon and kind == LEARNED:
        return LearnedBot(rules, read_network(rules, Path(rest)))
    return other_bot(name, rules) if colon and kind not in WITH_NUMBERS else bot(name, rules, seed)


def plan(
    id: str,
    bots: Sequence[str],
    matches: int,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    seed: int = 1,
) -> Plan:
    """Checks the arguments. The last bot takes all remaining seats."""
    rules = game(id)
    if not bots:
        raise BadOption("bots", "which ones? Such as hard,normal.")
    count = rules.read_players(max(len(bots), rules.fewest) if players is None else players)
    if len(bots) > count:
        raise BadOption("bots", f"{len(bots)} named, but there are {count} seats.")
    table = (*bots, *[bots[-1]] * (count - len(bots)))
    for name in sorted(set(table)):
        contestant(name, rules, 0)  # raises if there is no such bot
    chosen = rules.match(count, 0, options).options
    if matches < 1:
        raise BadOption("matches", f"must be 1 or more, not {matches}.")
    whole = -(-matches // count) * count  # rounded up to whole rotations
    return Plan(id, table, whole, tuple(chosen.items()), seed)


def play(plan: Plan, number: int) -> Result:
    """One match of a plan."""
    rules = game(plan.game)
    deal = number // plan.players
    match = rules.match(plan.players, plan.seed_of("deal", deal), dict(plan.options))
    key = match.seed.hex()
    seating = plan.seating(number)
    seeds = [plan.seed_of("bot", number, seat) for seat in range(plan.players)]
    bots = [
        Timed(contestant(plan.bots[at], rules, seed))
        for at, seed in zip(seating, seeds, strict=True)
    ]
    play_out(match, bots)
    return Result(
        number,
        deal,
        key,
        [plan.bots[at] for at in seating],
        seeds,
        match.winners,
        match.scores,
        [one.choices for one in bots],
        [one.seconds for one in bots],
    )


def run(plan: Plan, workers: int) -> Iterator[Result]:
    """All matches, in worker processes, as they end."""
    numbers = range(plan.matches)
    if workers == 1:
        _prepare(plan)
        for number in numbers:
            yield play(plan, number)
        return
    yield from in_processes(
        (partial(play, plan, number) for number in numbers), workers, _prepare, (plan,)
    )


def _prepare(plan: Plan) -> None:
    """Compiles everything before the first match, so that no bot plays without its search."""
    rules = game(plan.game)
    for name in sorted(set(plan.bots)):
        contestant(name, rules, 0).load()


def standings(plan: Plan, results: Sequence[Result]) -> list[Standing]:
    """How each kind of bot did. Deals that lack a rotation do not count.

    The matches of a deal are correlated, so intervals are computed from one number per deal.
    """
    deals: dict[int, list[Result]] = {}
    for result in results:
        deals.setdefault(result.deal, []).append(result)
    whole = [played for _, played in sorted(deals.items()) if len(played) == plan.players]
    if not whole:
        return []
    found = []
    for name in dict.fromkeys(plan.bots):
        seats = [
            [(one, seat) for one in played for seat, who in enumerate(one.seats) if who == name]
            for played in whole
        ]
        choices = sum(one.choices[seat] for deal in seats for one, seat in deal)
        seconds = sum(one.seconds[seat] for deal in seats for one, seat in deal)
        found.append(
            Standing(
                name,
                plan.bots.count(name),
                mean_of([fmean(one.share(seat) for one, seat in deal) for deal in seats]),
                mean_of([fmean(one.scores[seat] for one, seat in deal) for deal in seats]),
                1000 * seconds / max(choices, 1),
            )
        )
    return found


def mean_of(values: Sequence[float]) -> Mean:
    """The mean and its 95 % interval."""
    if len(values) < FEWEST:
        return Mean(fmean(values), None)
    return Mean(fmean(values), student(len(values) - 1) * stdev(values) / math.sqrt(len(values)))


def student(free: float) -> float:
    """Between minus and plus this lie 95 % of Student's t: expanded around the normal
    distribution, which it is for infinitely many degrees of freedom."""
    z = 1.959964
    t = z + (z**3 + z) / (4 * free) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)
    return t + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * free**3)


def save(plan: Plan, results: Sequence[Result], path: Path) -> None:
    """Writes everything, so that anyone can recount, and replay any match."""
    content = {
        "lastcard": FORMAT,
        "version": __version__,
        "game": plan.game,
        "players": plan.players,
        "bots": plan.bots,
        "options": dict(plan.options),
        "seed": plan.seed,
        "standings": [asdict(one) for one in standings(plan, results)],
        "matches": [asdict(one) for one in sorted(results, key=lambda one: one.match)],
    }
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
