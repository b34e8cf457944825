"""Numbers with intervals, held against values worked out by hand and against chance itself."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastcard.sim.arena import student
from lastcard.sim.study.estimates import (
    Estimate,
    Sample,
    mean,
    quantile,
    ratio,
    share,
    slopes,
    wilson,
)


def test_students_t() -> None:
    for free, t in ((4, 2.776), (10, 2.228), (30, 2.042), (math.inf, 1.960)):
        assert student(free) == pytest.approx(t, abs=1e-2)


def test_a_mean() -> None:
    found = mean([1, 2, 3, 4, 5]).estimate()
    margin = 2.776 * math.sqrt(2.5 / 5)  # the variance is 2.5
    assert found.value == 3 and found.high == pytest.approx(3 + margin, abs=1e-2)
    assert mean([1, 2, 3, 4]).estimate() == Estimate(2.5, None, None)  # too few


def test_a_ratio() -> None:
    """The textbook's variance of a ratio: that of y - rx, by the mean of x squared."""
    y, x = np.array([1.0, 0, 4, 3, 7, 2]), np.array([1.0, 2, 3, 3, 4, 2])
    r = 17 / 15
    error = math.sqrt(np.sum((y - r * x) ** 2) / 5 / 6) / 2.5
    found = ratio(y, x).estimate()
    assert found.value == pytest.approx(r)
    assert found.low == pytest.approx(r - student(5) * error)
    assert math.isnan(ratio([0] * 9, [0] * 9).value)


def test_wilsons_interval() -> None:
    for p, n, low, high in ((0, 10, 0, 0.2775), (0.5, 10, 0.2366, 0.7634), (1, 10, 0.7225, 1)):
        found = wilson(p, n)
        assert found.low == pytest.approx(low, abs=1e-4)
        assert found.high == pytest.approx(high, abs=1e-4)


def test_a_share_of_what_never_happens_is_not_surely_zero() -> None:
    found = share(np.zeros(50), np.full(50, 2)).estimate()
    assert found == wilson(0, 100)


def test_quantiles() -> None:
    found = quantile(np.arange(1, 101), 0.5)
    assert (found.value, found.low, found.high) == (51, 41, 61)  # 50 -+ 9.8 places
    assert quantile([7, 7, 7, 7, 7], 0.95) == Estimate(7, 7, 7)


def test_pairs_are_surer_than_strangers() -> None:
    rng = np.random.default_rng(1)
    luck = rng.normal(0, 5, 400)
    one, other = mean(luck), mean(luck + 1 + rng.normal(0, 0.1, 400))
    paired = other.minus(one)
    assert paired.value == pytest.approx(1, abs=0.02) and paired.differs
    strangers = mean(rng.permutation(luck) + 1).minus(one)
    assert paired.high is not None and strangers.high is not None
    assert strangers.high - strangers.value > 20 * (paired.high - paired.value)
    assert not one.minus(one).differs


def covered(truth: float, found: list[Estimate]) -> float:
    """How often intervals hold the truth."""
    return float(
        np.mean([one.low <= truth <= one.high for one in found if one.low is not None and one.high])
    )


def test_intervals_of_shares_hold_the_truth_nineteen_times_in_twenty() -> None:
    """Rounds of a match hang together: each match has a chance of its own, and its own length."""
    rng = np.random.default_rng(2)
    found = []
    for _ in range(600):
        chances = rng.choice([0.05, 0.35], 80)
        rounds = rng.integers(4, 9, 80)
        found.append(share(rng.binomial(rounds, chances), rounds).estimate())
    assert 0.925 <= covered(0.2, found) <= 0.975
    # Were rounds independent, intervals would be much narrower, and wrong.
    naive = [wilson(one.value, 80 * 6) for one in found]
    assert covered(0.2, naive) < 0.88


def test_slopes_of_an_exact_line() -> None:
    rng = np.random.default_rng(3)
    factors = rng.integers(0, 4, (60, 3)).astype(float)
    factors[:, 1] = 2  # never varies
    outcome = 5 + factors @ [1.5, 9, -2]
    one, none, other = slopes(outcome, factors, np.arange(60))
    assert one.value == pytest.approx(1.5) and other.value == pytest.approx(-2)
    assert one.low == pytest.approx(1.5) and math.isnan(none.value)


def test_slopes_hold_the_truth_where_rows_hang_together() -> None:
    """Seats of a match share its luck, and what one has another lacks."""
    rng = np.random.default_rng(4)
    found = []
    match = np.repeat(np.arange(60), 4)
    for _ in range(400):
        factors = rng.integers(0, 3, (240, 2)) + np.repeat(rng.integers(0, 2, (60, 1)), 4, axis=0)
        luck = np.repeat(rng.normal(0, 2, 60), 4)
        outcome = 1 + 0.5 * factors[:, 0] - factors[:, 1] + luck + rng.normal(0, 1, 240)
        found.append(slopes(outcome, factors, match)[0])
    assert 0.92 <= covered(0.5, found) <= 0.98


def test_differs() -> None:
    assert Estimate(1, 0.5, 2).differs and Estimate(-1, -2, -0.5).differs
    assert not Estimate(1, -1, 3).differs and not Estimate(1, None, None).differs
    assert Sample(1, np.zeros(9)).estimate() == Estimate(1, 1, 1)
