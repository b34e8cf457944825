"""What bots do: how often they choose what, in the situations that a game's `habits.py` asks about.

Each bot plays matches against itself, all bots the same deals. A question is a function over the
decisions of a part of them. It says for each row of its table which decisions count, and what is
counted of each:

    def quitting(d):
        \"\"\"How often it quits where it may draw\"\"\"
        return {"with one card": (d.may(DRAWS) & (d.own("sizes") == 1), d.did(QUITS))}

Decisions come with the seat's hidden record, so no row can depend on what the seat could not know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from typing import Any

import numpy as np
import pyarrow as pa

from lastcard.core.game import Game
from lastcard.core.registry import game
from lastcard.errors import BadOption

from .plans import DECISION, Plan, plan
from .simulation import CPU, run
from .study.estimates import Estimate, ratio, share

PART = 32  # matches whose decisions are in memory at a time
MOST_ROUNDS, MOST_SEATS = 1 << 8, 1 << 4  # of any game

Rows = Mapping[str, tuple[Any, Any]]  # by label: which decisions count, and what is counted of each
Bands = Mapping[str, tuple[int, int]]  # by label: the least number and the greatest
Question = Callable[["Decisions"], Rows]
Told = Callable[[int], None]  # is told how many matches have been played


class Decisions:
    """Decisions of whole matches, in order, as columns: an entry for each."""

    def __init__(self, rules: Game, table: pa.Table) -> None:
        self.game = rules
        self.match = table["match"].to_numpy()
        self.round = table["round"].to_numpy()
        self.seat = table["seat"].to_numpy().astype(np.int64)
        self.points = table["points"].to_numpy()  # that the round added to the seat's score
        self.action = table["action"].fill_null(-1).to_numpy().astype(np.int64)  # -1: did nothing
        legal = table["legal"].combine_chunks()
        self.legal = legal.flatten().to_numpy()  # all legal actions of all decisions in a row
        self.choices = np.diff(legal.offsets.to_numpy())  # how many of each decision
        self.of = np.repeat(np.arange(len(self)), self.choices)  # the decision of each legal action
        hidden = table["hidden"].combine_chunks()
        self.s = np.frombuffer(hidden.buffers()[-1], rules.rules.RECORD, len(self))
        """What each seat could see, as records of the game."""

    def __len__(self) -> int:
        return len(self.seat)

    def by(self, bands: Bands, numbers: Any, among: Any, what: Any) -> dict[str, tuple[Any, Any]]:
        """Rows by how large a number is."""
        return {
            label: (among & (numbers >= low) & (numbers <= high), what)
            for label, (low, high) in bands.items()
        }

    def own(self, name: str) -> Any:
        """The seat's own entry of a field that has one for each seat."""
        return self.s[name][np.arange(len(self)), self.seat]

    def of_seat(self, name: str, seats: Any) -> Any:
        """Another seat's entry."""
        return self.s[name][np.arange(len(self)), seats]

    def did(self, actions: Any) -> Any:
        """Where one of some actions was taken; they are given as a truth value for each."""
        return actions[self.action] & (self.action >= 0)

    def may(self, actions: Any) -> Any:
        """Where at least one of them was legal."""
        return self.any(actions[self.legal])

    def any(self, legal: Any) -> Any:
        """Where something holds for any legal action, given for each of these."""
        return np.bincount(self.of, legal, len(self)) > 0

    def mean(self, legal: Any) -> Any:
        """The mean over the legal actions: what somebody would do who chooses by chance."""
        return np.bincount(self.of, legal, len(self)) / self.choices

    @cached_property
    def first(self) -> Any:
        """Where a seat decides for the first time in a round."""
        return self._edges(1)

    @cached_property
    def last(self) -> Any:
        """Where it decides for the last time in it."""
        return self._edges(-1)

    def _edges(self, step: int) -> Any:
        """The first of each seat's decisions in a round, read forwards or backwards."""
        key = (self.match * MOST_ROUNDS + self.round) * MOST_SEATS + self.seat
        _, places = np.unique(key[::step], return_index=True)
        found = np.zeros(len(self), bool)
        found[::step][places] = True
        return found

    def each(self, rule: Callable[[Any, int], Any], where: Any) -> Any:
        """What a rule of the game says of a seat's record, where that is asked; elsewhere 0."""
        found = np.zeros(len(self))
        for at in np.flatnonzero(where):
            found[at] = rule(self.s[at], int(self.seat[at]))
        return found


