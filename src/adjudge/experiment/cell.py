"""A cell of an experiment: one system on one version, in a process of its own.

    python -m adjudge.experiment.cell REQUEST.json [watched]

The process writes the run, then its record: a cell is done when its record is there. What it notes and how far it is
goes to standard output while it works (messages.py). When it is watched it ends as soon as its standard input does.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from ..core.child_process import end_with_parent
from ..core.document import Chosen
from ..core.energy import EnergyMeter
from ..core.errors import AdjudgeError
from ..core.machine import peak_memory
from ..core.note import Note
from ..core.spec import is_number
from ..formats.chunks import read_collapse
from ..formats.documents import read_documents
from ..formats.ir_metadata import describe_run
from ..formats.runs import write_run
from ..formats.writing import write
from ..storage.digest import digest_file, digest_texts
from ..storage.lock import locked
from ..systems.parts.own_program import OwnSystemError
from ..systems.parts.version import Aids, Pair, Version
from ..systems.system import System, systems
from .messages import Messages, Remembering

WATCHED = "watched"
"""The argument of a cell that ends when its standard input does."""
STDERR = ".stderr.log"
"""The ending of the file, beside where the record would be, with what a system that failed wrote to standard error."""
FORMAT = 1
"""Version of what a cell makes; a new one makes all cells again."""


@dataclass(frozen=True)
class Cell:
    """A task of an experiment: all that its run depends on, by content."""

    name: str
    """The system's name in tables."""
    system: str
    version: str
    fingerprint: str
    """Of the documents searched."""
    topics: dict[str, str]
    depth: int
    aids: dict[str, str]
    """Fingerprints of the aids that the system uses."""
    collapse: dict[str, str] = field(default_factory=dict)
    """How chunks that it retrieves become documents, as in the plan."""

    @property
    def key(self) -> str:
        content = asdict(self) | {"name": "", "version": ""}
        if not self.collapse:  # the keys of earlier cells
            del content["collapse"]
        return digest_texts(json.dumps([FORMAT, content], sort_keys=True))


@dataclass(frozen=True)
class CellRequest:
    """A cell, and where things are on this machine."""

    cell: Cell
    documents: str
    kept: str
    """A file with the ids of the documents to keep, one a line; empty for all."""
    work: str
    """The folder for indexes and the like."""
    sample: str
    """The sample documents in both forms."""
    aligned: int
    outside: str
    run: str
    record: str
    home: str = ""
    """The folder to which paths in the parameters of the system are relative."""

    @classmethod
    def of(cls, data: dict[str, Any]) -> CellRequest:
        return cls(**{**data, "cell": Cell(**data["cell"])})


@dataclass(frozen=True)
class RunRecord:
    """The record of a cell that was done."""

    key: str
    name: str
    system: str
    version: str
    prepared: float
    """Seconds for indexes and the like; near 0 if they were there."""
    answered: float
    memory: int
    """Megabytes at the peak, children included."""
    retrieved: int
    """Documents that the run has for all topics together; 0 if no topic found one."""
    notes: tuple[Note, ...] = ()
    adjudge: str = ""
    checksum: str = ""
    """Of the file with the run; records had none once."""
    stderr: str = ""
    """The end of what a system of one's own wrote to standard error."""
    energy: float | None = None
    """Joules that the processors of the machine used meanwhile; None where it does not tell."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """What a run made elsewhere says of itself, in its ir_metadata header."""

    @classmethod
    def read(cls, path: Path) -> RunRecord | None:
        """The record, None if there is none that can be read."""
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            record = cls(**data | {"notes": tuple(map(Note.from_json, data["notes"]))})
        except (OSError, ValueError, TypeError, KeyError):
            return None
        texts = record.key, record.name, record.system, record.version, record.adjudge, record.checksum, record.stderr
        numbers = record.prepared, record.answered, record.memory, record.retrieved
        fine = all(isinstance(text, str) for text in texts) and all(map(is_number, numbers))
        fine = fine and (record.energy is None or is_number(record.energy)) and isinstance(record.metadata, dict)
        return record if fine else None

    def write(self, path: str | Path) -> None:
        """Write the record; the run must be there already."""
        data = asdict(self) | {"notes": [note.to_json() for note in self.notes]}
        write(path, (json.dumps(data, indent=1) + "\n").encode())


def pairs(path: str) -> list[Pair]:
    """The sample: pairs of true and degraded text, one a line."""
    lines = Path(path).read_text(encoding="utf-8").splitlines() if path else []
    return [Pair(*json.loads(line)) for line in lines]


def tag(name: str) -> str:
    """A system's name as a run may have it: without blanks."""
    return "".join(name.split())


def do(request: CellRequest, progress: Remembering, system: System | None = None) -> RunRecord:
    """Prepare, answer, and write what came of it; ``system`` is one that has no spec, as it lives in this process."""
    log = Path(request.record).with_suffix(STDERR)
    log.unlink(missing_ok=True)
    try:
        return _do(request, progress, system)
    except OwnSystemError as error:
        if error.stderr.strip():
            write(log, error.stderr.encode("utf-8", "replace"))
        raise


def _do(request: CellRequest, progress: Remembering, own: System | None) -> RunRecord:
    from .. import __version__

    cell = request.cell
    documents = read_documents(request.documents)
    if request.kept:
        ids = frozenset(Path(request.kept).read_text(encoding="utf-8", errors="surrogatepass").split("\n"))
        documents = Chosen(documents, ids.__contains__)
    sample = pairs(request.sample)
    outside = read_documents(request.outside) if request.outside else None
    aids = Aids(sample[: request.aligned] or None, sample[request.aligned :] or None, outside)
    system = own or systems.parse(cell.system)
    version = Version(cell.version, documents, Path(request.work), progress, home=Path(request.home))
    allowed = aids.only(system.uses)
    version.folder.mkdir(parents=True, exist_ok=True)
    with EnergyMeter() as meter:
        with locked(version.folder, wait=True):  # what several systems need is made once
            begin = time.perf_counter()
            system.prepare(version, allowed)
        prepared = time.perf_counter()
        run = system.answer(version, cell.topics, allowed, k=cell.depth)
        answered = time.perf_counter()
    if collapse := read_collapse(cell.collapse or None, Path(request.home)):
        run = collapse(replace(run, name=cell.name))
        for note in run.notes:
            progress.note(note)
    named = tag(cell.name)
    described = describe_run(named, system=cell.system, depth=cell.depth, data=_data(cell))
    write_run(replace(run, name=named, metadata=described), request.run, metadata=True)
    record = RunRecord(
        key=cell.key,
        name=cell.name,
        system=cell.system,
        version=cell.version,
        prepared=round(prepared - begin, 3),
        answered=round(answered - prepared, 3),
        memory=peak_memory(),
        retrieved=len(run),
        notes=tuple(progress.notes),
        adjudge=__version__,
        checksum=digest_file(request.run),
        stderr=progress.stderr,
        energy=meter.joules,
    )
    record.write(request.record)
    return record


def _data(cell: Cell) -> dict[str, Any]:
    """What a header says of the data, by content: versions with the same documents have the same runs."""
    return {"test collection": {"digest of documents": cell.fingerprint, "number of topics": len(cell.topics)}}


def main(arguments: Sequence[str]) -> int:
    if WATCHED in arguments[1:]:
        end_with_parent()
    try:
        request = CellRequest.of(json.loads(Path(arguments[0]).read_text(encoding="utf-8")))
        do(request, Remembering(Messages(sys.stdout)))
    except AdjudgeError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
