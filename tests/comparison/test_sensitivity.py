"""Which conclusions survive a change of scale."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.averages.transformations.box_cox import BoxCox
from adjudge.comparison.sensitivity import families, halves, sensitivity
from adjudge.core.average import TransformedMean, averages
from adjudge.core.errors import DataError
from adjudge.core.judged import Floats
from adjudge.core.scores import Column, Scores


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
        first, second = TransformedMean(BoxCox(power=down.at + shift))(values)
        assert np.sign(first - second) == sign, "the swap is where bisection says"
    assert (
        down.sentence() == f"A leads on the mean, B as soon as the low end counts more: from power {down.at:.2g} down"
    )
    assert not any(s.family == "power up" for s in result.swaps)
    assert result.conclusion() == (
        "A leads on the mean, but not under every transformation: B can overtake it; "
        "1 of 1 pairs of systems can be turned round by the choice of scale."
    )


def test_a_pair_that_depends_on_nothing() -> None:
    result = sensitivity(scores_of([[0.2, 0.3, 0.0], [0.3, 0.4, 0.1]]), "ap")
    assert result.swaps == ()
    assert result.stable == result.pairs == 1
    assert result.conclusion() == "B is ahead of A for every transformation tried."
    three = sensitivity(scores_of([[0.2, 0.3], [0.3, 0.4], [0.1, 0.1]]), "ap")
    assert three.conclusion() == f"All 3 pairs of systems keep their order under all {len(three.rows)} transformations."
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
            raw = transformation.fitted(matrix).forward(matrix).mean(axis=1)
            turned = {
                (a, b)
                for a in range(systems)
                for b in range(systems)
                if plain[a] - plain[b] > 1e-9 and raw[b] - raw[a] > 1e-9 * max(1, abs(raw).max())
            }
            assert row.transformation == str(transformation)
            assert row.swapped >= len(turned)
            ever |= turned
    assert result.pairs - result.stable >= len(ever)
    assert {(s.leader, s.other) for s in result.swaps} >= {("ABCDE"[a], "ABCDE"[b]) for a, b in ever}


def test_values_above_one_are_kept_from_logit() -> None:
    result = sensitivity(scores_of([[2.0, 1.0], [3.0, 0.5]]), "ap")
    names = {row.transformation.split("(")[0] for row in result.rows}
    assert names == {"box_cox", "log", "rank", "zscore", "standard"}


def test_bad_tables() -> None:
    with pytest.raises(DataError, match="give two or more"):
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
