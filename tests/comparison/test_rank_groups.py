"""Groups and rank intervals: letters by their definition, intervals against the decisions, Friedman against scipy."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import adjudge
from adjudge.cli import main
from adjudge.comparison.compare import compare
from adjudge.comparison.rank_groups import (
    RankInterval,
    bootstrap_ranks,
    compact_letters,
    critical_distance,
    decisions,
    group_bars,
    groups_of,
    letter_name,
    letter_place,
    normal_range_quantile,
    rank_groups,
)
from adjudge.core.errors import DataError, SpecError
from adjudge.core.scores import Column, Scores
from adjudge.report import groups_text
from adjudge.words.standings import paper_paragraph


def scores_of(values: np.ndarray, better: str = "high") -> Scores:
    names, topics = (tuple(f"{kind}{i}" for i in range(n)) for kind, n in zip("st", values.shape, strict=True))
    return Scores(values[:, :, None], names, topics, (Column("ap", "ap", better=better),))


def drawn(means: list[float], topics: int = 40, seed: int = 0) -> Scores:
    rng = np.random.default_rng(seed)
    shared = rng.normal(0, 0.2, (1, topics))
    return scores_of(np.array(means)[:, None] + shared + rng.normal(0, 0.05, (len(means), topics)))


@given(st.integers(1, 9).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.booleans(), min_size=36, max_size=36))))
def test_two_share_a_letter_if_and_only_if_they_are_not_apart(case: tuple[int, list[bool]]) -> None:
    count, bits = case
    apart = np.zeros((count, count), bool)
    upper = np.triu_indices(count, 1)
    apart[upper] = bits[: len(upper[0])]
    apart |= apart.T
    letters = compact_letters(apart)
    assert all(letters), "everybody has one"
    for i in range(count):
        for j in range(count):
            if i != j:
                assert bool(set(letters[i]) & set(letters[j])) is not bool(apart[i, j])


def test_decisions_that_follow_the_order_need_the_fewest_letters() -> None:
    """Not apart within a distance of two: as in a textbook a, ab, abc, bcd …"""
    place = np.arange(6)
    apart = np.abs(place[:, None] - place[None, :]) > 2
    assert ["".join(own) for own in compact_letters(apart)] == ["a", "ab", "abc", "bcd", "cd", "d"]
    assert compact_letters(~np.eye(3, dtype=bool)) == [("a",), ("b",), ("c",)]
    assert compact_letters(np.zeros((3, 3), bool)) == [("a",)] * 3


def test_names_of_letters() -> None:
    names = [letter_name(i) for i in range(120)]
    assert len(set(names)) == 120
    assert sorted(names, key=letter_place) == names


def test_ranks_from_decisions_by_hand() -> None:
    scores = drawn([0.9, 0.5, 0.49, 0.1])
    result = rank_groups(scores, "ap", samples=200)
    assert result.systems == ("s0", "s1", "s2", "s3")
    assert [str(row.ranks) for row in result.rows] == ["1", "2–3", "2–3", "4"]
    assert [row.letters for row in result.rows] == [("a",), ("b",), ("b",), ("c",)]
    assert [str(row.bootstrap) for row in result.rows] == ["1", "2–3", "2–3", "4"]
    assert result.best == ("s0",)
    assert result.groups == {"a": ("s0",), "b": ("s1", "s2"), "c": ("s3",)}
    assert "s0 is the best of 4 systems on ap; the rank of 2 systems is known exactly" in result.conclusion()


@pytest.mark.parametrize("test", ["t", "wilcoxon", "tukey(samples=500)"])
def test_intervals_count_who_is_significantly_better_and_worse(test: str) -> None:
    scores = drawn([0.5, 0.49, 0.47, 0.46, 0.4, 0.39, 0.3], seed=5)
    result = rank_groups(scores, "ap", test=test, samples=100)
    compared = result.comparison
    for row in result.rows:
        better = sum(d.p[0] < 0.05 and {d.b: d.favours[0], d.a: -d.favours[0]}[row.system] > 0
                     for d in compared.differences if row.system in {d.a, d.b})  # fmt: skip
        worse = sum(d.p[0] < 0.05 and {d.b: d.favours[0], d.a: -d.favours[0]}[row.system] < 0
                    for d in compared.differences if row.system in {d.a, d.b})  # fmt: skip
        assert row.ranks == RankInterval(1 + better, 7 - worse)


def test_low_values_may_be_the_good_ones() -> None:
    scores = drawn([0.9, 0.5, 0.1])
    turned = scores_of(scores.values[:, :, 0], better="low")
    assert rank_groups(turned, "ap", samples=50).systems == ("s2", "s1", "s0")
    assert [str(row.bootstrap) for row in rank_groups(turned, "ap", samples=50).rows] == ["1", "2", "3"]


def test_all_tied() -> None:
    values = np.tile(np.linspace(0, 1, 12), (3, 1))
    result = rank_groups(scores_of(values), "ap", samples=50)
    assert {str(row.ranks) for row in result.rows} == {"1–3"}
    assert {str(row.place) for row in result.rows} == {"1–3"}
    assert {str(row.bootstrap) for row in result.rows} == {"1–3"}
    assert {row.letters for row in result.rows} == {("a",)}
    assert result.critical.p == 1
    assert result.conclusion().startswith("Any of the 3 systems may be the best one on ap; no rank is known exactly")
    assert "all systems are level" in groups_text.as_text(result, "table", 4)


def test_the_same_difference_on_every_topic_is_decided() -> None:
    level = np.linspace(0, 1, 12)
    result = rank_groups(scores_of(np.array([level, level + 0.1])), "ap", samples=50)
    assert [str(row.ranks) for row in result.rows] == ["1", "2"]
    assert [str(row.bootstrap) for row in result.rows] == ["1", "2"]


def test_what_is_refused() -> None:
    with pytest.raises(DataError, match="a comparison needs at least two systems"):
        rank_groups(scores_of(np.ones((1, 5))), "ap")
    with pytest.raises(DataError, match="at least 2 topics"):
        rank_groups(scores_of(np.ones((3, 1))), "ap")
    with pytest.raises(SpecError, match="alpha lies between 0 and 1"):
        rank_groups(drawn([0.1, 0.2]), "ap", alpha=1)
    with pytest.raises(SpecError, match="samples must be at least 1"):
        rank_groups(drawn([0.1, 0.2]), "ap", samples=0)
    scores = drawn([0.1, 0.2])
    with pytest.raises(SpecError, match="compare without a baseline"):
        groups_of(compare(scores, "ap", baselines=["s0"]), scores, rng=np.random.default_rng(0))


def test_the_same_seed_gives_the_same_intervals() -> None:
    values = drawn([0.5, 0.48, 0.47, 0.45]).values[:, :, 0]
    first, again = (bootstrap_ranks(values, 0.05, 300, np.random.default_rng(4)) for _ in range(2))
    assert first == again


def ranks_one_by_one(values: np.ndarray, alpha: float, samples: int, seed: int) -> list[tuple[int, int]]:
    """The intervals as they are defined: each system against all others, sample by sample."""
    systems, topics = values.shape
    rng = np.random.default_rng(seed).spawn(1)[0]
    samples_of_topics = rng.integers(0, topics, (samples, topics))
    intervals = []
    for one in range(systems):
        others = [other for other in range(systems) if other != one]
        gaps = values[one] - values[others]
        errors = gaps.std(axis=1) / np.sqrt(topics)
        largest = []
        for chosen in samples_of_topics:
            sample = (gaps - gaps.mean(axis=1, keepdims=True))[:, chosen]
            largest.append(np.abs(sample.mean(axis=1) / (sample.std(axis=1) / np.sqrt(topics))).max())
        limit = np.quantile(largest, 1 - alpha, method="higher")
        ahead, behind = (gaps.mean(axis=1) < -limit * errors).sum(), (gaps.mean(axis=1) > limit * errors).sum()
        intervals.append((1 + int(ahead), systems - int(behind)))
    return intervals


def test_an_interval_looks_at_no_pair_of_other_systems() -> None:
    """Two systems that are nearly the same but for one topic have large |t*| between them, which are nobody else's."""
    rng = np.random.default_rng(7)
    common = rng.random(30)
    values = np.stack([common + 0.06 * rng.normal(size=30) + lift for lift in (0.1, 0.08, 0.06, 0.03, 0.0)])
    odd = common + 0.2 * (np.arange(30) == 3) + 1e-3 * rng.normal(size=30)
    values = np.vstack([values, common, odd])
    values = values[np.argsort(-values.mean(axis=1))]
    found = bootstrap_ranks(values, 0.05, 400, np.random.default_rng(3))
    assert [(interval.low, interval.high) for interval in found] == ranks_one_by_one(values, 0.05, 400, 3)


