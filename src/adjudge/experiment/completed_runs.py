"""The folder of results and the runs in it: made by a plan or elsewhere, and readable without the plan.

Runs made elsewhere join an experiment as they are, with a record like any other's. Nothing is overwritten that is read,
and two names never share a file.
"""

from __future__ import annotations

import glob
import json
import re
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..core.collapse import Collapse
from ..core.errors import AdjudgeError, ConflictError, DataError, SpecError
from ..core.kernel import on_threads
from ..core.note import Note
from ..core.qrels import Qrels
from ..core.run import Run
from ..formats.qrels import read_qrels, write_qrels
from ..formats.run_collections import MARKS, looks_like_run
from ..formats.run_collections import TABLES as TABULAR
from ..formats.runs import read_run, write_run
from ..formats.writing import write
from ..storage import lock
from ..storage.access import is_within, refuse_links
from ..storage.digest import digest_file, digest_texts
from ..systems.fusion import Fusion
from ..systems.parts.fusing import fuse_any
from ..systems.parts.own_program import cut_run
from .cell import RunRecord, tag
from .findings import TUNING, VersionErrors
from .named_systems import on_version
from .plan import AnalysisSettings, Plan

PLAN, JUDGMENTS = "plan.json", "judgments.txt"
PAGE, SCORES, VERDICTS, PROVENANCE = "report.html", "scores.parquet", "verdicts.json", "provenance.json"
TABLES = {"table": "results.txt", "md": "results.md", "latex": "results.tex", "csv": "results.csv"}
EXTRACTS = "extracts.json"
WRITTEN = (PLAN, JUDGMENTS, PAGE, SCORES, VERDICTS, PROVENANCE, TUNING, EXTRACTS, *TABLES.values(), "results.json")
"""Files that stand directly in the folder."""


WORK = "work"
"""The folder inside of it that an experiment makes first."""
OWN = (*WRITTEN, WORK, "runs", "collection", "trials")
"""All that is read and written there."""


def lock_results(folder: Path) -> AbstractContextManager[None]:
    """The folder, made if need be, while no other experiment works in it; refused if files of others are in the way."""
    refuse_foreign(folder)
    refuse_links(folder, OWN)
    return lock.locked(folder, f"{WORK}/lock", busy="another experiment is at work there")


def refuse_foreign(folder: Path) -> None:
    """Raise a ConflictError if results would overwrite files in a folder that no experiment has written."""
    if (folder / WORK).is_dir() or (folder / PROVENANCE).is_file():
        return
    if all((folder / name).is_file() for name in (PLAN, JUDGMENTS)) and (folder / "runs").is_dir():
        return  # runs that nobody has analysed yet
    foreign = [name for name in WRITTEN if (folder / name).exists()]
    if foreign:
        why = "would be overwritten, and the folder was not written by adjudge: give another one, or --force"
        raise ConflictError(f"{folder}: {foreign[0]} {why}")


def confine(folder: Path, given: object) -> Path:
    """A path that a file in a folder names, which has to lie within it, whatever links lead there."""
    if not isinstance(given, str):
        raise TypeError
    path = folder / given
    if not given or "\0" in given or not is_within(path, folder):
        raise DataError(f"{folder}: it names a file outside of itself: {given!r}")
    return path


def claim_folder(folder: str | Path) -> None:
    """Let an experiment overwrite what a folder holds, whoever has written it."""
    try:
        (Path(folder) / WORK).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{folder}: cannot be made: {error.strerror}") from None


def refuse_inputs(folder: Path, inputs: Iterable[Path]) -> None:
    """An error if a file that is read would be overwritten by results."""
    ours = {(folder / name).resolve() for name in WRITTEN}
    for path in inputs:
        if path.resolve() in ours:
            raise ConflictError(f"{path}: is read, and results in {folder} would overwrite it: give another folder")


def refuse_runs(own: Path, paths: Iterable[Path]) -> None:
    """An error if runs that are read stand where those of the experiment are kept."""
    for path in paths:
        if path.resolve().parent == own.resolve():
            raise ConflictError(f"{path}: is read, and kept runs would stand in its folder: give another for results")


LONGEST = 100
"""Bytes of a name in a file's name: file systems take 255 with what is added."""


def slug(name: str) -> str:
    """A name as a file may have it; distinguished from others by a digest where letters were lost."""
    plain = re.sub(r"[^\w.=+-]+", "_", name).strip("._") or "_"
    if plain == name and len(plain.encode("utf-8", "replace")) <= LONGEST:
        return plain
    short = plain[:60].encode("utf-8", "replace")[:LONGEST].decode("utf-8", "ignore")
    return f"{short}-{digest_texts(name)[:6]}"


