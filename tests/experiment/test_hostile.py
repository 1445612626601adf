"""Plans as strangers write them: inputs in the way, files beside runs, damaged results, odd judgments."""

from __future__ import annotations

import json
import math
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import adjudge
from adjudge.cli import main
from adjudge.core.errors import ConflictError, DataError, MissingExtraError, SpecError
from adjudge.core.progress import Task
from adjudge.experiment.completed_runs import WRITTEN, CompletedRuns, claim_folder, lock_results
from adjudge.experiment.plan import AnalysisSettings, Noise, Plan
from adjudge.experiment.running import conclude, conduct, run
from adjudge.formats.runs import write_run
from adjudge.report.result_files import result_files
from recorder import Recorder

from .test_breaking import given_plan

EXAMPLE = Path(adjudge.__file__).parent / "example"


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    return replace(given_plan(tmp_path), systems=("bm25",))


@pytest.fixture
def given(tmp_path: Path) -> Plan:
    """A plan of runs."""
    (tmp_path / "runs").mkdir()
    for name in ("dense.run", "fused.run"):
        shutil.copy(EXAMPLE / name, tmp_path / "runs" / name)
    shutil.copy(EXAMPLE / "qrels.txt", tmp_path / "qrels.txt")
    return Plan(judgments="qrels.txt", runs={"runs": "runs"}, folder=tmp_path)


# -- what is read and what is written ---------------------------------------------------------------------------------


def test_all_that_is_written_is_known(given: Plan, tmp_path: Path) -> None:
    conduct(given, tmp_path / "out", result_files)
    made = {p.name for p in (tmp_path / "out").iterdir() if p.is_file()}
    others = {"results.json", "tuning.json", "extracts.json"}
    assert made == set(WRITTEN) - others, "which are confusion's, tuning's and of plans with documents"


@pytest.mark.parametrize("name", ["judgments.txt", "results.txt"])
def test_judgments_are_not_overwritten(given: Plan, tmp_path: Path, name: str) -> None:
    (tmp_path / "qrels.txt").rename(tmp_path / name)
    before = (tmp_path / name).read_bytes()
    claim_folder(tmp_path)  # as --force does: inputs are not overwritten even so
    with pytest.raises(ConflictError, match=r"is read, and results in .* would overwrite it"):
        conduct(replace(given, judgments=name), tmp_path, result_files)
    assert (tmp_path / name).read_bytes() == before


def test_runs_are_not_overwritten(given: Plan, tmp_path: Path) -> None:
    own = tmp_path / "runs" / "true"
    own.mkdir()
    write_run(adjudge.read_run(EXAMPLE / "dense.run"), own / "a.run.zst")
    before = (own / "a.run.zst").read_bytes()
    with pytest.raises(ConflictError, match="is read, and kept runs would stand in its folder"):
        conduct(replace(given, runs={"true": "runs/true"}), tmp_path, result_files)
    assert [p.name for p in own.iterdir()] == ["a.run.zst"]
    assert (own / "a.run.zst").read_bytes() == before
    assert conduct(replace(given, runs={"true": "runs/true"}), tmp_path / "out", result_files).findings is not None


def test_results_among_the_documents_are_refused(plan: Plan, tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir()
    (tmp_path / "true.jsonl").rename(tmp_path / "documents" / "true.jsonl")
    with pytest.raises(ConflictError, match="results would be read as documents"):
        run(replace(plan, versions={"true": "documents"}), tmp_path / "documents" / "out")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"topics": "none.tsv"}, r"none\.tsv: no such file"),
        ({"topics": "."}, "a folder, not a file"),
        ({"judgments": "none.txt"}, r"none\.txt: no such file"),
        ({"outside": "none"}, "none: no such file"),
        ({"versions": {"true": "true.jsonl", "b": "none"}}, "none: no such file"),
        ({"versions": {"true": "true.jsonl", "b": Noise(channel="none")}}, "version b: no channel 'none'"),
        ({"versions": {"true": "true.jsonl", "b": Noise(random=2)}}, "version b: a rate of random noise"),
    ],
)
def test_what_is_missing_is_told_before_anything_is_done(
    plan: Plan, tmp_path: Path, change: dict[str, Any], why: str
) -> None:
    heard = Recorder()
    with pytest.raises((DataError, SpecError), match=why):
        run(replace(plan, **change), tmp_path / "out", progress=heard)
    assert not heard.begun
    assert not list((tmp_path / "out" / "work").glob("survey-*"))


