"""What scikit-posthocs, baycomp and choix say, asked live where they are installed (pip install 'adjudge[bench]').

Figures of baycomp and choix that were written down are in test_equivalence.py, so that nothing goes unchecked without
them.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from adjudge.comparison.compare import compare
from adjudge.comparison.equivalence import equivalence_methods
from adjudge.comparison.rank_groups import critical_distance
from adjudge.comparison.significance.bradley_terry import fit_strengths
from adjudge.core.scores import Column, Scores

PAIR = np.array([[0, 1]])


def drawn(systems: int, topics: int) -> np.ndarray:
    return np.round(np.random.default_rng(5).random((systems, topics)) + np.linspace(0, 0.6, systems)[:, None], 1)


def test_nemenyis_distance_is_where_scikit_posthocs_has_its_p() -> None:
    """Two mean ranks lie as far apart as the critical distance at the level that is their p."""
    posthocs = pytest.importorskip("scikit_posthocs")
    values = drawn(4, 15)
    p = posthocs.posthoc_nemenyi_friedman(values.T).to_numpy()
    critical = critical_distance(values, 0.05)
    for a, b in combinations(range(len(values)), 2):
        gap = abs(critical.mean_ranks[a] - critical.mean_ranks[b])
        assert critical_distance(values, float(p[a, b])).distance == pytest.approx(gap, rel=1e-4)
        assert (gap > critical.distance) == (p[a, b] < 0.05)


def test_wilcoxons_test_with_holms_correction_is_that_of_scikit_posthocs() -> None:
    posthocs = pytest.importorskip("scikit_posthocs")
    values = np.random.default_rng(6).random((5, 20)) + np.linspace(0, 0.6, 5)[:, None]
    expected = posthocs.posthoc_wilcoxon(values.tolist(), p_adjust="holm").to_numpy()
    names, topics = (tuple(map(str, range(n))) for n in values.shape)
    scores = Scores(values[:, :, None], names, topics, (Column("ap", "ap"),))
    for d in compare(scores, "ap", tests=["wilcoxon"]).differences:
        assert d.p[0] == pytest.approx(expected[int(d.a), int(d.b)], abs=1e-9)


@pytest.mark.parametrize("rope", [0.01, 0.03])
def test_the_bayesian_tests_of_baycomp(rope: float) -> None:
    baycomp = pytest.importorskip("baycomp")
    rng = np.random.default_rng(2)
    first, second = rng.normal(0.52, 0.05, 15), rng.normal(0.5, 0.05, 15)
    values = np.array([first, second])
    expected = baycomp.CorrelatedTTest.probs(first, second, rope)[::-1]  # it begins with the first being better
    assert equivalence_methods.parse(f"bayesian_t(rho={1 / 15})")(values, PAIR, rope, rng)[0] == pytest.approx(expected)
    signed = baycomp.SignedRankTest.probs(first, second, rope, nsamples=20_000)[::-1]
    ranked = equivalence_methods.parse("bayesian_signed_rank(20000)")(values, PAIR, rope, rng)[0]
    assert ranked == pytest.approx(signed, abs=0.02)


def test_strengths_of_choix() -> None:
    choix = pytest.importorskip("choix")
    wins = np.random.default_rng(3).integers(1, 12, (6, 6)).astype(float)
    np.fill_diagonal(wins, 0.0)
    data = [(i, j) for i in range(6) for j in range(6) for _ in range(int(wins[i, j]))]
    expected = choix.mm_pairwise(6, data, tol=1e-12, max_iter=100_000)
    strengths, _ = fit_strengths(wins)
    assert strengths - strengths.mean() == pytest.approx(expected - expected.mean(), abs=1e-6)
