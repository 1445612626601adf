"""Experiments: what is done is not done again, and what changed is."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from adjudge.core.errors import ConflictError, DataError, SpecError
from adjudge.experiment.completed_runs import CompletedRuns, slug
from adjudge.experiment.plan import USUAL_VERSIONS, Plan
from adjudge.experiment.running import CellError, run
from adjudge.formats.runs import read_run
from adjudge.systems.system import TRACK, line_up
from recorder import Recorder

TEXTS = {
    "d1": "solar power plants of florida",
    "d2": "wind power in the plains",
    "d3": "coupons and bonds of the treasury",
    "d4": "parrots in cages",
}


def write_documents(path: Path, texts: dict[str, str]) -> None:
    path.write_text("".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in texts.items()))


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    write_documents(tmp_path / "true.jsonl", TEXTS)
    write_documents(tmp_path / "noisy.jsonl", {i: t.replace("w", "vv") for i, t in TEXTS.items()})
    (tmp_path / "topics.tsv").write_text("q1\tsolar energy in florida\nq2\tparrots\n")
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq2 0 d4 1\n")
    versions = {"true": "true.jsonl", "5 %": "noisy.jsonl"}
    return Plan("topics.tsv", "qrels.txt", versions, ("bm25", "gmu(drop=0)"), aligned=1, training=1, folder=tmp_path)


def stamps(folder: Path) -> dict[str, int]:
    return {
        str(p.relative_to(folder)): p.stat().st_mtime_ns for p in folder.rglob("*") if p.suffix in {".zst", ".json"}
    }


@pytest.mark.slow
@pytest.mark.processes
def test_every_system_answers_on_every_version(plan: Plan, tmp_path: Path) -> None:
    made = run(plan, tmp_path / "out")
    assert list(made.runs) == ["true", "5 %"]
    assert [list(found) for found in made.runs.values()] == [["bm25", "gmu(drop=0)"]] * 2
    first = read_run(made.runs["true"]["bm25"])
    assert [(t, d) for t, d, _ in first.rows()] == [("q1", "d1"), ("q2", "d4")]
    assert first.name == "bm25"
    record = made.records["5 %"]["gmu(drop=0)"]
    assert record.system == "gmu(drop=0)"
    assert record.memory > 10
    told = json.loads((tmp_path / "out" / "plan.json").read_text())
    assert told["specs"] == {"bm25": "bm25", "gmu(drop=0)": "gmu(drop=0)"}
    assert told["results"]["documents"] == 4
    again = CompletedRuns.load(tmp_path / "out")
    assert (again.runs, again.records, again.topics, again.notes) == (made.runs, made.records, made.topics, made.notes)
    assert again.analysis == made.analysis


def test_a_second_run_does_nothing(plan: Plan, tmp_path: Path) -> None:
    run(plan, tmp_path / "out")
    before, heard = stamps(tmp_path / "out" / "runs"), Recorder()
    run(plan, tmp_path / "out", progress=heard)
    assert stamps(tmp_path / "out" / "runs") == before
    assert not heard.lines()
    assert heard.counts("experiment") == [heard.only("experiment").total]


def test_only_what_changed_is_made_anew(plan: Plan, tmp_path: Path) -> None:
    run(plan, tmp_path / "out")
    before = stamps(tmp_path / "out" / "runs")
    write_documents(tmp_path / "noisy.jsonl", {i: t.replace("w", "vv").replace("c", "e") for i, t in TEXTS.items()})
    run(plan, tmp_path / "out")
    after = stamps(tmp_path / "out" / "runs")
    changed = {name for name in after if after[name] != before[name]}
    assert {Path(name).parts[0] for name in changed} == {slug("5 %")}
    assert len(changed) == 4


def test_files_that_systems_name_are_those_beside_the_plan(plan: Plan, tmp_path: Path) -> None:
    (tmp_path / "rules.tsv").write_text("w\tvv\n")
    (tmp_path / "concepts.txt").write_text("q1\tsolar\nq2\tparrots\n")
    plan = replace(plan, systems=("decipher(spelling=rules.tsv)", "anu(concepts=concepts.txt)"))
    made = run(plan, tmp_path / "out")
    assert not [name for name, record in made.records["true"].items() if not record.memory >= 0]
    before = stamps(tmp_path / "out" / "runs")
    (tmp_path / "rules.tsv").write_text("w\tv\n")
    run(plan, tmp_path / "out")
    changed = {name for name, when in stamps(tmp_path / "out" / "runs").items() if before[name] != when}
    assert len(changed) == 4
    assert all(slug("decipher(spelling=rules.tsv)") in name for name in changed)


def test_documents_that_a_version_lacks_are_left_out_of_all(plan: Plan, tmp_path: Path) -> None:
    write_documents(tmp_path / "noisy.jsonl", {i: t for i, t in TEXTS.items() if i != "d2"})
    made = run(plan, tmp_path / "out")
    assert made.documents == 3
    assert tuple(map(str, made.notes)) == ("true: 1 of 4 documents are not in all versions and were skipped, first d2",)
    run_of_true = read_run(made.runs["true"]["gmu(drop=0)"])
    assert "d2" not in set(run_of_true.documents)


def test_a_question_whose_target_is_absent_is_left_out_and_told(plan: Plan, tmp_path: Path) -> None:
    write_documents(tmp_path / "noisy.jsonl", {i: t for i, t in TEXTS.items() if i != "d4"})
    made = run(plan, tmp_path / "out")
    assert made.topics == ("q1",)
    assert "topic q2: its target d4 is not in all versions, skipped" in map(str, made.notes)


def test_a_question_of_stop_words_is_told_and_stays_a_topic(plan: Plan, tmp_path: Path) -> None:
    (tmp_path / "topics.tsv").write_text("q1\tsolar energy\nq2\twhat is it of the\n")
    made = run(plan, tmp_path / "out")
    assert made.topics == ("q1", "q2")
    assert any("topic q2" in said for said in map(str, made.records["true"]["bm25"].notes))


def test_a_system_that_fails_is_told_and_the_others_are_done(plan: Plan, tmp_path: Path) -> None:
    failing = Plan(
        plan.topics, plan.judgments, plan.versions, ("eth", "bm25"), aligned=0, training=0, folder=plan.folder
    )
    with pytest.raises(CellError, match=r"eth on 5 %: eth needs training documents"):
        run(failing, tmp_path / "out")
    assert (tmp_path / "out" / "runs" / "true" / "bm25.run.zst").exists()


@pytest.mark.slow
@pytest.mark.processes
def test_two_workers_make_the_same_runs(plan: Plan, tmp_path: Path) -> None:
    one, two = run(plan, tmp_path / "one"), run(plan, tmp_path / "two", workers=2)
    for version, found in one.runs.items():
        for name, path in found.items():
            assert path.read_bytes() == two.runs[version][name].read_bytes()


@pytest.mark.slow
def test_a_killed_experiment_goes_on_where_it_was(plan: Plan, tmp_path: Path) -> None:
    whole = run(plan, tmp_path / "whole")
    code = (
        "import sys; from pathlib import Path; from adjudge.experiment.plan import Plan; "
        "from adjudge.experiment.running import run; folder = Path(sys.argv[1]); "
        "run(Plan('topics.tsv', 'qrels.txt', {'true': 'true.jsonl', '5 %': 'noisy.jsonl'}, ('bm25', 'gmu(drop=0)'), "
        "aligned=1, training=1, folder=folder), folder / 'out')"
    )
    job = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], start_new_session=True)
    first = tmp_path / "out" / "runs" / "true" / "bm25.json"
    for _ in range(600):
        if first.exists():
            break
        time.sleep(0.05)
    os.killpg(job.pid, signal.SIGKILL)
    job.wait()
    before = first.stat().st_mtime_ns
    made = run(plan, tmp_path / "out")
    assert first.stat().st_mtime_ns == before
    for version, found in whole.runs.items():
        for name, path in found.items():
            assert path.read_bytes() == made.runs[version][name].read_bytes()


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only there can it be told")
def test_memory_is_that_of_the_cell_and_not_of_who_started_it(plan: Plan, tmp_path: Path) -> None:
    ballast = bytearray(b"x" * 400_000_000)
    made = run(replace(plan, systems=("bm25",), versions={"true": "true.jsonl"}), tmp_path / "out")
    assert made.records["true"]["bm25"].memory < 300 < len(ballast)


def test_an_id_twice_is_refused(plan: Plan, tmp_path: Path) -> None:
    with open(tmp_path / "noisy.jsonl", "a") as file:
        file.write('{"id": "d1", "text": "again"}\n')
    with pytest.raises(ConflictError, match="d1"):
        run(plan, tmp_path / "out")


def test_versions_without_common_ids(plan: Plan, tmp_path: Path) -> None:
    write_documents(tmp_path / "noisy.jsonl", {"x": "y"})
    with pytest.raises(DataError, match="no document in common"):
        run(plan, tmp_path / "out")


PLAN = """
topics = "topics.tsv"
judgments = "qrels.txt"
systems = ["bm25(k1=1.2)", "gmu962"]
depth = 10

