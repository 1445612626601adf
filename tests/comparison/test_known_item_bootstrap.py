"""The bootstrap over known-item questions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.comparison.known_item import question_bootstrap
from adjudge.comparison.known_item.characteristic import AXES, Effort, dominance
from adjudge.comparison.known_item.question_bootstrap import Bootstrap, bootstrap
from adjudge.comparison.known_item.ranks import KnownItem
from adjudge.core.errors import SpecError
from known_items import EFFORTS, ORACLE, height, items, of, relation, rows
from recorder import Recorder


def slow_bootstrap(item: KnownItem, seed: int, samples: int, effort: Effort) -> list[KnownItem]:
    """The samples themselves, as comparisons of their own."""
    drawn = np.random.default_rng(seed).integers(0, len(item.questions), size=(samples, len(item.questions)))
    names = tuple(map(str, range(len(item.questions))))
    return [KnownItem(item.systems, names, item.ranks[:, one], item.lengths[:, one]) for one in drawn]


@pytest.mark.parametrize("effort", EFFORTS)
@settings(max_examples=15)
@given(items(equal=False), st.integers(0, 1000))
def test_the_bootstrap_against_one_sample_after_the_other(effort: Effort, item: KnownItem, seed: int) -> None:
    samples, ratio = 60, 2.5
    result = bootstrap(
        item, np.random.default_rng(seed), samples=samples, confidence=0.9, ratios=[ratio], effort=effort
    )
    slow = slow_bootstrap(item, seed, samples, effort)
    tail = 3  # 61 × 0.05
    for name in ("mrr", "found", "work"):
        values = np.sort([getattr(one, name) for one in slow], axis=0)
        assert getattr(result, name) == pytest.approx(np.array([values[tail - 1], values[-tail]]).T)
    count = len(item.systems)
    for axis in AXES:
        shares = {r: np.zeros((count, count)) for r in "><×="}
        for one in slow:
            curve = rows(one, effort)
            for a in range(count):
                for b in range(count):
                    shares[relation(curve[a], curve[b], axis)][a, b] += 1 / samples
        assert result.dominates[axis] == pytest.approx(shares[">"])
        assert np.allclose(result.dominates[axis].T, shares["<"])
        assert result.same[axis] == pytest.approx(shares["="])
        assert result.crosses(axis) == pytest.approx(shares["×"], abs=1e-9)
        for s in range(count):
            for x in (0, 1, 3, 8, 20):
                heights = sorted(height(rows(one, effort)[s], axis, x) for one in slow)
                assert [int(end) for end in result.band(s, x, axis)] == [heights[tail - 1], heights[-tail]]
    values = np.array([one.value(ratio) for one in slow])
    assert result.worth[ratio] == pytest.approx((values[:, :, None] > values[:, None, :]).mean(axis=0))


def same(a: Bootstrap, b: Bootstrap) -> bool:
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in ("mrr", "found", "work")) and all(
        np.array_equal(getattr(a, name)[axis], getattr(b, name)[axis])
        for name in ("dominates", "same", "bands")
        for axis in AXES
    )


def test_the_bootstrap_does_not_depend_on_how_it_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    ranks = rng.integers(0, 30, (4, 25))
    item = KnownItem(tuple("ABCD"), tuple(map(str, range(25))), ranks, np.full((4, 25), 30))
    whole = bootstrap(item, np.random.default_rng(7), samples=2100)
    monkeypatch.setattr(question_bootstrap, "BLOCK", 1000)
    heard = Recorder()
    assert same(whole, bootstrap(item, np.random.default_rng(7), samples=2100, progress=heard))
    assert heard.counts("bands") == [1, 2, 3, 4]
    assert heard.counts("resample") == list(range(10, 2101, 10))
    assert not same(whole, bootstrap(item, np.random.default_rng(8), samples=2100))


def test_a_bootstrap_of_one_question_knows_no_doubt() -> None:
    result = bootstrap(of(A=[1], B=[2]), np.random.default_rng(0), samples=99)
    assert result.dominates["work"].tolist() == [[0, 1], [0, 0]]
    assert result.found.tolist() == [[1, 1], [1, 1]]
    assert result.work.tolist() == [[1, 1], [2, 2]]


def test_what_the_bootstrap_refuses() -> None:
    rng = np.random.default_rng(0)
    bootstrap(ORACLE, rng, samples=39)
    with pytest.raises(SpecError, match=r"intervals of 0.95 need at least 39 samples, not 38"):
        bootstrap(ORACLE, rng, samples=38)
    with pytest.raises(SpecError, match="confidence must lie between 0 and 1"):
        bootstrap(ORACLE, rng, confidence=1)
    with pytest.raises(SpecError, match="v/c must be"):
        bootstrap(ORACLE, rng, ratios=[-1])
    with pytest.raises(SpecError, match="too many"):
        bootstrap(ORACLE, rng, samples=10**9)
    with pytest.raises(SpecError, match="effort must be inclusive or prior, not 'later'"):
        bootstrap(ORACLE, rng, effort="later")  # type: ignore[arg-type]
    with pytest.raises(SpecError, match="axis must be work or rank, not 'time'"):
        dominance(ORACLE, "time")  # type: ignore[arg-type]
