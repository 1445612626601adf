"""What a degrading job is, and the folder that it has for itself."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from ..core.errors import ConflictError, DataError
from ..formats.documents.produced import JOB, MANIFEST, NOISE, WORK
from ..formats.writing import write

VERSION = 1
FAILURES = "failures.csv"


@dataclass(frozen=True)
class Source:
    """The corpus, so that another one is recognised."""

    documents: int
    characters: int
    fingerprint: str


@dataclass(frozen=True)
class Job:
    """What is degraded, and how; a job goes on only if both are as they were."""

    source: Source
    settings: dict[str, object]

    @property
    def described(self) -> dict[str, Any]:
        description: dict[str, Any] = json.loads(
            json.dumps({"kind": NOISE, "version": VERSION, "settings": self.settings, "source": asdict(self.source)})
        )
        return description

    def refuse_other(self, folder: Path, former: dict[str, Any]) -> None:
        """An error if what was begun in a folder is another job than this."""
        old, new = _flat({k: former.get(k) for k in self.described}), _flat(self.described)
        for name in sorted(old.keys() | new.keys()):
            if old.get(name) != new.get(name):
                what = f"{name.partition('.')[2] or name} {old.get(name, 'nothing')}, not {new.get(name, 'nothing')}"
                if name.startswith("source."):
                    what = f"other documents ({what})"
                raise ConflictError(
                    f"{folder}: was begun with {what}: give the same to go on, another folder, or --restart"
                )

    def finished(self, folder: Path, names: Sequence[str]) -> dict[str, object] | None:
        """The manifest if this very job was finished in a folder; None if nothing is there."""
        path = folder / MANIFEST
        if not path.exists():
            return None
        manifest = _read(path)
        self.refuse_other(folder, manifest)
        for name in names:
            stated = manifest.get("files", {}).get(name)
            if stated is None:
                raise ConflictError(f"{folder}: was finished without {name}: give another folder, or --restart")
            size = (folder / name).stat().st_size if (folder / name).exists() else None
            if size != stated:
                raise DataError(f"{folder / name}: not as it was written ({stated} bytes): start anew with --restart")
        return manifest

    def close(self, folder: Path, manifest: dict[str, object], *, failures: bool) -> None:
        """Put the manifest in place, and remove what an earlier job left that is no part of this one."""
        former = _read(folder / MANIFEST).get("files", {}) if (folder / MANIFEST).exists() else {}
        write(folder / MANIFEST, (json.dumps(manifest, indent=1, ensure_ascii=True) + "\n").encode())
        stale = set(former) - set(manifest["files"] if isinstance(manifest["files"], dict) else ())
        for name in stale if failures else stale | {FAILURES}:
            if name == FAILURES or name.startswith("documents."):
                (folder / name).unlink(missing_ok=True)


def manifest_of(job: Job, folder: Path, names: Sequence[str], **counts: object) -> dict[str, object]:
    """All there is to say of a finished job."""
    from .. import __version__

    files = {name: (folder / name).stat().st_size for name in names}
    return {**job.described, "adjudge": __version__, "documents": job.source.documents, **counts, "files": files}


def _flat(data: dict[str, Any], before: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in data.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{before}{name}.")
        else:
            flat[f"{before}{name}"] = value
    return flat


def _read(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_bytes())
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise DataError(f"{path}: damaged: not JSON: {error}: start anew with --restart") from None
    if not isinstance(data, dict) or data.get("kind") != NOISE:
        raise DataError(f"{path}: not of a noise job: give a new or empty folder")
    return data


class Work:
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
            job.refuse_other(self.folder.parent, _read(path))
            return
        self.journal.unlink(missing_ok=True)
        write(path, json.dumps(job.described, indent=1).encode())


@contextmanager
def own_folder(target: Path, *, restart: bool) -> Iterator[Work]:
    """The output folder, made if need be, while no other job is in it. A job that is done leaves no working folder."""
    work, new = Work(target / WORK), not os.path.exists(target)
    with _locked(target, work.folder):
        try:
            if restart:
                for name in (JOB, "journal"):  # job.json first: without it a journal is nobody's
                    (work.folder / name).unlink(missing_ok=True)
            for path in target.glob(".documents.*.new-*"):  # of a job that was killed
                path.unlink(missing_ok=True)
        except OSError as error:
            raise DataError(f"{target}: cannot be written: {error.strerror}") from None
        try:
            yield work
        finally:
            if work.done:  # job.json first: a journal that is gone while the job is still there would be made again
                (work.folder / JOB).unlink(missing_ok=True)
            if not work.begun:
                shutil.rmtree(work.folder, ignore_errors=True)
            if new and not work.begun and not work.done:
                with suppress(OSError):
                    os.rmdir(target)


def _locked(target: Path, work: Path) -> IO[bytes]:
    """The lock of a folder that is fit for a job; whoever closes it lets others in."""
    try:
        target.mkdir(parents=True, exist_ok=True)
        names = {path.name for path in target.iterdir()}
        if names and WORK not in names:
            if MANIFEST not in names:
                raise DataError(f"{target}: holds {min(names)} and no noise job: give a new or empty folder")
            _read(target / MANIFEST)
        work.mkdir(exist_ok=True)
        lock = (work / "lock").open("wb")
    except FileExistsError:
        raise DataError(f"{target}: not a folder") from None
    except OSError as error:
        raise DataError(f"{target}: cannot be written: {error.strerror}") from None
    try:
        import fcntl

        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # not on Windows: two jobs at a time are then the user's affair
        pass
    except OSError:
        lock.close()
        raise ConflictError(f"{target}: another job is at work there") from None
    return lock
