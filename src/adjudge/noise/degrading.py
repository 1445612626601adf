"""Degrading a corpus: a job on several processes that can be killed at any moment and goes on where it was.

OUT/documents.jsonl.zst   the degraded documents in the order of the corpus, when all are done
OUT/documents.trec.gz     the same as TREC SGML
OUT/manifest.json         settings, source, counts, speed; written last
OUT/failures.csv          pages that could not be read, if there are any
OUT/.work/                while the job lasts: what it is, and the journal of what is finished
"""

from __future__ import annotations

import math
import os
import time
from array import array
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path

from ..core.document import Document, Documents
from ..core.errors import ConflictError, DataError, SpecError
from ..core.note import Note
from ..core.progress import SILENT, Listener, Step
from ..core.result import Result
from ..formats.documents.document_writing import DocumentWriter, endings, refuse_trec_id
from ..formats.documents.produced import FILES, MANIFEST, SECONDS
from ..formats.writing import write
from ..storage.access import concerns, unreadable
from ..storage.digest import Digest
from .crew import Crew
from .degrader import Degrader
from .job import FAILURES, Job, JobSource, manifest_of, own_folder
from .journal import DamagedJournalError, Journal

FORMATS = ("jsonl.zst", "trec.gz")
BASE = 300
"""Characters that an empty document counts as much as, when the time left is estimated."""


@dataclass(frozen=True)
class JobOutcome(Result):
    """What a finished job came to."""

    output: Path
    documents: int
    pages: int
    failed_pages: int
    """Pages that could not be read, a document that could not be degraded at all counted as one."""
    failed_documents: int
    """Documents with such pages."""
    seconds: float
    pages_per_second: float
    """Of the session that finished it; NaN if that one had only files to write."""
    kept: int = 0
    """Documents that an earlier session had finished."""
    dropped: int = 0
    """Bytes of a torn record that a killed session had left."""
    notes: dict[str, int] = field(default_factory=dict)
    """How often something happened, in words, as the manifest tells it."""
    files: tuple[Path, ...] = ()


def degrade(
    documents: Documents,
    degrader: Degrader,
    output: str | os.PathLike[str],
    *,
    workers: int = 2,
    formats: Sequence[str] = FORMATS,
    progress: Listener = SILENT,
    restart: bool = False,
) -> JobOutcome:
    """Degrade all documents into a folder; a job that was killed goes on if it is called again with the same settings.

    The result is the same whatever the number of workers and however often it was interrupted. A document whose worker
    dies or hangs is tried again; if that fails too, it is left empty and reported, and the job goes on.
    """
    if workers < 1:
        raise SpecError(f"workers must be 1 or more, not {workers}")
    names = [f"documents.{ending}" for ending in dict.fromkeys(formats)]
    if not names:
        raise SpecError("no format to write")
    trec = any(endings(name)[0] in {".trec", ".sgml"} for name in names)
    began, target = time.monotonic(), Path(output)
    with ExitStack() as stack:
        work = stack.enter_context(own_folder(target, restart=restart))
        source, lengths = survey(documents, trec=trec, progress=progress)
        job = Job(source, degrader.settings)
        if not restart and not work.begun and (former := job.finished_manifest(target, names)) is not None:
            return outcome_of(target, former, source.documents, 0.0, 0)
        work.begin(job)
        session = _Session(documents, degrader, lengths, workers, progress, began)
        try:
            journal = stack.enter_context(closing(Journal(work.journal, source.documents)))
            finished = journal.finished
            session.run(journal, source)
            manifest = assemble(journal, target, names, job, session)
        except DamagedJournalError:
            raise
        except DataError as error:
            raise DataError(f"{error}{_stays(work.journal)}") from None
        except OSError as error:
            if not concerns(target, error):  # a document could not be read, which is another matter
                raise unreadable(os.fsdecode(error.filename), error) from None
            raise DataError(f"{target}: cannot be written: {error.strerror or error}{_stays(work.journal)}") from None
        work.done = True
    return outcome_of(target, manifest, finished, session.seconds, journal.dropped)


def _stays(journal: Path) -> str:
    size = journal.stat().st_size if journal.exists() else 0
    return f": what is finished stays ({size:,} bytes in {journal}), and the same command goes on" if size else ""


def survey(documents: Documents, *, trec: bool, progress: Listener) -> tuple[JobSource, array[int]]:
    """One look at the whole corpus: how many documents, how long each, and that no id is wrong or occurs twice."""
    seen: set[str] = set()
    lengths, total = array("q"), Digest()
    with progress.work("look_through", total=documents.size, unit="bytes") as step:
        for document in documents:
            if document.id in seen:
                raise ConflictError(f"document {document.id} occurs twice")
            seen.add(document.id)
            if trec:
                refuse_trec_id(document.id)
            lengths.append(len(document.text))
            total.add(_bytes_of(document))
            step.reach(documents.read, documents=len(lengths))
    if not lengths:
        raise DataError("no documents to degrade")
    return JobSource(len(lengths), sum(lengths), total.hex), lengths


