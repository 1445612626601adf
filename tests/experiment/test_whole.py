"""A plan from beginning to end: what is written, what is not done again, and that the way to it does not matter."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import chdir
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import adjudge
from adjudge.cli import main
from adjudge.comparison.known_item.ranks import known_item
from adjudge.comparison.paired import paired_tests, with_enough_samples
from adjudge.comparison.significance.randomisation import RandomisationTest
from adjudge.core.errors import ConflictError, DataError, SpecError
from adjudge.experiment import process, running
from adjudge.experiment.analysis import findings_of
from adjudge.experiment.completed_runs import CompletedRuns
from adjudge.experiment.plan import AnalysisSettings, Noise, Plan, every_measure
from adjudge.experiment.running import conclude, conduct
from adjudge.report.page import page
from adjudge.report.result_files import result_files
from recorder import Recorder

TEXT = "register notice federal agency rule comment hearing docket permit water solar power coupon bond parrot"
WORDS = TEXT.split()
SYSTEMS = ("bm25", "gmu961", "lucene")


def write_corpus(folder: Path, documents: int = 60, topics: int = 8) -> None:
    rng = np.random.default_rng(1)
    with open(folder / "true.jsonl", "w", encoding="utf-8") as out:
        for i in range(documents):
            text = " ".join(rng.choice(WORDS, 30)) + f" unique{i:03} marker{i % 7}"
            out.write(json.dumps({"id": f"d{i:03}", "text": text}) + "\n")
    lines = [f"q{i}\tunique{i * 3:03} {' '.join(rng.choice(WORDS, 3))}" for i in range(topics)]
    (folder / "topics.tsv").write_text("\n".join(lines) + "\n")
    (folder / "qrels.txt").write_text("".join(f"q{i} 0 d{i * 3:03} 1\n" for i in range(topics)))


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    write_corpus(tmp_path)
    versions: dict[str, str | Noise] = {"true": "true.jsonl", "20 %": Noise(channel="ocrad-20")}
    return Plan("topics.tsv", "qrels.txt", versions, SYSTEMS, title="A small one", folder=tmp_path)


def without_times(folder: Path) -> dict[str, bytes]:
    """All that was written, by path, what only tells time and memory taken out."""
    made = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if not path.is_file() or name.startswith("work/"):
            continue
        data = path.read_bytes()
        if name == "provenance.json":
            told = json.loads(data)
            told["steps"] = [step["what"] for step in told["steps"]]
            told["files"].pop("report.html")
            data = json.dumps(told).encode()
        elif name.startswith("runs/") and name.endswith(".json"):
            told = json.loads(data)
            data = json.dumps({k: v for k, v in told.items() if k not in {"prepared", "answered", "memory"}}).encode()
        elif name == "plan.json":
            told = json.loads(data)
            told["results"].pop("places")  # where the made version is
            data = json.dumps(told).encode()
        elif name == "report.html":
            found = findings_of(CompletedRuns.load(folder))
            data = page(replace(found, provenance=replace(found.provenance, steps=()))).encode()
        made[name] = data
    return made


@pytest.mark.slow
@pytest.mark.processes
def test_what_a_plan_leaves_behind(plan: Plan, tmp_path: Path) -> None:
    made = conduct(plan, tmp_path / "out", result_files)
    out, found = tmp_path / "out", made.findings
    assert found is not None
    scores = pl.read_parquet(out / "scores.parquet")
    assert scores.columns == ["version", "system", "topic", "measure", "value"]
    assert scores["version"].unique(maintain_order=True).to_list() == ["true", "20 %"]
    one = adjudge.measure(out / "judgments.txt", {"bm25": out / "runs/true/bm25.run.zst"}, ["rr"], complete=True)
    rr = scores.filter((pl.col("version") == "true") & (pl.col("system") == "bm25") & (pl.col("measure") == "rr"))
    assert rr["value"].to_list() == one["bm25", :, "rr"].tolist()
    verdicts = json.loads((out / "verdicts.json").read_text())
    assert verdicts["versions"]["true"]["systems"]["bm25"]["rr"]["mean"] == one.mean()["bm25"]["rr"]
    assert verdicts["versions"]["20 %"]["errors"]["characters"] == pytest.approx(0.2, abs=0.06)
    assert verdicts["versions"]["true"]["errors"] == {"characters": 0.0, "words": 0.0}
    assert len(verdicts["versions"]["true"]["comparison"]["pairs"]) == 3
    told = json.loads((out / "provenance.json").read_text())
    assert told["software"]["adjudge"] == adjudge.__version__
    assert told["plan"]["seed"] == 0
    assert set(told["inputs"]) == {"judgments", "topics", "documents of true", "documents of 20 %"}
    assert {step["what"] for step in told["steps"]} >= {"bm25 on true", "lucene on 20 %", "version 20 %", "analysis"}
    assert all(step["megabytes"] > 10 for step in told["steps"] if " on " in step["what"])
    assert "A small one" in (out / "report.html").read_text()
    item = known_item(out / "judgments.txt", dict(made.results.runs["true"]), length=1000)
    study = found.versions["true"].study
    assert study is not None
    np.testing.assert_array_equal(study.item.ranks, item.ranks)


@pytest.mark.slow
def test_a_second_time_nothing_is_done(plan: Plan, tmp_path: Path) -> None:
    conduct(plan, tmp_path / "out", result_files)
    before = {p: p.stat().st_mtime_ns for p in (tmp_path / "out").rglob("*") if p.is_file() and "work" not in p.parts}
    heard = Recorder()
    again = conduct(plan, tmp_path / "out", result_files, progress=heard)
    assert again.findings is None
    assert not heard.lines()
    kept = ("plan.json", "judgments.txt")  # told again, the same
    assert all(p.stat().st_mtime_ns == t for p, t in before.items() if p.name not in kept)
    assert "bm25" in again.text("table")
    (tmp_path / "out" / "report.html").write_text("damaged")
    assert conduct(plan, tmp_path / "out", result_files).findings is not None
    assert "A small one" in (tmp_path / "out" / "report.html").read_text()


@pytest.mark.slow
def test_a_changed_setting_makes_anew_just_what_depends_on_it(plan: Plan, tmp_path: Path) -> None:
    conduct(plan, tmp_path / "out", result_files)
    heard = Recorder()
    other = replace(plan, analysis=AnalysisSettings(measures=("success@5", "rr")))
    made = conduct(other, tmp_path / "out", result_files, progress=heard)
    assert heard.lines() == ["analysis"]
    assert {"measure", "compare", "rescale", "sample_topics", "judge", "resample"} <= set(heard.kinds())
    assert not any(heard.ended.values())
    assert made.findings is not None
    assert made.findings.versions["true"].main == "success@5"
    heard = Recorder()
    noisier = {**plan.versions, "20 %": Noise(channel="ocrad-5")}
    conduct(replace(plan, versions=noisier), tmp_path / "out", result_files, progress=heard)
    assert sorted(heard.lines()) == ["analysis", *(f"{name} on 20 %" for name in sorted(SYSTEMS)), "version 20 %"]


@pytest.mark.slow
@pytest.mark.processes
def test_the_number_of_workers_makes_no_difference(plan: Plan, tmp_path: Path) -> None:
    conduct(plan, tmp_path / "1", result_files, workers=1)
    one = without_times(tmp_path / "1")
    for workers in (2, 4):
        conduct(plan, tmp_path / str(workers), result_files, workers=workers)
        assert without_times(tmp_path / str(workers)) == one, workers


PLAN = """
title = "Killed and resumed"
topics = "topics.tsv"
judgments = "qrels.txt"
systems = ["bm25", "gmu961", "lucene"]
[versions]
true = "true.jsonl"
noisy = { channel = "ocrad-20" }
"""


COMMAND = ["run", "plan.toml", "--workers", "2", "-o"]


def carry_out(folder: Path, output: str) -> None:
    """The command in this process, which has loaded what it needs; its cells have processes as users have them."""
    with chdir(folder), pytest.MonkeyPatch.context() as patch:
        patch.setattr(running, "executor", process.executor)
        assert main([*COMMAND, output]) == 0


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes]]:
    """The folder of a plan that was carried out without interruption, in ``whole``, and what it left there."""
    folder = tmp_path_factory.mktemp("plan")
    write_corpus(folder)
    (folder / "plan.toml").write_text(PLAN)
    carry_out(folder, "whole")
    return folder, without_times(folder / "whole")


@pytest.mark.slow
@pytest.mark.parametrize("after", [1, 3, 5])
def test_killed_and_resumed_it_comes_to_the_same(whole: tuple[Path, dict[str, bytes]], after: int) -> None:
    place, expected = whole
    folder = place / f"killed-{after}"
    command = [sys.executable, "-m", "adjudge", *COMMAND, folder.name]
    job = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, cwd=place)
    end = time.monotonic() + 600
    while len(list(folder.glob("runs/*/*.json"))) < after and job.poll() is None:
        assert time.monotonic() < end
        time.sleep(0.01)
    job.send_signal(signal.SIGKILL)
    job.wait()
    carry_out(place, folder.name)
    assert without_times(folder) == expected


def runs_of(folder: Path, names: list[str], example: Path) -> None:
    folder.mkdir()
    for name, source in zip(names, ("lexical.run", "dense.run", "fused.run"), strict=False):
        shutil.copy(example / source, folder / name)


@pytest.fixture
def example() -> Path:
    return Path(adjudge.__file__).parent / "example"


def test_runs_made_elsewhere(tmp_path: Path, example: Path) -> None:
    runs_of(tmp_path / "runs", ["lexical.run", "dense.txt", "fused"], example)
    (tmp_path / "runs" / "README.md").write_text("not a run")
    plan = Plan(judgments=str(example / "qrels.txt"), runs={"runs": "runs"}, folder=tmp_path)
    made = conduct(plan, tmp_path / "out", result_files)
    assert made.findings is not None
    found = made.findings.versions["runs"]
    assert found.scores.systems == ("dense", "fused", "lexical")
    assert found.main == "ap"
    files = {"lexical": example / "lexical.run", "dense": example / "dense.run", "fused": example / "fused.run"}
    plain = adjudge.measure(example / "qrels.txt", files, ["ap"], complete=True)
    assert all((found.scores[name, :, "ap"] == plain[name, :, "ap"]).all() for name in files)
    assert made.findings.provenance.systems == {"lexical": "run", "dense": "run", "fused": "run"}
    assert found.study is None
    first = {document for _, document, _ in adjudge.read_run(files["fused"]).rows()}
    assert {name for lists in found.lists.values() for name in lists[1]} <= first
    assert found.answered == (7, 8, 8)
    assert all(0 <= share <= 1 for share in found.unjudged)
    assert made.findings.runs == {"runs": {name: f"runs/runs/{name}.run.zst" for name in files}}
    # A changed file is read again, the others are not.
    text = (tmp_path / "runs" / "fused").read_text()
    (tmp_path / "runs" / "fused").write_text(text.splitlines()[0] + "\n")
    again = conduct(plan, tmp_path / "out", result_files)
    assert again.findings is not None
    values = again.findings.versions["runs"].scores
    assert values["fused", :, "ap"].sum() < plain["fused", :, "ap"].sum()
    assert (values["dense", :, "ap"] == plain["dense", :, "ap"]).all()


@pytest.mark.slow
def test_runs_made_elsewhere_join_systems(plan: Plan, tmp_path: Path) -> None:
    first = conduct(plan, tmp_path / "first", result_files)
    (tmp_path / "mine").mkdir()
    shutil.copy(first.results.runs["true"]["bm25"], tmp_path / "mine" / "the other.run.zst")
    both = replace(plan, systems=("bm25",), runs={"true": "mine"})
    found = conduct(both, tmp_path / "out", result_files).findings
    assert found is not None
    assert found.versions["true"].scores.systems == ("bm25", "the other")
    assert found.versions["20 %"].scores.systems == ("bm25",)
    assert found.versions["20 %"].comparison is None
    values = found.versions["true"].scores.values
    assert (values[0] == values[1]).all()


def test_what_is_wrong_with_runs_is_told(tmp_path: Path, example: Path) -> None:
    judgments = str(example / "qrels.txt")
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="empty: no run there"):
        conduct(Plan(judgments=judgments, runs={"runs": "empty"}, folder=tmp_path), tmp_path / "out", result_files)
    runs_of(tmp_path / "twice", ["a.run", "a.txt"], example)
    with pytest.raises(ConflictError, match=r"a\.run and .*a\.txt would both be called a"):
        conduct(Plan(judgments=judgments, runs={"runs": "twice"}, folder=tmp_path), tmp_path / "out", result_files)
    runs_of(tmp_path / "bad", ["a.run"], example)
    with open(tmp_path / "bad" / "a.run", "a") as out:
        out.write("1 Q0 only\n")
    with pytest.raises(DataError, match=r"a\.run:\d+: "):
        conduct(Plan(judgments=judgments, runs={"runs": "bad"}, folder=tmp_path), tmp_path / "out", result_files)


def test_a_baseline_that_is_no_system_is_told_before_anything_is_done(
    plan: Plan, tmp_path: Path, example: Path
) -> None:
    runs_of(tmp_path / "runs", ["lexical.run", "dense.run"], example)
    settings = AnalysisSettings(baselines=("lexcal",))
    given = Plan(judgments=str(example / "qrels.txt"), runs={"runs": "runs"}, analysis=settings, folder=tmp_path)
    with pytest.raises(SpecError, match="no system 'lexcal' to take as baseline, did you mean lexical"):
        conduct(given, tmp_path / "out", result_files)
    heard = Recorder()
    wrong = replace(plan, analysis=AnalysisSettings(baselines=("bm24",)))
    with pytest.raises(SpecError, match="did you mean bm25"):
        conduct(wrong, tmp_path / "other", result_files, progress=heard)
    assert not heard.begun
    right = replace(given, analysis=AnalysisSettings(baselines=("lexical",)))
    found = conduct(right, tmp_path / "out", result_files).findings
    assert found is not None
    comparison = found.versions["runs"].comparison
    assert comparison is not None
    assert [(d.a, d.b) for d in comparison.differences] == [("dense", "lexical")]


@pytest.mark.slow
def test_results_can_be_moved_and_reported_again(plan: Plan, tmp_path: Path) -> None:
    conduct(plan, tmp_path / "out", result_files)
    kept = without_times(tmp_path / "out")
    (tmp_path / "out").rename(tmp_path / "elsewhere")
    for name in ("topics.tsv", "qrels.txt"):
        (tmp_path / name).unlink()
    made = conclude(CompletedRuns.load(tmp_path / "elsewhere"), result_files, anew=True)
    assert made.findings is not None
    assert without_times(tmp_path / "elsewhere") == kept


def test_a_folder_without_results_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no results of an experiment there: plan\.json: No such file"):
        CompletedRuns.load(tmp_path)
    (tmp_path / "plan.json").write_text("{}")
    with pytest.raises(DataError, match="not what an experiment writes"):
        CompletedRuns.load(tmp_path)


@pytest.mark.slow
def test_the_hardest_topics_come_first(plan: Plan, tmp_path: Path) -> None:
    found = conduct(plan, tmp_path / "out", result_files).findings
    assert found is not None
    one = found.versions["20 %"]
    means = one.scores[:, :, one.main].mean(axis=0)
    assert [float(means[t]) for t in one.hardest] == sorted(means.tolist())
    target = found.relevant[one.scores.topics[one.hardest[0]]][0]
    assert "unique" in found.extracts[target].words


def test_settings_that_make_no_sense_are_refused() -> None:
    with pytest.raises(SpecError, match="main: no 'app' among the measures, did you mean ap"):
        AnalysisSettings(measures=("ap", "rr"), main="app")
    with pytest.raises(SpecError, match="relstring is text"):
        AnalysisSettings(measures=("ap", "relstring"))
    with pytest.raises(SpecError, match="num_ret is neither good when high nor when low"):
        AnalysisSettings(measures=("num_ret", "ap"))
    with pytest.raises(SpecError, match="samples must be at least 39"):
        AnalysisSettings(samples=3)
    with pytest.raises(SpecError, match="no test 'tt', did you mean t"):
        AnalysisSettings(tests=("tt",))


def test_many_pairs_get_samples_enough_to_be_told_apart() -> None:
    assert with_enough_samples("randomisation", 45) == "randomisation"
    made = paired_tests.parse(with_enough_samples("randomisation", 8256))
    assert isinstance(made, RandomisationTest)
    assert 8256 / (made.most + 1) < 0.05 / 1.9
    assert made.samples == RandomisationTest.samples, "of pairs that differ little nobody needs more"
    drawn = paired_tests.parse(with_enough_samples("bootstrap", 8256))
    assert 8256 * drawn.least_p(50) < 0.05 / 1.9
    assert with_enough_samples("randomisation(most=200000)", 8256) == "randomisation(most=200000)"
    own = "randomisation(samples=500)"
    assert with_enough_samples(own, 8256) == own, "who says a number means it"
    assert with_enough_samples("t", 8256) == "t"
    assert with_enough_samples("tukey", 8256) == "tukey", "made for all pairs together"


def test_all_measures_are_all_that_compare_runs() -> None:
    made = AnalysisSettings(measures=("rr", "all")).measures
    assert made[0] == "rr"
    assert set(made) == set(every_measure())
    assert {"p@10", "ndcg", "iprec@0.5", "rank"} <= set(made)
    assert not {name for name in made if name.startswith(("prefs", "num_", "relstring"))}


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({}, "give one of channel, random and engine, not none"),
        ({"channel": "ocrad-5", "random": 0.1}, "not channel and random"),
        ({"chanel": "ocrad-5"}, "no setting 'chanel', did you mean channel"),
        ({"random": "much"}, "random must be a number"),
        ({"engine": "ocrad", "rate": 0.1}, "rate is for a channel"),
        ({"channel": "ocrad-5", "factor": 2.0}, "factor is for an engine"),
        ({"channel": 3}, "channel must be a text"),
    ],
)
def test_noise_that_cannot_be_meant(given: dict[str, object], why: str) -> None:
    with pytest.raises(SpecError, match=why):
        Noise.of(given)


@pytest.mark.slow
def test_interrupting_leaves_what_was_found(plan: Plan, tmp_path: Path) -> None:
    conduct(plan, tmp_path / "out", result_files)
    before = (tmp_path / "out" / "report.html").read_bytes()
    env = {**os.environ, "PYTHONWARNINGS": "ignore"}
    code = "import adjudge.report.page as p, os; from adjudge.cli import main; import sys; "
    code += "p.page = lambda found: os.kill(os.getpid(), 9); main(sys.argv[1:])"
    subprocess.run([sys.executable, "-c", code, "report", str(tmp_path / "out")], env=env, check=False)
    assert (tmp_path / "out" / "report.html").read_bytes() == before
    assert conduct(plan, tmp_path / "out", result_files).findings is not None, (
        "what is half written does not count as done"
    )
