"""Conducting a plan from its first run to the last file: every cell that is not done yet, findings, files.

    RESULTS/
      runs/VERSION/SYSTEM.run.zst      what each system retrieved
      runs/VERSION/SYSTEM.json         its record: spec, times, memory, notes; written last
      plan.json                        the plan, with the topics that count and the documents that were searched
      judgments.txt                    those of the topics that count
      collection/                      topics, judgments and documents of a built-in collection
      work/                            surveys, samples, indexes, corrected texts; may be removed at any time

A cell is named by the content of all that it depends on. A second run of the same plan does nothing; a changed
parameter, document or topic makes just what depends on it again; if it is killed, only unfinished cells are lost.

The reporter is given: it turns findings into files, and this room knows nothing of pages and tables. What is there and
still holds is left as it is.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..comparison.cross_tuning import Tuning
from ..core.english import quantity
from ..core.errors import AdjudgeError, ConflictError, DataError, MissingFileError, SpecError, did_you_mean
from ..core.note import Note
from ..core.progress import SILENT, Listener
from ..core.qrels import Qrels
from ..core.result import Plottable
from ..formats.documents import read_documents
from ..formats.qrels import read_qrels
from ..formats.topics import read_topics
from ..formats.writing import write
from ..storage.digest import digest_bytes, digest_file, digest_texts
from ..systems.parts.own_live import LiveSystem
from ..systems.system import System
from .analysis import findings_of, key_of, tuning_of
from .cell import CellRequest, RunRecord
from .completed_runs import (
    EXTERNAL,
    EXTRACTS,
    PAGE,
    PROVENANCE,
    SCORES,
    TABLES,
    VERDICTS,
    CompletedRuns,
    external_runs,
    fused_runs,
    lock_results,
    refuse_inputs,
    refuse_same_files,
    run_paths,
)
from .findings import Findings
from .inputs import PlanInputs, cell_requests, choose_topics, error_rates, lay_out_collection, prepare_inputs
from .named_systems import on_version
from .plan import Plan
from .process import USUAL_MEMORY, Executor, LiveCells, Schedule, StoppedError, executor

if TYPE_CHECKING:
    import polars


class CellFailure(NamedTuple):
    """A system that failed on a version."""

    system: str
    version: str
    why: str

    def __str__(self) -> str:
        return f"{self.system} on {self.version}: {self.why}"


class CellError(AdjudgeError):
    """Systems failed on versions; the other cells were done."""

    def __init__(self, failures: Sequence[CellFailure]) -> None:
        self.failures = tuple(failures)
        super().__init__("; ".join(map(str, self.failures)))


Reporter = Callable[[Findings], Mapping[str, bytes]]
"""Turns findings into the files that are to stand in the folder of results, by name."""


@dataclass(frozen=True)
class Execution(Plottable):
    """The outcome of conducting a plan."""

    results: CompletedRuns
    findings: Findings | None
    """None if they were there already."""
    files: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    """What was written now, by name."""
    failures: tuple[CellFailure, ...] = ()
    """Systems that failed; all else is of the others."""

    def __repr__(self) -> str:
        systems = len(dict.fromkeys(name for named in self.results.runs.values() for name in named))
        sizes = {"system": systems, "version": len(self.results.runs), "topic": len(self.results.topics)}
        size = " × ".join(quantity(count, what) for what, count in sizes.items())
        return f"<Execution in {self.results.folder}: {size}>"

    @property
    def tuning(self) -> Tuning:
        """What tuning came to; an error if nothing was tuned."""
        tuning = tuning_of(self.results)
        if tuning is None:
            raise SpecError("nothing was tuned: the plan has no table [tune]")
        return tuning

    @property
    def page(self) -> Path:
        return self.results.folder / PAGE

    @property
    def left_out(self) -> dict[str, tuple[str, ...]]:
        """Systems without a verdict, by version; read from the folder if findings were there before."""
        if self.findings is not None:
            return {name: tuple(part.left_out) for name, part in self.findings.versions.items() if part.left_out}
        try:
            verdicts = json.loads(self.text("json"))
            return {name: tuple(part["left_out"]) for name, part in verdicts["versions"].items() if part["left_out"]}
        except (ValueError, KeyError, TypeError, AttributeError):  # of an earlier version, which has none
            return {}

    def frame(self) -> polars.DataFrame:
        """The value of every system on every version, topic and measure."""
        import polars as pl

        data = self.files.get(SCORES)
        return pl.read_parquet(self.results.folder / SCORES if data is None else io.BytesIO(data))

    def to_dict(self) -> dict[str, Any]:
        """What was found, as verdicts.json has it."""
        data: dict[str, Any] = json.loads(self.text("json"))
        return data

    def to_html(self) -> str:
        """The page, which is one file of HTML."""
        data = self.files.get(PAGE)
        return self.page.read_text(encoding="utf-8") if data is None else data.decode()

    def save(self, path: str | Path) -> None:
        """Write the page to a file."""
        write(Path(path), self.to_html().encode())

    def text(self, form: str = "table") -> str:
        """The main table and the findings in words; read from the folder only if they were there before."""
        name = VERDICTS if form == "json" else TABLES[form]
        data = self.files.get(name)
        return (self.results.folder / name).read_text(encoding="utf-8") if data is None else data.decode()


def conduct(
    plan: Plan, folder: str | Path, reporter: Reporter, *, workers: int = 1, progress: Listener = SILENT
) -> Execution:
    """Run a plan, analyse what it gives and write what the reporter makes of it.

    Systems that fail are left out and named by the result; if no system is left, that is a :class:`CellError`.
    """
    failures: list[CellFailure] = []
    with lock_results(Path(folder)):
        results = run_in(plan, Path(folder), workers=workers, progress=progress, failures=failures)
        return replace(conclude(results, reporter, progress), failures=tuple(failures))


def run(plan: Plan, results: str | Path, *, workers: int = 1, progress: Listener = SILENT) -> CompletedRuns:
    """Do what is not done yet, on as many workers at a time as memory allows; with none, in this process."""
    folder = Path(results)
    with lock_results(folder):
        return run_in(plan, folder, workers=workers, progress=progress)


def run_in(
    plan: Plan,
    folder: Path,
    *,
    workers: int = 1,
    progress: Listener = SILENT,
    failures: list[CellFailure] | None = None,
) -> CompletedRuns:
    """Do as :func:`run` in a folder that the caller has locked, so that what follows is done under the same lock.

    Systems that fail are added to ``failures``, and the results are those of the others; without a list to add them
    to, or if none is left, that is a :class:`CellError`.
    """
    collection = plan.collection
    check_files(plan, folder)
    plan, left_out = lay_out_collection(plan, folder).possible()
    refuse_same_files(plan.names)
    refuse_same_files(plan.systems_by_name)
    judgments = choose_topics(plan, read_qrels(plan.path(plan.judgments)))
    _check_topics(plan, judgments)
    outside = dict[str, dict[str, tuple[Path, RunRecord]]]()
    for name in plan.names:
        outside[name], aside = external_runs(plan, name, folder)
        left_out += aside
    _check_systems(plan, outside)
    _check_baselines(plan, [*plan.systems_by_name, *(label for others in outside.values() for label in others)])
    prepared = prepare_inputs(plan, judgments, folder, max(1, workers), progress) if plan.versions else None
    asked = dict[str, dict[str, CellRequest]]()
    if prepared is not None:
        asked = {n: cell_requests(plan, n, prepared, folder, run_paths(plan, n)) for n in plan.versions}
    records, failed = _do_cells(asked, folder, workers, progress, plan.live)
    if failed and (failures is None or (not any(records.values()) and not any(outside.values()))):
        raise CellError(failed)
    if failures is not None:
        failures += failed
    left_out += [Note.of("cell_failed", cell.system, version=cell.version, why=cell.why) for cell in failed]
    runs = {name: {label: Path(asked[name][label].run) for label in named} for name, named in records.items()}
    if not plan.versions:
        for name in plan.names:
            outside[name] |= fused_runs(plan, name, outside[name], folder)
    for name, others in outside.items():
        runs.setdefault(name, {}).update({label: path for label, (path, _) in others.items()})
        records.setdefault(name, {}).update({label: record for label, (_, record) in others.items()})
    runs = {name: named for name, named in runs.items() if named}  # without versions on which all systems failed
    records = {name: named for name, named in records.items() if named}
    results = _results(plan, folder, runs, records, prepared, judgments, left_out)
    results = replace(results, settings={**results.settings, "collection": collection})
    results.keep(judgments)
    return results


def check_files(plan: Plan, folder: Path) -> None:
    """Check before anything is done that the inputs exist and are apart from what will be written."""
    single = [plan.path(name) for name in (plan.judgments, plan.topics) if name]
    for path in single:
        if not path.is_file():
            if path.is_dir():
                raise DataError(f"{path}: a folder, not a file")
            raise MissingFileError(f"{path}: no such file", path)
    corpora = [of for of in (*plan.versions.values(), plan.outside) if isinstance(of, str) and of]
    for path in map(plan.path, corpora):
        read_documents(path)  # looks for the files, and reads none
        if path.is_dir() and folder.resolve().is_relative_to(path.resolve()):
            raise ConflictError(f"{folder}: is in {path}, and results would be read as documents: give another folder")
    refuse_inputs(folder, [*single, *map(plan.path, corpora)])


def _check_topics(plan: Plan, judgments: Qrels) -> None:
    """Documents may have any name, but topics are written to tables, which hold text."""
    for topic in judgments.topics:
        if any("\ud800" <= letter <= "\udfff" for letter in topic):
            raise DataError(f"{plan.path(plan.judgments)}: the topic {topic!r} has bytes that are not UTF-8")


def _check_systems(plan: Plan, runs: Mapping[str, Mapping[str, object]]) -> None:
    """Check that what the systems name exists: code, programs, files, runs."""
    for label, system in plan.systems_by_name.items():
        try:
            for version in plan.names if runs else ():
                on_version(system, run_paths(plan, version), version).check(plan.folder)
        except AdjudgeError as error:
            raise type(error)(f"system {label}: {error}") from None


def _check_baselines(plan: Plan, names: Sequence[str]) -> None:
    for baseline in plan.analysis.baselines:
        if baseline not in names:
            raise SpecError(f"no system {baseline!r} to take as baseline{did_you_mean(baseline, list(names))}")


def _do_cells(
    asked: Mapping[str, Mapping[str, CellRequest]],
    folder: Path,
    workers: int,
    progress: Listener,
    live: Mapping[str, System],
) -> tuple[dict[str, dict[str, RunRecord]], list[CellFailure]]:
    """The records of all cells, those that are missing made now, and which failed."""
    # The same system on all versions first: neighbours in this order share no folder, so they can work side by side.
    labels = dict.fromkeys(label for named in asked.values() for label in named)
    order = [(name, label) for label in labels for name in asked if label in asked[name]]
    done = {
        place: record
        for place in order
        if not _is_unknown(live.get(place[1])) and (record := _earlier_record(asked[place[0]][place[1]]))
    }
    for left in (folder / "work").glob("request-*.json"):  # of a process that was killed: nobody else works here
        left.unlink(missing_ok=True)
    peaks: dict[str, float] = {label: record.memory for (_, label), record in done.items()}
    failures: list[CellFailure] = []

    def expected(place: tuple[str, str]) -> float:
        return peaks.get(place[1], max(peaks.values(), default=USUAL_MEMORY))

    with (
        progress.work("experiment", total=len(order), unit="cells") as experiment,
        Schedule(workers, expected) as schedule,
        executor(workers) as processes,
    ):
        experiment.reach(len(done), before=len(done))

        def work(place: tuple[str, str]) -> None:
            try:
                with experiment.inside.work("cell", f"{place[1]} on {place[0]}") as cell:
                    cells = LiveCells(live[place[1]]) if place[1] in live else processes
                    try:
                        done[place] = _do_cell(asked[place[0]][place[1]], folder, cell.inside, cells)
                    except StoppedError:  # by Ctrl-C, say: that is no failure of the system
                        return
                peaks[place[1]] = max(peaks.get(place[1], 0.0), done[place].memory)
            except CellError as error:
                failures.extend(error.failures)
            finally:
                experiment.advance()

        schedule.do([place for place in order if place not in done], work)
    records = {
        name: {label: done[name, label] for label in named if (name, label) in done} for name, named in asked.items()
    }
    return records, sorted(failures, key=str)


def _is_unknown(system: System | None) -> bool:
    """Return whether nobody can say if a system is still what it was when it last ran."""
    return isinstance(system, LiveSystem) and not system.version


def _earlier_record(request: CellRequest) -> RunRecord | None:
    """The record of a cell that was done before, if what it depends on is still the same and its run is whole."""
    record = RunRecord.read(Path(request.record))
    return record if record and record.key == request.cell.key and _is_whole(request.run, record.checksum) else None


def _is_whole(path: str, wanted: str) -> bool:
    from ..storage.zstd import ZstdError, unpack

    try:
        if wanted:
            return digest_file(path) == wanted
        return bool(unpack(Path(path).read_bytes()))  # which compares its own sum
    except (OSError, MemoryError, ZstdError):
        return False


def _do_cell(request: CellRequest, folder: Path, progress: Listener, cells: Executor) -> RunRecord:
    """One cell, in a process of its own; what is there from an earlier plan is replaced when the new is whole."""
    # Cells of other names may have the same key.
    asked = folder / "work" / f"request-{digest_texts(request.cell.key, request.record)}.json"
    try:
        Path(request.run).parent.mkdir(parents=True, exist_ok=True)
        Path(request.record).unlink(missing_ok=True)
    except OSError as error:
        raise DataError(f"{Path(request.run).parent}: cannot be written: {error.strerror}") from None
    write(asked, json.dumps(asdict(request)).encode())
    try:
        why = cells.run(asked, progress)
    finally:
        asked.unlink(missing_ok=True)
    record = RunRecord.read(Path(request.record))
    if why or record is None:
        raise CellError([CellFailure(request.cell.name, request.cell.version, why or "ended without a record")])
    return record


def _results(
    plan: Plan,
    folder: Path,
    runs: Mapping[str, Mapping[str, Path]],
    records: Mapping[str, Mapping[str, RunRecord]],
    prepared: PlanInputs | None,
    judgments: Qrels,
    left_out: list[Note],
) -> CompletedRuns:
    empty = [
        Note.of("nothing_found", label, version=name)
        for name, named in records.items()
        for label, record in named.items()
        if not record.retrieved
    ]
    inputs = {"judgments": digest_file(plan.path(plan.judgments))}
    if plan.topics:
        inputs["topics"] = digest_file(plan.path(plan.topics))
    for name, named in records.items():
        inputs |= {f"{n} on {name}": r.key for n, r in named.items() if r.system == EXTERNAL}
    results = CompletedRuns(
        folder=folder,
        title=plan.title,
        reference=plan.reference if plan.reference in runs else next(iter(runs)),
        analysis=plan.settings,
        settings=plan.to_json(),
        runs=runs,
        records=records,
        inputs=inputs,
    )
    if prepared is None:
        questions = {}
        if plan.topics:
            questions = {topic.id: getattr(topic, plan.field) for topic in read_topics(plan.path(plan.topics))}
        return replace(results, topics=judgments.topics, notes=(*left_out, *empty), questions=questions)
    prints = {name: prepared.fingerprint(name) for name in plan.versions}
    rates = {}
    for version in plan.versions if len(plan.versions) > 1 else ():
        errors = error_rates(plan, version, prepared, folder)
        if errors is not None:
            rates[version] = errors
    unknown = [name for name in plan.versions if len(plan.versions) > 1 and name not in rates]
    if unknown:
        empty.append(Note.of("error_rates_unknown", versions=unknown))
    return replace(
        results,
        topics=prepared.topics,
        documents=len(prepared.kept),
        notes=(*left_out, *prepared.notes, *empty),
        questions=prepared.questions,
        errors=rates,
        places=prepared.places,
        inputs=inputs | {f"documents of {name}": print_of for name, print_of in prints.items()},
    )


def conclude(
    results: CompletedRuns, reporter: Reporter, progress: Listener = SILENT, *, anew: bool = False
) -> Execution:
    """Analyse results and write what the reporter makes of them, unless it is there; the caller has the lock."""
    key = key_of(results)
    if not anew and _is_written(results.folder, key):
        return Execution(results, None)
    findings = findings_of(results, progress)
    try:
        (results.folder / PROVENANCE).unlink(missing_ok=True)
    except OSError as error:
        raise DataError(f"{results.folder / PROVENANCE}: cannot be written: {error.strerror}") from None
    files = {**reporter(findings), **_extracts_file(findings)}
    for name, data in files.items():
        write(results.folder / name, data)
    write(results.folder / PROVENANCE, _provenance(findings, key, files))  # last: all that it describes is whole
    return Execution(results, findings, files)


def _extracts_file(findings: Findings) -> dict[str, bytes]:
    """Titles and first words of the documents that the page quotes, so that it can be made again without them."""
    if not findings.extracts:
        return {}
    kept = {name: list(extract) for name, extract in findings.extracts.items()}
    return {EXTRACTS: (json.dumps(kept, ensure_ascii=True, indent=0) + "\n").encode()}


def _provenance(findings: Findings, key: str, files: Mapping[str, bytes]) -> bytes:
    """Provenance of the figures, with the digests of the files that hold them."""
    body: dict[str, Any] = asdict(findings.provenance)
    body |= {"key": key, "files": {name: digest_bytes(data) for name, data in files.items()}}
    body["steps"] = [step._asdict() for step in findings.provenance.steps]
    try:
        return (json.dumps(body, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode()
    except UnicodeEncodeError:  # names that are not UTF-8 are escaped
        return (json.dumps(body, indent=1, allow_nan=False) + "\n").encode()


def _is_written(folder: Path, key: str) -> bool:
    """Return whether the findings of these very results are in the folder, whole."""
    try:
        body = json.loads((folder / PROVENANCE).read_text(encoding="utf-8"))
        return bool(body["key"] == key) and all(
            Path(name).name == name and digest_file(folder / name) == wanted for name, wanted in body["files"].items()
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False
