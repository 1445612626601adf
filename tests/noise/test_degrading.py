"""Jobs: the same result however often they are killed, whoever dies, and whatever the disk does."""

from __future__ import annotations

import csv
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.core.document import Document, Documents, InMemory
from adjudge.core.errors import ConflictError, DataError, SpecError
from adjudge.core.note import Fact, Note
from adjudge.core.progress import Task
from adjudge.formats.documents import read_documents
from adjudge.noise.crew import BUNDLE
from adjudge.noise.degrader import Degraded, Degrader
from adjudge.noise.degrading import degrade
from adjudge.noise.journal import DamagedJournalError, Finished, Journal
from degraders import Reversing
from recorder import Recorder

DOCUMENTS = InMemory(Document(f"d{n}", f"text of {n} " * (n % 40)) for n in range(60))
FINAL = ("documents.jsonl.zst", "documents.trec.gz")


def contents(folder: Path) -> list[bytes]:
    return [(folder / name).read_bytes() for name in FINAL]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """What an undisturbed job with one worker writes."""
    folder = tmp_path_factory.mktemp("expected") / "out"
    degrade(DOCUMENTS, Reversing(), folder, workers=1)
    return contents(folder)


def test_everything_is_degraded_and_in_order(tmp_path: Path) -> None:
    heard = Recorder()
    outcome = degrade(DOCUMENTS, Reversing(), tmp_path / "out", progress=heard)
    for name in FINAL:
        read = list(read_documents(tmp_path / "out" / name))
        assert [d.id for d in read] == [d.id for d in DOCUMENTS]
        assert [d.text for d in read] == [d.text[::-1].strip() for d in DOCUMENTS]
    pages = sum(1 + len(d.text) // 50 for d in DOCUMENTS)
    assert (outcome.documents, outcome.pages, outcome.failed_pages, outcome.kept) == (60, pages, 0, 0)
    assert outcome.notes == {"U+200B has no shape, nothing was printed": 20}
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["notes"] == outcome.notes
    assert sorted(os.listdir(tmp_path / "out")) == [*FINAL, "manifest.json"]
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert (manifest["documents"], manifest["pages"], manifest["failed_pages"]) == (60, pages, 0)
    assert manifest["settings"] == {"degrader": "reversing", "nested": {"slow": 0}}
    assert manifest["source"]["characters"] == sum(len(d.text) for d in DOCUMENTS)
    assert heard.kinds() == ["look_through", "degrade", "write"]
    assert heard.facts("degrade", "documents") == list(range(61))
    assert heard.counts("degrade")[-1] == heard.only("degrade").total
    assert heard.facts("degrade", "pages")[-1] == pages
    assert heard.facts("write", "kept") == [60] * 60


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2, 5])
def test_the_number_of_workers_changes_nothing(workers: int, tmp_path: Path, expected: list[bytes]) -> None:
    degrade(DOCUMENTS, Reversing(slow=0.002), tmp_path, workers=workers)
    assert contents(tmp_path) == expected


SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from degraders import Reversing
from adjudge.core.document import Document, InMemory
from adjudge.noise.degrading import degrade
documents = InMemory(Document(f"d{n}", f"text of {n} " * (n % 40)) for n in range(60))
outcome = degrade(documents, Reversing(slow=float(sys.argv[3])), sys.argv[2])
print(outcome.kept)
"""


def job(folder: Path, slow: float, **options: object) -> subprocess.Popen[str]:
    arguments = [sys.executable, "-c", SCRIPT, str(Path(__file__).parents[1]), str(folder), str(slow)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)  # type: ignore[call-overload,no-any-return]


@pytest.mark.slow
def test_killed_at_any_moment(tmp_path: Path, expected: list[bytes]) -> None:
    rng, journal = random.Random(6), tmp_path / "out" / ".work" / "journal"
    for _ in range(4):
        before = journal.stat().st_size if journal.exists() else 0
        running = job(tmp_path / "out", 0.02)
        enough = before + rng.randrange(400)
        while running.poll() is None and not (journal.exists() and journal.stat().st_size > enough):
            time.sleep(0.001)
        time.sleep(rng.uniform(0, 0.03))
        running.kill()
        _, said = running.communicate()
        assert running.returncode in {0, -signal.SIGKILL}, said
        if running.returncode == 0:
            break
        assert journal.stat().st_size >= before, "what was finished stays"
    outcome = degrade(DOCUMENTS, Reversing(), tmp_path / "out")
    assert outcome.kept > 0
    assert contents(tmp_path / "out") == expected
    assert not (tmp_path / "out" / ".work").exists()


@pytest.mark.slow
def test_interrupted_by_ctrl_c_it_ends_its_workers_and_goes_on(tmp_path: Path, expected: list[bytes]) -> None:
    running = job(tmp_path / "out", 0.1)
    journal = tmp_path / "out" / ".work" / "journal"
    await_size(journal, 1)
    workers = children(running.pid)
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=120)
    assert running.returncode != 0
    assert workers
    assert not any(alive(worker) for worker in workers)
    outcome = degrade(DOCUMENTS, Reversing(), tmp_path / "out")
    assert 0 < outcome.kept < 60
    assert contents(tmp_path / "out") == expected


def test_no_worker_outlives_a_job_that_was_killed(tmp_path: Path) -> None:
    running = job(tmp_path / "out", 60.0)
    await_size(tmp_path / "out" / ".work" / "journal", 0)
    for _ in range(200):
        if workers := children(running.pid):
            break
        time.sleep(0.05)
    running.kill()
    running.communicate()
    for _ in range(200):
        if not any(alive(worker) for worker in workers):
            return
        time.sleep(0.05)
    pytest.fail("a worker lives on")


def await_size(path: Path, size: int) -> None:
    for _ in range(600):
        if path.exists() and path.stat().st_size >= size:
            return
        time.sleep(0.05)
    pytest.fail(f"{path} does not grow")


def children(pid: int) -> list[int]:
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(word) for word in listed.stdout.split()]


def alive(pid: int) -> bool:
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return bool(state.strip()) and not state.startswith("Z")


def failures(folder: Path) -> list[list[str]]:
    with (folder / "failures.csv").open(newline="") as file:
        return list(csv.reader(file))[1:]


@pytest.mark.slow
def test_dead_hanging_and_failing_workers_cost_only_their_document(tmp_path: Path) -> None:
    troubled = Reversing(
        dies=("d3",), exits=("d5",), hangs=("d9",), raises=("d7",), surrogates=("d11",), failing=("d50",), limit=1.0
    )
    outcome = degrade(DOCUMENTS, troubled, tmp_path / "out")
    assert failures(tmp_path / "out") == [
        ["d3", "document: the worker process was ended by SIGKILL, 2 times"],
        ["d5", "document: the worker process ended with exit code 7, 2 times"],
        ["d7", "document: ValueError: no way with d7, 2 times"],
        ["d9", "document: no answer after 1 s, 2 times"],
        ["d11", failures(tmp_path / "out")[4][1]],
        ["d50", "page 2: the engine crashed"],
    ]
    assert "surrogates not allowed" in failures(tmp_path / "out")[4][1]
    assert (outcome.failed_pages, outcome.failed_documents) == (6, 6)
    texts = {d.id: d.text for d in read_documents(tmp_path / "out" / FINAL[0])}
    assert [n for n in texts if not texts[n]] == ["d0", "d3", "d5", "d7", "d9", "d11", "d40"]
    assert texts["d50"] == ("text of 50 " * 10)[::-1].strip()


@pytest.mark.slow
def test_a_worker_that_dies_once_costs_nothing(tmp_path: Path, expected: list[bytes]) -> None:
    (tmp_path / "marks").mkdir()
    outcome = degrade(
        DOCUMENTS, Reversing(dies_once=("d1", "d33", "d59"), marks=str(tmp_path / "marks")), tmp_path / "o"
    )
    assert outcome.failed_pages == 0
    assert contents(tmp_path / "o") == expected


def test_an_error_that_concerns_all_ends_the_job_and_keeps_what_is_done(tmp_path: Path, expected: list[bytes]) -> None:
    with pytest.raises(SpecError, match="cannot work: d30"):
        degrade(DOCUMENTS, Reversing(refuses=("d30",)), tmp_path, workers=1)
    assert degrade(DOCUMENTS, Reversing(), tmp_path, workers=1).kept == 30
    assert contents(tmp_path) == expected


def test_a_finished_job_is_not_done_again(tmp_path: Path, expected: list[bytes]) -> None:
    degrade(DOCUMENTS, Reversing(failing=("d50",)), tmp_path, workers=1)
    before = (tmp_path / FINAL[0]).stat().st_mtime_ns
    again = degrade(DOCUMENTS, Reversing(), tmp_path)
    assert (again.kept, again.failed_pages) == (60, 1)
    assert (tmp_path / FINAL[0]).stat().st_mtime_ns == before
    assert (tmp_path / "failures.csv").exists()
    anew = degrade(DOCUMENTS, Reversing(), tmp_path, restart=True, formats=("jsonl.zst",), workers=1)
    assert (anew.kept, anew.failed_pages) == (0, 0)
    assert sorted(os.listdir(tmp_path)) == [FINAL[0], "manifest.json"], "stale files are gone"
    assert (tmp_path / FINAL[0]).read_bytes() == expected[0]
    with pytest.raises(ConflictError, match=r"finished without documents\.trec\.gz"):
        degrade(DOCUMENTS, Reversing(), tmp_path)
    (tmp_path / FINAL[0]).write_bytes(b"")
    with pytest.raises(DataError, match="not as it was written"):
        degrade(DOCUMENTS, Reversing(), tmp_path, formats=("jsonl.zst",))


class Other(Reversing):
    """The same with another parameter."""

    @property
    def settings(self) -> dict[str, object]:
        return {"degrader": "reversing", "nested": {"slow": 1}}


@pytest.mark.parametrize("finished", [False, True])
def test_other_settings_or_documents_are_refused(finished: bool, tmp_path: Path) -> None:
    if finished:
        degrade(DOCUMENTS, Reversing(), tmp_path, workers=1)
    else:
        with pytest.raises(SpecError):
            degrade(DOCUMENTS, Reversing(refuses=("d30",)), tmp_path, workers=1)
    with pytest.raises(ConflictError, match=r"begun with nested.slow 0, not 1: .*--restart"):
        degrade(DOCUMENTS, Other(), tmp_path)
    changed = InMemory([*list(DOCUMENTS)[:-1], Document("d59", "changed")])
    with pytest.raises(ConflictError, match="other documents"):
        degrade(changed, Reversing(), tmp_path)


def test_a_damaged_manifest_is_started_anew_if_that_is_asked_for(tmp_path: Path) -> None:
    degrade(DOCUMENTS, Reversing(), tmp_path, workers=1)
    manifest = tmp_path / "manifest.json"
    whole = manifest.read_text()
    manifest.write_text(whole[: len(whole) // 2])
    with pytest.raises(DataError, match=r"manifest\.json: damaged: not JSON: .*: start anew with --restart"):
        degrade(DOCUMENTS, Reversing(), tmp_path)
    degrade(DOCUMENTS, Reversing(), tmp_path, restart=True, workers=1)
    assert json.loads(manifest.read_text())["documents"] == len(list(DOCUMENTS))


@pytest.mark.parametrize("name", ["documents.jsonl.zst", "manifest.json", ".work"])
def test_a_job_follows_no_link_out_of_its_folder(tmp_path: Path, name: str) -> None:
    documents = InMemory([Document("a", "one two three")])
    degrade(documents, Reversing(), tmp_path / "out", workers=1)
    victim = tmp_path / "victim"
    if name == ".work":
        victim.mkdir()
    else:
        (tmp_path / "out" / name).rename(victim)
    (tmp_path / "out" / name).symlink_to(victim)
    before = victim.read_bytes() if victim.is_file() else b""
    for restart in (False, True):
        with pytest.raises(ConflictError, match=f"{name}: a link that leads out of the folder"):
            degrade(documents, Reversing(), tmp_path / "out", workers=1, restart=restart)
    assert (victim.read_bytes() if victim.is_file() else b"") == before
    assert victim.is_file() or not list(victim.iterdir())


def test_folders_that_are_not_ours(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("x")
    with pytest.raises(DataError, match="holds precious and no noise job"):
        degrade(DOCUMENTS, Reversing(), tmp_path)
    with pytest.raises(DataError, match="precious: not a folder"):
        degrade(DOCUMENTS, Reversing(), tmp_path / "precious")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "manifest.json").write_text('{"kind": "adjudge index"}')
    with pytest.raises(DataError, match="not the manifest of a noise job"):
        degrade(DOCUMENTS, Reversing(), tmp_path / "other", restart=True)
    with pytest.raises(SpecError, match="workers"):
        degrade(DOCUMENTS, Reversing(), tmp_path / "new", workers=0)
    assert sorted(os.listdir(tmp_path)) == ["other", "precious"]


@pytest.mark.parametrize(
    ("documents", "error", "why"),
    [
        ([Document("a", "x"), Document("a", "y")], ConflictError, "document a occurs twice"),
        ([Document("a b", "x")], DataError, "'a b' cannot be written as TREC SGML"),
        ([Document("a", "\ud800")], DataError, "half a surrogate pair"),
        ([], DataError, "no documents"),
    ],
)
def test_bad_documents_are_found_before_the_work(
    documents: Sequence[Document], error: type[Exception], why: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=why):
        degrade(InMemory(documents), Reversing(), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_ids_with_blanks_are_for_jsonl(tmp_path: Path) -> None:
    degrade(InMemory([Document("a b", "xyz")]), Reversing(), tmp_path, formats=("jsonl.zst",))
    assert list(read_documents(tmp_path / FINAL[0])) == [Document("a b", "zyx")]


class Changing(Documents):
    """Says something else each time."""

    def __init__(self) -> None:
        self.passes = 0

    def __iter__(self):  # type: ignore[no-untyped-def]
        self.passes += 1
        yield Document("a", f"pass {self.passes}")


def test_documents_that_change_meanwhile(tmp_path: Path) -> None:
    with pytest.raises(ConflictError, match="changed while"):
        degrade(Changing(), Reversing(), tmp_path)


def test_two_jobs_at_a_time(tmp_path: Path) -> None:
    running = job(tmp_path / "out", 60.0)
    await_size(tmp_path / "out" / ".work" / "journal", 0)
    with pytest.raises(ConflictError, match="another job is at work"):
        degrade(DOCUMENTS, Reversing(), tmp_path / "out")
    running.kill()
    running.communicate()


LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[4]), int(sys.argv[4])))
"""


