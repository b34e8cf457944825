"""Numbers with their 95 % intervals.

A match is the unit of chance: what happens inside one hangs together. So everything is computed
from one contribution per match, and the same matches are compared with each other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lastcard.sim.arena import FEWEST, Mean, student

Z = student(math.inf)


@dataclass(frozen=True)
class Estimate:
    """A number and its 95 % interval; without ends if there was too little to compute one from."""

    value: float
    low: float | None
    high: float | None

    @classmethod
    def around(cls, value: float, margin: float | None) -> Estimate:
        if margin is None:
            return cls(value, None, None)
        return cls(value, value - margin, value + margin)

    @classmethod
    def of(cls, mean: Mean) -> Estimate:
        return cls.around(mean.mean, mean.margin)

    def moved(self, by: float) -> Estimate:
        ends = [None if end is None else end + by for end in (self.low, self.high)]
        return Estimate(self.value + by, *ends)

    @property
    def differs(self) -> bool:
        """Whether 0 lies outside the interval."""
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high


@dataclass(frozen=True)
class Sample:
    """An estimate, and by how much each match moves it (its influence; the mean of these is 0).

    Of a share there is also the number of `trials`.
    """

    value: float
    influence: Any  # float64, one per match
    trials: float | None = None

    def estimate(self) -> Estimate:
        """By Student's t; of a share by Wilson's interval, which stays between 0 and 1, for as many
        independent trials as would scatter like these, whose matches hang together."""
        count = len(self.influence)
        if self.trials is None or count < FEWEST or not self.trials:
            return Estimate.around(self.value, margin(self.influence))
        independent, found = self.value * (1 - self.value), variance(self.influence)
        alike = independent <= 0 or found <= 0  # nothing scatters: as if all were independent
        return wilson(self.value, self.trials if alike else independent / found)

    def minus(self, other: Sample) -> Estimate:
        """The difference between two samples of the same matches, or deals."""
        return Estimate.around(self.value - other.value, margin(self.influence - other.influence))


def variance(influence: Any) -> float:
    """Of the estimate."""
    count = len(influence)
    return float(np.sum(np.square(influence)) / (count - 1) / count)


def margin(influence: Any) -> float | None:
    """Half the width of the 95 % interval, by Student's t."""
    count = len(influence)
    return student(count - 1) * math.sqrt(variance(influence)) if count >= FEWEST else None


def ratio(total: Any, per: Any) -> Sample:
    """A sum over a sum, such as wins per round: both are given match by match.

    The influence is the ratio's first-order change, as for any ratio of means.
    """
    total, per = np.asarray(total, float), np.asarray(per, float)
    whole = per.sum()
    if whole == 0:
        return Sample(math.nan, np.zeros(len(total)))
    value = float(total.sum() / whole)
    return Sample(value, (total - value * per) / per.mean())


def mean(values: Any) -> Sample:
    values = np.asarray(values, float)
    return ratio(values, np.ones(len(values)))


def share(hits: Any, of: Any) -> Sample:
    """A share of trials, both given match by match."""
    return replace(ratio(hits, of), trials=float(np.sum(of)))


def wilson(p: float, trials: float) -> Estimate:
    middle = (p + Z**2 / (2 * trials)) / (1 + Z**2 / trials)
    half = Z * math.sqrt(p * (1 - p) / trials + Z**2 / (4 * trials**2)) / (1 + Z**2 / trials)
    return Estimate(p, min(max(middle - half, 0.0), p), max(min(middle + half, 1.0), p))


def quantile(values: Any, q: float) -> Estimate:
    """A quantile of independent values; its interval is between two of them (order statistics)."""
    ordered = np.sort(np.asarray(values, float))
    count = len(ordered)
    value = float(ordered[min(int(q * count), count - 1)])
    if count < FEWEST:
        return Estimate(value, None, None)
    spread = Z * math.sqrt(count * q * (1 - q))
    low = max(math.floor(count * q - spread), 0)
    high = min(math.ceil(count * q + spread), count - 1)
    return Estimate(value, float(ordered[low]), float(ordered[high]))


def slopes(outcome: Any, factors: Any, match: Any) -> list[Estimate]:
    """How much the outcome changes with one more of each factor, all others being equal: least
    squares with an intercept, and errors that allow for rows of one match hanging together.

    `factors` has a row per outcome, and a column per factor. One that never varies has no slope.
    """
    outcome = np.asarray(outcome, float)
    factors = np.asarray(factors, float)
    vary = factors.std(axis=0) > 0
    x = np.column_stack([np.ones(len(outcome)), factors[:, vary]])
    inverse = np.linalg.pinv(x.T @ x)
    fitted = inverse @ (x.T @ outcome)
    residual = outcome - x @ fitted
    _, cluster = np.unique(match, return_inverse=True)
    groups = int(cluster.max()) + 1
    scores = np.zeros((groups, x.shape[1]))
    np.add.at(scores, cluster, x * residual[:, None])
    correction = groups / (groups - 1) * (len(x) - 1) / (len(x) - x.shape[1]) if groups > 1 else 0
    covariance = inverse @ (scores.T @ scores) @ inverse * correction
    errors = np.sqrt(np.clip(np.diag(covariance), 0, None))
    found = []
    place = 0
    for varies in vary:
        if not varies or groups < FEWEST + x.shape[1]:
            found.append(Estimate(math.nan, None, None))
            place += varies
            continue
        place += 1
        half = student(groups - 1) * float(errors[place])
        found.append(Estimate.around(float(fitted[place]), half))
    return found
