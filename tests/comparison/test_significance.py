"""Paired tests and corrections against scipy, statsmodels, full enumeration and their slow definitions."""

from __future__ import annotations

import itertools
import json
import math
from fractions import Fraction
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.cli import main
from adjudge.comparison import paired
from adjudge.comparison.compare import compare
from adjudge.comparison.paired import corrections, paired_tests
from adjudge.comparison.significance import wilcoxon
from adjudge.comparison.significance.bootstrap import counts, studentised
from adjudge.comparison.significance.randomisation import hoeffding
from adjudge.comparison.significance.wilcoxon import WilcoxonTest
from adjudge.core.english import p_text
from adjudge.core.errors import DataError, SpecError
from adjudge.core.judged import Floats, Ints
from adjudge.core.scores import Column, Scores

close = pytest.approx
RNG = np.random.default_rng


def table(values: Floats | list[list[float]], measure: str = "ap", better: str = "high") -> Scores:
    array = np.array(values, float)
    names = tuple(chr(ord("a") + i) if len(array) < 27 else f"s{i}" for i in range(len(array)))
    topics = tuple(str(t) for t in range(1, array.shape[1] + 1))
    return Scores(array[:, :, None], names, topics, (Column(measure, measure, better=better),))


def all_pairs(systems: int) -> Ints:
    return np.array(list(itertools.combinations(range(systems), 2)))


def p_of(test: str, *values: list[float], seed: int = 0) -> list[float]:
    made: list[float] = paired_tests.parse(test)(np.array(values, float), all_pairs(len(values)), RNG(seed)).tolist()
    return made


def realistic(systems: int, topics: int, seed: int = 3) -> Floats:
    rng = RNG(seed)
    base = rng.beta(0.6, 1.6, (1, topics)) + rng.normal(0, 0.1, (systems, topics)) + rng.normal(0, 0.03, (systems, 1))
    return np.asarray(np.clip(base, 0, 1))


ZERO = [0.0] * 10


def test_examples_of_the_docstrings() -> None:
    assert p_of("t", [1, 2, 3], [0, 0, 0])[0] == close(0.0742, abs=5e-5)
    assert p_of("sign", [1, 1, 1, 1, 1, 1, 1, 1, -1, -1], ZERO)[0] == close(112 / 1024)
    assert p_of("wilcoxon", [1, 2, 3, 4, 5, 6], [0] * 6)[0] == close(0.03125)
    assert p_of("randomisation", [1, 1, 1], [0, 0, 0])[0] == 0.25