def test_two_systems_are_told_apart_by_the_bootstrap_as_by_a_t_test() -> None:
    for seed in range(20):
        values = drawn([0.50, 0.52], topics=30, seed=seed).values[:, :, 0]
        p = stats.ttest_rel(*values).pvalue
        ranks = bootstrap_ranks(values, 0.05, 2000, np.random.default_rng(0))
        if not 0.02 < p < 0.1:
            assert (ranks[0].low == ranks[0].high) is bool(p < 0.05), (seed, p)


def test_friedman_and_nemenyi_against_scipy() -> None:
    rng = np.random.default_rng(2)
    for values in (rng.random((5, 20)), np.round(rng.random((4, 15)), 1)):
        critical = critical_distance(values, 0.05)
        expected = stats.friedmanchisquare(*values)
        assert critical.statistic == pytest.approx(expected.statistic)
        assert critical.p == pytest.approx(expected.pvalue)
        assert critical.mean_ranks == pytest.approx(stats.rankdata(-values, axis=0).mean(axis=1))
        q = stats.studentized_range.ppf(0.95, len(values), np.inf) / np.sqrt(2)
        k, n = values.shape
        assert critical.distance == pytest.approx(q * np.sqrt(k * (k + 1) / (6 * n)), rel=1e-6)
    assert normal_range_quantile(0.95, 129) == pytest.approx(stats.studentized_range.ppf(0.95, 129, np.inf), rel=1e-6)