def test_topics_that_are_missing_are_told_with_runs_too(given: Plan, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.tsv: no such file"):
        run(replace(given, topics="none.tsv"), tmp_path / "out")


def test_nobody_else_works_there_until_the_page_is_written(
    given: Plan, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    class Trying(Recorder):
        def begin(self, task: Task) -> None:
            with pytest.raises(ConflictError, match="another experiment is at work"), lock_results(tmp_path / "out"):
                pass
            super().begin(task)

    heard = Trying()
    conduct(given, tmp_path / "out", result_files, progress=heard)
    assert heard.lines() == ["analysis"]
    with lock_results(tmp_path / "out"):
        assert main(["report", str(tmp_path / "out")]) == 2
    assert "another experiment is at work there" in capsys.readouterr().err


# -- runs made elsewhere ----------------------------------------------------------------------------------------------


def test_runs_in_json_count(given: Plan, tmp_path: Path) -> None:
    made: dict[str, dict[str, float]] = {}
    for topic, document, score in adjudge.read_run(EXAMPLE / "lexical.run").rows():
        made.setdefault(topic, {})[document] = float(score)
    (tmp_path / "runs" / "lexical.json").write_text(json.dumps(made))
    found = conduct(given, tmp_path / "out", result_files).findings
    assert found is not None
    scores = found.versions["runs"].scores
    assert scores.systems == ("dense", "fused", "lexical")
    plain = adjudge.measure(EXAMPLE / "qrels.txt", {"x": EXAMPLE / "lexical.run"}, ["ap"], complete=True)
    assert (scores["lexical", :, "ap"] == plain["x", :, "ap"]).all()


def test_the_runs_of_another_experiment_join_without_their_records(given: Plan, tmp_path: Path) -> None:
    conduct(given, tmp_path / "first", result_files)
    made = run(replace(given, runs={"runs": "first/runs/runs"}), tmp_path / "second")
    assert list(made.runs["runs"]) == ["dense", "fused"]
    assert not made.notes


def test_what_lies_beside_runs_is_told(given: Plan, tmp_path: Path) -> None:
    for name in ("a.md", "b.log", "c.html"):
        (tmp_path / "runs" / name).write_text("no run")
    (tmp_path / "runs" / "older").mkdir()
    assert tuple(map(str, run(given, tmp_path / "out").notes)) == (
        "runs: a.md, b.log, c.html and 1 more: not runs, skipped",
    )


@pytest.mark.parametrize("name", [b"\xff\xfe.run", b"a\nb.run", b"\x1b[31m.run", b" .run"])
def test_runs_need_names_that_can_be_seen(given: Plan, tmp_path: Path, name: bytes) -> None:
    shutil.copy(EXAMPLE / "dense.run", tmp_path / "runs" / os.fsdecode(name))
    with pytest.raises(DataError, match="needs a name of characters that can be seen") as caught:
        run(given, tmp_path / "out")
    assert str(caught.value).isprintable()


def test_a_pattern_is_the_plans_and_not_its_folders(given: Plan, tmp_path: Path) -> None:
    place = tmp_path / "my [1]* plan"
    shutil.copytree(tmp_path / "runs", place / "runs")
    shutil.copy(tmp_path / "qrels.txt", place)
    (place / "runs" / "folder.run").mkdir()
    made = run(replace(given, runs={"runs": "runs/*.run"}, folder=place), tmp_path / "out")
    assert list(made.runs["runs"]) == ["dense", "fused"]


def test_a_version_without_systems_and_runs_is_told(plan: Plan) -> None:
    with pytest.raises(SpecError, match="version noisy has no runs: name systems"):
        replace(plan, systems=(), runs={"true": "runs"})


def test_a_baseline_that_only_one_version_has_is_told(plan: Plan, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    for name in ("a.run", "b.run"):
        (tmp_path / "mine" / name).write_text("q1 Q0 d2 1 1.0 x\nq2 Q0 d4 1 1.0 x\n")
    some = replace(plan, runs={"true": "mine"}, analysis=AnalysisSettings(baselines=("a",)))
    found = conduct(some, tmp_path / "out", result_files).findings
    assert found is not None
    assert "noisy: no baseline a; all pairs are compared" in map(str, found.versions["noisy"].notes)
    assert not any("no baseline" in note for note in map(str, found.versions["true"].notes))


# -- systems, topics, judgments ---------------------------------------------------------------------------------------


def test_a_plan_that_names_no_system_does_without_outside_text(plan: Plan) -> None:
    kept, told = replace(plan, systems=()).possible()
    assert "gmu961" in kept.systems_by_name
    assert "CLCON" not in kept.systems_by_name
    assert list(map(str, told)) == ["CLCON, CLCONF: skipped: needs clean reference text that is not searched (outside)"]
    assert replace(plan, systems=("CLCON",)).possible()[1] == [], "what is named is not left out"


def test_topics_that_do_not_count_are_told_for_what_they_are(plan: Plan, tmp_path: Path) -> None:
    (tmp_path / "topics.tsv").write_text("q1\tsolar\nq2\tparrots\nq3\twind\nq4\tbonds\n")
    (tmp_path / "qrels.txt").write_text("q1 0 d1 2\nq2 0 d4 1\nq3 0 d2 -1\nq5 0 d1 1\nq6 0 d1 1\n")
    made = run(plan, tmp_path / "out")
    assert made.topics == ("q1", "q2")
    assert tuple(map(str, made.notes)) == (
        "topic q3: no document is relevant, skipped",
        "topic q4: not judged, skipped",
        "2 topics (q5, q6): judged, but not among the topics, skipped",
    )
    made = run(replace(plan, analysis=AnalysisSettings(level=2)), tmp_path / "out")
    assert made.topics == ("q1",)
    assert "2 topics (q2, q3): no document is relevant, skipped" in map(str, made.notes)


def test_topics_that_are_no_text_are_told(given: Plan, tmp_path: Path) -> None:
    with open(tmp_path / "qrels.txt", "ab") as out:
        out.write(b"t\xff 0 d 1\n")
    with pytest.raises(DataError, match=r"the topic 't\\udcff' has bytes that are not UTF-8"):
        run(given, tmp_path / "out")


def test_a_system_that_finds_nothing_puts_nothing_first(plan: Plan, tmp_path: Path) -> None:
    (tmp_path / "topics.tsv").write_text("q1\tzebra\nq2\tyak\n")
    found = conduct(plan, tmp_path / "out", result_files).findings
    assert found is not None
    assert found.versions["true"].lists == {"q1": ((),), "q2": ((),)}
    assert found.versions["true"].answered == (0,)
    assert math.isnan(found.versions["true"].unjudged[0])
    assert "bm25 on true: no document was retrieved for any question" in map(str, found.notes)
    assert not any("retrieved nothing" in note for note in map(str, found.versions["true"].notes))


def test_one_topic_is_a_topic(plan: Plan, tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\n")
    assert "\n1 topic, 5 documents;" in conduct(plan, tmp_path / "out", result_files).text("table")


@pytest.mark.parametrize("measures", [("ap", "iprec@0.5"), ("iprec@0.5", "iprec@0.0", "ap"), ("ap", "ap"), ("all",)])
def test_the_curve_does_not_depend_on_the_measures(given: Plan, tmp_path: Path, measures: tuple[str, ...]) -> None:
    plain = conduct(given, tmp_path / "plain", result_files).findings
    found = conduct(
        replace(given, analysis=AnalysisSettings(measures=measures)), tmp_path / "out", result_files
    ).findings
    assert plain is not None
    assert found is not None
    curves = found.versions["runs"].precision
    assert curves.tolist() == plain.versions["runs"].precision.tolist()
    assert curves.max() <= 1
    names = [column.name for column in found.versions["runs"].scores.columns]
    assert len(names) == len(set(names))
    assert set(measures) - {"all"} <= set(names)
    means = adjudge.measure(EXAMPLE / "qrels.txt", {"x": EXAMPLE / "dense.run"}, names, complete=True)
    assert (found.versions["runs"].scores.values[0] == means.values[0]).all()


def test_settings_are_refused_before_anything_is_done() -> None:
    for settings, why in (
        ({"samples": 10**9}, "samples must be at most 100000"),
        ({"tests": ()}, "no test was named"),
        ({"measures": ("ap", "prefs_pair")}, "prefs_pair is measured on preferences"),
    ):
        with pytest.raises(SpecError, match=why):
            AnalysisSettings(**settings)
    with pytest.raises(SpecError, match="version true must be a path, not an empty text"):
        Plan("t", "q", {"true": ""})


# -- the folder afterwards --------------------------------------------------------------------------------------------

PIECES = ("title", "reference", "analysis", "runs", "topics", "documents", "notes", "questions", "errors", "places",
          "inputs")  # fmt: skip


@pytest.mark.parametrize("name", PIECES)
def test_a_damaged_plan_is_told_in_a_line(given: Plan, tmp_path: Path, name: str) -> None:
    run(given, tmp_path / "out")
    path = tmp_path / "out" / "plan.json"
    data = json.loads(path.read_text())
    for wrong in ({"x": 3}, 3.5, [3], None):
        path.write_text(json.dumps({**data, "results": {**data["results"], name: wrong}}))
        with pytest.raises(DataError, match=r"^[^\n]+$"):
            conclude(CompletedRuns.load(tmp_path / "out"), result_files, anew=True)
    del data["results"][name]
    path.write_text(json.dumps(data))
    with pytest.raises(DataError, match="not what an experiment writes"):
        CompletedRuns.load(tmp_path / "out")


def test_a_run_that_is_another_is_told(given: Plan, tmp_path: Path) -> None:
    made = run(given, tmp_path / "out")
    shutil.copy(made.runs["runs"]["dense"], made.runs["runs"]["fused"])
    with pytest.raises(DataError, match=r"fused\.run\.zst: does not match its record"):
        conclude(CompletedRuns.load(tmp_path / "out"), result_files, anew=True)


def test_a_record_of_the_wrong_kinds_is_none(plan: Plan, tmp_path: Path) -> None:
    run(plan, tmp_path / "out")
    path = tmp_path / "out" / "runs" / "true" / "bm25.json"
    whole = json.loads(path.read_text())
    for wrong in ({"memory": "x"}, {"prepared": None}, {"notes": 3}, {"notes": [3]}, {"checksum": 3}, {"empty": 1}):
        path.write_text(json.dumps(whole | wrong))
        heard = Recorder()
        run(replace(plan, versions={"true": "true.jsonl"}), tmp_path / "out", progress=heard)
        assert heard.lines() == ["bm25 on true"]


def test_provenance_that_cannot_be_written_is_told(given: Plan, tmp_path: Path) -> None:
    (tmp_path / "out" / "provenance.json").mkdir(parents=True)
    claim_folder(tmp_path / "out")
    with pytest.raises(DataError, match=r"provenance\.json: cannot be written"):
        conduct(given, tmp_path / "out", result_files)


def test_documents_that_are_gone_are_told_and_those_within_move_along(plan: Plan, tmp_path: Path) -> None:
    first = conduct(replace(plan, versions={"true": "tr*.jsonl"}), tmp_path / "out", result_files).findings
    assert first is not None
    assert first.extracts, "a pattern names documents too"
    (tmp_path / "true.jsonl").unlink()
    again = conclude(CompletedRuns.load(tmp_path / "out"), result_files, anew=True).findings
    assert again is not None
    assert not again.extracts
    assert any(note.startswith("no extracts from the documents of true: ") for note in map(str, again.notes))


@pytest.mark.slow
def test_documents_within_the_results_move_with_them(tmp_path: Path) -> None:
    plan = Plan(collection="python-docs", versions={"true": ""}, systems=("bm25",))
    first = conduct(plan, tmp_path / "out", result_files).findings
    (tmp_path / "out").rename(tmp_path / "moved")
    again = conclude(CompletedRuns.load(tmp_path / "moved"), result_files, anew=True).findings
    assert first is not None
    assert again is not None
    assert first.extracts
    assert again.extracts == first.extracts


def test_a_system_that_lacks_a_package_is_left_out_of_all_and_told(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    from adjudge.systems.technical_terms import TechnicalTerms

    monkeypatch.setattr(TechnicalTerms, "missing", lambda self: "a lexicon: pip install 'adjudge[terms]'")
    kept, told = replace(plan, systems=("all",), outside="true.jsonl").possible()
    assert "technical_terms" not in kept.systems_by_name
    assert list(map(str, told)) == ["technical_terms: skipped: a lexicon: pip install 'adjudge[terms]'"]
    with pytest.raises(MissingExtraError, match="technical_terms: a lexicon: pip install"):
        replace(plan, systems=("technical_terms",)).possible()