@pytest.mark.slow
@pytest.mark.parametrize("topics", [5, 8, 14, 30, 50, 51, 120])
@pytest.mark.parametrize("digits", [2, 12])
def test_t_wilcoxon_and_sign_are_scipys(topics: int, digits: int) -> None:
    values = np.round(realistic(7, topics), digits)
    values[1, : topics // 3] = values[0, : topics // 3]
    pairs = all_pairs(7)
    gaps = np.round(values[pairs[:, 0]] - values[pairs[:, 1]], 11)
    t = [scipy.stats.ttest_rel(values[a], values[b]).pvalue for a, b in pairs]
    assert paired_tests.parse("t")(values, pairs) == close(np.array(t), rel=1e-7)
    for zeros in ("wilcox", "pratt", "zsplit"):
        theirs = [scipy.stats.wilcoxon(gap, zero_method=zeros).pvalue for gap in gaps]
        assert paired_tests.parse(f"wilcoxon({zeros})")(values, pairs) == close(np.array(theirs), rel=1e-9), zeros
    signs = [scipy.stats.binomtest(int((g > 0).sum()), n).pvalue if (n := int((g != 0).sum())) else 1.0 for g in gaps]
    assert paired_tests.parse("sign")(values, pairs) == close(np.array(signs), rel=1e-9)


def test_wilcoxon_sees_ties_that_doubles_hide() -> None:
    a, b = [0.3, 0.1, 0.9, 0.5, 0.8, 0.6], [0.2, 0.2, 0.5, 0.7, 0.5, 0.1]
    assert abs(0.3 - 0.2) != abs(0.1 - 0.2), "in doubles"
    ours = p_of("wilcoxon", a, b)[0]
    assert ours == scipy.stats.wilcoxon([1, -1, 4, -2, 3, 5]).pvalue
    assert ours != scipy.stats.wilcoxon(np.array(a) - np.array(b)).pvalue


@settings(max_examples=40)
@given(
    st.integers(1, 120),
    st.integers(0, 2**32 - 1),
    st.sampled_from([1, 2, 3, 12, 1000]),
    st.sampled_from(wilcoxon.ZEROS),
)
def test_rank_sums_of_the_kernel(topics: int, seed: int, steps: int, zeros: str) -> None:
    values = RNG(seed).integers(0, steps + 1, (5, topics)) / steps
    test, pairs = WilcoxonTest(zeros=zeros), all_pairs(5)
    p, favours = test(values, pairs), test.favours(values, pairs)
    with patch.object(wilcoxon, "compiled", None):
        assert np.array_equal(p, test(values, pairs))
        assert np.array_equal(favours, test.favours(values, pairs))


@pytest.mark.skipif(wilcoxon.compiled is None, reason="no compiled loops")
def test_rank_sums_by_hand() -> None:
    values = np.array([[0.1, 0.2, 0.5, 0.4, 0.3], [0.1, 0.1, 0.4, 0.6, 0.7]])  # 0, 0.1, 0.1, -0.2, -0.4
    pairs = np.array([[0, 1]])
    assert WilcoxonTest()._sums(values, pairs).tolist() == [[3.0, 7.0, 1.0, 6.0]]
    assert WilcoxonTest(zeros="pratt")._sums(values, pairs).tolist() == [[5.0, 9.0, 1.0, 6.0]]


@pytest.mark.parametrize("test", ["t", "sign", "wilcoxon", "wilcoxon(zeros=pratt)"])
def test_values_near_the_smallest_number_are_compared_as_they_are(test: str) -> None:
    shapes = RNG(0).integers(1, 90, (2, 60)).astype(float)  # exact in the few digits that such numbers have
    values, pairs = shapes * 2.0**-1060, all_pairs(2)
    component = paired_tests.parse(test)
    if test != "t":  # its variance of such numbers is 0
        assert np.array_equal(component(values, pairs), component(shapes, pairs))
    assert np.array_equal(component.favours(values, pairs), component.favours(shapes, pairs))


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=8))
def test_randomisation_goes_through_all_signs_when_they_are_few(data: list[tuple[int, int]]) -> None:
    x, y = ([value / 10 for value in side] for side in zip(*data, strict=True))
    gaps = [a - b for a, b in data]
    count = sum(
        abs(sum(s * g for s, g in zip(signs, gaps, strict=True))) >= abs(sum(gaps))
        for signs in itertools.product((-1, 1), repeat=len(gaps))
    )
    assert p_of("randomisation", x, y)[0] == count / 2 ** len(gaps)


