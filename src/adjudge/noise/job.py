"""What a degrading job is, and the folder that it has for itself."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ..core.errors import ConflictError, DataError
from ..formats.documents.produced import FILES, JOB, MANIFEST, NOISE_JOB, WORK
from ..storage.access import links_below, refuse_links, writing
from ..storage.lock import locked
from ..storage.replace import sweep

FAILURES = "failures.csv"


@dataclass(frozen=True)
class JobSource:
    """The corpus, so that another one is recognised."""

    documents: int
    characters: int
    fingerprint: str


@dataclass(frozen=True)
class Job:
    """What is degraded, and how; a job goes on only if both are as they were."""

    source: JobSource
    settings: dict[str, object]

    @property
    def description(self) -> dict[str, Any]:
        """Settings and source as JSON has them, so that they can be compared with what was written."""
        description: dict[str, Any] = json.loads(json.dumps({"settings": self.settings, "source": asdict(self.source)}))
        return description

    def refuse_other(self, folder: Path, former: dict[str, Any]) -> None:
        """An error if what was begun in a folder is another job than this."""
        old, new = _flat({k: former.get(k) for k in self.description}), _flat(self.description)
        for name in sorted(old.keys() | new.keys()):
            if old.get(name) != new.get(name):
                what = f"{name.partition('.')[2] or name} {old.get(name, 'nothing')}, not {new.get(name, 'nothing')}"
                if name.startswith("source."):
                    what = f"other documents ({what})"
                raise ConflictError(
                    f"{folder}: was begun with {what}: give the same to go on, another folder, or --restart"
                )

    def finished_manifest(self, folder: Path, names: Sequence[str]) -> dict[str, object] | None:
        """The manifest if this very job was finished in a folder; None if nothing is there."""
        path = folder / MANIFEST
        if not path.exists():
            return None
        manifest = NOISE_JOB.read(path)
        self.refuse_other(folder, manifest)
        for name in names:
            stated = manifest.get(FILES, {}).get(name)
            if stated is None:
                raise ConflictError(f"{folder}: was finished without {name}: give another folder, or --restart")
            size = (folder / name).stat().st_size if (folder / name).exists() else None
            if size != stated:
                raise DataError(f"{folder / name}: not as it was written ({stated} bytes): start anew with --restart")
        return manifest

    def close(self, folder: Path, manifest: dict[str, object], *, failures: bool) -> None:
        """Put the manifest in place, and remove what an earlier job left that is no part of this one."""
        former: dict[str, Any] = {}
        with suppress(DataError):  # there is none, or it is damaged, and the job was started anew
            former = NOISE_JOB.read(folder / MANIFEST)
        NOISE_JOB.write(folder / MANIFEST, manifest)
        files = manifest[FILES]
        stale = set(former.get(FILES, ())) - set(files if isinstance(files, dict) else ())
        for name in stale if failures else stale | {FAILURES}:
            if name == FAILURES or name.startswith("documents."):
                (folder / name).unlink(missing_ok=True)


def manifest_of(job: Job, folder: Path, names: Sequence[str], **counts: object) -> dict[str, object]:
    """All there is to say of a finished job."""
    from .. import __version__

    files = {name: (folder / name).stat().st_size for name in names}
    return {**job.description, "adjudge": __version__, "documents": job.source.documents, **counts, FILES: files}


def _flat(data: dict[str, Any], before: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in data.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{before}{name}.")
        else:
            flat[f"{before}{name}"] = value
    return flat


class WorkFolder:
    """The working folder while this process has it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.done = False

    @property
    def journal(self) -> Path:
        return self.folder / "journal"

    @property
    def begun(self) -> bool:
        """Whether there is a job to go on with."""
        return (self.folder / JOB).exists()

    def begin(self, job: Job) -> None:
        """Say what the job is, or see that it is the one that was begun here."""
        path = self.folder / JOB
        if self.begun:
            job.refuse_other(self.folder.parent, NOISE_JOB.read(path))
            return
        self.journal.unlink(missing_ok=True)
        NOISE_JOB.write(path, job.description)


@contextmanager
def own_folder(target: Path, *, restart: bool) -> Iterator[WorkFolder]:
    """The output folder, made if need be, while no other job is in it. A job that is done leaves no working folder."""
    work = WorkFolder(target / WORK)
    with locked(target, f"{WORK}/lock", busy="another job is at work there", check=partial(_check, restart=restart)):
        with writing(target):
            if restart:
                for name in (JOB, "journal"):  # job.json first: without it a journal is nobody's
                    (work.folder / name).unlink(missing_ok=True)
            sweep(target)
        try:
            yield work
        finally:
            if work.done:  # job.json first: a journal that is gone while the job is still there would be made again
                (work.folder / JOB).unlink(missing_ok=True)
            if not work.begun:
                shutil.rmtree(work.folder, ignore_errors=True)


def _check(target: Path, *, restart: bool) -> None:
    """An error if a folder is not fit for a job."""
    refuse_links(target, links_below(target))
    names = {path.name for path in target.iterdir()}
    if names and WORK not in names:
        if MANIFEST not in names:
            raise DataError(f"{target}: holds {min(names)} and no noise job: give a new or empty folder")
        if not (restart and NOISE_JOB.is_at(target / MANIFEST)):  # a damaged one is started anew
            NOISE_JOB.read(target / MANIFEST)