def refuse_same_files(names: Iterable[str]) -> None:
    """Refuse names that would share a folder or a file."""
    slugs: dict[str, str] = {}
    for name in names:
        other = slugs.setdefault(slug(name), name)
        if other != name:
            raise SpecError(f"{other!r} and {name!r} would both be kept as {slug(name)}: give one another name")


@dataclass(frozen=True)
class CompletedRuns:
    """The runs of a plan by version and system, the record of each, and what is needed to judge them."""

    folder: Path
    title: str
    reference: str
    """The version with the true text, or the only one."""
    analysis: AnalysisSettings
    settings: Mapping[str, Any]
    """All settings of the plan."""
    runs: Mapping[str, Mapping[str, Path]]
    records: Mapping[str, Mapping[str, RunRecord]]
    topics: tuple[str, ...] = ()
    """Those that count."""
    documents: int = 0
    notes: tuple[Note, ...] = ()
    questions: Mapping[str, str] = field(default_factory=dict)
    errors: Mapping[str, VersionErrors] = field(default_factory=dict)
    """Of each version, where they can be known."""
    places: Mapping[str, Path] = field(default_factory=dict)
    """Where the documents of each version are."""
    inputs: Mapping[str, str] = field(default_factory=dict)
    """Digests of what was read."""

    def __repr__(self) -> str:
        return f"<CompletedRuns in {self.folder}: {sum(map(len, self.runs.values())):,} runs>"

    def run(self, version: str, name: str) -> Run:
        """A run, empty if no topic found a document."""
        record, path = self.records[version][name], self.runs[version][name]
        # A file without a line is not read as a run.
        run = replace(read_run(path), name=name) if record.retrieved else Run.empty(name)
        if record.checksum and digest_file(path) != record.checksum:
            raise DataError(f"{path}: does not match its record: run the plan again")
        return run

    @property
    def run_paths(self) -> dict[str, dict[str, str]]:
        """The file of each run by version and system, relative to the folder of results."""
        return {v: {n: self._within(p) for n, p in named.items()} for v, named in self.runs.items()}

    def judgments(self) -> Qrels:
        """Read the judgments of the topics that count."""
        return read_qrels(self.folder / JUDGMENTS)

    def keep(self, judgments: Qrels) -> None:
        """Write down all but the runs, which are there."""
        from .. import __version__

        counted_topics = frozenset(self.topics)
        topics, documents, grades = zip(*(row for row in judgments.rows() if row[0] in counted_topics), strict=True)
        write_qrels(Qrels.of_columns(topics, documents, np.array(grades, np.int64)), self.folder / JUDGMENTS)
        own = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in {"folder", "records", "settings"}}
        data = {
            **self.settings,
            "specs": {name: record.system for named in self.records.values() for name, record in named.items()},
            "results": own
            | {
                "analysis": asdict(self.analysis),
                "notes": [note.to_json() for note in self.notes],
                "runs": self.run_paths,
                "places": {name: self._place(place) for name, place in self.places.items()},
            },
            "adjudge": __version__,
        }
        write(self.folder / PLAN, (json.dumps(data, indent=1, ensure_ascii=True) + "\n").encode())

    def _place(self, path: Path) -> str:
        """Path of the documents: relative to the folder if they move with it."""
        whole, own = path.resolve(), self.folder.resolve()
        return whole.relative_to(own).as_posix() if whole.is_relative_to(own) else str(whole)

    def _within(self, path: Path) -> str:
        return path.relative_to(self.folder).as_posix()

    @classmethod
    def load(cls, folder: str | Path) -> CompletedRuns:
        """The results in a folder; it may have been moved or copied, or be somebody else's.

        Nothing outside of it is read: the runs that it names lie in it, and documents elsewhere are known by the
        extracts that were written when the page was first made.
        """
        place = Path(folder)
        path = place / PLAN
        refuse_links(place, OWN)
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            own = data.pop("results")
            runs = {v: {n: confine(place, p) for n, p in named.items()} for v, named in own.pop("runs").items()}
            usual = asdict(AnalysisSettings())
            asked = {name: usual[name] for name in LATER} | _plain(own.pop("analysis"))
            analysis = AnalysisSettings(**_require_fields(asked, asdict(AnalysisSettings())))
            errors = {name: VersionErrors(*rates) for name, rates in own.pop("errors").items()}
            where_documents_are = own.pop("places")
            if not all(name in runs and isinstance(where, str) for name, where in where_documents_are.items()):
                raise TypeError
            inner = {name: place / where for name, where in where_documents_are.items()}
            places = {name: where for name, where in inner.items() if is_within(where, place)}
            notes = tuple(map(Note.from_json, own.pop("notes")))
            plain = _require_fields(_plain(own), KINDS)
            if plain["reference"] not in runs or not all(runs.values()) or not plain["topics"]:
                raise ValueError
            settings = {k: v for k, v in data.items() if k not in {"specs", "adjudge"}}
            if not isinstance(settings["versions"], dict):
                raise TypeError
        except AdjudgeError:  # settings that mean nothing
            raise
        except OSError as error:
            raise DataError(f"{folder}: no results of an experiment there: {PLAN}: {error.strerror}") from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise DataError(f"{path}: not what an experiment writes") from None
        records: dict[str, dict[str, RunRecord]] = {}
        for version, named in runs.items():
            for name, run in named.items():
                record_path = run.with_name(run.name.removesuffix(".run.zst") + ".json")
                if not is_within(record_path, place):
                    raise DataError(f"{record_path}: a link that leads out of the folder")
                record = RunRecord.read(record_path)
                if record is None:
                    raise DataError(
                        f"{record_path}: the record of {name} on {version} is missing or damaged: run the plan again"
                    )
                records.setdefault(version, {})[name] = record
        return cls(
            folder=place,
            settings=settings,
            runs=runs,
            records=records,
            analysis=analysis,
            errors=errors,
            places=places,
            notes=notes,
            **plain,
        )


