"""Running a plan: every cell that is not done yet, each in a process of its own.

    RESULTS/
      runs/VERSION/SYSTEM.run.zst      what each system retrieved
      runs/VERSION/SYSTEM.json         its record: spec, times, memory, notes; written last
      plan.json                        the plan, with the topics that count and the documents that were searched
      work/                            surveys, samples, indexes, corrected texts; may be removed at any time

A cell is named by the content of all that it depends on. A second run of the same plan does nothing; a changed
parameter, document or topic makes anew just what depends on it; a kill costs the cells under way.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Lock

import numpy as np

from ..core.errors import AdjudgeError, ConflictError, DataError
from ..core.qrels import Qrels
from ..core.run import Run
from ..formats.documents import read_documents
from ..formats.qrels import read_qrels
from ..formats.runs import read_run
from ..formats.topics import read_topics
from ..formats.writing import write
from ..systems.parts.version import quiet
from .cell import Cell, Record, Request, checksum
from .names import slug, told_apart
from .plan import Plan
from .process import Processes, Say
from .sample import Sample, sample, written
from .survey import Survey, common, digest, survey


class CellError(AdjudgeError):
    """A system failed on a version; the other cells were done."""


@dataclass(frozen=True)
class Results:
    """What came of a plan: runs by version and system, and the record of each."""

    folder: Path
    runs: Mapping[str, Mapping[str, Path]]
    records: Mapping[str, Mapping[str, Record]]
    topics: tuple[str, ...]
    documents: int
    notes: tuple[str, ...]

    def run(self, version: str, name: str) -> Run:
        """A run; one in which nothing was found has a single document that is none, since a run has a line."""
        if self.records[version][name].empty:
            return Run.of_columns(self.topics[:1], ["\0"], np.ones(1), name, name=name)
        return read_run(self.runs[version][name])


@dataclass(frozen=True, eq=False)
class Ground:
    """What all cells stand on."""

    surveys: Mapping[str, Survey]
    kept: frozenset[str]
    questions: dict[str, str]
    topics: tuple[str, ...]
    """Those that count: also topics without a question, which nothing finds."""
    sample: Sample
    notes: tuple[str, ...]


def run(plan: Plan, results: str | Path, *, workers: int = 1, say: Say = quiet, step: Say = quiet) -> Results:
    """Do what is not done yet; cells of different versions may work at the same time.

    ``say`` hears what begins and what systems have to tell, ``step`` how far something is.
    """
    folder = Path(results)
    told_apart(plan.versions)
    told_apart(plan.systems)
    with _alone(folder):
        judgments = read_qrels(plan.path(plan.judgments))
        ground = _ground(plan, judgments, folder, step)
        requests = {name: _requests(plan, name, ground, folder) for name in plan.versions}
        records = _all(requests, folder, workers, say)
        runs = {name: {label: Path(request.run) for label, request in made.items()} for name, made in requests.items()}
        empty = [
            f"{label} on {name}: no question finds a document"
            for name, made in records.items()
            for label, record in made.items()
            if record.empty
        ]
        made = Results(folder, runs, records, ground.topics, len(ground.kept), (*ground.notes, *empty))
        _write_plan(plan, made, ground)
    return made


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """The folder of results, made if need be, while no other experiment works in it."""
    try:
        (folder / "work").mkdir(parents=True, exist_ok=True)
        lock = open(folder / "work" / "lock", "ab")  # noqa: SIM115
    except OSError as error:
        raise DataError(f"{folder}: cannot be written: {error.strerror}") from None
    with lock:
        try:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ConflictError(f"{folder}: another experiment is at work there") from None
        except (ImportError, OSError):  # without locks two experiments at a time are the user's affair
            pass
        yield


def _all(
    requests: Mapping[str, Mapping[str, Request]], folder: Path, workers: int, say: Say
) -> dict[str, dict[str, Record]]:
    """The records of all cells, those that are missing made now; what failed is told when all others are done."""
    records: dict[str, dict[str, Record]] = {name: {} for name in requests}
    failures: list[str] = []
    lock = Lock()

    def heard(said: str) -> None:
        with lock:
            say(said)

    def work(names: Sequence[str]) -> None:
        for name in names:
            for label, request in requests[name].items():
                try:
                    done = _done(request) or _do(request, f"{label} on {name}", folder, heard, processes)
                except CellError as error:
                    failures.append(str(error))
                else:
                    records[name][label] = done

    # Versions with the same documents share indexes, so they go one after the other.
    groups: dict[str, list[str]] = {}
    for name, made in requests.items():
        groups.setdefault(next(iter(made.values())).work, []).append(name)
    with ThreadPoolExecutor(max(1, workers)) as pool, Processes() as processes:
        for outcome in [pool.submit(work, names) for names in groups.values()]:
            outcome.result()
    if failures:
        raise CellError("; ".join(sorted(failures)))
    return records


def _ground(plan: Plan, judgments: Qrels, folder: Path, step: Say) -> Ground:
    surveys = {}
    for name, where in plan.versions.items():
        documents = read_documents(plan.path(where))

        def count(number: int, name: str = name) -> None:
            if number % 1000 == 0:
                step(f"surveying {name}: {number:,} documents")

        surveys[name] = survey(documents, str(plan.path(where)), folder / "work", count)
    kept, notes = common(surveys)
    asked, more = _questions(plan, judgments, kept)
    questions = {topic: text for topic, text in asked.items() if text}
    if not questions:
        raise DataError(f"{plan.path(plan.topics)}: no topic has a question and a target in the documents")
    targets = {document for _, document, grade in judgments.rows() if grade > 0}
    made = sample(plan, kept, targets)
    told = (*notes, *more, made.note) if made.note else (*notes, *more)
    return Ground(surveys, kept, questions, tuple(asked), made, told)


def _questions(plan: Plan, judgments: Qrels, kept: frozenset[str]) -> tuple[dict[str, str], list[str]]:
    """The topics that count, and what is said of the others."""
    targets: dict[str, list[str]] = {}
    for name, document, grade in judgments.rows():
        if grade > 0:
            targets.setdefault(name, []).append(document)
    questions, notes = {}, []
    for topic in read_topics(plan.path(plan.topics)):
        text = getattr(topic, plan.field).strip()
        if topic.id not in targets:
            notes.append(f"topic {topic.id}: not judged, left out")
        elif not any(document in kept for document in targets[topic.id]):
            notes.append(f"topic {topic.id}: its target {targets[topic.id][0]} is not in all versions, left out")
        else:
            questions[topic.id] = text
            if not text:
                notes.append(f"topic {topic.id}: has no {plan.field}, counted as not found")
    return questions, notes


def _requests(plan: Plan, version: str, ground: Ground, folder: Path) -> dict[str, Request]:
    fingerprint = ground.surveys[version].fingerprint(ground.kept)
    work = folder / "work" / fingerprint
    kept = ""
    if len(ground.surveys[version].ids) != len(ground.kept):
        ids = "\n".join(sorted(ground.kept))
        kept = str(folder / "work" / f"kept-{digest(ids)}.txt")
        write(kept, ids.encode("utf-8", "surrogatepass"))
    wants = {use for system in plan.parsed.values() for use in system.uses}
    both = written(ground.sample, plan, version, ground.surveys, folder / "work")
    aids = {"aligned": Path(both).name, "training": Path(both).name}
    if plan.outside and "outside" in wants:
        path = plan.path(plan.outside)
        made = survey(read_documents(path), str(path), folder / "work")
        aids["outside"] = made.fingerprint(frozenset(made.ids))
    requests = {}
    for name, system in plan.parsed.items():
        used = {use: aids.get(use, "") for use in system.uses}
        used |= {f"file {number}": _content(path) for number, path in enumerate(system.files, 1)}
        cell = Cell(name, str(system), version, fingerprint, ground.questions, plan.depth, used)
        base = folder / "runs" / slug(version) / slug(name)
        where = str(plan.path(plan.versions[version]))
        outside = str(plan.path(plan.outside)) if plan.outside else ""
        paths = f"{base}.run.zst", f"{base}.json"
        requests[name] = Request(cell, where, kept, str(work), both, ground.sample.aligned, outside, *paths)
    return requests


def _content(path: str) -> str:
    """What tells the content of a file from others; empty if it cannot be read, which its system will tell."""
    try:
        return checksum(path)
    except OSError:
        return ""


def _done(request: Request) -> Record | None:
    """The record of a cell that was done before, if what it depends on is still the same and its run is whole."""
    record = Record.read(Path(request.record))
    return record if record and record.key == request.cell.key and _is_whole(request.run, record.checksum) else None


def _is_whole(path: str, wanted: str) -> bool:
    import zstandard

    try:
        if wanted:
            return checksum(path) == wanted
        return bool(zstandard.ZstdDecompressor().decompress(Path(path).read_bytes()))  # which compares its own sum
    except (OSError, MemoryError, zstandard.ZstdError):
        return False


def _do(request: Request, what: str, folder: Path, say: Say, processes: Processes) -> Record:
    """One cell, in a process of its own; what is there from an earlier plan is replaced when the new is whole."""
    # Cells of other names may have the same key.
    asked = folder / "work" / f"request-{digest(request.cell.key, request.record)}.json"
    try:
        Path(request.run).parent.mkdir(parents=True, exist_ok=True)
        Path(request.record).unlink(missing_ok=True)
    except OSError as error:
        raise DataError(f"{Path(request.run).parent}: cannot be written: {error.strerror}") from None
    write(asked, json.dumps(asdict(request)).encode())
    say(what)
    try:
        why = processes.run(asked, lambda said: say(f"{what}: {said}"))
    finally:
        asked.unlink(missing_ok=True)
    record = Record.read(Path(request.record))
    if why or record is None:
        raise CellError(f"{what}: {why or 'ended without a record'}")
    return record


def _write_plan(plan: Plan, results: Results, ground: Ground) -> None:
    from .. import __version__

    told = {k: v for k, v in asdict(plan).items() if k != "folder"}
    told |= {
        "specs": {name: str(system) for name, system in plan.parsed.items()},
        "questions": ground.questions,
        "documents": results.documents,
        "fingerprints": {name: made.fingerprint(ground.kept) for name, made in ground.surveys.items()},
        "notes": list(results.notes),
        "adjudge": __version__,
    }
    write(results.folder / "plan.json", (json.dumps(told, indent=1, ensure_ascii=True) + "\n").encode())