def test_randomisation_is_what_it_says() -> None:
    values = realistic(4, 40)
    test = paired_tests.parse("randomisation(samples=2500)")
    ours = test(values, all_pairs(4), RNG(7))
    signs = np.concatenate(
        [g.integers(0, 2, (n, 40), np.int8) * 2 - 1 for g, n in zip(RNG(7).spawn(3), (1000, 1000, 500), strict=True)]
    )
    for (a, b), p in zip(all_pairs(4).tolist(), ours.tolist(), strict=True):
        gaps = values[a] - values[b]
        extreme = np.abs(signs @ gaps) >= abs(gaps.sum()) - 1e-9
        assert p == (extreme.sum() + 1) / 2501
    exact = scipy.stats.permutation_test(
        (values[0], values[1]),
        lambda x, y, axis: (x - y).mean(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=20_000,
        rng=RNG(0),
    )
    fine = paired_tests.parse("randomisation")(values, np.array([[0, 1]]), RNG(1))[0]
    assert fine == close(exact.pvalue, abs=0.02)


def test_randomisation_draws_on_for_pairs_that_few_samples_reach() -> None:
    values = realistic(5, 40)
    values[3] += 0.05  # near
    values[4] += 0.9  # out of reach of any number of samples
    pairs = all_pairs(5)
    ours = paired_tests.parse("randomisation(samples=2500, most=6000)")(values, pairs, RNG(7))
    sizes = (1000, 1000, 500, 1000, 1000, 1000, 500)
    signs = np.concatenate(
        [g.integers(0, 2, (n, 40), np.int8) * 2 - 1 for g, n in zip(RNG(7).spawn(7), sizes, strict=True)]
    )
    ways = []
    for (a, b), p in zip(pairs.tolist(), ours.tolist(), strict=True):
        gaps = values[a] - values[b]
        extreme = np.abs(signs @ gaps) >= abs(gaps.sum()) - 1e-9
        bound = 2 * np.exp(-(gaps.sum() ** 2) / (2 * (gaps**2).sum()))
        if extreme[:2500].sum() >= 100:
            ways.append("first samples")
            assert p == (extreme[:2500].sum() + 1) / 2501
        elif not extreme[:2500].any() and bound < 1 / 6001:
            ways.append("bound")
            assert p == close(bound, rel=1e-9)
        else:
            ways.append("all samples")
            assert p == (extreme.sum() + 1) / 6001
    assert set(ways) == {"first samples", "all samples", "bound"}


@settings(max_examples=60)
@given(st.lists(st.integers(-9, 9), min_size=1, max_size=10))
def test_the_bound_of_randomisation_is_one(gaps: list[int]) -> None:
    values = np.array([gaps, [0] * len(gaps)], float)
    exact = p_of("randomisation", *values.tolist())[0]
    assert exact <= hoeffding(values, np.array([[0, 1]]))[0] <= 1


def test_a_pair_that_is_given_more_samples_keeps_no_least_p() -> None:
    assert paired_tests.parse("randomisation(samples=999)").least_p(50) == 0.001
    assert paired_tests.parse("randomisation(samples=999, most=500)").least_p(50) == 0.001
    assert paired_tests.parse("randomisation(most=200000)").least_p(50) == close(2 * math.exp(-25))
    assert paired_tests.parse("randomisation(most=200000)").least_p(20) == 1 / 200_001, "no bound of so few is lower"
    assert paired_tests.parse("t").least_p(50) == 0
    for topics, told in ((17, True), (60, False)):
        few = compare(table(realistic(130, topics)), "ap", tests=["randomisation(samples=100, most=200)"], rng=RNG(0))
        assert any(note.kind == "samples_few" for note in few.notes) == told


def test_no_p_is_below_the_smallest_that_a_test_can_give() -> None:
    for topics in (17, 31, 60):
        values = np.array([np.full(topics, 0.9), np.full(topics, 0.1), RNG(0).random(topics)])
        for spec in ("randomisation(samples=500, most=900)", "randomisation(samples=500)", "bootstrap(samples=200)"):
            test = paired_tests.parse(spec)
            assert test(values, all_pairs(3), RNG(1)).min() >= test.least_p(topics) * (1 - 1e-9)


def test_the_smallest_p_of_a_sampled_test() -> None:
    far, near = [1.0 + i / 100 for i in range(40)], [0.0] * 40
    for name in ("randomisation", "bootstrap", "tukey"):
        assert p_of(f"{name}(samples=999)", far, near)[0] == 0.001


def test_bootstrap_is_what_it_says() -> None:
    values = realistic(3, 25)
    ours = paired_tests.parse("bootstrap(samples=1500)")(values, all_pairs(3), RNG(11))
    drawn = np.concatenate([g.integers(0, 25, (n, 25)) for g, n in zip(RNG(11).spawn(2), (1000, 500), strict=True)])
    for (a, b), p in zip(all_pairs(3).tolist(), ours.tolist(), strict=True):
        gaps = values[a] - values[b]
        t = gaps.mean() / (gaps.std(ddof=1) / 5)
        again = (gaps - gaps.mean())[drawn]
        star = again.mean(axis=1) / (again.std(axis=1, ddof=1) / 5)
        assert p == (int((np.abs(star) >= abs(t)).sum()) + 1) / 1501


def test_tukey_is_the_distribution_of_the_largest_difference() -> None:
    values = np.array([[0.9, 0.4], [0.5, 0.1], [0.2, 0.3]])
    every = []
    for one in itertools.permutations(values[:, 0]):
        for other in itertools.permutations(values[:, 1]):
            means = (np.array(one) + np.array(other)) / 2
            every.append(means.max() - means.min())
    means = values.mean(axis=1)
    test = paired_tests.parse("tukey(samples=40000)")
    p, low, high = test.with_interval(values, all_pairs(3), 0.9, RNG(2))
    for (a, b), own, lower, upper in zip(all_pairs(3).tolist(), p, low, high, strict=True):
        exact = np.mean([gap >= abs(means[a] - means[b]) - 1e-12 for gap in every])
        assert own == close(exact, abs=0.01)
        assert (lower + upper) / 2 == close(means[a] - means[b])
    assert (high - low)[0] / 2 == close(np.quantile(every, 0.9, method="higher"), abs=0.02)
    two = realistic(2, 30)
    assert p_of("tukey(samples=20000)", *two.tolist())[0] == close(
        p_of("randomisation(samples=20000)", *two.tolist())[0], abs=0.02
    ), "of two systems it is the randomisation test"


@pytest.mark.parametrize("name", [n for n in paired_tests.names if paired_tests.get(n).draws])
def test_the_same_seed_gives_the_same_p_on_any_number_of_cores(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    values, pairs = realistic(6, 33), all_pairs(6)
    test = paired_tests.parse(f"{name}(samples=3333)")
    expected = test(values, pairs, RNG(5))
    for cores in (1, 2, 7):
        monkeypatch.setattr(paired, "cores", lambda cores=cores: cores)
        assert test(values, pairs, RNG(5)).tolist() == expected.tolist()
    assert test(values, pairs, RNG(6)).tolist() != expected.tolist()
    with pytest.raises(SpecError, match="needs a generator"):
        test(values, pairs)


@pytest.mark.parametrize("name", paired_tests.names)
def test_no_difference_and_the_same_difference_everywhere(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paired, "PIECE", 40)
    values = [0.1, 0.2, 0.3, 0.7, 0.9, 0.4, 0.3, 0.2, 0.8, 0.5]
    assert p_of(name, values, list(values))[0] == 1
    shifted = [v + 0.05 for v in values]
    wanted = {"t": 0.0, "sign": 2 / 1024, "randomisation": 2 / 1024, "bootstrap": 1 / 10_001}
    wanted["bradley_terry"] = 2 * scipy.stats.norm.sf(
        np.log(10.5 / 0.5) / np.sqrt(1 / 10.5 + 1 / 0.5)
    )  # half a win each
    if name in wanted:
        assert p_of(name, shifted, values)[0] == close(wanted[name], abs=1e-9 if name == "bradley_terry" else 1e-12)
    else:
        assert p_of(name, shifted, values)[0] < 0.02
    several = realistic(5, 10)
    pairs = all_pairs(5)
    whole = paired_tests.parse(name)(several, pairs, RNG(1))
    monkeypatch.setattr(paired, "PIECE", 10**6)
    assert whole.tolist() == paired_tests.parse(name)(several, pairs, RNG(1)).tolist(), "pieces change nothing"


# -- corrections ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_corrections_are_statsmodels(p: list[float]) -> None:
    multipletests = pytest.importorskip("statsmodels.stats.multitest").multipletests
    with patch("gc.collect"):  # their Holm collects garbage at every call, which takes 70 ms
        theirs = {name: multipletests(p, method=name)[1] for name in ("bonferroni", "holm", "fdr_bh")}
    for name, method in (("bonferroni", "bonferroni"), ("holm", "holm"), ("bh", "fdr_bh")):
        assert corrections.parse(name)(np.array(p)) == close(theirs[method], abs=1e-12)
    assert corrections.parse("none")(np.array(p)).tolist() == p


def test_corrections_of_the_docstrings() -> None:
    p = np.array([0.01, 0.04, 0.03])
    assert corrections.parse("holm")(p) == close([0.03, 0.06, 0.06])
    assert corrections.parse("bonferroni")(p) == close([0.03, 0.12, 0.09])
    assert corrections.parse("bh")(p) == close([0.03, 0.04, 0.04])
    assert corrections.parse("bh")(p) == close(scipy.stats.false_discovery_control(p))


# -- compare --------------------------------------------------------------------------------------------------------


def test_compare_all_pairs() -> None:
    values = [[0.5, 0.6, 0.4, 0.9], [0.4, 0.6, 0.5, 0.5], [0.1, 0.2, 0.0, 0.3]]
    result = compare(table(values), "ap")
    assert [(d.a, d.b) for d in result.differences] == [("a", "b"), ("a", "c"), ("b", "c")]
    first = result.differences[1]
    gaps = np.array(values[0]) - np.array(values[2])
    ttest = scipy.stats.ttest_rel(values[0], values[2])
    bounds = ttest.confidence_interval(0.95)
    assert (first.low, first.high) == close((bounds.low, bounds.high))
    assert first.difference == close(gaps.mean())
    assert first.effect == close(gaps.mean() / gaps.std(ddof=1))
    assert first.raw == close((ttest.pvalue,))
    assert (first.wins, first.ties, first.losses, first.superiority) == (4, 0, 0, 1)
    last = result.differences[0]
    assert (last.wins, last.ties, last.losses, last.superiority) == (2, 1, 1, 0.625)
    assert [d.p[0] for d in result.differences] == close(
        corrections.parse("holm")(np.array([d.raw[0] for d in result.differences])).tolist()
    )
    assert result.apart[0].topic == "4"
    assert (result.apart[0].best, result.apart[0].worst) == ("a", "c")


def test_compare_with_baselines_on_a_measure_that_should_be_low() -> None:
    scores = table([[1, 2, 3, 4], [5, 6, 7, 9], [1, 2, 3, 4], [9, 9, 9, 9]], better="low")
    result = compare(scores, "ap", baselines=["b", "d"], tests=["sign", "t"], correction="none")
    assert [(d.a, d.b) for d in result.differences if d.b == "b"] == [("a", "b"), ("c", "b"), ("d", "b")]
    assert [d.difference < 0 for d in result.differences if d.b == "b"] == [True, True, False]
    assert all(d.wins == 4 for d in result.differences if d.a in "ac")
    assert len(result.differences) == 5, "two baselines are compared with each other once"
    assert result.corrections == ("none", "none")


def test_compare_under_a_transformation() -> None:
    values = np.array([[0.5, 0.01, 0.4], [0.4, 0.2, 0.3]])
    result = compare(table(values), "ap", by="log(eps=1e-5)")
    logs = np.log(values + 1e-5)
    assert result.differences[0].a == "b"
    assert result.differences[0].difference == close((logs[1] - logs[0]).mean())
    assert result.differences[0].raw[0] == close(scipy.stats.ttest_rel(logs[1], logs[0]).pvalue)
    assert result.figures.tolist() == close((np.exp(logs.mean(axis=1)) - 1e-5).tolist())
    with pytest.raises(SpecError, match="not median"):
        compare(table(values), "ap", by="median")
    with pytest.raises(DataError, match="must be 0 or more: a on topic 1 is -1"):
        compare(table([[-1.0, 2, 3], [1, 2, 3]]), "ap", by="log")


def test_tests_of_all_systems_together_are_not_corrected_again() -> None:
    result = compare(table(realistic(4, 20)), "ap", tests=["tukey(samples=500)", "t"], rng=RNG(0))
    assert result.corrections == ("none", "holm")
    assert all(d.raw[0] == d.p[0] for d in result.differences)
    assert result.differences[0].high - result.differences[0].low == close(
        result.differences[1].high - result.differences[1].low
    ), "simultaneous intervals have one width"


def test_bootstrap_intervals() -> None:
    scores = table(realistic(2, 60))
    student = compare(scores, "ap").differences[0]
    drawn = compare(scores, "ap", tests=["bootstrap(samples=4000)"], rng=RNG(0)).differences[0]
    assert drawn.low == close(student.low, abs=0.01)
    assert drawn.high == close(student.high, abs=0.01)


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        ([[1.0, 2.0]], {}, "1 system, a: a comparison needs at least two systems"),
        ([[1.0], [2.0]], {}, "at least 2 topics are needed, not 1"),
        ([[1.0, math.nan], [1.0, 2.0]], {}, "a has no ap on topic 2"),
        ([[1.0, 2.0], [1.0, 2.0]], {"baselines": ["z"]}, "no system 'z' to take as baseline"),
        ([[1.0, 2.0], [1.0, 2.0]], {"tests": ["tt"]}, "no test 'tt', did you mean t"),
        ([[1.0, 2.0], [1.0, 2.0]], {"tests": []}, "no test was named"),
        ([[1.0, 2.0], [1.0, 2.0]], {"tests": ["wilcoxon(zeros=no)"]}, "zeros must be one of wilcox, pratt, zsplit"),
        ([[1.0, 2.0], [1.0, 2.0]], {"tests": ["tukey(samples=0)"]}, "samples must be a whole number"),
        ([[1.0, 2.0], [1.0, 2.0]], {"correction": "hom"}, "did you mean holm"),
        ([[1.0, 2.0], [1.0, 2.0]], {"confidence": 1.0}, "between 0 and 1"),
    ],
)
def test_compare_refuses(values: list[list[float]], options: dict[str, object], message: str) -> None:
    with pytest.raises((DataError, SpecError), match=message):
        compare(table(values), "ap", **options)  # type: ignore[arg-type]


