"""Scores: looking up, averaging, frames."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import adjudge
from adjudge.core.average import averages
from adjudge.core.errors import DataError, SpecError
from adjudge.core.scores import Column, Scores
from adjudge.evaluation.averaging import average
from adjudge.report.score_table import as_bytes

QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 2}, "3": {"z": 1}}
RUNS = {
    "good": {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 1.0}, "3": {"z": 1.0}},
    "poor": {"1": {"a": 1.0, "b": 2.0}, "2": {"x": 1.0, "a": 0.5}},
}


@pytest.fixture
def scores() -> adjudge.Scores:
    return adjudge.measure(QRELS, RUNS, ["ap", "num_ret", "gm_map"])


def test_values_by_name(scores: adjudge.Scores) -> None:
    assert scores["good", "1", "ap"] == 1.0
    assert scores["poor", "1", "ap"] == 0.5
    assert scores["poor", :, "ap"].tolist()[:2] == [0.5, 0.5]
    assert math.isnan(scores["poor", "3", "ap"])
    assert scores.per_topic("poor") == {
        "1": {"ap": 0.5, "num_ret": 2.0, "gm_map": 0.5},
        "2": {"ap": 0.5, "num_ret": 2.0, "gm_map": 0.5},
    }
    with pytest.raises(adjudge.SpecError, match="no system 'god' in these scores, did you mean good"):
        scores["god", "1", "ap"]
    with pytest.raises(adjudge.SpecError, match="no measure 'map'"):
        scores["good", "1", "map"]
    with pytest.raises(adjudge.SpecError, match="by system, topic and measure"):
        scores["good"]  # type: ignore[index]


def test_figures(scores: adjudge.Scores) -> None:
    assert scores.mean()["good"] == {"ap": 1.0, "num_ret": 4 / 3, "gm_map": 1.0}
    assert scores.summary()["poor"] == {"ap": 0.5, "num_ret": 4.0, "gm_map": pytest.approx(0.5)}
    assert scores.average("gm(floor=0.1)")["good"]["num_ret"] == pytest.approx(2 ** (1 / 3))


def test_missing_topics_are_told_and_counted_when_asked(scores: adjudge.Scores) -> None:
    assert tuple(map(str, scores.notes[1:])) == ("poor: retrieved nothing for topic 3, skipped (--complete counts 0)",)
    complete = adjudge.measure(QRELS, RUNS, ["ap", "gm_map", "num_rel"], complete=True)
    assert complete.mean()["poor"]["ap"] == pytest.approx(1 / 3)
    assert complete.summary()["poor"]["gm_map"] == pytest.approx(math.exp((2 * math.log(0.5) + math.log(1e-5)) / 3))
    assert complete.summary()["poor"]["num_rel"] == 3
    older = adjudge.measure(QRELS, RUNS, ["ap", "num_rel"], complete=True, trec_version=9)
    assert older.mean()["poor"]["ap"] == pytest.approx(1 / 3)
    assert older.summary()["poor"]["num_rel"] == 2


def test_frames(scores: adjudge.Scores) -> None:
    frame = scores.to_polars()
    assert frame.columns == ["system", "topic", "measure", "value"]
    assert len(frame) == 3 * 3 + 2 * 3
    assert frame.filter(system="poor", topic="2", measure="ap")["value"].to_list() == [0.5]
    pytest.importorskip("pandas")
    other = scores.to_pandas()
    assert other.values.tolist() == [list(row) for row in frame.rows()]


def test_names_that_are_not_unicode_are_escaped_in_frames(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_bytes(b"\xe9t\xe9 0 a 1\n")
    (tmp_path / "run").write_bytes(b"\xe9t\xe9 Q0 a 1 1 t\n")
    scores = adjudge.measure(tmp_path / "qrels", tmp_path / "run", ["ap"])
    assert scores.to_polars()["topic"].to_list() == scores.to_pandas()["topic"].tolist() == [r"\udce9t\udce9"]
    assert scores.topics == ("\udce9t\udce9",)
    with pytest.raises(DataError, match="which Parquet cannot hold: write CSV or JSON"):
        as_bytes(scores, per_topic=True)


def test_averages_of_nothing() -> None:
    import numpy as np

    nothing = np.full((1, 3), np.nan)
    assert math.isnan(averages.parse("mean")(nothing)[0])
    assert math.isnan(averages.parse("gm")(nothing)[0])
    assert averages.parse("sum")(nothing).tolist() == [0.0]
    assert averages.parse("sum")(np.zeros((2, 0))).tolist() == [0.0, 0.0]
    with pytest.raises(adjudge.SpecError, match="floor must be above 0, not 0"):
        averages.parse("gm(floor=0)")


def test_the_geometric_mean_of_the_specification() -> None:
    import numpy as np

    gm = averages.parse("gm")
    assert gm(np.array([0.5, 0.5, 0.0])) == pytest.approx(0.013572, abs=5e-7)
    assert gm(np.array([0, 0.5, 5e-6])) == pytest.approx(0.000368, abs=5e-7)
    assert averages.parse("mean")(np.array([0.5, 0.25, 0.0])) == 0.25
    assert averages.parse("sum")(np.array([500.0, 84.0])) == 584


def test_names_of_runs() -> None:
    with pytest.raises(adjudge.ConflictError, match="two runs are named 'run'"):
        adjudge.measure(QRELS, [RUNS["good"], RUNS["poor"]], "ap")
    assert adjudge.measure(QRELS, RUNS["good"], "ap").systems == ("run",)
    with pytest.raises(adjudge.DataError, match="no topic in common with the judgments: the run has topic 9"):
        adjudge.measure(QRELS, {"x": {"9": {"a": 1.0}}}, "ap")
    with pytest.raises(adjudge.SpecError, match="no measure was named"):
        adjudge.measure(QRELS, RUNS, [])
    for wrong in ({"depth": 0}, {"trec_version": 8}):
        with pytest.raises(adjudge.SpecError):
            adjudge.measure(QRELS, RUNS, "ap", **wrong)  # type: ignore[arg-type]


def test_topics_without_judgments_are_told() -> None:
    run = {str(t): {"a": 1.0} for t in range(1, 12)}
    notes = adjudge.measure(QRELS, {"x": run}, "ap").notes
    assert tuple(map(str, notes)) == ("x: no judgment for 8 topics (4, 5, 6, 7, 8, …), skipped",)


def test_values_are_short_to_look_at_and_cannot_be_changed() -> None:
    run, qrels = adjudge.read_run(RUNS["good"], name="good"), adjudge.read_qrels(QRELS)
    assert repr(run) == "Run(good: 3 topics, 4 rows)"
    assert repr(qrels) == "Qrels(3 topics, 4 rows)"
    assert repr(run.documents) == "Strings('a', 'b', 'a', …: 4)"
    assert repr(adjudge.judge(run, qrels)) == "JudgedRun(good: 3 topics, 4 of 4 documents in the pool, level 1)"
    scores = adjudge.measure(qrels, run, ["ap", "rr"])
    assert repr(scores) == "Scores(1 systems × 3 topics × 2: ap, rr)"
    for array in (run.scores, run.offsets, run.documents.data, qrels.grades, scores.values):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_values_can_be_sent_to_another_process() -> None:
    import pickle

    run, qrels = adjudge.read_run(RUNS["good"], name="good"), adjudge.read_qrels(QRELS)
    assert pickle.loads(pickle.dumps(run)) == run  # noqa: S301
    scores = adjudge.measure(pickle.loads(pickle.dumps(qrels)), run, "ap")  # noqa: S301
    assert pickle.loads(pickle.dumps(scores)).mean() == scores.mean()  # noqa: S301


def test_topics_without_a_relevant_document_are_told() -> None:
    notes = adjudge.measure({"1": {"a": 1}, "2": {"a": 0}}, {"x": {"1": {"a": 1.0}, "2": {"a": 1.0}}}, "ap").notes
    assert tuple(map(str, notes)) == ("qrels: no relevant document for topic 2: measures that divide by R are 0 there",)
    quiet = adjudge.measure(
        {"1": {"a": 1}, "2": {"a": 1}}, {"x": {"1": {"a": 1.0}}}, "ap", complete=True, trec_version=9
    )
    assert tuple(map(str, quiet.notes)) == ("x: retrieved nothing for topic 2, counted as 0",)


def test_a_name_has_one_meaning() -> None:
    """gm_map is the geometric mean of ap whatever is asked of all measures together."""
    values = np.array([[[0.5, 0.5], [0.125, 0.125]]])
    scores = Scores(values, ("a",), ("1", "2"), (Column("ap", "ap"), Column("gm_map", "ap", "gm")))
    assert scores.mean()["a"] == pytest.approx({"ap": 0.3125, "gm_map": 0.25})
    assert scores.summary()["a"]["gm_map"] == scores.mean()["a"]["gm_map"]
    with pytest.raises(SpecError, match="gm_map is an average already, gm of ap: average ap by mean"):
        average(scores, ["gm_map"], "mean")