[versions]
true = "true.jsonl"
noisy = "noisy.jsonl"
"""


def test_a_plan_is_read_from_toml(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(PLAN)
    plan = Plan.read(tmp_path / "plan.toml")
    assert plan.reference == "true"
    assert {name: str(system) for name, system in plan.systems_by_name.items()} == {
        "bm25(k1=1.2)": "bm25(k1=1.2)",
        "gmu962": "gmu(feedback=true)",
    }
    assert plan.path("true.jsonl") == tmp_path / "true.jsonl"


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("depth = 10", "deptth = 10", r"no setting 'deptth', did you mean depth\?"),
        ("depth = 10", "depth = 0", "depth must be a whole number of at least 1"),
        ("depth = 10", "depth = true", "depth must be a whole number"),
        ("depth = 10", "depth = ", "not TOML"),
        ('"gmu962"', '"gmu963"', "no system 'gmu963'"),
        ('"gmu962"', '"bm25(k1=1.2)"', "is named twice"),
        ('topics = "topics.tsv"', "", "a plan with documents needs topics"),
        ("[versions]", 'true = "clean"\n[versions]', "no version 'clean'"),
        ('noisy = "noisy.jsonl"', "noisy = 3", "version noisy must be a path"),
    ],
)
def test_a_wrong_plan_is_told_in_a_line(tmp_path: Path, old: str, new: str, why: str) -> None:
    (tmp_path / "plan.toml").write_text(PLAN.replace(old, new))
    with pytest.raises(DataError, match=why) as caught:
        Plan.read(tmp_path / "plan.toml")
    assert "\n" not in str(caught.value)
    assert str(tmp_path / "plan.toml") in str(caught.value)


def test_a_plan_that_names_no_system_has_the_track() -> None:
    assert list(Plan("t", "q", {"true": "d"}).systems_by_name) == list(TRACK)
    assert list(Plan("t", "q", {"true": "d"}, ("all",)).systems_by_name) == list(line_up())


def test_a_file_that_names_a_collection_and_no_version_means_the_usual_ones() -> None:
    plan = Plan.of({"collection": "python-docs"}, Path("plan.toml"))
    assert plan.versions == USUAL_VERSIONS
    assert plan.to_json()["versions"] == {"true": "", "5 %": {"channel": "ocrad-5"}, "20 %": {"channel": "ocrad-20"}}
    own = {"collection": "python-docs", "versions": {"true": "", "bad": {"random": 0.1}}}
    assert list(Plan.of(own, Path("plan.toml")).versions) == ["true", "bad"]
    with pytest.raises(SpecError, match="at least one version"):
        Plan(collection="python-docs")
    with pytest.raises(SpecError, match="at least one version of the documents, or runs"):
        Plan("t", "q")


def test_requests_of_a_killed_experiment_are_swept(tmp_path: Path) -> None:
    from adjudge.core.progress import SILENT
    from adjudge.experiment.running import _do_cells

    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "request-0123.json").write_text("{}")
    _do_cells({}, tmp_path, 0, SILENT, {})
    assert list((tmp_path / "work").iterdir()) == []
