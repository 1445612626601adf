"""Intervals and p of correlations, and the columns of a score table as rankings."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import optimize, stats

from adjudge import correlation
from adjudge.core.errors import DataError, SpecError
from adjudge.core.scores import Column, Scores
from adjudge.correlation.coefficient import coefficients
from adjudge.correlation.uncertainty import Ranked, correlate, correlate_columns, interval

RNG = np.random.default_rng
close = pytest.approx


def table() -> Scores:
    rng = RNG(4)
    first = np.clip(rng.beta(1, 3, (12, 30)) * rng.uniform(0.5, 1.5, (12, 1)), 0, 1)
    second = np.clip(first + rng.normal(0, 0.05, first.shape), 0, 1)
    names = tuple(f"s{i}" for i in range(12))
    columns = (
        Column("ap", "ap"),
        Column("rr", "rr"),
        Column("rank", "rank", better="low"),
        Column("n", "n", better=""),
    )
    values = np.stack([first, second, 100 - first, first], axis=2)
    return Scores(values, names, tuple(map(str, range(30))), columns)


def test_value_and_counts() -> None:
    found = correlate([3, 2, 1, 1], [2, 3, 1, 0], "tau_b")
    assert found.value == correlation.tau_b([3, 2, 1, 1], [2, 3, 1, 0])
    assert (found.concordant, found.discordant, found.tied, found.items) == (4, 1, 1, 4)
    assert math.isnan(found.p)
    assert math.isnan(found.low)


@pytest.mark.slow
def test_p_by_permutation_is_near_the_share_of_all_orders() -> None:
    x, y = [5.0, 4, 3, 2, 1, 0], [4.0, 5, 3, 1, 2, 0]
    for name in ("tau", "tau_ap", "tau_b", "spearman", "tau_ap_b"):
        coefficient = getattr(correlation, name)
        seen = coefficient(x, y)
        every = np.array([coefficient(x, list(order)) for order in itertools.permutations(y)])
        exact = min(1, 2 * min((every >= seen - 1e-12).mean(), (every <= seen + 1e-12).mean()))
        found = correlate(x, y, name, permutations=4000, rng=RNG(0))
        assert found.p == close(exact, abs=0.03), name
    assert correlate(x, x, "tau", permutations=999, rng=RNG(0)).p < 0.02


def test_p_where_chance_is_not_0() -> None:
    x = np.repeat([1.0, 2.0, 3.0], 20)
    y = x + RNG(1).normal(0, 1.2, 60)
    found = {
        name: correlate(x, y, name, permutations=999, rng=RNG(0)).p for name in ("tau_b", "tau_ap_b", "tau_real_ties")
    }
    assert max(found.values()) < 0.02, "ties in x count as errors, for any order of y"


def test_bootstrap_over_items() -> None:
    rng = RNG(8)
    x = rng.normal(size=60)
    y = x + rng.normal(0, 0.7, 60)
    found = correlate(x, y, "tau_b", samples=400, rng=RNG(1))
    again = []
    generator = RNG(1)
    for _ in range(400):
        chosen = generator.integers(60, size=60)
        again.append(correlation.tau_b(x[chosen], y[chosen]))
    assert (found.low, found.high) == close(tuple(np.quantile(again, [0.025, 0.975])))
    assert found.low < found.value < found.high
    assert (found.over, found.samples, found.undefined) == ("items", 400, 0)
    assert repr(correlate(x, y, "tau_b", samples=400, rng=RNG(1))) == repr(found)  # p is NaN
    narrow = correlate(x, y, "tau_b", samples=400, confidence=0.5, rng=RNG(1))
    assert found.low < narrow.low < narrow.high < found.high


def test_samples_without_a_value_are_counted() -> None:
    found = correlate([1, 2], [1, 2], "tau_b", samples=200, rng=RNG(0))
    assert 50 < found.undefined < 150
    assert (found.low, found.high) == (1, 1)


@pytest.mark.parametrize("name", ["tau", "tau_a", "tau_ap", "tau_ap_a", "tau_ap_symmetric"])
def test_items_drawn_twice_are_ties_and_some_refuse_them(name: str) -> None:
    with pytest.raises(DataError, match="an item drawn twice is a tie; tau"):
        correlate([1, 2, 3], [1, 2, 3], name, samples=10, rng=RNG(0))


def test_columns_and_the_bootstrap_over_topics() -> None:
    scores = table()
    found = correlate_columns(scores, Ranked("ap"), Ranked("rr"), "tau_b", samples=200, rng=RNG(3))
    means = scores.values.mean(axis=1)
    assert found.value == correlation.tau_b(means[:, 0], means[:, 1])
    generator = RNG(3)
    again = []
    for _ in range(200):
        chosen = generator.integers(30, size=30)
        again.append(correlation.tau_b(*(scores.values[:, chosen, m].mean(axis=1) for m in (0, 1))))
    c = optimize.brentq(lambda c: stats.norm.cdf(c - 1) - stats.norm.cdf(-c - 1) - 0.95, 1, 5)
    half = c * math.hypot(np.std(again, ddof=1), (np.mean(again) - found.value) / (math.sqrt(2) - 1))
    assert (found.low, found.high) == close((max(-1.0, found.value - half), min(1.0, found.value + half)))
    assert found.over == "topics"
    assert correlate_columns(scores, Ranked("ap"), Ranked("rank"), "tau").value == 1, "a low rank is good"
    by_median = correlate_columns(scores, Ranked("ap"), Ranked("ap", "median"), "tau_b")
    assert by_median.value == correlation.tau_b(means[:, 0], np.median(scores.values[:, :, 0], axis=1))
    level = Scores(np.array([[[0.5], [0.2]], [[0.5], [0.1]]]), ("a", "b"), ("1", "2"), (Column("ap", "ap"),))
    without = correlate_columns(level, Ranked("ap"), Ranked("ap", "gm"), "tau", samples=100, rng=RNG(0))
    assert 10 < without.undefined < 40, "topic 1 drawn twice makes the systems level"
    with pytest.raises(DataError, match="neither good when high nor when low"):
        correlate_columns(scores, Ranked("ap"), Ranked("n"))
    with pytest.raises(SpecError, match="no measure 'apx'"):
        correlate_columns(scores, Ranked("ap"), Ranked("apx"))


def test_samples_on_one_side_of_the_value_tell_of_bias() -> None:
    """Noise only moves systems apart from their true order, so samples below the value mean a truth above it."""
    tau, error = coefficients.parse("tau_b"), np.array([-0.02, 0.02] * 50)
    level = interval(tau, 0.5, 0.5 + error, "topics", 0.95)
    below = interval(tau, 0.5, 0.45 + error, "topics", 0.95)
    assert level == close((0.5 - 2.646 * 0.0201, 0.5 + 2.646 * 0.0201), abs=1e-4)
    assert below[1] > 0.5 + 0.05 / (math.sqrt(2) - 1), "where the bias is undone"
    assert 0.5 - below[0] == close(below[1] - 0.5)
    assert interval(tau, 0.5, 0.5 + error, "topics", 0.5)[1] < level[1]
    assert interval(tau, 0.9, 0.8 + error, "topics", 0.95)[1] == 1, "no correlation is higher"
    assert interval(tau, 0.5, error[:1], "topics", 0.95) == (-1, 1), "one sample tells nothing"


def test_what_is_missing_or_wrong() -> None:
    with pytest.raises(SpecError, match="a generator is needed"):
        correlate([1, 2], [1, 2], samples=10)
    with pytest.raises(SpecError, match="a generator is needed"):
        correlate([1, 2], [1, 2], permutations=10)
    with pytest.raises(SpecError, match="between 0 and 1, not 1"):
        correlate([1, 2], [1, 2], confidence=1)
    with pytest.raises(SpecError, match="did you mean tau"):
        correlate([1, 2], [1, 2], "tua")
    with pytest.raises(DataError, match="no bootstrap over items"):
        correlate(["a", "b"], ["a", "c"], "rbo", samples=5, rng=RNG(0))
    different = correlate(["a", "b"], ["a", "c"], "rbo", permutations=5, rng=RNG(0))
    assert math.isnan(different.p)
    alone = correlate([1], [1], samples=5, permutations=5, rng=RNG(0))
    assert math.isnan(alone.value)
    assert math.isnan(alone.p)