DEMSAR = np.array(
    [
        [4, 1, 4, 4, 4, 1, 3, 2.5, 4, 2.5, 4, 3, 4, 3],
        [3, 2, 1, 1, 2, 2.5, 2, 2.5, 3, 2.5, 2.5, 2, 1, 1],
        [2, 3, 2, 3, 3, 4, 4, 4, 2, 2.5, 1, 4, 2, 4],
        [1, 4, 3, 2, 1, 2.5, 1, 1, 1, 2.5, 2.5, 1, 3, 2],
    ]
)
"""The ranks of C4.5, C4.5+m, C4.5+cf and C4.5+m+cf on 14 data sets, as Demšar (2006) prints them in table 6."""


@pytest.mark.slow
def test_demsars_example() -> None:
    """Demšar, Statistical comparisons of classifiers over multiple data sets (JMLR 2006), sections 3.2.1 and 3.2.2.

    Printed there: mean ranks 3.143, 2.000, 2.893 and 1.964, Friedman's χ² 9.28 (without a correction for ties), a
    critical distance of 1.25 at 5 % and 1.12 at 10 %, where C4.5 is significantly worse than C4.5+m and C4.5+m+cf and
    C4.5+cf cannot be told from either group.
    """
    result = critical_distance(-DEMSAR, 0.05)
    assert result.mean_ranks == pytest.approx((3.143, 2.000, 2.893, 1.964), abs=0.0005)
    ties = 1 - (3 * (2**3 - 2) + (4**3 - 4)) / (14 * (4**3 - 4))
    assert result.statistic * ties == pytest.approx(9.28, abs=0.005)
    assert result.statistic == pytest.approx(stats.friedmanchisquare(*DEMSAR).statistic)
    assert result.distance == pytest.approx(1.25, abs=0.005)
    assert critical_distance(-DEMSAR, 0.10).distance == pytest.approx(1.12, abs=0.005)
    ranks = sorted(result.mean_ranks)
    assert group_bars(ranks, result.distance) == [(0, 3)]
    assert group_bars(ranks, critical_distance(-DEMSAR, 0.10).distance) == [(0, 2), (2, 3)]


def test_decisions_are_never_both_ways() -> None:
    compared = compare(drawn([0.5, 0.4, 0.45, 0.3]), "ap")
    worse = decisions(compared, 0.05)
    assert not (worse & worse.T).any()


