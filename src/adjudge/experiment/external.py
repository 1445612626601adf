"""Runs made elsewhere: they join an experiment as they are, and their analysis is that of all others."""

from __future__ import annotations

import glob
from dataclasses import replace
from pathlib import Path

from ..core.errors import ConflictError, DataError
from ..core.note import Note
from ..core.run import Run
from ..formats.runs import read_run, write_run
from ..storage.digest import digest_file, digest_texts
from .cell import RunRecord, tag
from .folder import refuse_runs, refuse_same_files, slug
from .plan import Plan

EXTERNAL = "run"
"""What stands for the spec of a system of which nothing but its run is known."""
MARKS = frozenset({".md", ".html", ".pdf", ".log"})
"""Endings of files that lie beside runs and are none."""
ENDINGS = (".zst", ".gz", ".xz", ".bz2", ".run", ".txt", ".res", ".trec", ".input")
FORMS = (".parquet", ".csv", ".tsv", ".jsonl", ".json")
TOLD = 3
"""Files that are left out are named up to so many."""


def files(folder: Path, given: str) -> tuple[list[Path], list[Note]]:
    """The runs of a folder, or those that a pattern or a path names, and what is said of what lies beside them."""
    place, aside = folder / given, list[str]()
    if place.is_dir():
        seen = sorted(p for p in place.iterdir() if not p.name.startswith("."))
        paths = [p for p in seen if p.is_file() and p.suffix not in MARKS]
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
    few = aside[:TOLD]
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


def joined(plan: Plan, version: str, folder: Path) -> tuple[dict[str, tuple[Path, RunRecord]], list[Note]]:
    """The runs of one version that were made elsewhere, kept with the others; read again only if they changed."""
    if version not in plan.runs:
        return {}, []
    paths, notes = files(plan.folder, plan.runs[version])
    named = names_of(paths)
    refuse_same_files([*plan.parsed, *named] if version in plan.versions else named)
    refuse_runs(folder / "runs" / slug(version), paths)
    records = {}
    for name, path in named.items():
        if name in plan.parsed:
            raise ConflictError(f"{path}: there is a system {name} in the plan: rename the run")
        base = folder / "runs" / slug(version) / slug(name)
        run, record_path = Path(f"{base}.run.zst"), Path(f"{base}.json")
        try:
            key = digest_texts(EXTERNAL, digest_file(path))
        except OSError as error:
            raise DataError(f"{path}: cannot be read: {error.strerror}") from None
        record = RunRecord.read(record_path)
        if record is None or record.key != key or not run.is_file() or digest_file(run) != record.checksum:
            record = _kept(path, name, version, key, run, record_path)
        records[name] = run, record
    return records, notes


def _kept(path: Path, name: str, version: str, key: str, run: Path, record_path: Path) -> RunRecord:
    from .. import __version__

    read: Run = replace(read_run(path), name=tag(name))
    try:
        run.parent.mkdir(parents=True, exist_ok=True)
        record_path.unlink(missing_ok=True)
    except OSError as error:
        raise DataError(f"{run.parent}: cannot be written: {error.strerror}") from None
    write_run(read, run)
    record = RunRecord(key, name, EXTERNAL, version, 0.0, 0.0, 0, len(read), (), __version__, digest_file(run))
    record.write(record_path)
    return record