LATER = ("least_coverage", "complete", "judged_only", "trec_version", "judged_depth")
"""Settings of the analysis that folders of earlier versions do not have."""
KINDS: dict[str, Any] = {
    "title": "", "reference": "", "topics": (), "documents": 0, "questions": {}, "inputs": {}
}  # fmt: skip
"""What the file must have, with a value of the right kind each."""


def _require_fields(data: dict[str, Any], kinds: Mapping[str, Any]) -> dict[str, Any]:
    """The data, if it has just these fields, each of its kind, and texts in them where they hold more than one."""
    if data.keys() != kinds.keys():
        raise KeyError
    for name, kind in kinds.items():
        value = data[name]
        inner = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, tuple) else ()
        if type(value) is not type(kind) or not all(isinstance(text, str) for text in inner):
            raise TypeError
    return data


def _plain(data: Mapping[str, Any]) -> dict[str, Any]:
    """Lists as the tuples that they were before they were JSON."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}


EXTERNAL = "run"
"""What stands for the spec of a system of which nothing but its run is known."""
ENDINGS = (".zst", ".gz", ".xz", ".bz2", ".run", ".txt", ".res", ".trec", ".input")
FORMS = (".parquet", ".csv", ".tsv", ".jsonl", ".json")
MOST_NAMED = 3
"""Files that are left out are named up to so many."""


def run_files(folder: Path, given: str) -> tuple[list[Path], list[Note]]:
    """The runs of a folder, or those that a pattern or a path names, and notes on what lies beside them."""
    place, aside = folder / given, list[str]()
    if place.is_dir():
        seen = sorted(p for p in place.iterdir() if not p.name.startswith("."))
        paths = [p for p in seen if p.is_file() and p.suffix not in MARKS]
        paths = [p for p in paths if p.suffix not in TABULAR or RunRecord.read(p) is not None or looks_like_run(p)]
        aside = [p.name + ("/" if p.is_dir() else "") for p in seen if p not in set(paths)]
    elif place.exists():
        paths = [place]
    else:  # the pattern is the plan's, and the name of its folder is none
        paths = sorted(p for name in glob.glob(given, root_dir=folder) if not (p := folder / name).is_dir())
    # Where an experiment keeps runs there is a record beside each.
    paths = [p for p in paths if p.suffix != ".json" or RunRecord.read(p) is None]
    if not paths:
        raise DataError(f"{place}: no run there")
    if not aside:
        return paths, []
    few = aside[:MOST_NAMED]
    return paths, [Note.of("files_beside_runs", given, files=few, others=len(aside) - len(few))]


def names_of(paths: list[Path]) -> dict[str, Path]:
    """A name for each file: what it is called without the endings that all have, so that tags may repeat."""
    endings = ENDINGS + FORMS
    names: dict[str, Path] = {}
    for path in paths:
        name = path.name
        while any(name.endswith(e) and name != e for e in endings):
            name = next(name.removesuffix(e) for e in endings if name.endswith(e) and name != e)
        if not name.strip() or not name.isprintable():
            raise DataError(f"{path.parent}: the run {name!r} needs a name of characters that can be seen")
        if name in names:
            raise ConflictError(f"{names[name]} and {path} would both be called {name}: rename one")
        names[name] = path
    return names


def external_runs(plan: Plan, version: str, folder: Path) -> tuple[dict[str, tuple[Path, RunRecord]], list[Note]]:
    """The runs of one version that were made elsewhere, kept with the others; read again only if they changed."""
    if version not in plan.runs:
        return {}, []
    paths, notes = run_files(plan.folder, plan.runs[version])
    named = names_of(paths)
    refuse_same_files([*plan.systems_by_name, *named] if version in plan.versions else named)
    refuse_runs(folder / "runs" / slug(version), paths)
    for name, path in named.items():
        if name in plan.systems_by_name:
            raise ConflictError(f"{path}: there is a system {name} in the plan: rename the run")

    made_of, collapse = plan.collapse_content, plan.collapser()

    def keep(name: str) -> tuple[Path, RunRecord]:
        path = named[name]
        run, record_path = kept_paths(folder, version, name)
        try:
            key = digest_texts(EXTERNAL, digest_file(path), *made_of)
        except OSError as error:
            raise DataError(f"{path}: cannot be read: {error.strerror}") from None
        record = RunRecord.read(record_path)
        if record is None or record.key != key or not run.is_file() or digest_file(run) != record.checksum:
            record = keep_run(_adopt(path, name, collapse), name, EXTERNAL, version, key, run, record_path)
        return run, record

    return dict(zip(named, on_threads(keep, list(named)), strict=True)), notes


def run_paths(plan: Plan, version: str) -> dict[str, str]:
    """The files of the runs of one version that were made elsewhere, by name, as seen from the plan."""
    if version not in plan.runs:
        return {}
    paths, _ = run_files(plan.folder, plan.runs[version])
    own = plan.folder
    return {name: str(p.relative_to(own) if p.is_relative_to(own) else p) for name, p in names_of(paths).items()}


def fused_runs(
    plan: Plan, version: str, others: Mapping[str, tuple[Path, RunRecord]], folder: Path
) -> dict[str, tuple[Path, RunRecord]]:
    """Fuse the runs of a plan without documents; again only if one of them changed."""
    runs: dict[str, Run] = {}
    records = {}
    for name, given in plan.systems_by_name.items():
        system = on_version(given, run_paths(plan, version), version)
        if not isinstance(system, Fusion):
            continue
        content = sorted(record.checksum for _, record in others.values())
        key = digest_texts(str(system), str(plan.depth), *content)
        run, record_path = kept_paths(folder, version, name)
        record = RunRecord.read(record_path)
        if record is None or record.key != key or not run.is_file() or digest_file(run) != record.checksum:
            runs = runs or {label: read_run(path) for label, (path, _) in others.items()}
            by_file = {path: runs[label] for label, path in run_paths(plan, version).items()}
            record = keep_run(_fuse(system, by_file, plan.depth), name, str(system), version, key, run, record_path)
        records[name] = run, record
    return records


def _fuse(system: Fusion, runs: Mapping[str, Run], k: int) -> Run:
    members = [
        _fuse(member, runs, system.depth) if isinstance(member, Fusion) else runs[str(getattr(member, "of", ""))]
        for member in system.members.values()
    ]
    cut = [cut_run(run, system.depth) for run in members]
    return fuse_any(cut, system.method, constant=system.constant, k=k, name=str(system))


def kept_paths(folder: Path, version: str, name: str) -> tuple[Path, Path]:
    """Where a run is kept, and its record."""
    base = folder / "runs" / slug(version) / slug(name)
    return Path(f"{base}.run.zst"), Path(f"{base}.json")


def _adopt(path: Path, name: str, collapse: Collapse | None) -> Run:
    """A run made elsewhere; of documents, if it was one of chunks."""
    if collapse is None:
        return read_run(path)
    return collapse(read_run(path, name=name, chunks=True))


def keep_run(read: Run, name: str, system: str, version: str, key: str, run: Path, record_path: Path) -> RunRecord:
    """Write a run that no cell made, and its record."""
    from .. import __version__

    try:
        run.parent.mkdir(parents=True, exist_ok=True)
        record_path.unlink(missing_ok=True)
    except OSError as error:
        raise DataError(f"{run.parent}: cannot be written: {error.strerror}") from None
    write_run(replace(read, name=tag(name)), run, metadata=True)
    record = RunRecord(
        key=key,
        name=name,
        system=system,
        version=version,
        prepared=0.0,
        answered=0.0,
        memory=0,
        retrieved=len(read),
        notes=read.notes,
        adjudge=__version__,
        checksum=digest_file(run),
        metadata=json.loads(json.dumps(read.metadata)),
    )
    record.write(record_path)
    return record
