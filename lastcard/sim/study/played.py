"""Matches that were played, round by round, and what can be measured of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from lastcard.sim.limits import Limit

from .estimates import Sample, mean, ratio, share


@dataclass(frozen=True)
class Played:
    """Arrays have a row per round, in order, or where it says so a row per match."""

    players: int
    lowest_wins: bool
    match: Any  # which one the round belongs to: 0, 1, ...
    opener: Any
    decisions: Any
    choices: Any  # decisions with more than one legal action
    scores: Any  # after the round, a column per seat
    events: Mapping[str, Any]  # how many of each kind
    winners: Any  # a row per match: whether each seat has won

    @cached_property
    def matches(self) -> int:
        return len(self.winners)

    @cached_property
    def rounds(self) -> Any:
        """How many each match has."""
        return self.per_match(np.ones(len(self.match)))

    def per_match(self, values: Any) -> Any:
        """Sums over the rounds of each match."""
        return np.bincount(self.match, values, self.matches)

    @cached_property
    def first(self) -> Any:
        """The place of each match's first round."""
        return np.searchsorted(self.match, np.arange(self.matches))

    @cached_property
    def last(self) -> Any:
        return np.append(self.first[1:], len(self.match)) - 1

    @cached_property
    def points(self) -> Any:
        """What each round brought each seat."""
        before = np.zeros_like(self.scores)
        before[1:] = self.scores[:-1]
        before[self.first] = 0
        return self.scores - before

    @cached_property
    def round_share(self) -> Any:
        """Each seat's share of being best in a round, which the best split evenly."""
        best = _best(self.points, self.lowest_wins)
        return best / best.sum(axis=1, keepdims=True)

    @cached_property
    def win_share(self) -> Any:
        """Each seat's share of the match."""
        return self.winners / self.winners.sum(axis=1, keepdims=True)

    @cached_property
    def leader(self) -> Any:
        """Who leads alone after each round, or -1."""
        best = _best(self.scores, self.lowest_wins)
        return np.where(best.sum(axis=1) == 1, best.argmax(axis=1), -1)

    # --- What is measured ------------------------------------------------------------------------

    def seated(self, after: int) -> Sample:
        """The share of rounds in which the seat so many places after the opener is best."""
        seat = (self.opener + after) % self.players
        won = self.round_share[np.arange(len(seat)), seat]
        return share(self.per_match(won), self.rounds)

    def first_opener(self) -> Sample:
        """The share of matches that whoever opens the first round wins."""
        opener = self.opener[self.first]
        return share(self.win_share[np.arange(self.matches), opener], np.ones(self.matches))

    def first_seat(self) -> Sample:
        """The share of matches that seat 0 wins."""
        return share(self.win_share[:, 0], np.ones(self.matches))

    def decisions_per_round(self) -> Sample:
        return ratio(self.per_match(self.decisions), self.rounds)

    def decisions_per_match(self) -> Sample:
        return mean(self.per_match(self.decisions))

    def rounds_per_match(self) -> Sample:
        return mean(self.rounds)

    def real_choices(self) -> Sample:
        """The share of decisions in which there is more than one legal action."""
        return share(self.per_match(self.choices), self.per_match(self.decisions))

    def tied_rounds(self) -> Sample:
        tied = (self.round_share > 0).sum(axis=1) > 1
        return share(self.per_match(tied), self.rounds)

    def tied_matches(self) -> Sample:
        return share(self.winners.sum(axis=1) > 1, np.ones(self.matches))

    def capped(self, limit: Limit) -> Sample:
        """The share of matches that only the limit of rounds has ended."""
        final = self.scores[self.last]
        return share(limit.reached(self.rounds, final), np.ones(self.matches))

    def rounds_with(self, *events: str) -> Sample:
        """The share of rounds in which one of these kinds of events happens."""
        happened = sum((self.events[kind] for kind in events), np.zeros(len(self.match))) > 0
        return share(self.per_match(happened), self.rounds)

    def events_per_round(self, event: str) -> Sample:
        return ratio(self.per_match(self.events[event]), self.rounds)

    def lead_changes(self) -> Sample:
        """How often in a match another seat leads alone than the one that last did."""
        alone = np.flatnonzero(self.leader >= 0)
        match, leader = self.match[alone], self.leader[alone]
        changed = np.zeros(len(alone))
        changed[1:] = (match[1:] == match[:-1]) & (leader[1:] != leader[:-1])
        return mean(np.bincount(match, changed, self.matches))

    def leader_wins(self) -> Sample:
        """Of matches that somebody leads alone before the last round: the share he wins."""
        before = np.where(self.last > self.first, self.leader[self.last - 1], -1)
        led = before >= 0
        won = np.where(led, self.win_share[np.arange(self.matches), before], 0)
        return share(won, led)


@dataclass(frozen=True)
class Measure:
    """Something that variants are compared by."""

    name: str
    sample: Sample
    short: str = ""  # of a share, for plots
    contest: bool = False  # whether it is of matches against random players

    @property
    def percent(self) -> bool:
        return self.sample.trials is not None


def measures(
    played: Played, beaten: Played, endings: Sequence[str], limit: Limit | None = None
) -> list[Measure]:
    """What a variant is like. In `beaten` seat 0 plays against random ones."""
    found = [
        Measure("rounds in which the opener is best", played.seated(0), "opener best in a round"),
        Measure("matches that the first opener wins", played.first_opener(), "first opener wins"),
        Measure(
            "matches won against random players", beaten.first_seat(), "wins against random", True
        ),
        Measure("decisions per round", played.decisions_per_round()),
        Measure("rounds per match", played.rounds_per_match()),
        Measure("decisions with a choice", played.real_choices(), "decisions to make"),
        Measure("matches with several winners", played.tied_matches(), "several winners"),
        *(
            [Measure("rounds that end otherwise", played.rounds_with(*endings), "other endings")]
            if endings
            else []
        ),
        *([Measure(limit.words, played.capped(limit), "ended by the limit")] if limit else []),
        Measure("lead changes per match", played.lead_changes()),
        Measure(
            "matches that the leader before the last round wins",
            played.leader_wins(),
            "leader keeps the lead",
        ),
    ]
    return [one for one in found if math.isfinite(one.sample.value)]


def in_all(found: Sequence[Sequence[Measure]]) -> Iterator[list[Measure]]:
    """Measures that all variants have, in the order of the first."""
    known = [{one.name: one for one in measured} for measured in found]
    for name in known[0]:
        if all(name in one for one in known):
            yield [one[name] for one in known]


def _best(values: Any, lowest_wins: bool) -> Any:
    best = values.min(axis=1) if lowest_wins else values.max(axis=1)
    return values == best[:, None]