@dataclass(frozen=True)
class Answer:
    """A row of a table: a share or a mean, and of how many decisions."""

    value: Estimate
    decisions: int
    is_share: bool

    def __str__(self) -> str:
        if not self.decisions:
            return "never came up"
        factor, unit = (100, " %") if self.is_share else (1, "")
        low, high = self.value.low, self.value.high
        ends = (
            "" if low is None or high is None else f" [{factor * low:.1f} to {factor * high:.1f}]"
        )
        return f"{factor * self.value.value:.1f}{unit}{ends}"


@dataclass
class Tally:
    """What has been counted for a row: by match, so that matches are the unit of chance."""

    totals: list[Any] = field(default_factory=list)
    counts: list[Any] = field(default_factory=list)
    is_share: bool = True

    def add(self, matches: Any, among: Any, what: Any) -> None:
        what = np.broadcast_to(what, among.shape)
        self.is_share &= what.dtype == bool
        first, number = matches[0], matches[-1] - matches[0] + 1
        places = matches[among] - first
        self.totals.append(np.bincount(places, what[among], number))
        self.counts.append(np.bincount(places, minlength=number))

    def answer(self) -> Answer:
        totals, counts = np.concatenate(self.totals), np.concatenate(self.counts)
        sample = share(totals, counts) if self.is_share else ratio(totals, counts)
        return Answer(sample.estimate(), int(counts.sum()), self.is_share)


@dataclass(frozen=True)
class Habits:
    """What was found: by question and row an answer for each bot."""

    bots: tuple[str, ...]
    tables: Mapping[str, Mapping[str, tuple[Answer, ...]]]


def plans(
    id: str,
    bots: Sequence[str],
    matches: int,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    seed: int = 1,
) -> list[Plan]:
    """What is to be played: each bot in all seats. Checks the arguments."""
    rules = game(id)
    questions_of(rules)
    given = (options, "random", seed, DECISION, True, PART)
    whole = plan(id, matches, players, *given)
    return [
        replace(whole, bots=plan(id, matches, whole.players, options, name).bots)
        for name in dict.fromkeys(bots)
    ]


def questions_of(rules: Game) -> Mapping[str, Question]:
    """What the game's folder asks, by the words of the question."""
    module = rules.part("habits")
    if module is None:
        raise BadOption("game", f"nobody has asked anything about bots in {rules.title} yet.")
    return {" ".join(str(one.__doc__).split()): one for one in module.QUESTIONS}


def observe(
    asked: Sequence[Plan], workers: int | None = None, tell: Told = lambda _: None
) -> Habits:
    """Plays all matches, and answers the questions."""
    questions = questions_of(asked[0].rules)
    done = count(1)
    found = [
        _answers(questions, one, _played(one, workers, lambda: tell(PART * next(done))))
        for one in asked
    ]
    return Habits(
        tuple(one.bots[0] for one in asked),
        {
            title: {label: tuple(by[title][label] for by in found) for label in rows}
            for title, rows in found[0].items()
        },
    )


def _played(one: Plan, workers: int | None, tell: Callable[[], None]) -> Iterator[Decisions]:
    """The decisions of a plan, part by part."""
    with closing(run(one, range(one.parts), CPU, workers, False)) as parts:
        for _, table in parts:
            yield Decisions(one.rules, table)
            tell()


def _answers(
    questions: Mapping[str, Question], asked: Plan, parts: Iterator[Decisions]
) -> dict[str, dict[str, Answer]]:
    tallies: dict[str, dict[str, Tally]] = {title: {} for title in questions}
    for part in parts:
        for title, question in questions.items():
            for label, (among, what) in question(part).items():
                tallies[title].setdefault(label, Tally()).add(part.match, among, what)
    return {
        title: {label: one.answer() for label, one in rows.items()}
        for title, rows in tallies.items()
    }
