"""Runs made elsewhere: they join an experiment as they are, and their analysis is that of all others."""

from __future__ import annotations

import glob
import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path

from ..core.errors import ConflictError, DataError
from ..core.run import Run
from ..formats.runs import read_run, write_run
from ..formats.writing import write
from .cell import Record, checksum, tag
from .names import slug
from .plan import Plan
from .survey import digest

EXTERNAL = "run"
"""What stands for the spec of a system of which nothing but its run is known."""
MARKS = frozenset({".json", ".md", ".html", ".pdf", ".log"})
"""Endings of files that lie beside runs and are none."""


def files(given: str | Path) -> list[Path]:
    """The files of a folder, or those that a pattern or a path names; hidden ones are none."""
    place = Path(given)
    if place.is_dir():
        found = sorted(p for p in place.iterdir() if p.is_file() and not p.name.startswith("."))
        found = [p for p in found if p.suffix not in MARKS]
    else:
        found = sorted(Path(p) for p in glob.glob(str(given))) or ([place] if place.exists() else [])
    if not found:
        raise DataError(f"{given}: no run there")
    return found


def names_of(paths: list[Path]) -> dict[str, Path]:
    """A name for each file: what it is called without the endings that all have, so that tags may repeat."""
    endings = (".zst", ".gz", ".xz", ".bz2", ".run", ".txt", ".res", ".trec", ".input", ".parquet", ".csv", ".tsv")
    made: dict[str, Path] = {}
    for path in paths:
        name = path.name
        while any(name.endswith(e) and name != e for e in endings):
            name = next(name.removesuffix(e) for e in endings if name.endswith(e) and name != e)
        if name in made:
            raise ConflictError(f"{made[name]} and {path} would both be called {name}: rename one")
        made[name] = path
    return made


def joined(plan: Plan, version: str, folder: Path) -> dict[str, tuple[Path, Record]]:
    """The runs of one version that were made elsewhere, kept with the others; read again only if they changed."""
    if version not in plan.runs:
        return {}
    made = {}
    for name, path in names_of(files(plan.path(plan.runs[version]))).items():
        if name in plan.parsed:
            raise ConflictError(f"{path}: there is a system {name} in the plan: rename the run")
        base = folder / "runs" / slug(version) / slug(name)
        run, told = Path(f"{base}.run.zst"), Path(f"{base}.json")
        key = digest(EXTERNAL, checksum(path))
        record = Record.read(told)
        if record is None or record.key != key or not run.exists() or checksum(run) != record.checksum:
            record = _kept(path, name, version, key, run, told)
        made[name] = run, record
    return made


def _kept(path: Path, name: str, version: str, key: str, run: Path, told: Path) -> Record:
    from .. import __version__

    read: Run = replace(read_run(path), name=tag(name))
    try:
        run.parent.mkdir(parents=True, exist_ok=True)
        told.unlink(missing_ok=True)
    except OSError as error:
        raise DataError(f"{run.parent}: cannot be written: {error.strerror}") from None
    write_run(read, run)
    record = Record(key, name, EXTERNAL, version, 0.0, 0.0, 0, [], __version__, checksum(run), False)
    write(told, (json.dumps(asdict(record), indent=1) + "\n").encode())
    return record


def all_joined(plan: Plan, folder: Path) -> Mapping[str, Mapping[str, tuple[Path, Record]]]:
    return {version: joined(plan, version, folder) for version in plan.names}