@pytest.mark.slow
@pytest.mark.parametrize("room", [700, 3000, 4500])
def test_a_full_disk_loses_nothing(room: int, tmp_path: Path, expected: list[bytes]) -> None:
    """A limit on the size of files does what a full disk does: the journal, or a final file, cannot grow."""
    code = LIMITED + SCRIPT.replace("outcome = ", "from adjudge.core.errors import DataError\ntry:\n outcome = ")
    code = code.replace("print(outcome.kept)", "except DataError as error:\n sys.exit(str(error))")
    arguments = [sys.executable, "-c", code, str(Path(__file__).parents[1]), str(tmp_path / "out"), "0", str(room)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "cannot be written: File too large" in done.stderr
    assert "what is finished stays" in done.stderr
    assert degrade(DOCUMENTS, Reversing(), tmp_path / "out", workers=1).kept > 0
    assert contents(tmp_path / "out") == expected


def test_an_unwritable_folder(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    me = os.geteuid()
    if me == 0:  # who may write anywhere
        os.seteuid(65534)
    try:
        with pytest.raises(DataError, match="cannot be written: Permission denied"):
            degrade(DOCUMENTS, Reversing(), tmp_path / "out")
    finally:
        os.seteuid(me)
        tmp_path.chmod(0o700)


def test_a_long_document_does_not_hold_up_the_others(tmp_path: Path) -> None:
    """With two workers all short documents are done while one is at the long one; each has a bundle of its own."""
    text = "short" * (BUNDLE // 5)
    documents = InMemory([Document("d0", f"long {text}"), *(Document(f"d{n}", text) for n in range(1, 8))])
    short = len(text) + 300

    class Ending(Recorder):
        def reach(self, task: Task, done: int, facts: Mapping[str, Fact]) -> None:
            super().reach(task, done, facts)
            if task.kind == "degrade" and done == 7 * short:
                (tmp_path / "go").touch()  # the long one ends when all others have

    heard = Ending()
    degrade(documents, Reversing(waits=("d0",), marks=str(tmp_path)), tmp_path / "out", workers=2, progress=heard)
    assert heard.counts("degrade")[:-1] == [n * short for n in range(8)], "the long one came last"
    assert [d.id for d in read_documents(tmp_path / "out" / FINAL[0])] == [d.id for d in documents]


def test_a_folder_where_nothing_can_be_made() -> None:
    with pytest.raises(DataError, match="/proc/none: cannot be written"):
        degrade(DOCUMENTS, Reversing(), "/proc/none")


def test_a_degrader_that_workers_cannot_make(tmp_path: Path) -> None:
    class Local(Reversing):
        pass

    with pytest.raises(SpecError, match=r"worker processes cannot have: .*Local"):
        degrade(DOCUMENTS, Local(), tmp_path)


RESULTS = st.builds(
    Degraded,
    st.text(min_size=1),
    st.text(),
    st.integers(0, 9),
    st.lists(st.text(), max_size=2).map(tuple),
    st.dictionaries(st.builds(Note, st.text(), st.text()), st.integers(0, 9), max_size=2),
)


@given(st.lists(RESULTS, min_size=1, max_size=8), st.randoms(use_true_random=False), st.data())
@settings(max_examples=60)
def test_a_torn_journal_keeps_all_whole_records(
    tmp_path_factory: pytest.TempPathFactory, results: list[Degraded], shuffler: random.Random, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("journal") / "journal"
    order = list(range(len(results)))
    shuffler.shuffle(order)
    ends, journal = [0], Journal(path, len(results))
    for number in order:
        journal.append(Finished(number, results[number], 0.5))
        journal.append(Finished(number, results[number]._replace(text="doubled"), 0.5))
        ends.append(path.stat().st_size)
    assert [done.result for done in journal] == results
    journal.close()
    cut = data.draw(st.integers(0, ends[-1]))
    tail = data.draw(st.binary(max_size=30))
    path.write_bytes(path.read_bytes()[:cut] + tail)
    whole = max(n for n, end in enumerate(ends) if end <= cut)
    again = Journal(path, len(results))
    if cut in ends and tail == b"":
        assert again.dropped == 0
    assert again.finished >= whole
    assert [done.number for done in again] == sorted(order[: again.finished])
    for number in order:
        again.append(Finished(number, results[number], 0.5))
    assert [done.result for done in again] == results
    again.close()


def test_a_journal_that_is_damaged_later_says_so(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal", 2)
    for number in (0, 1):
        journal.append(Finished(number, Degraded(str(number), "text"), 0.1))
    raw = bytearray((tmp_path / "journal").read_bytes())
    raw[20] ^= 1
    (tmp_path / "journal").write_bytes(raw)
    with pytest.raises(DamagedJournalError, match="damaged at byte 0"):
        list(journal)
    journal.close()
    raw[20] ^= 1
    (tmp_path / "journal").write_bytes(raw)
    with pytest.raises(DamagedJournalError, match="a document 1 that the corpus has not"):
        Journal(tmp_path / "journal", 1)


def test_patience_grows_with_the_document() -> None:
    assert Degrader.patience(Reversing(), Document("a", "x" * 10_000)) == pytest.approx(1200)
    assert Reversing().description == "degrader reversing, nested {'slow': 0}"