def test_any_number_of_systems() -> None:
    result = compare(table(realistic(130, 10)), "ap", tests=["t", "randomisation(samples=100)"], rng=RNG(0))
    assert len(result.differences) == 130 * 129 // 2


@pytest.mark.parametrize(
    ("p", "text"), [(0.03125, "0.0312"), (0.00012, "0.0001"), (0.000012, "1.2e-05"), (1.0, "1.0000")]
)
def test_p_as_printed(p: float, text: str) -> None:
    assert p_text(p) == text


# -- the command ----------------------------------------------------------------------------------------------------


@pytest.fixture
def matrix(tmp_path: Path) -> str:
    rows = ["topic,one,two,three"]
    values = realistic(3, 12)
    values[2] += 0.3
    rows += [f"{t + 1},{values[0, t]:.4f},{values[1, t]:.4f},{values[2, t]:.4f}" for t in range(12)]
    (tmp_path / "scores.csv").write_text("\n".join(rows) + "\n")
    return str(tmp_path / "scores.csv")


def test_the_command(matrix: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", matrix]) == 0
    text = capsys.readouterr().out
    assert text.splitlines()[0].split()[:2] == ["ahead", "behind"]
    assert "three leads on value and is significantly better than every other system" in text
    assert "topics far apart" in text
    assert main(["compare", matrix, "--baseline", "one", "--test", "tukey(samples=200)", "-f", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [pair["against"] for pair in data["pairs"]] == ["one", "one"]
    assert data["corrections"] == {"tukey(samples=200)": "none"}
    assert main(["compare", matrix, "--test", "randomisation(500)", "--seed", "3", "-f", "csv"]) == 0
    first = capsys.readouterr().out
    assert main(["compare", matrix, "--test", "randomisation(500)", "--seed", "3", "-f", "csv"]) == 0
    assert capsys.readouterr().out == first
    assert main(["compare", matrix, "--pairs", "1"]) == 0
    assert "2 more pairs: --pairs 3" in capsys.readouterr().out


def test_the_command_refuses(matrix: str, capsys: pytest.CaptureFixture[str]) -> None:
    for options, message in (
        (["--baseline", "on"], "did you mean one"),
        (["--test", "z"], "no test 'z'"),
        (["--interval", "2"], "must lie between 0 and 1"),
        (["--seed", "-1"], "must be a whole number"),
        (["--correction", "x"], "no correction 'x'"),
    ):
        assert main(["compare", matrix, *options]) == 2
        assert message in capsys.readouterr().err


def test_differences_that_are_equal_on_paper_are_tied() -> None:
    first = np.array([1 / 3, 1 / 12, 1 / 2, 1 / 4, 1 / 5, 1 / 6])
    second = np.array([1 / 4, 0.0, 1 / 3, 1 / 2, 1 / 10, 1 / 15])
    fractions = [Fraction(1, 12), Fraction(1, 12), Fraction(1, 6), Fraction(-1, 4), Fraction(1, 10), Fraction(1, 10)]
    exact = np.array([float(60 * gap) for gap in fractions])  # whole numbers
    test, pair = paired_tests.parse("wilcoxon"), np.array([[0, 1]])
    assert test.p(np.stack([first, second]), pair, RNG(0)) == test.p(np.stack([exact, 0 * exact]), pair, RNG(0))
    tiny = np.array([1e-13, 2e-13, 3e-13, 4e-13, 5e-13, 6e-13])
    assert test.p(np.stack([tiny, 0 * tiny]), pair, RNG(0))[0] == pytest.approx(2 / 64)


@pytest.mark.parametrize("topics", [10, 50])
def test_bootstrap_intervals_hold_what_they_promise(topics: int) -> None:
    rng = RNG(5)
    drawn = counts(rng, 1000, topics)
    values = rng.beta(0.5, 2, (2000, topics))  # skewed, as average precision is; the mean is 0.2
    low, high = studentised(values, drawn, 0.95)
    assert np.mean((low <= 0.2) & (high >= 0.2)) == pytest.approx(0.95, abs=0.02)
    narrow = np.quantile(values @ drawn.T / topics, [0.025, 0.975], axis=1)
    assert np.mean((narrow[0] <= 0.2) & (narrow[1] >= 0.2)) < 0.94


def test_topics_that_are_nearly_all_the_same_have_an_interval_of_the_size_of_scores() -> None:
    values = np.ones((3, 40))
    values[0, 0], values[1, :2], values[2, :3] = 0.5, (1 / 3, 0.25), (0.1, 0.2, 0.7)
    low, high = studentised(values, counts(np.random.default_rng(5), 2000, 40), 0.95)
    assert (low > 0).all()  # many samples have nothing but ones, and rounding must not pass for their spread
    assert (high < 1.1).all()


def test_bootstrap_intervals_where_nothing_differs() -> None:
    drawn = counts(RNG(0), 100, 3)
    low, high = studentised(np.array([[0.5, 0.5, 0.5], [0.1, 0.2, 0.3], [np.nan, 0.1, 0.2]]), drawn, 0.95)
    assert low[0] == high[0] == 0.5
    assert low[1] < 0.2 < high[1]
    assert np.isnan([low[2], high[2]]).all()