def test_letters_by_hand() -> None:
    apart = np.zeros((4, 4), bool)
    for i, j in ((0, 3), (0, 2), (1, 3)):
        apart[i, j] = apart[j, i] = True
    assert ["".join(own) for own in compact_letters(apart)] == ["a", "ab", "bc", "c"]


def test_the_paragraph_names_tests_numbers_and_papers() -> None:
    result = rank_groups(drawn([0.9, 0.5, 0.49, 0.1]), "ap", samples=50)
    text = paper_paragraph(result)
    assert text.startswith("We compared 4 systems on 40 topics by mean ap, using Student's paired t test [1] with")
    assert "with Holm's correction [2] over 6 pairs at a significance level of 0.05." in text
    assert "5 of 6 pairs differ significantly, with effect sizes of" in text
    assert "[1] Student. The probable error of a mean." in text
    latex = paper_paragraph(result, "latex")
    assert r"\texttt{ap}" in latex
    assert r"95\% confidence" in latex
    keys = {key for part in latex.split(r"\cite{")[1:] for key in part.split("}")[0].split(",")}
    assert keys == {line.split(":")[0].removeprefix("% ") for line in latex.splitlines() if line.startswith("% ")}


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    values = drawn([0.9, 0.5, 0.49, 0.1]).values[:, :, 0]
    rows = "".join(f"{t},{','.join(map(repr, map(float, column)))}\n" for t, column in enumerate(values.T))
    (tmp_path / "scores.csv").write_text("topic,a<b>,b_%,c|d,e\n" + rows)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_command(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "scores.csv", "--groups", "--chart", "ranks.svg", "--critical-distance", "cd.svg"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[1].split()[:2] == ["1", "a<b>"]
    for name in ("ranks.svg", "cd.svg"):
        text = (table / name).read_text()
        assert "a&lt;b&gt;" in text
        assert "a<b>" not in text
    assert main(["compare", "scores.csv", "--groups", "-o", "out.json"]) == 0
    data = json.loads((table / "out.json").read_text())
    assert [row["ranks"] for row in data["systems"]] == [[1, 1], [2, 3], [2, 3], [4, 4]]
    assert main(["compare", "scores.csv", "--groups", "-o", "out.html"]) == 0
    assert "a&lt;b&gt;" in (table / "out.html").read_text()
    assert main(["compare", "scores.csv", "--groups", "--paragraph", "-o", "out.tex"]) == 0
    assert r"b\_\%" in (table / "out.tex").read_text()
    assert main(["compare", "scores.csv", "--groups", "-o", "out.md"]) == 0
    assert r"c\|d" in (table / "out.md").read_text()
    assert main(["compare", "scores.csv", "--groups", "-f", "csv"]) == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--chart", "x.svg"], "--chart is for --groups"),
        (["--paragraph"], "--paragraph is for --groups"),
        (["-f", "html"], "--format html is for --groups"),
        (["--groups", "--baseline", "e"], "groups are of all pairs"),
        (["--groups", "--chart", "scores.csv"], "is an input, and would be overwritten"),
    ],
)
def test_wrong_words(table: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "scores.csv", *words]) == 2
    assert message in capsys.readouterr().err


def test_in_python_and_in_a_notebook() -> None:
    qrels = {str(t): {"a": 1, "b": 0} for t in range(5)}
    runs = {name: {t: {"a": x, "b": 1.0} for t in qrels} for name, x in (("good", 2.0), ("bad", 0.5))}
    result = adjudge.rank_groups(adjudge.measure(qrels, runs, ["ap"]), "ap", samples=20)
    assert result.systems == ("good", "bad")
    assert "<table>" in result._repr_html_()
    table = groups_text.groups_table(result)
    assert table.header[-2:] == ["answered", "judged@10"]


def test_frames_dicts_and_charts() -> None:
    result = adjudge.rank_groups({"a": {"1": 0.5, "2": 0.4}, "b": {"1": 0.1, "2": 0.0}}, samples=20)
    assert result.to_polars()["system"].to_list() == ["a", "b"]
    assert result.to_pandas().shape == (2, 6)
    assert result.to_dict()["groups"] == {"a": ["a"], "b": ["b"]}
    assert result.plots() == ["ranks", "critical_distance"]
    assert "<svg" in result.plot().svg()
    assert "critical distance" in result.plot("critical_distance").svg()
