"""More ways to compare: Bayesian tests with a region of equivalence, TOST, ANOVA with Tukey's test, Bradley-Terry.

Figures of baycomp 1.0.3 and choix 0.4.1 are written down here; scipy and statsmodels are asked.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.weightstats import ttost_paired

import adjudge
from adjudge.cli import main
from adjudge.comparison.equivalence import equivalence, equivalence_methods
from adjudge.comparison.paired import paired_tests
from adjudge.comparison.rank_groups import rank_groups
from adjudge.comparison.significance.bradley_terry import BradleyTerryTest, fit_strengths, win_matrix
from adjudge.comparison.studentised_range import range_quantile, range_tail
from adjudge.core.errors import SpecError
from adjudge.core.scores import Column, Scores

GAPS = np.array([0.05, -0.02, 0.03, 0.01, 0.08, -0.04, 0.02, 0.00, 0.06, 0.03, -0.01, 0.02])
PAIR = np.array([[0, 1]])


def pair_of(gaps: np.ndarray) -> np.ndarray:
    return np.array([gaps, np.zeros(len(gaps))])


def ask(method: str, gaps: np.ndarray, rope: float) -> list[float]:
    row = equivalence_methods.parse(method)(pair_of(gaps), PAIR, rope, np.random.default_rng(0))[0]
    assert row.sum() == pytest.approx(1) or method == "tost"
    return [float(value) for value in row]


def scores_of(values: np.ndarray, better: str = "high") -> Scores:
    names, topics = (tuple(f"{kind}{i}" for i in range(n)) for kind, n in zip("st", values.shape, strict=True))
    return Scores(values[:, :, None], names, topics, (Column("ap", "ap", better=better),))


@pytest.mark.parametrize(
    ("rope", "expected"), [(0.012, [0.006375, 0.152665, 0.84096]), (0.027, [0.0, 0.83773, 0.162265])]
)
def test_the_bayesian_signed_rank_test_of_baycomp(rope: float, expected: list[float]) -> None:
    assert ask("bayesian_signed_rank(20000)", GAPS, rope) == pytest.approx(expected, abs=0.008)


@pytest.mark.parametrize(
    ("rope", "expected"),
    [
        (0.01, [0.03299289998917378, 0.23418470079466913, 0.7328223992161571]),
        (0.03, [0.0027593568970538376, 0.7650790924611368, 0.23216155064180932]),
    ],
)
def test_the_correlated_t_test_of_baycomp(rope: float, expected: list[float]) -> None:
    """baycomp takes the values for folds of one cross-validation: a correlation of 1/12."""
    assert ask(f"bayesian_t(rho={1 / 12})", GAPS, rope) == pytest.approx(expected, abs=1e-9)


def test_without_correlation_it_is_the_t_distribution() -> None:
    worse, equal, better = ask("bayesian_t", GAPS, 0.0)
    assert better == pytest.approx(1 - stats.ttest_1samp(GAPS, 0, alternative="greater").pvalue)
    assert equal == pytest.approx(0)
    assert worse == pytest.approx(1 - better)


@pytest.mark.parametrize("rope", [0.005, 0.03, 0.1])
def test_two_one_sided_tests_of_statsmodels(rope: float) -> None:
    worse, equal, better = ask("tost", GAPS, rope)
    assert equal == pytest.approx(ttost_paired(GAPS, np.zeros(12), -rope, rope)[0])
    assert better == pytest.approx(stats.ttest_1samp(GAPS, rope, alternative="greater").pvalue)
    assert worse == pytest.approx(stats.ttest_1samp(GAPS, -rope, alternative="less").pvalue)


@pytest.mark.parametrize("method", ["bayesian_signed_rank(500)", "bayesian_t", "tost"])
def test_the_same_difference_everywhere(method: str) -> None:
    def verdict(gap: float, rope: float) -> str:
        values = np.array([np.linspace(0.2, 0.8, 9) + gap, np.linspace(0.2, 0.8, 9)])
        return equivalence(scores_of(values), "ap", rope=rope, method=method, baselines=["s1"]).pairs[0].verdict

    assert verdict(0.0, 0.01) == "equivalent"
    assert verdict(0.1, 0.01) == "better"
    assert verdict(-0.1, 0.01) == "worse"
    assert verdict(0.005, 0.01) == "equivalent"
    assert verdict(0.0, 0.0) == "equivalent"


def test_low_values_may_be_good_and_p_are_corrected() -> None:
    rng = np.random.default_rng(3)
    values = np.array([0.3, 0.5, 0.7])[:, None] + rng.normal(0, 0.05, (3, 30))
    low = equivalence(scores_of(values, "low"), "ap", rope=0.02, method="bayesian_t")
    assert [(pair.a, pair.b, pair.verdict) for pair in low.pairs] == [
        ("s0", "s1", "better"),
        ("s0", "s2", "better"),
        ("s1", "s2", "better"),
    ]
    near = 0.5 + rng.normal(0, 0.05, (3, 30))
    raw, holm = (
        equivalence(scores_of(near), "ap", rope=0.03, method="tost", correction=name) for name in ("none", "holm")
    )
    assert min(pair.equivalent for pair in holm.pairs) == pytest.approx(3 * min(pair.equivalent for pair in raw.pairs))


def test_what_is_refused() -> None:
    scores = scores_of(np.random.default_rng(0).random((2, 5)))
    for wrong in (-0.1, float("nan"), "x"):
        with pytest.raises(SpecError, match="region of practical equivalence"):
            equivalence(scores, "ap", rope=wrong)  # type: ignore[arg-type]
    with pytest.raises(SpecError, match="no method of equivalence 'bayes'"):
        equivalence(scores, "ap", method="bayes")
    with pytest.raises(SpecError, match="alpha lies"):
        equivalence(scores, "ap", alpha=0.7)


@pytest.mark.parametrize(("q", "count", "freedom"), [(3.877, 3, 10), (3.674, 3, 4), (9.0, 5, 2), (5.5, 129, 6272)])
def test_the_studentised_range_is_that_of_scipy(q: float, count: int, freedom: int) -> None:
    expected = stats.studentized_range.sf(q, count, freedom)
    assert range_tail(np.array([q]), count, freedom)[0] == pytest.approx(expected, abs=1e-5)
    assert range_quantile(1 - expected, count, freedom) == pytest.approx(q, abs=1e-3)


def test_tukeys_test_in_an_analysis_of_variance() -> None:
    """p by the definition: residuals of topic and system effects, and scipy's studentised range."""
    rng = np.random.default_rng(1)
    values = rng.random((5, 12)) + np.arange(5)[:, None] * 0.12 + rng.random((1, 12))
    pairs = np.array(np.triu_indices(5, 1)).T
    rest = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
    error = np.sqrt((rest**2).sum() / 44 / 12)
    gaps = values.mean(axis=1)[pairs[:, 0]] - values.mean(axis=1)[pairs[:, 1]]
    p, low, high = paired_tests.parse("anova").with_interval(values, pairs, 0.95, np.random.default_rng(0))
    assert p == pytest.approx(stats.studentized_range.sf(np.abs(gaps) / error, 5, 44), abs=1e-5)
    half = error * stats.studentized_range.ppf(0.95, 5, 44)
    assert low == pytest.approx(gaps - half, abs=1e-4)
    assert high == pytest.approx(gaps + half, abs=1e-4)


