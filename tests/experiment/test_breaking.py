"""Experiments under attack: names, damaged files, crashes, kills, two at a time."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from adjudge.core.errors import ConflictError, DataError, SpecError
from adjudge.core.note import Note
from adjudge.core.progress import Task
from adjudge.core.run import Run
from adjudge.experiment.completed_runs import CompletedRuns, slug
from adjudge.experiment.plan import Plan
from adjudge.experiment.running import CellError, run
from adjudge.formats.runs import read_run
from recorder import Recorder

TEXTS = {
    "d1": "solar power plants of florida",
    "d2": "wind power in the plains",
    "d3": "coupons and bonds of the treasury",
    "d4": "parrots in cages",
    "d5": "power for the treasury",
}


def write_documents(path: Path, texts: dict[str, str]) -> None:
    path.write_text("".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in texts.items()))


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    return given_plan(tmp_path)


def given_plan(tmp_path: Path) -> Plan:
    write_documents(tmp_path / "true.jsonl", TEXTS)
    write_documents(tmp_path / "noisy.jsonl", {i: t.replace("w", "vv") for i, t in TEXTS.items()})
    (tmp_path / "topics.tsv").write_text("q1\tsolar power in florida\nq2\tparrots\n")
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq2 0 d4 1\n")
    versions = {"true": "true.jsonl", "noisy": "noisy.jsonl"}
    systems = ("bm25", "eth(n=3, slots=true)")
    return Plan("topics.tsv", "qrels.txt", versions, systems, aligned=1, training=2, folder=tmp_path)


def contents(results: CompletedRuns) -> dict[tuple[str, str], bytes]:
    return {(v, s): path.read_bytes() for v, found in results.runs.items() for s, path in found.items()}


def cells_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, do: str, when: str = "True") -> None:
    """Make every process of a cell do something before it begins."""
    code = (
        "import os, sys, time, signal, subprocess, resource\n"
        "if 'adjudge.experiment.cell_copies' in sys.orig_argv:\n"
        "    import adjudge.experiment.cell as cell\n"
        "    ordinary = cell.main\n"
        "    def main(arguments):\n"
        f"        request = open(arguments[0]).read()\n        if {when}:\n            {do}\n"
        "        return ordinary(arguments)\n"
        "    cell.main = main\n"
    )
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(code)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))


# -- names ------------------------------------------------------------------------------------------------------------


def test_any_name_that_can_be_seen_will_do(plan: Plan, tmp_path: Path) -> None:
    names = ["a/b", "../../escape", "Über 5 %", "字" * 300, "x" * 300, "x" * 301, ".hidden", "-"]
    versions = dict.fromkeys(names, "true.jsonl")
    made = run(replace(plan, versions=versions, systems=("bm25",)), tmp_path / "out")
    assert len(set(contents(made).values())) == 1
    assert len({path.parent for found in made.runs.values() for path in found.values()}) == len(names)
    assert {p.name for p in tmp_path.iterdir()} == {"true.jsonl", "noisy.jsonl", "topics.tsv", "qrels.txt", "out"}


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "\x1b[31m"])
def test_a_name_that_cannot_be_seen_is_refused(plan: Plan, name: str) -> None:
    with pytest.raises(SpecError, match="a version needs a name"):
        replace(plan, versions={name: "true.jsonl"})


def test_names_that_share_a_file_are_refused(plan: Plan, tmp_path: Path) -> None:
    versions = {"5 %": "true.jsonl", slug("5 %"): "noisy.jsonl"}
    with pytest.raises(SpecError, match="would both be kept as"):
        run(replace(plan, versions=versions), tmp_path / "out")


def test_names_of_files_fit_into_a_file_system() -> None:
    for name in ("x" * 1000, "字" * 1000, "\U0001f600" * 60, "字 " * 60):
        assert len(slug(name).encode()) <= 110
    assert slug("gmu962") == "gmu962"
    assert slug("5 %").startswith("5-")


# -- what is kept -----------------------------------------------------------------------------------------------------


def half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def nothing(path: Path) -> None:
    path.write_bytes(b"")


def other(path: Path) -> None:
    path.write_bytes(b"3\n" if path.suffix != ".zst" else b"\x28\xb5\x2f\xfd" + b"\xff" * 20)


RESULTS = ("work/survey-*.json.zst", "work/sample-*.jsonl", "runs/*/*.run.zst")
WORK = (
    "runs/*/*.json",
    "work/*/index-*/manifest.json",
    "work/*/index-*/adjudge-data-*/*",
    "work/*/flat-*/offsets.npy",
    "work/*/flat-*/characters",
)
"""What is looked at only when a cell is done again, as without its record."""


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Plan, Path]:
    """A plan and its results."""
    folder = tmp_path_factory.mktemp("finished")
    made = given_plan(folder)
    run(made, folder / "out")
    return made, folder / "out"


@pytest.fixture
def done(finished: tuple[Plan, Path], tmp_path: Path) -> tuple[Plan, Path]:
    """The same with a copy of the results."""
    shutil.copytree(finished[1], tmp_path / "out")
    return finished[0], tmp_path / "out"


def whole(done: tuple[Plan, Path]) -> dict[tuple[str, str], bytes]:
    """What the runs must be, from the results that nobody touches."""
    return contents(run(done[0], done[0].folder / "out"))


@pytest.mark.parametrize("damage", [half, nothing, other])
@pytest.mark.parametrize("kinds", [RESULTS, WORK])
def test_damaged_files_are_made_again(
    done: tuple[Plan, Path], kinds: tuple[str, ...], damage: Callable[[Path], None]
) -> None:
    plan, out = done
    for kind in kinds:
        files = list(out.glob(kind))
        assert files
        for file in files:
            damage(file)
    assert contents(run(plan, out)) == whole(done)


def test_a_run_of_another_cell_is_not_taken_for_this_one(done: tuple[Plan, Path]) -> None:
    plan, out = done
    made = run(plan, out)
    made.runs["true"]["bm25"].write_bytes(made.runs["noisy"]["eth(n=3, slots=true)"].read_bytes())
    assert contents(run(plan, out)) == whole(done)


def test_records_without_a_checksum_are_still_good(done: tuple[Plan, Path]) -> None:
    plan, out = done
    for path in out.glob("runs/*/*.json"):
        record = json.loads(path.read_text())
        path.write_text(json.dumps({k: v for k, v in record.items() if k not in {"checksum", "empty"}}))
    heard = Recorder()
    run(plan, out, progress=heard)
    assert not heard.lines()


def test_a_run_without_its_record_is_made_again(done: tuple[Plan, Path]) -> None:
    plan, out = done
    (out / "runs" / "true" / "bm25.json").unlink()
    half(out / "runs" / "true" / "bm25.run.zst")
    heard = Recorder()
    assert contents(run(plan, out, progress=heard)) == whole(done)
    assert heard.lines() == ["bm25 on true"]
    assert heard.counts("experiment") == [heard.only("experiment").total - 1, heard.only("experiment").total]


def test_changed_questions_and_judgments_count(plan: Plan, tmp_path: Path) -> None:
    run(plan, tmp_path / "out")
    (tmp_path / "topics.tsv").write_text("q1\tplains\nq2\tparrots\n")
    heard = Recorder()
    made = run(plan, tmp_path / "out", progress=heard)
    assert len(heard.lines()) == 4
    assert [d for t, d, _ in made.run("true", "bm25").rows() if t == "q1"] == ["d2"]
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\n")
    assert run(plan, tmp_path / "out").topics == ("q1",)


def test_a_changed_file_of_concepts_counts(plan: Plan, tmp_path: Path) -> None:
    written = tmp_path / "concepts.txt"
    written.write_text("q1 solar\nq2 cages\n")
    by_hand = replace(plan, systems=(f"anu(concepts={written})",))
    first = contents(run(by_hand, tmp_path / "out"))
    written.write_text("q1 wind\nq2 cages\n")
    assert contents(run(by_hand, tmp_path / "out")) != first


@pytest.mark.slow
@pytest.mark.processes
def test_versions_of_the_same_documents_side_by_side(plan: Plan, tmp_path: Path) -> None:
    versions = {f"copy {i}": "true.jsonl" for i in range(4)}
    made = run(replace(plan, versions=versions), tmp_path / "out", workers=4)
    assert len(set(contents(made).values())) == 2, "two systems"


def test_few_documents_are_shared_out(plan: Plan, tmp_path: Path) -> None:
    made = run(replace(plan, aligned=40, training=100), tmp_path / "out")
    assert tuple(map(str, made.notes)) == (
        "3 documents are not a target: 0 of them show errors, 3 serve regression, instead of 40 and 100",
    )


def test_ids_that_are_no_unicode(plan: Plan, tmp_path: Path) -> None:
    for name in ("true", "noisy"):
        (tmp_path / f"{name}.trec").write_bytes(
            b"".join(f"<DOC><DOCNO>{i}</DOCNO>{t}</DOC>\n".encode() for i, t in TEXTS.items())
            + b"<DOC><DOCNO>d\xff</DOCNO>power</DOC>\n"
            + (b"<DOC><DOCNO>more</DOCNO>power</DOC>\n" if name == "true" else b"")
        )
    made = run(replace(plan, versions={"true": "true.trec", "noisy": "noisy.trec"}), tmp_path / "out")
    assert made.documents == 6


# -- questions --------------------------------------------------------------------------------------------------------


def test_a_system_that_finds_nothing_is_an_answer(plan: Plan, tmp_path: Path) -> None:
    write_documents(tmp_path / "noisy.jsonl", dict.fromkeys(TEXTS, "#" * 9))
    some = replace(plan, systems=("bm25", "rutgers", "anu", "gmu", "fusion(of=[bm25, gmu])"))
    made = run(some, tmp_path / "out")
    assert [record.retrieved for record in made.records["noisy"].values()] == [0] * 5
    assert "bm25 on noisy: no document was retrieved for any question" in map(str, made.notes)
    assert made.run("noisy", "bm25") == Run.empty()
    with pytest.raises(DataError, match="empty: only comments and blank lines"):
        read_run(made.runs["noisy"]["bm25"])
    heard = Recorder()
    assert run(some, tmp_path / "out", progress=heard).notes == made.notes
    assert not heard.lines()


def test_an_empty_question_counts(plan: Plan, tmp_path: Path) -> None:
    (tmp_path / "topics.tsv").write_text("q1\tsolar\nq2\t\n")
    made = run(plan, tmp_path / "out")
    assert made.topics == ("q1", "q2")
    assert tuple(map(str, made.notes)) == ("topic q2: no title, counted as not found",)


def test_topics_twice(plan: Plan, tmp_path: Path) -> None:
    (tmp_path / "topics.tsv").write_text("q1\tsolar\nq1\twind\n")
    with pytest.raises(ConflictError, match="q1 occurs twice"):
        run(plan, tmp_path / "out")


# -- crashes and kills ------------------------------------------------------------------------------------------------

ON_TRUE = "'true.jsonl' in request and 'bm25' in request"


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.parametrize(
    ("do", "why"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", "bm25 on true: ended by SIGSEGV"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "bm25 on true: ended by SIGKILL, possibly out of memory"),
        ("os._exit(0)", "bm25 on true: ended without a record"),
        ("sys.stderr.write('no end ' * 10**6 + chr(10) + 'last words'); sys.stderr.flush(); os._exit(3)",
         "bm25 on true: last words"),
        ("os.write(2, bytes([255, 10]) * 10**6); os._exit(1)", "bm25 on true: \ufffd"),
        ("resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))", "bm25 on true: .*File too large"),
        ("subprocess.Popen(['sleep', '1000']); os._exit(4)", "bm25 on true: ended with exit code 4"),
    ],
)  # fmt: skip
def test_a_crash_is_told_and_the_others_are_done(
    plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, do: str, why: str
) -> None:
    cells_that(tmp_path, monkeypatch, do, ON_TRUE)
    with pytest.raises(CellError, match=f"^{why}$") as caught:
        run(plan, tmp_path / "out")
    assert len(str(caught.value)) < 400
    assert len(list((tmp_path / "out").glob("runs/*/*.run.zst"))) == 3
    assert not list((tmp_path / "out" / "work").glob("request-*"))


@pytest.mark.slow
@pytest.mark.processes
def test_much_on_standard_error_does_no_harm(
    finished: tuple[Plan, Path], plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells_that(tmp_path, monkeypatch, "os.write(2, b'x' * 10**7); os.write(1, b'y' * 10**6)")
    assert contents(run(plan, tmp_path / "out", workers=2)) == contents(run(*finished))


def test_who_hears_may_fail(plan: Plan, tmp_path: Path) -> None:
    (tmp_path / "topics.tsv").write_text("q1\tsolar\nq2\tthe of\n")

    class Broken(Recorder):
        def note(self, note: Note, task: Task | None = None) -> None:
            raise BrokenPipeError(32, "Broken pipe")

    heard = Broken()
    with pytest.raises(BrokenPipeError):
        run(plan, tmp_path / "out", progress=heard)
    assert any(heard.ended[task] for task in heard.begun if task.kind == "cell")
    assert heard.ended[heard.only("experiment")]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def soon(true: Callable[[], bool]) -> bool:
    for _ in range(400):
        if true():
            return True
        time.sleep(0.05)
    return False


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("all_at_once", [False, True])
def test_nothing_outlives_an_experiment(
    plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: signal.Signals, all_at_once: bool
) -> None:
    pids = tmp_path / "pids"
    do = (
        "child = subprocess.Popen(['sleep', '1000']); import adjudge.experiment.cell as c; "
        f"c.end_with_parent(); open({str(pids)!r}, 'a').write(f'{{os.getpid()}} {{child.pid}} '); "
        "time.sleep(1000)"
    )
    cells_that(tmp_path, monkeypatch, do)
    names = ["true.jsonl", "noisy.jsonl", "topics.tsv", "qrels.txt"]
    arguments = [*(str(tmp_path / name) for name in names), "-o", str(tmp_path / "out"), "-s", "bm25", "-s", "gmu"]
    code = "import sys; from adjudge.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "confusion", *arguments, "--workers", "2"]
    job = subprocess.Popen(command, start_new_session=True, stderr=subprocess.PIPE, text=True)
    try:
        assert soon(lambda: pids.exists() and len(pids.read_text().split()) == 4)
        (os.killpg if all_at_once else os.kill)(job.pid, how)
        _, said = job.communicate(timeout=200)  # on a busy machine everything takes its time
    finally:
        job.kill()
        job.communicate()
    code_of_job = job.returncode
    if how == signal.SIGINT:
        assert code_of_job == 130
        assert "Traceback" not in said
        assert "failed" not in said, "no system has: it was interrupted"
    assert soon(lambda: not any(alive(int(pid)) for pid in pids.read_text().split()))
    assert len(pids.read_text().split()) == 4, "no other cell was begun"


def test_one_experiment_at_a_time(plan: Plan, tmp_path: Path) -> None:
    class Second(Recorder):
        def begin(self, task: Task) -> None:
            if not self.begun:
                with pytest.raises(ConflictError, match="another experiment is at work"):
                    run(plan, tmp_path / "out")
            super().begin(task)

    heard = Second()
    run(plan, tmp_path / "out", progress=heard)
    assert heard.begun


@pytest.mark.parametrize("place", ["", "/work", "/runs", "/runs/true"])
def test_results_that_cannot_be_written(plan: Plan, tmp_path: Path, place: str) -> None:
    in_the_way = tmp_path / f"out{place}"
    in_the_way.parent.mkdir(parents=True, exist_ok=True)
    in_the_way.write_text("")
    with pytest.raises(DataError, match=f"out{place}.*: (cannot be written|not a folder)") as caught:
        run(plan, tmp_path / "out")
    assert "\n" not in str(caught.value)
