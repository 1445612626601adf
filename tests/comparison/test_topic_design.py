"""How many topics: designs against statsmodels, simulation and hand, pilots, tracks, wrong words."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.power import FTestAnovaPower, TTestPower

import adjudge
from adjudge.cli import main
from adjudge.comparison.topic_design import (
    TRACKS,
    anova_power,
    design_topics,
    detectable_difference,
    expected_width,
    two_sided_power,
)
from adjudge.core.errors import DataError, SpecError


@pytest.mark.parametrize(("difference", "variance"), [(0.05, 0.02), (0.1, 0.05), (0.02, 0.01), (0.2, 0.02)])
def test_the_t_test_is_that_of_statsmodels(difference: float, variance: float) -> None:
    effect = difference / math.sqrt(2 * variance)
    design = design_topics(variance, difference=difference)
    if design.by_t is not None and design.by_t > 3:
        expected = TTestPower().solve_power(effect, alpha=0.05, power=0.8, alternative="two-sided")
        assert design.by_t == math.ceil(expected)
    for topics in (5, 20, 80):
        expected = TTestPower().power(effect, topics, 0.05, alternative="two-sided")
        assert two_sided_power(difference, math.sqrt(2 * variance), topics, 0.05) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("systems", [2, 5, 20])
def test_the_analysis_of_variance_is_that_of_statsmodels(systems: int) -> None:
    design = design_topics(0.02, difference=0.05, systems=systems)
    effect = math.sqrt(0.05**2 / (2 * 0.02) / systems)
    assert design.by_anova is not None
    power = FTestAnovaPower().power(effect, design.by_anova * systems, 0.05, k_groups=systems)
    fewer = FTestAnovaPower().power(effect, (design.by_anova - 1) * systems, 0.05, k_groups=systems)
    assert fewer < 0.8 <= power
    assert anova_power(0.05, 0.02, systems, design.by_anova, 0.05) == pytest.approx(power, abs=1e-6)


def test_the_width_of_an_interval_by_simulation() -> None:
    rng = np.random.default_rng(0)
    drawn = rng.normal(0, 0.2, (4000, 12))
    width = 2 * stats.t.ppf(0.975, 11) * drawn.std(axis=1, ddof=1) / math.sqrt(12)
    assert expected_width(0.2, 12, 0.05) == pytest.approx(width.mean(), rel=0.01)
    design = design_topics(0.02, difference=0.05)
    assert design.by_interval is not None
    assert expected_width(0.2, design.by_interval, 0.05) <= 0.05 < expected_width(0.2, design.by_interval - 1, 0.05)


def test_the_power_of_a_design_by_simulation() -> None:
    """Pilot and experiment from one model: the number of topics gives the power that it promises."""
    rng = np.random.default_rng(1)
    topics = design_topics(0.02, difference=0.05).by_t
    assert topics is not None
    found = 0
    for _ in range(1500):
        both = rng.normal(0.3, 0.2, topics) + rng.normal(0, math.sqrt(0.02), (2, topics)) + [[0.05], [0.0]]
        found += stats.ttest_rel(both[0], both[1]).pvalue < 0.05
    assert found / 1500 == pytest.approx(0.8, abs=0.03)


def test_a_pilot() -> None:
    rng = np.random.default_rng(2)
    values = rng.normal(0.3, 0.2, 400) + rng.normal(0, 0.1, (4, 400)) + np.array([[0.0], [0.02], [0.05], [0.1]])
    scores = {f"s{i}": {str(t): float(x) for t, x in enumerate(row)} for i, row in enumerate(values)}
    design = adjudge.topics_needed(scores, difference=0.03)
    assert design.variance == pytest.approx(0.01, rel=0.05)
    assert (design.source, design.systems, design.topics) == ("pilot", 4, 400)
    spread = math.sqrt(2 * design.variance)
    assert design.power_now == pytest.approx(two_sided_power(0.03, spread, 400, 0.05))
    assert two_sided_power(design.detectable, spread, 400, 0.05) == pytest.approx(0.8, abs=1e-6)
    assert "The 400 topics at hand find it with a probability of" in design.conclusion()
    assert adjudge.topics_needed(scores, systems=9).systems == 9


def test_tracks_and_frames() -> None:
    design = adjudge.topics_needed(track="robust2004/ap")
    assert design.by_t == adjudge.topics_needed(variance=TRACKS["robust2004/ap"].variance).by_t
    assert design.measure == "ap"
    assert design.to_polars()["topics"].to_list() == [design.by_t, design.by_anova, design.by_interval]
    assert design.to_dict()["by_t"] == design.by_t
    assert "<table>" in design._repr_html_()
    assert adjudge.topics_needed(variance=0.5, difference=1e-5).by_t is None
    assert detectable_difference(0.2, 2, 0.05, 0.8) > 0.2


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"variance": 0.1, "track": "robust2004/ap"},
        {"variance": -1.0},
        {"variance": 0.1, "difference": 0.0},
        {"variance": 0.1, "power": 1.0},
        {"variance": 0.1, "alpha": 0.0},
        {"variance": 0.1, "systems": 1},
        {"track": "robust"},
    ],
)
def test_what_is_refused(given: dict[str, float]) -> None:
    with pytest.raises(SpecError):
        adjudge.topics_needed(**given)  # type: ignore[arg-type]


def test_a_pilot_without_variance() -> None:
    level = {str(t): t / 10 for t in range(5)}
    with pytest.raises(DataError, match="a pilot without variance"):
        adjudge.topics_needed({"a": level, "b": level})


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    rows = "".join(f"{t},{a!r},{b!r}\n" for t, (a, b) in enumerate(rng.random((20, 2)).tolist()))
    (tmp_path / "pilot.csv").write_text("topic,a,b\n" + rows)
    assert main(["topics-needed", "pilot.csv", "--difference", "0.2"]) == 0
    assert "paired t test finds a difference of 0.2 between two systems (80% power)" in capsys.readouterr().out
    assert main(["topics-needed", "--track", "adhoc8/ap", "-o", "out.json"]) == 0
    assert json.loads((tmp_path / "out.json").read_text())["source"] == "adhoc8/ap"
    for words, message in (
        ([], "give one of a pilot"),
        (["pilot.csv", "--variance", "1"], "give one of a pilot"),
        (["--track", "adhoc9/ap"], "no track 'adhoc9/ap', did you mean"),
        (["--variance", "0"], "the variance must be a number above 0"),
    ):
        assert main(["topics-needed", *words]) == 2
        assert message in capsys.readouterr().err


PILOT = {
    "a": {t: {"x": 4.0, "y": 3.0, "u": 2.0} for t in "1234"},
    "b": {t: {"y": 4.0, "z": 3.0, "v": 2.0} for t in "1234"},
}
PILOT_QRELS = {
    "1": {"x": 1, "y": 0, "z": 1, "u": 0, "v": 1},
    "2": {"x": 0, "y": 1, "z": 0, "u": 1},
    "3": {"x": 1, "y": 1, "z": 0, "u": 0, "v": 0},
    "4": {"x": 0, "y": 0, "z": 1, "u": 1, "v": 0},
}


def test_topics_and_judgments_by_the_depth_of_the_pool() -> None:
    plan = adjudge.judgments_needed(PILOT_QRELS, PILOT, "ap", [3, 1], difference=0.1)
    shallow, deep = plan.rows
    assert (shallow.depth, shallow.judgments, shallow.unjudged) == (1, 2.0, 0.0)  # x and y of every topic
    assert (deep.depth, deep.judgments) == (3, 5.0)
    assert deep.unjudged == pytest.approx(1 / 20)  # v of topic 2
    whole = adjudge.topics_needed(adjudge.measure(PILOT_QRELS, PILOT, "ap"), difference=0.1)
    assert deep.design == whole  # the deepest pool has every judgment
    first = {topic: {id_: grade for id_, grade in own.items() if id_ in "xy"} for topic, own in PILOT_QRELS.items()}
    known = adjudge.topics_needed(adjudge.measure(first, PILOT, "ap"), difference=0.1)
    assert shallow.design.variance == pytest.approx(known.variance)
    assert shallow.total(known.by_t) == 2 * (known.by_t or 0)
    assert plan.cheapest is min(plan.rows, key=lambda row: row.total(row.design.by_t) or 0)
    assert "Of the pool to depth 3 the pilot has not judged 5.0%." in plan.conclusion()


def test_depths_as_a_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    adjudge.write_qrels(adjudge.read_qrels(PILOT_QRELS), tmp_path / "qrels.txt")
    for name, run in PILOT.items():
        adjudge.write_run(adjudge.read_run(run, name=name), tmp_path / f"{name}.run")
    files = [str(tmp_path / name) for name in ("qrels.txt", "a.run", "b.run")]
    main(["topics-needed", *files, "--pool-depth", "1", "--pool-depth", "3", "-f", "json"])
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["depth"] for row in rows] == [1, 3]
    main(["topics-needed", *files, "--pool-depth", "1"])
    assert "pool depth  judgments a topic" in capsys.readouterr().out
    assert main(["topics-needed", "--variance", "0.02", "--pool-depth", "1"]) == 2
    assert "--pool-depth is for a pilot of judgments and runs" in capsys.readouterr().err
    with pytest.raises(SpecError, match="depths are whole numbers from 1 to 32,000, not 0"):
        adjudge.judgments_needed(PILOT_QRELS, PILOT, depths=[0])
