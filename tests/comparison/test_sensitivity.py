"""Which conclusions survive a change of scale."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.averages.transformations.box_cox import BoxCoxTransform
from adjudge.comparison.scale.families import families
from adjudge.comparison.scale.halves import halves
from adjudge.comparison.scale.sensitivity import sensitivity
from adjudge.core.average import TransformedMean, averages
from adjudge.core.errors import DataError
from adjudge.core.judged import Floats
from adjudge.core.scores import Column, Scores
from adjudge.words.scale_changes import change, untried


def scores_of(matrix: list[list[float]] | Floats) -> Scores:
    values = np.array(matrix, float)[:, :, None]
    systems = tuple("ABCDEFGH"[: len(values)])
    return Scores(values, systems, tuple(map(str, range(values.shape[1]))), (Column("ap", "ap"),))


def test_a_pair_that_depends_on_the_low_end() -> None:
    """A wins by one high topic, B is better where both are poor."""
    result = sensitivity(scores_of([[0.9, 0.01, 0.01], [0.6, 0.05, 0.05]]), "ap")
    down = next(s for s in result.swaps if s.family == "power")
    assert (down.leader, down.other) == ("A", "B")
    values = np.array([[0.9, 0.01, 0.01], [0.6, 0.05, 0.05]])
    for shift, sign in ((1e-6, 1), (-1e-6, -1)):
        first, second = TransformedMean(BoxCoxTransform(power=down.at + shift))(values)
        assert np.sign(first - second) == sign, "the swap is where bisection says"
    assert (
        change(down) == "A leads on the mean, B when low values count more (power transformation, power "
        f"{down.at:.3g} or below); neither difference is significant"
    )
    assert not any(s.family == "power up" for s in result.swaps)
    assert result.conclusion() == (
        "A has the best mean, but on some other scale B overtakes it; no significant difference reverses."
    )


def test_a_pair_that_depends_on_nothing() -> None:
    result = sensitivity(scores_of([[0.2, 0.3, 0.0], [0.3, 0.4, 0.1]]), "ap")
    assert result.swaps == ()
    assert result.stable == result.pairs == 1
    assert result.conclusion() == "B is ahead of A on every scale tried."
    three = sensitivity(scores_of([[0.2, 0.3], [0.3, 0.4], [0.1, 0.1]]), "ap")
    assert three.conclusion() == "All 3 pairs of systems with different means keep their order on every scale tried."
    assert sensitivity(scores_of([[0.2], [0.2]]), "ap").conclusion().startswith("All systems have the same mean")


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 5), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_against_every_pair_and_transformation_one_by_one(systems: int, topics: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = np.round(rng.random((systems, topics)) ** 3, 2)
    result = sensitivity(scores_of(matrix), "ap", steps=4)
    plain = matrix.mean(axis=1)
    rows = iter(result.rows)
    ever = set()
    for family in families(4):
        for value in family.values:
            row, transformation = next(rows), family.make(value)
            raw = transformation.fit(matrix).forward(matrix).mean(axis=1)
            turned = {
                (a, b)
                for a in range(systems)
                for b in range(systems)
                if plain[a] - plain[b] > 1e-9 and raw[b] - raw[a] > 1e-9 * max(1, abs(raw).max())
            }
            assert row.transformation == str(transformation)
            assert row.swapped >= len(turned)
            if transformation.reversible:
                ever |= turned
    assert result.pairs - result.stable >= len(ever)
    assert {(s.leader, s.other) for s in result.swaps} >= {("ABCDE"[a], "ABCDE"[b]) for a, b in ever}


def test_values_above_one_are_kept_from_logit() -> None:
    result = sensitivity(scores_of([[2.0, 1.0], [3.0, 0.5]]), "ap")
    names = {row.transformation.split("(")[0] for row in result.rows}
    assert names == {"box_cox", "log", "rank", "zscore", "standard"}


def test_bad_tables() -> None:
    with pytest.raises(DataError, match="1 system, A: a comparison needs at least two systems"):
        sensitivity(scores_of([[0.1]]), "ap")
    with pytest.raises(DataError, match="B has no ap on topic 1: systems can be compared on the same topics only"):
        sensitivity(scores_of([[0.1, 0.2], [0.1, np.nan]]), "ap")


def test_the_two_halves() -> None:
    rows = halves(np.array([0.0, 0.2, 0.4, 0.8]), 0.1, [averages.parse("mean"), averages.parse("gm")])
    mean, gm = rows
    assert (mean.before, mean.all, mean.low, mean.high) == pytest.approx((0.35, 0.45, 0.4, 0.4))
    assert gm.low > gm.high > gm.before
    (logit,) = halves(np.array([0.5, 1.0]), 0.1, [averages.parse("logit")])
    assert logit.low > logit.before
    assert np.isnan(logit.high), "1.1 has no log-odds"


def test_low_values_can_be_the_good_ones() -> None:
    """By the rank of a known item the system with the smaller numbers is ahead."""
    values = np.array([[1.0, 3.0], [9.0, 8.0]])[:, :, None]
    scores = Scores(values, ("A", "B"), ("1", "2"), (Column("rank", "rank", better="low"),))
    result = sensitivity(scores, "rank")
    assert result.conclusion() == "A is ahead of B on every scale tried."
    assert result.rows[0].order == (0, 1)
    turning = Scores(np.array([[1.0, 12.0], [6.0, 6.5]])[:, :, None], ("A", "B"), ("1", "2"), scores.columns)
    swap = next(s for s in sensitivity(turning, "rank").swaps if s.family == "power")
    assert (swap.leader, swap.other) == ("B", "A")
    for shift, sign in ((1e-6, 1), (-1e-6, -1)):
        first, second = TransformedMean(BoxCoxTransform(power=swap.at + shift))(turning.values[:, :, 0])
        assert np.sign(first - second) == sign
    with pytest.raises(DataError, match="num_ret is neither good when high nor when low"):
        sensitivity(Scores(values, ("A", "B"), ("1", "2"), (Column("num_ret", "num_ret", better=""),)), "num_ret")


def test_a_pair_that_swaps_and_swaps_back() -> None:
    rng = np.random.default_rng(3)
    found = 0
    while not found:
        matrix = np.round(rng.beta(0.5, 1.5, (2, 8)), 3)
        for swap in sensitivity(scores_of(matrix), "ap").swaps:
            if swap.family == "power" and not np.isnan(swap.until):
                found += 1
                middle, beyond = (swap.at + swap.until) / 2, swap.until - 1e-6
                leader, other = ("AB".index(x) for x in (swap.leader, swap.other))
                for power, ahead in ((middle, other), (beyond, leader)):
                    figures = TransformedMean(BoxCoxTransform(power=power))(matrix)
                    assert int(np.argmax(figures)) == ahead
                assert f"power {swap.at:.3g} to {swap.until:.3g});" in change(swap)


def test_rounding_is_no_swap() -> None:
    result = sensitivity(scores_of([[0.44, 1, 0.67, 0.61], [0.45, 0.8, 0.07, 0.62]]), "ap")
    assert not [s for s in result.swaps if s.family in {"zscore", "standard"}]


def test_level_is_not_ahead() -> None:
    """By rank (first and last against the two between) the two are level, by every other scale A is ahead."""
    result = sensitivity(scores_of([[0.9, 0.5], [0.7, 0.51]]), "ap")
    assert (result.pairs, result.stable, result.tied) == (1, 1, 1)
    assert result.conclusion() == "A is ahead of B on the mean and ties with it on some of the other scales tried."


def test_families_that_do_not_apply_are_named() -> None:
    result = sensitivity(scores_of([[-0.5, 0.2], [0.1, 0.3]]), "ap")
    assert untried(result.skipped[0], "ap") == "power: values must be 0 or more, and ap of A on topic 0 is -0.5"
    assert [family.family for family in result.skipped] == ["power", "power up", "log", "logit", "arcsine"]


def test_a_swap_under_every_member_says_so() -> None:
    result = sensitivity(scores_of([[0.92, 0.0], [0.47, 0.44]]), "ap")
    told = [change(swap) for swap in result.swaps if swap.everywhere]
    assert told
    assert all("transformation tried" in sentence for sentence in told)


def test_the_significance_of_a_change_of_places() -> None:
    rng = np.random.default_rng(0)
    low = rng.uniform(0.001, 0.002, 40)
    steady = np.concatenate([rng.uniform(0.30, 0.32, 40), low + 0.03])
    brilliant = np.concatenate([rng.uniform(0.42, 0.44, 40), low])
    found = sensitivity(scores_of(np.array([steady, brilliant])), "ap")
    swap = next(s for s in found.swaps if s.family == "power")
    pair = found.systems.index(swap.leader), found.systems.index(swap.other)
    values = np.array([steady, brilliant])
    assert swap.p == pytest.approx(scipy.stats.ttest_rel(*values[list(pair)]).pvalue)
    forwards = [
        np.log(values + 1e-5),
        *(((values + 1e-5) ** p - 1) / p for p in np.round(np.arange(-1, 1, 0.05), 2) if p),
    ]
    turned = [f for f in forwards if f[pair[1]].mean() > f[pair[0]].mean()]
    assert swap.p_turned == pytest.approx(min(scipy.stats.ttest_rel(*f).pvalue for f in turned))
    assert swap.p < 0.05
    assert swap.p_turned < 0.05
    assert "both differences are significant" in change(swap)
    assert found.contradicted == 1
