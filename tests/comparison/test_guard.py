"""The gate: verdicts against scipy's one-sided tests, what is corrected, which topics count, how many it would take."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats

import adjudge
from adjudge.comparison.noninferiority import GuardResult, Tolerance, guard_scores
from adjudge.comparison.power import detectable_margin, one_sided_power, topics_for
from adjudge.core.errors import DataError, SpecError
from adjudge.core.scores import Column, Scores
from adjudge.experiment.plan import Plan
from adjudge.experiment.running import conduct
from adjudge.formats.scores import holds_scores
from adjudge.report.result_files import result_files
from adjudge.testing import NotEnoughTopicsWarning, assert_not_worse

QRELS = {str(topic): {"a": 1, "b": 0} for topic in range(1, 13)}
GOOD = {topic: {"a": 2.0, "b": 1.0} for topic in QRELS}
BAD = {topic: {"a": 1.0, "b": 2.0} for topic in QRELS}
MIXED = {topic: (GOOD if int(topic) % 3 else BAD)[topic] for topic in QRELS}


def scores(baseline: np.ndarray, run: np.ndarray, *more: tuple[np.ndarray, np.ndarray], better: str = "high") -> Scores:
    pairs = [(baseline, run), *more]
    columns = tuple(Column(f"m{i}", f"m{i}", better=better) for i in range(len(pairs)))
    values = np.array(pairs).transpose(1, 2, 0)
    return Scores(values, ("old", "new"), tuple(str(t) for t in range(len(baseline))), columns)


def drawn(shift: float, topics: int = 40, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    baseline = rng.uniform(0.2, 0.8, topics)
    noise = rng.normal(0, 0.05, topics)
    return baseline, baseline + shift + noise - noise.mean()


@pytest.mark.parametrize("shift", [0.03, 0.0, -0.01, -0.03, -0.08])
@pytest.mark.parametrize("better", ["high", "low"])
def test_the_p_are_those_of_one_sided_t_tests(shift: float, better: str) -> None:
    way = 1 if better == "high" else -1
    baseline, run = drawn(way * shift)
    result = guard_scores(scores(baseline, run, better=better), ["m0"], tolerance=0.02)
    (measure,) = result.measures
    gains = way * (run - baseline)
    assert measure.p_not_worse == pytest.approx(stats.ttest_1samp(gains, -0.02, alternative="greater").pvalue, abs=1e-9)
    assert measure.p_worse == pytest.approx(stats.ttest_1samp(gains, -0.02, alternative="less").pvalue, abs=1e-9)
    sides = [stats.t.interval(0.90, 39, gains.mean(), stats.sem(gains))[end] for end in (0, 1)]
    assert sorted((measure.low, measure.high)) == pytest.approx(sorted(way * side for side in sides))
    assert measure.worst_gain == pytest.approx(sides[0])
    assert measure.difference == pytest.approx((run - baseline).mean())
    expected = "pass" if sides[0] > -0.02 else "fail" if sides[1] < -0.02 else "undecided"
    assert (measure.verdict, result.verdict) == (expected, expected)
    assert result.exit_code == {"pass": 0, "fail": 1, "undecided": 3}[expected]
    assert measure.most_lost(1)[0].topic == str(np.argmin(gains))


def test_a_lower_mean_passes_and_a_higher_one_need_not() -> None:
    """The verdict is that of the test and not that of the means."""
    level = np.linspace(0.2, 0.8, 50)
    steady = guard_scores(scores(level, level - 0.004 + 0.001 * (-1) ** np.arange(50)), ["m0"], tolerance=0.01)
    assert steady.measures[0].run < steady.measures[0].baseline
    assert steady.verdict == "pass"
    wild = guard_scores(scores(level, level + 0.01 + 0.3 * (-1) ** np.arange(50)), ["m0"], tolerance=0.01)
    assert wild.measures[0].run > wild.measures[0].baseline
    assert wild.verdict == "undecided"


def test_p_of_failing_are_corrected_and_those_of_passing_are_not() -> None:
    parts = [drawn(-0.022, seed=3), drawn(0.1, seed=4), drawn(0.1, seed=5)]
    alone = guard_scores(scores(*parts[0]), ["m0"])
    three = guard_scores(scores(*parts[0], *parts[1:]), ["m0", "m1", "m2"], correction="bonferroni")
    assert alone.verdict == "fail"
    first = three.measures[0]
    assert first.p_worse_corrected == pytest.approx(min(1.0, 3 * first.p_worse))
    assert [m.p_not_worse for m in three.measures[1:]] == [
        pytest.approx(guard_scores(scores(*part), ["m0"]).measures[0].p_not_worse) for part in parts[1:]
    ]
    assert [m.verdict for m in three.measures] == ["fail", "pass", "pass"]
    assert three.verdict == "fail"


def test_one_measure_that_cannot_be_told_keeps_a_run_from_passing() -> None:
    result = guard_scores(scores(*drawn(0.1), drawn(-0.0005)), ["m0", "m1"])
    assert [m.verdict for m in result.measures] == ["pass", "undecided"]
    assert (result.verdict, result.passed, result.exit_code) == ("undecided", False, 3)


def test_identical_runs_pass_whatever_the_test() -> None:
    level = np.linspace(0, 1, 3)
    for test in ("t", "sign", "wilcoxon", "randomisation", "bootstrap(samples=200)"):
        result = guard_scores(scores(level, level), ["m0"], test=test, rng=np.random.default_rng(0))
        assert result.verdict == "pass", test
    assert "the same value on every topic" in result.conclusion()


@pytest.mark.parametrize("test", ["wilcoxon", "randomisation", "bootstrap(samples=2000)", "sign"])
def test_other_tests(test: str) -> None:
    def verdict(shift: float) -> str:
        return guard_scores(
            scores(*drawn(shift)), ["m0"], tolerance=0.02, test=test, rng=np.random.default_rng(0)
        ).verdict

    assert [verdict(0.03), verdict(-0.02), verdict(-0.08)] == ["pass", "undecided", "fail"]


def test_tolerances() -> None:
    pair = drawn(-0.05), drawn(-0.05, seed=1)
    both = guard_scores(scores(*pair[0], pair[1]), ["m0", "m1"], tolerance={"m1": "50%", "": 0.01})
    assert [m.tolerance for m in both.measures] == [0.01, pytest.approx(0.5 * pair[1][0].mean())]
    assert [m.verdict for m in both.measures] == ["fail", "pass"]
    with pytest.raises(SpecError, match="a tolerance for 'm2', which is not measured"):
        guard_scores(scores(*pair[0]), ["m0"], tolerance={"m2": 0.1})
    for wrong in (-0.1, "x", "nan", math.inf, "-1%", True):
        with pytest.raises(SpecError, match="a tolerance is a number"):
            Tolerance.parse(wrong)


def test_settings_that_make_no_sense() -> None:
    for settings in ({"alpha": 0.5}, {"alpha": 0.0}, {"power": 1.0}):
        with pytest.raises(SpecError, match="lies between 0 and"):
            guard_scores(scores(*drawn(0.0)), ["m0"], **settings)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="at least 2 topics are needed, not 1"):
        guard_scores(scores(np.ones(1), np.zeros(1)), ["m0"])


def test_topics_needed_are_those_of_a_textbook_and_of_a_simulation() -> None:
    assert topics_for(0.5, 1.0, 0.05, 0.8) == 27  # one-sided t test, d = 0.5: as G*Power has it
    assert topics_for(0.2, 1.0, 0.05, 0.8) == 156
    assert topics_for(0.0, 1.0, 0.05, 0.8) is None
    assert topics_for(1e-9, 1.0, 0.05, 0.8) is None
    assert topics_for(0.1, 0.0, 0.05, 0.8) == 2
    assert one_sided_power(detectable_margin(0.3, 40, 0.05, 0.8), 0.3, 40, 0.05) == pytest.approx(0.8, abs=1e-6)
    rng = np.random.default_rng(1)
    samples = rng.normal(0.2, 1.0, (4000, 156))
    t = samples.mean(axis=1) / (samples.std(axis=1, ddof=1) / math.sqrt(156))
    assert (t > stats.t.ppf(0.95, 155)).mean() == pytest.approx(0.8, abs=0.02)


def test_how_many_topics_it_would_take() -> None:
    baseline, run = drawn(-0.0005)
    (measure,) = guard_scores(scores(baseline, run), ["m0"], tolerance=0.01).measures
    gains = run - baseline
    assert measure.verdict == "undecided"
    assert measure.topics_needed == topics_for(abs(gains.mean() + 0.01), gains.std(ddof=1), 0.05, 0.8)
    assert measure.topics_if_equal == topics_for(0.01, gains.std(ddof=1), 0.05, 0.8)
    (strict,) = guard_scores(scores(baseline, run), ["m0"]).measures
    assert strict.topics_if_equal is None
    (decided,) = guard_scores(scores(*drawn(0.1)), ["m0"]).measures
    assert decided.topics_needed is None


def test_runs_and_what_a_missing_topic_is_worth() -> None:
    assert adjudge.guard(QRELS, GOOD, GOOD, "ap").verdict == "pass"
    assert adjudge.guard(QRELS, GOOD, BAD, ["ap", "rr"], tolerance=0.1).verdict == "fail"
    assert adjudge.guard(QRELS, MIXED, GOOD, "ap", tolerance="1%").verdict == "pass"
    few = {topic: GOOD[topic] for topic in ("1", "2")}
    result = adjudge.guard(QRELS, GOOD, few, "ap", tolerance=0.1)
    assert (result.verdict, result.topics) == ("fail", 12)
    assert result.coverage["run"].answered == 2
    assert result.coverage["baseline"].share == 1


def test_no_verdict_on_a_run_that_answers_nothing() -> None:
    strange = {f"x{topic}": ranking for topic, ranking in GOOD.items()}
    result = adjudge.guard(QRELS, GOOD, strange, "ap")
    assert (result.verdict, result.left_out, result.measures, result.exit_code) == ("undecided", ("run",), (), 3)
    assert result.conclusion().startswith("No verdict: run cannot be compared")
    neither = adjudge.guard(QRELS, strange, strange, "ap")
    assert "neither run" in neither.conclusion() or "neither baseline nor run" in neither.conclusion()
    table = adjudge.measure(QRELS, {"old": GOOD}, ["ap"])
    assert adjudge.guard(QRELS, table, strange, "ap").left_out == ("run",)
    few = {topic: GOOD[topic] for topic in ("1", "2")}
    assert adjudge.guard(QRELS, GOOD, few, "ap", least_coverage=0.5).left_out == ("run",)
    assert adjudge.guard(QRELS, GOOD, few, "ap", least_coverage=0.1).left_out == ()
    with pytest.raises(SpecError, match="lies between 0 and 1"):
        adjudge.guard(QRELS, GOOD, few, "ap", least_coverage=2)


def test_tables_of_scores(tmp_path: Path) -> None:
    table = adjudge.measure(QRELS, {"good": GOOD, "mixed": MIXED}, ["ap", "rr"])
    path = tmp_path / "scores.parquet"
    table.to_polars().write_parquet(path)
    by_run = adjudge.guard(QRELS, MIXED, BAD, ["ap", "rr"], tolerance=0.01)
    for baseline in (table, str(path), path):
        result = adjudge.guard(QRELS, baseline, BAD, ["map", "rr"], tolerance=0.01, system="mixed")
        assert [m.p_worse for m in result.measures] == [m.p_worse for m in by_run.measures]
    with pytest.raises(DataError, match="has 2 systems, say which with --system: good, mixed"):
        adjudge.guard(QRELS, table, BAD, "ap")
    with pytest.raises(SpecError, match="no system 'mixt' there, did you mean mixed"):
        adjudge.guard(QRELS, table, BAD, "ap", system="mixt")
    with pytest.raises(SpecError, match="no measure 'ndcg'"):
        adjudge.guard(QRELS, table, BAD, "ndcg", system="good")
    with pytest.raises(SpecError, match="judgments are needed"):
        adjudge.guard(None, table, BAD, "ap", system="good")
    twice = adjudge.guard(None, table, table, "ap", system="good")
    assert (twice.verdict, twice.baseline, twice.run) == ("pass", "good (baseline)", "good (run)")
    assert adjudge.guard(None, str(path), table, "ap", system="good").verdict == "pass"


def test_a_topic_that_the_table_of_the_run_lacks() -> None:
    old = adjudge.measure(QRELS, {"old": MIXED}, ["ap"])
    new = adjudge.measure(QRELS, {"new": {t: MIXED[t] for t in list(MIXED)[:8]}}, ["ap"])
    with pytest.raises(DataError, match=r"new has no value on topic .* and 3 more, which old has: --common"):
        adjudge.guard(None, old, new, "ap")
    result = adjudge.guard(None, old, new, "ap", common=True)
    assert (result.verdict, result.topics) == ("pass", 8)
    assert [(note.kind, note.subject) for note in result.notes] == [("topics_of_one_only", "old")]
    back = adjudge.guard(None, new, old, "ap")
    assert (back.topics, [note.subject for note in back.notes]) == (8, ["old"])
    other = adjudge.measure({"z": {"a": 1}}, {"z": {"z": {"a": 1.0}}}, ["ap"])
    with pytest.raises(DataError, match="no topic in common"):
        adjudge.guard(None, old, other, "ap", common=True)


@pytest.mark.slow
def test_a_folder_of_results_is_a_baseline(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    for name, run in (("good", GOOD), ("mixed", MIXED)):
        adjudge.write_run(adjudge.read_run(run, name=name), tmp_path / "runs" / f"{name}.run")
    adjudge.write_qrels(adjudge.read_qrels(QRELS), tmp_path / "qrels.txt")
    plan = Plan(judgments="qrels.txt", runs={"true": "runs"}, folder=tmp_path)
    conduct(plan, tmp_path / "results", result_files)
    folder = tmp_path / "results"
    result = adjudge.guard(QRELS, folder, BAD, "ndcg@10", system="good", tolerance=0.01)
    assert (result.verdict, result.baseline) == ("fail", "good")
    with pytest.raises(DataError, match="has 2 systems, say which with --system"):
        adjudge.guard(QRELS, str(folder), BAD, "ap")
    with pytest.raises(SpecError, match="no version '5 %'"):
        adjudge.guard(QRELS, str(folder), BAD, "ap", system="good", version="5 %")
    with pytest.raises(DataError, match="no results of an experiment there"):
        adjudge.guard(QRELS, tmp_path, BAD, "ap")


@pytest.mark.parametrize(
    ("text", "scores_in_it"),
    [
        ("1 Q0 a 1 2.0 tag\n", False),
        ("1\tQ0\ta\t1\t2.0\ttag\n", False),
        ("# a run, made yesterday\n1 Q0 a 1 2.0 tag\n", False),
        ("topic,document,score\n1,a,2.0\n", False),
        ('{"1": {"a": 2.0}}', False),
        ("system,topic,measure,value\ns,1,ap,0.5\n", True),
        ("system,topic,ap,rr\ns,1,0.5,1\n", True),
        ("topic;bm25;dense\n1;0.5;1\n", True),
        ("bm25,dense\n0.5,1\n", True),
        ('{"measures": {}, "topics": {}}', True),
    ],
)
def test_tables_and_runs_are_told_apart_by_content(tmp_path: Path, text: str, scores_in_it: bool) -> None:
    path = tmp_path / "file"
    path.write_text(text)
    assert holds_scores(path) is scores_in_it


def test_parquet_of_runs_and_of_scores(tmp_path: Path) -> None:
    pl.DataFrame({"topic": ["1"], "document": ["a"], "score": [1.0]}).write_parquet(tmp_path / "run")
    pl.DataFrame({"topic": ["1"], "system": ["a"], "value": [1.0]}).write_parquet(tmp_path / "scores")
    assert not holds_scores(tmp_path / "run")
    assert holds_scores(tmp_path / "scores")


def test_a_column_for_each_measure_is_read_as_scores(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text("system,topic,ap,rr\nold,1,0.5,1\nold,2,0.25,0.5\nnew,1,0.5,\nnew,2,1,1\n")
    from adjudge.formats.scores import read_scores

    read = read_scores(path)
    assert (read.systems, read.topics, read.measures) == (("old", "new"), ("1", "2"), ("ap", "rr"))
    assert read["new", "2", "ap"] == 1
    assert math.isnan(read["new", "1", "rr"])


def test_assertions() -> None:
    assert isinstance(assert_not_worse(QRELS, GOOD, GOOD, "ap"), GuardResult)
    with pytest.raises(AssertionError, match=r"run fails: it is worse than baseline .* on ap\."):
        assert_not_worse(QRELS, GOOD, BAD, "ap", tolerance=0.01)
    unsure = {topic: (GOOD if int(topic) % 2 else BAD)[topic] for topic in QRELS}
    with pytest.raises(AssertionError, match="Cannot tell with 12 topics"):
        assert_not_worse(QRELS, MIXED, unsure, "ap", tolerance=0.01)
    with pytest.warns(NotEnoughTopicsWarning, match="Cannot tell"):
        assert_not_worse(QRELS, MIXED, unsure, "ap", tolerance=0.01, undecided="warn")
    assert assert_not_worse(QRELS, MIXED, unsure, "ap", tolerance=0.01, undecided="pass").verdict == "undecided"
    with pytest.raises(SpecError, match="undecided must be one of fail, warn, pass"):
        assert_not_worse(QRELS, GOOD, GOOD, "ap", undecided="maybe")


def test_in_a_notebook() -> None:
    shown = adjudge.guard(QRELS, GOOD, BAD, "ap")._repr_html_()
    assert "<table>" in shown
    assert "FAIL" in shown


def test_frames_and_dicts() -> None:
    result = adjudge.guard(QRELS, GOOD, BAD, ["ap", "rr"])
    assert result.to_polars()["verdict"].to_list() == ["fail", "fail"]
    assert result.to_dict()["exit_code"] == 1