def test_the_example_of_anova() -> None:
    values = np.array([[1.0, 2, 3], [2, 3, 4], [3, 5, 6]])
    assert paired_tests.parse("anova")(values, PAIR)[0] == pytest.approx(0.0455, abs=1e-4)
    assert paired_tests.parse("anova")(np.ones((3, 4)), PAIR)[0] == 1
    level = np.tile(np.linspace(0, 1, 4), (2, 1))
    assert paired_tests.parse("anova")(level + np.array([[0.0], [0.5]]), PAIR)[0] == 0


def test_groups_by_anova_follow_the_order() -> None:
    rng = np.random.default_rng(4)
    values = np.linspace(0.3, 0.6, 8)[:, None] + rng.normal(0, 0.1, (8, 40))
    result = rank_groups(scores_of(values), "ap", test="anova", samples=50)
    place = {system: i for i, system in enumerate(result.systems)}
    for systems in result.groups.values():
        numbers = [place[system] for system in systems]
        assert numbers == list(range(min(numbers), max(numbers) + 1))
    assert result.comparison.corrections == ("none",)


def test_strengths_are_those_of_choix() -> None:
    wins = np.array([[0, 5, 7, 9], [5, 0, 6, 6], [3, 4, 0, 8], [1, 4, 2, 0.0]])
    expected = [0.6736303984573232, 0.22521124863000683, 0.008709919378204842, -0.9075515664655374]
    strengths, covariance = fit_strengths(wins)
    assert strengths == pytest.approx(expected, abs=1e-6)
    assert np.linalg.eigvalsh(covariance).min() > -1e-9


def test_the_example_of_bradley_and_terry() -> None:
    gaps = np.array([1.0] * 7 + [-1.0] * 3)
    assert win_matrix(pair_of(gaps)).tolist() == [[0, 7], [3, 0]]
    assert BradleyTerryTest(prior=0.0)(pair_of(gaps), PAIR)[0] == pytest.approx(0.220, abs=0.001)
    assert BradleyTerryTest()(np.ones((2, 5)), PAIR)[0] == 1
    assert win_matrix(np.array([[1.0, 1.0], [1.0, 0.0]])).tolist() == [[0, 1.5], [0.5, 0]]
    assert BradleyTerryTest().favours(pair_of(-gaps), PAIR).tolist() == [-1]


def test_a_system_that_always_wins_has_a_finite_strength() -> None:
    values = np.random.default_rng(0).random((4, 20))
    values[2] += 2
    strengths, _ = BradleyTerryTest().fit(values)
    assert strengths.argmax() == 2
    assert np.isfinite(strengths).all()


def test_the_command_and_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{t},{0.5 + gap!r},0.5\n" for t, gap in enumerate(GAPS.tolist()))
    (tmp_path / "scores.csv").write_text("topic,a,b\n" + rows)
    assert main(["compare", "scores.csv", "--rope", "0.03"]) == 0
    out = capsys.readouterr().out
    assert "1 pair on value: 0 better, 0 practically equivalent, 0 worse, 1 undecided" in out
    assert main(["compare", "scores.csv", "--rope", "0.1", "--method", "tost", "-o", "out.json"]) == 0
    data = json.loads((tmp_path / "out.json").read_text())
    assert (data["values"], data["pairs"][0]["verdict"]) == ("p", "equivalent")
    result = adjudge.equivalence("scores.csv", rope=0.1, method="tost")
    assert result.to_polars()["verdict"].to_list() == ["equivalent"]
    assert result.to_dict() == data
    assert "equivalent" in result._repr_html_()
    for words, message in (
        (["--method", "tost"], "--method is for --rope"),
        (["--rope", "0.1", "--groups"], "--rope is a comparison of its own"),
        (["--rope", "-1"], "region of practical equivalence"),
    ):
        assert main(["compare", "scores.csv", *words]) == 2
        assert message in capsys.readouterr().err