def _bytes_of(document: Document) -> bytes:
    try:
        id_, text = document.id.encode(), document.text.encode()
    except UnicodeEncodeError:
        raise DataError(f"document {document.id!r} has half a surrogate pair, which UTF-8 cannot hold") from None
    return b"%d %d " % (len(id_), len(text)) + id_ + text


class _Session:
    """One stretch of work, from start or resumption to the end."""

    def __init__(
        self,
        documents: Documents,
        degrader: Degrader,
        lengths: array[int],
        workers: int,
        progress: Listener,
        began: float,
    ) -> None:
        self.documents, self.degrader, self.lengths = documents, degrader, lengths
        self.workers, self.progress, self.began = workers, progress, began
        self.pages = 0
        self.seconds = self.working = 0.0

    def run(self, journal: Journal, source: JobSource) -> None:
        """Have all documents degraded that are not in the journal yet."""
        todo = sum(n + BASE for n, at in zip(self.lengths, journal.places, strict=True) if at < 0)
        started, work = time.monotonic(), 0
        if todo:
            with (
                self.progress.work(self.degrader.task, total=todo, unit="characters") as step,
                Crew(self.degrader, self.workers) as crew,
                closing(self._tasks(journal, source)) as tasks,
            ):
                self._say(step, 0, journal, source)
                for done in crew.all(tasks, 2 * self.workers):
                    journal.append(done)
                    self.pages += done.result.pages
                    work += self.lengths[done.number] + BASE
                    self.working = time.monotonic() - started
                    self._say(step, work, journal, source)
            journal.sync()
        self.seconds = time.monotonic() - self.began

    def _say(self, step: Step, work: int, journal: Journal, source: JobSource) -> None:
        documents = journal.finished
        step.reach(
            work, documents=documents, of=source.documents, kept=documents, pages=self.pages, failed=journal.failed
        )

    def _tasks(self, journal: Journal, source: JobSource) -> Generator[tuple[int, Document], None, None]:
        total, number = Digest(), -1
        for number, document in enumerate(self.documents):
            total.add(_bytes_of(document))
            if number >= source.documents:
                break
            if journal.places[number] < 0:
                yield number, document
        if number + 1 != source.documents or total.hex != source.fingerprint:
            raise ConflictError("the documents changed while they were degraded: start anew with --restart")


def assemble(journal: Journal, target: Path, names: Sequence[str], job: Job, session: _Session) -> dict[str, object]:
    """Write the final files from the journal, in the order of the corpus, and the manifest last."""
    import csv
    import io

    from ..formats.writing import csv_cell

    notes: Counter[Note] = Counter()
    empty = characters = failed_documents = 0
    worked, table = 0.0, io.StringIO()
    rows = csv.writer(table, lineterminator="\n")
    rows.writerow(["document", "failure"])
    with ExitStack() as stack:
        step = stack.enter_context(session.progress.work("write", total=journal.finished, unit="documents"))
        writers = [stack.enter_context(DocumentWriter(target / name)) for name in names]
        for count, done in enumerate(journal, 1):
            result = done.result
            for writer in writers:
                writer.add(Document(result.id, result.text))
            rows.writerows([csv_cell(result.id), csv_cell(failure)] for failure in result.failures)
            failed_documents += bool(result.failures)
            empty += not result.text.strip()
            characters += len(result.text)
            worked += done.seconds
            notes.update(result.notes)
            step.reach(count, documents=count, of=journal.finished, kept=journal.finished, failed=journal.failed)
    if journal.failed:
        write(target / FAILURES, table.getvalue().encode("utf-8", "surrogatepass"))
    session.seconds = time.monotonic() - session.began
    manifest = manifest_of(
        job,
        target,
        names,
        pages=journal.pages,
        failed_pages=journal.failed,
        failed_documents=failed_documents,
        empty_documents=empty,
        characters=characters,
        notes=_in_words(notes),
        workers=session.workers,
        worker_seconds=round(worked, 3),
        **{SECONDS: round(session.seconds, 3)},
        pages_per_second=round(session.pages / session.working, 3) if session.pages else None,
    )
    job.close(target, manifest, failures=bool(journal.failed))
    return manifest


def _in_words(notes: Counter[Note]) -> dict[str, int]:
    """Notes as a manifest tells people of them, the most frequent first; nothing is decided by these words."""
    counts: Counter[str] = Counter()
    for note, times in notes.most_common():
        counts[str(note)] += times
    return dict(counts)


def outcome_of(target: Path, manifest: dict[str, object], finished: int, seconds: float, dropped: int) -> JobOutcome:
    """What a manifest says, as a value."""

    def number(name: str) -> int:
        value = manifest[name]
        if not isinstance(value, int):
            raise DataError(f"{target}: {MANIFEST}: {name} is {value!r}, not a number")
        return value

    speed, notes, files = manifest["pages_per_second"], manifest["notes"], manifest[FILES]
    if not isinstance(notes, dict) or not isinstance(files, dict):
        raise DataError(f"{target}: {MANIFEST} is damaged")
    return JobOutcome(
        target,
        number("documents"),
        number("pages"),
        number("failed_pages"),
        number("failed_documents"),
        seconds,
        float(speed) if isinstance(speed, int | float) else math.nan,
        finished,
        dropped,
        notes,
        tuple(target / name for name in files),
    )
