"""No verdict on nothing: a run that answers no judged topic is named and left out, everywhere, and exit codes tell."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import adjudge
from adjudge.cli import main
from adjudge.comparison.compare import compare
from adjudge.comparison.reliability.discriminative_power import discriminative_power
from adjudge.comparison.reliability.swap_rate import swap_rate
from adjudge.comparison.scale.sensitivity import sensitivity
from adjudge.core.coverage import Coverage, coverage_of
from adjudge.core.errors import DataError, SpecError
from adjudge.core.judging import Judging
from adjudge.core.scores import Scores
from adjudge.experiment.analysis import analyse_version
from adjudge.experiment.findings import Findings, Provenance
from adjudge.experiment.observations import (
    average_leaders,
    losses,
    other_leaders,
    precision_leaders,
    standing,
    widest_topic,
    zero_topics,
)
from adjudge.experiment.plan import AnalysisSettings
from adjudge.words import captions
from adjudge.words.headlines import certainty, headline
from adjudge.words.judged_share import coverage_summary
from adjudge.words.outcomes import conclusion

TOPICS = [str(topic) for topic in range(1, 11)]
QRELS = {topic: {"a": 1, "b": 0, "c": 1} for topic in TOPICS}


def run_of(seed: int, topics: list[str] = TOPICS, before: str = "") -> dict[str, dict[str, float]]:
    rng = np.random.default_rng(seed)
    return {before + topic: dict(zip("abcx", rng.permutation(4).astype(float), strict=True)) for topic in topics}


RUNS = {"one": run_of(1), "two": run_of(2), "wrong": run_of(3, before="t"), "some": run_of(4, TOPICS[:3])}


def scores_of(*names: str) -> Scores:
    return adjudge.measure(QRELS, {name: RUNS[name] for name in names}, ["ap"], complete=True)


def test_coverage_by_hand() -> None:
    run = adjudge.read_run({"1": {"a": 3.0, "x": 2.0}, "2": {"x": 1.0}, "9": {"a": 1.0}})
    qrels = adjudge.read_qrels({"1": {"a": 1}, "2": {"b": 0}, "3": {"c": 1}})
    for complete in (False, True):
        covered = coverage_of(adjudge.judge(run, qrels, Judging(complete=complete)))
        assert covered == Coverage(answered=2, topics=3, judged=0.25)
    assert coverage_of(adjudge.judge(run, qrels, Judging()), depth=1).judged == 0.5
    nothing = coverage_of(adjudge.judge(adjudge.read_run({"9": {"a": 1.0}}), qrels, Judging(complete=True)))
    assert nothing[:2] == (0, 3)
    assert math.isnan(nothing.judged)
    assert nothing.share == 0


def test_scores_know_the_coverage_of_runs() -> None:
    scores = scores_of("one", "wrong", "some")
    assert [each.answered for each in scores.coverage] == [10, 0, 3]
    fewer = scores.of_systems(["some", "one"])
    assert fewer.systems == ("some", "one")
    assert [each.answered for each in fewer.coverage] == [3, 10]
    assert np.array_equal(fewer.values, scores.values[[2, 0]])


def test_a_comparison_leaves_it_out() -> None:
    without, result = compare(scores_of("one", "two"), "ap"), compare(scores_of("one", "wrong", "two"), "ap")
    assert result.systems == ("one", "two")
    assert result.differences == without.differences, "and nothing is corrected for it"
    assert result.left_out == {"wrong": result.left_out["wrong"]}
    assert [(note.kind, note.subject) for note in result.notes] == [("system_left_out", "wrong")]
    assert set(result.coverage) == {"one", "two"}
    with pytest.raises(DataError, match=r"no verdict on wrong \(0 of 10 judged topics answered\)"):
        compare(scores_of("one", "wrong"), "ap")
    with pytest.raises(DataError, match="the baseline wrong answers 0 of 10 judged topics: no verdict"):
        compare(scores_of("one", "wrong", "two"), "ap", baselines=["wrong"])


def test_a_share_can_be_asked_for() -> None:
    scores = scores_of("one", "some", "two")
    assert compare(scores, "ap").left_out == {}
    assert set(compare(scores, "ap", least_coverage=0.31).left_out) == {"some"}
    assert compare(scores, "ap", least_coverage=0.3).left_out == {}
    with pytest.raises(SpecError, match="lies between 0 and 1"):
        compare(scores, "ap", least_coverage=1.5)


def test_so_do_the_others() -> None:
    scores, without = scores_of("one", "wrong", "two"), scores_of("one", "two")
    moved = sensitivity(scores, "ap")
    assert (moved.systems, set(moved.left_out)) == (("one", "two"), {"wrong"})
    assert moved.swaps == sensitivity(without, "ap").swaps
    rng = np.random.default_rng
    assert swap_rate(scores, "ap", trials=5, rng=rng(0)).systems == ("one", "two")
    power = [discriminative_power(each, ["ap"], test="t", rng=rng(0))[0].p.tolist() for each in (scores, without)]
    assert power[0] == power[1]


def test_what_the_judgments_cover_in_words() -> None:
    assert coverage_summary({}) == ""
    full, half, none = Coverage(8, 8, 0.5), Coverage(4, 8, 0.75), Coverage(0, 8, math.nan)
    assert (
        coverage_summary({"a": full})
        == "All systems answer all 8 judged topics; of the first 10 documents 50% are judged."
    )
    assert coverage_summary({"a": full, "b": half}) == (
        "b answers 4 of 8 judged topics; of the first 10 documents from 50% (a) to 75% (b) are judged."
    )
    assert coverage_summary({"b": none}) == "b answers 0 of 8 judged topics."
    many = {str(i): half for i in range(6)}
    assert "and 3 other systems do not answer all" in coverage_summary(many)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "runs").mkdir()
    for name, run in RUNS.items():
        adjudge.write_run(adjudge.read_run(run, name=name), tmp_path / "runs" / f"{name}.run")
    adjudge.write_qrels(adjudge.read_qrels(QRELS), tmp_path / "qrels.txt")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", ["compare", "sensitivity", "swap-rate", "discriminative-power"])
def test_exit_codes(folder: Path, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    more = {"swap-rate": ["--trials", "5"], "discriminative-power": ["--test", "t"]}.get(command, [])
    runs = [f"runs/{name}.run" for name in ("one", "two", "wrong")]
    assert main([command, "qrels.txt", *runs, "--complete", *more]) == 3
    assert "note: wrong: answers none of 10 judged topics: no verdict on it" in capsys.readouterr().err
    assert main([command, "qrels.txt", *runs[:2], "--complete", *more]) == 0
    assert main([command, "qrels.txt", *runs[:2], "runs/some.run", "--complete", "--least-coverage", "0.5", *more]) == 3
    assert "some: answers 3 of 10 judged topics, and 50% are asked for" in capsys.readouterr().err
    assert main([command, "qrels.txt", runs[0], runs[2], "--complete", *more]) == 2
    assert "no verdict on wrong" in capsys.readouterr().err


@pytest.mark.slow
def test_a_plan_leaves_it_out_and_tells_by_its_exit_code(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "plan.toml").write_text('judgments = "qrels.txt"\nruns = "runs"\nleast_coverage = 0.5\n')
    assert main(["run", "plan.toml", "-o", "results", "--workers", "0"]) == 3
    assert "note: wrong: answers none of 10 judged topics" in capsys.readouterr().out
    verdicts = json.loads((folder / "results" / "verdicts.json").read_text())["versions"]
    (part,) = verdicts.values()
    assert part["left_out"] == ["some", "wrong"]
    assert {pair[side] for pair in part["comparison"]["pairs"] for side in ("system", "against")} == {"one", "two"}
    assert set(part["systems"]) == set(RUNS), "their figures are there"
    assert "no verdict on it" in (folder / "results" / "report.html").read_text()
    assert main(["run", "plan.toml", "-o", "results", "--workers", "0"]) == 3, "also when there is nothing to do"
    plan = json.loads((folder / "results" / "plan.json").read_text())
    del plan["results"]["analysis"]["least_coverage"]  # as an earlier version wrote it
    (folder / "results" / "plan.json").write_text(json.dumps(plan))
    assert main(["report", "results"]) == 0


NOTHING_GOOD = {topic: {"x": 3.0, "y": 2.0} for topic in TOPICS}
CLOSE_CALLS = {"p": run_of(5), "q": run_of(6), "r": run_of(7), "none": NOTHING_GOOD}


@pytest.mark.parametrize("measures", [("ap", "rr", "p@1"), ("rbp_residual", "ap")])
@pytest.mark.parametrize("few", [TOPICS[:3], []], ids=["three topics", "no topic"])
def test_sentences_do_not_speak_of_it(measures: tuple[str, ...], few: list[str]) -> None:
    """Such a run would make every topic hard, every measure agree and every other system lead further."""
    judgments = adjudge.read_qrels(QRELS)
    best = {topic: {"a": 3.0, "c": 2.0} for topic in few} or run_of(3, before="t")
    settings = AnalysisSettings(measures=measures, main=measures[0], tests=("t",), least_coverage=0.5, samples=100)
    without, part = (
        analyse_version("v", {name: adjudge.read_run(run) for name, run in runs.items()}, judgments, settings)
        for runs in (CLOSE_CALLS, {"few": best, **CLOSE_CALLS})
    )
    assert set(part.left_out) == {"few"}
    assert part.systems[part.order[-1]] == "few"
    assert part.hardest == without.hardest
    assert np.array_equal(part.agreement, without.agreement, equal_nan=True)
    for look in (standing, other_leaders, average_leaders, precision_leaders, widest_topic, zero_topics):
        assert look(part) == look(without), look
    both = [Findings("", {"v": each}, {}, {}, 0, Provenance({}, {}, {}, {})) for each in (part, without)]
    for say in (headline, certainty):
        assert say(both[0]) == say(both[1])
    assert list(map(conclusion, both[0].conclusions)) == list(map(conclusion, both[1].conclusions))
    assert "few" not in "".join(captions.range_of_systems(part))
    assert "over the systems compared" in "".join(captions.hardest(part, shown=8, without=0, several=False))
    assert "over all systems" in "".join(captions.hardest(without, shown=8, without=0, several=False))
    twice = [replace(each, version=name) for name in ("v", "w") for each in (part, without)]
    lost = [losses(Findings("", {"v": twice[n], "w": twice[n + 2]}, {}, {}, 0, both[0].provenance)) for n in (0, 1)]
    assert lost[0] == lost[1]
