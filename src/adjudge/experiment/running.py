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
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Lock

from ..core.errors import AdjudgeError, DataError
from ..core.qrels import Qrels
from ..formats.documents import read_documents
from ..formats.qrels import read_qrels
from ..formats.topics import read_topics
from ..formats.writing import write
from ..systems.parts.version import quiet
from .cell import Cell, Record, Request
from .plan import Plan
from .survey import Survey, chosen, common, digest, survey

Say = Callable[[str], None]


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


@dataclass(frozen=True, eq=False)
class Ground:
    """What all cells stand on."""

    surveys: Mapping[str, Survey]
    kept: frozenset[str]
    questions: dict[str, str]
    notes: tuple[str, ...]


def run(plan: Plan, results: str | Path, *, workers: int = 1, say: Say = quiet) -> Results:
    """Do what is not done yet; cells of different versions may work at the same time."""
    folder = Path(results)
    try:
        (folder / "work").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{folder}: cannot be written: {error.strerror}") from None
    judgments = read_qrels(plan.path(plan.judgments))
    ground = _ground(plan, judgments, folder, say)
    runs: dict[str, dict[str, Path]] = {}
    records: dict[str, dict[str, Record]] = {}
    failures: list[str] = []
    lock = Lock()

    def version(name: str) -> None:
        made = _requests(plan, name, ground, folder, judgments)
        for label, request in made.items():
            try:
                record = _done(request) or _do(request, f"{label} on {name}", folder, say, lock)
            except CellError as error:
                failures.append(str(error))
                continue
            with lock:
                runs.setdefault(name, {})[label] = Path(request.run)
                records.setdefault(name, {})[label] = record

    with ThreadPoolExecutor(max(1, workers)) as pool:
        for outcome in [pool.submit(version, name) for name in plan.versions]:
            outcome.result()
    if failures:
        raise CellError("; ".join(sorted(failures)))
    ordered = {name: {label: runs[name][label] for label in plan.systems} for name in plan.versions}
    told = {name: {label: records[name][label] for label in plan.systems} for name in plan.versions}
    made = Results(folder, ordered, told, tuple(ground.questions), len(ground.kept), ground.notes)
    _write_plan(plan, made, ground)
    return made


def _ground(plan: Plan, judgments: Qrels, folder: Path, say: Say) -> Ground:
    surveys = {}
    for name, where in plan.versions.items():
        documents = read_documents(plan.path(where))

        def step(number: int, name: str = name) -> None:
            if number % 1000 == 0:
                say(f"surveying {name}: {number:,} documents")

        surveys[name] = survey(documents, str(plan.path(where)), folder / "work", step)
    kept, notes = common(surveys)
    questions, more = _questions(plan, judgments, kept)
    return Ground(surveys, kept, questions, (*notes, *more))


def _questions(plan: Plan, judgments: Qrels, kept: frozenset[str]) -> tuple[dict[str, str], list[str]]:
    """The topics that can be answered, and what is said of the others."""
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
        elif not text:
            notes.append(f"topic {topic.id}: has no {plan.field}, counted as not found")
        else:
            questions[topic.id] = text
    if not questions:
        raise DataError(f"{plan.path(plan.topics)}: no topic has a question and a target in the documents")
    return questions, notes


def _requests(plan: Plan, version: str, ground: Ground, folder: Path, judgments: Qrels) -> dict[str, Request]:
    fingerprint = ground.surveys[version].fingerprint(ground.kept)
    work = folder / "work" / fingerprint
    kept = ""
    if len(ground.surveys[version].ids) != len(ground.kept):
        ids = "\n".join(sorted(ground.kept))
        kept = str(folder / "work" / f"kept-{digest(ids)}.txt")
        write(kept, ids.encode("utf-8", "surrogatepass"))
    wants = {use for system in plan.parsed.values() for use in system.uses}
    sample = _sample(plan, version, ground, folder, judgments) if wants & {"aligned", "training"} else ""
    aids = {"aligned": Path(sample).name, "training": Path(sample).name}
    if plan.outside and "outside" in wants:
        path = plan.path(plan.outside)
        made = survey(read_documents(path), str(path), folder / "work")
        aids["outside"] = made.fingerprint(frozenset(made.ids))
    requests = {}
    for name, system in plan.parsed.items():
        used = {use: aids.get(use, "") for use in system.uses}
        cell = Cell(name, str(system), version, fingerprint, ground.questions, plan.depth, used)
        base = folder / "runs" / slug(version) / slug(name)
        where = str(plan.path(plan.versions[version]))
        outside = str(plan.path(plan.outside)) if plan.outside else ""
        paths = f"{base}.run.zst", f"{base}.json"
        requests[name] = Request(cell, where, kept, str(work), sample, plan.aligned, outside, *paths)
    return requests


def slug(name: str) -> str:
    """A name as a file may have it; told apart from others by a digest where letters were lost."""
    plain = re.sub(r"[^\w.=+-]+", "_", name).strip("._") or "_"
    return plain if plain == name else f"{plain[:60]}-{digest(name)[:6]}"


def _sample(plan: Plan, version: str, ground: Ground, folder: Path, judgments: Qrels) -> str:
    """The file with the documents that systems may see in both forms; no target of a question is among them."""
    relevant = {document for _, document, grade in judgments.rows() if grade > 0}
    ids = chosen(ground.kept - relevant, plan.seed, plan.aligned + plan.training)
    prints = [ground.surveys[name].fingerprint(frozenset(ids)) for name in (plan.reference, version)]
    path = folder / "work" / f"sample-{digest(*ids, *prints, str(plan.aligned))}.jsonl"
    if not path.exists():
        forms = []
        for name in (plan.reference, version):
            wanted = frozenset(ids)
            texts = {d.id: d.text for d in read_documents(plan.path(plan.versions[name])) if d.id in wanted}
            forms.append([texts[i] for i in ids])
        lines = [json.dumps(pair) for pair in zip(*forms, strict=True)]
        write(path, "\n".join(lines).encode())
    return str(path)


def _done(request: Request) -> Record | None:
    """The record of a cell that was done before, if what it depends on is still the same."""
    record = Record.read(Path(request.record))
    return record if record and record.key == request.cell.key and Path(request.run).exists() else None


def _do(request: Request, what: str, folder: Path, say: Say, lock: Lock) -> Record:
    """One cell, in a process of its own; what is there from an earlier plan is replaced when the new is whole."""
    Path(request.run).parent.mkdir(parents=True, exist_ok=True)
    asked = folder / "work" / f"request-{request.cell.key}.json"
    write(asked, json.dumps(asdict(request)).encode())
    with suppress(OSError):
        Path(request.record).unlink()
    say(what)
    command = [sys.executable, "-m", "adjudge.experiment.cell", str(asked)]
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        with process:
            error = _heard(process, what, say, lock)
    except BaseException:
        process.kill()
        raise
    finally:
        asked.unlink(missing_ok=True)
    record = Record.read(Path(request.record))
    if process.returncode or record is None:
        last = error.strip().splitlines()[-1] if error.strip() else f"ended with {process.returncode}"
        raise CellError(f"{what}: {last}")
    return record


def _heard(process: subprocess.Popen[str], what: str, say: Say, lock: Lock) -> str:
    from threading import Thread

    errors: list[str] = []
    listener = Thread(target=lambda: errors.extend(process.stderr or ()), daemon=True)
    listener.start()
    for line in process.stdout or ():
        with lock:
            say(f"{what}: {line.rstrip()}")
    process.wait()
    listener.join()
    return "".join(errors)


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
