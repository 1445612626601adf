"""What a system made of documents, kept in a folder so that it answers questions without them.

    FOLDER/system.json       which system it is of, and the folder with what it made
    FOLDER/adjudge-made-…/   indexes with the texts, and whatever else the system keeps

What is made anew takes the place of the old when it is whole, because system.json is replaced last: a job that fails
or is killed changes nothing, and what it left behind is removed by the next one.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ...core.document import Documents, InMemory
from ...core.errors import AdjudgeError, ConflictError, DataError, SpecError
from .version import Aids, Note, Version, quiet

if TYPE_CHECKING:
    from ..system import System
    from .asking import Answerer

KIND = "adjudge system"
VERSION = 1
FILE = "system.json"
MADE = "adjudge-made-"


class Kept(NamedTuple):
    """A system with what it keeps, ready for questions."""

    system: System
    answerer: Answerer


def is_kept(folder: str | os.PathLike[str]) -> bool:
    """Whether a folder says that a system made it."""
    return (Path(folder) / FILE).is_file()


def answering() -> list[str]:
    """The names of the systems that answer questions one by one."""
    from ..system import System, systems

    return [one.name for one in systems.all() if one.answerer is not System.answerer]


def refuse(system: System) -> None:
    """An error if a system answers no questions one by one, or if something that it needs is not installed."""
    if system.name not in answering():
        raise SpecError(f"{system} answers no questions one by one, only {', '.join(answering())} do")
    if missing := system.missing():
        raise DataError(f"{system}: {missing}")


def keep(system: System, documents: Documents, folder: str | os.PathLike[str], *, progress: Note = quiet) -> Kept:
    """Let a system make of documents what it needs for questions, in a new or empty folder or in place of the old."""
    refuse(system)
    target = Path(folder)
    with _alone(target):
        return _made(system, documents, target, progress)


def _made(system: System, documents: Documents, target: Path, progress: Note) -> Kept:
    work = _begun(target)
    try:
        version = Version(target.name, documents, work, progress, texts=True)
        system.prepare(version, Aids())
        answerer = system.answerer(version)
        about = {"kind": KIND, "version": VERSION, "system": str(system), "data": work.name}
        _settled(target / FILE, json.dumps(about) + "\n")
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        raise
    _swept(target, work.name)
    return Kept(system, answerer)


def opened(folder: str | os.PathLike[str]) -> Kept:
    """The system that a folder is of, ready for questions."""
    from ..system import systems

    target = Path(folder)
    about = _about(target)
    try:
        system = systems.parse(about["system"])
    except SpecError as error:
        raise DataError(f"{target / FILE}: {error}") from None
    version = Version(str(target), InMemory(()), target / about["data"], texts=True, complete=True)
    try:
        return Kept(system, system.answerer(version))
    except AdjudgeError:
        if _about(target)["data"] == about["data"]:
            raise
        return opened(target)  # it was replaced in this moment


def verified(folder: str | os.PathLike[str]) -> Kept:
    """The same, after every file that it needs was compared with its checksum."""
    from ...index.files import MANIFEST
    from ...index.index import Index

    kept, target = opened(folder), Path(folder)
    for manifest in sorted((target / _about(target)["data"]).glob(f"index-*/{MANIFEST}")):
        Index.open(manifest.parent).verify()
    return kept


def _about(target: Path) -> dict[str, str]:
    path = target / FILE
    try:
        about = json.loads(path.read_bytes())
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: damaged: not JSON: {error}") from None
    if not isinstance(about, dict) or about.get("kind") != KIND:
        raise DataError(f"{path}: does not say what a system keeps here")
    if about.get("version") != VERSION:
        raise DataError(f"{path}: of another release: index the documents again")
    data = about.get("data")
    if not isinstance(about.get("system"), str) or not isinstance(data, str) or Path(data).name != data:
        raise DataError(f"{path}: damaged")
    if not data.startswith(MADE) or not (target / data).is_dir():
        raise DataError(f"{path}: damaged: the folder {data} is not there")
    return about


@contextmanager
def _alone(target: Path) -> Iterator[None]:
    """The folder, made if need be, while nobody else makes something in it; if nothing comes of it, it is gone."""
    made = [path for path in (target, *target.parents) if not path.exists()]
    with ExitStack() as stack:
        try:
            target.mkdir(parents=True, exist_ok=True)
            if (handle := _locked(target)) is not None:
                stack.callback(os.close, handle)
        except FileExistsError:
            raise DataError(f"{target}: not a folder") from None
        except BlockingIOError:
            raise ConflictError(f"{target}: another job is making something in it") from None
        except OSError as error:
            raise DataError(f"{target}: cannot be written: {error.strerror}") from None
        try:
            yield
        finally:
            with suppress(OSError):  # there is something in it
                for path in made:
                    path.rmdir()


def _locked(target: Path) -> int | None:
    """The lock of a folder, held until it is closed; None on Windows, where two at a time are the user's affair."""
    try:
        import fcntl
    except ImportError:
        return None
    handle = os.open(target, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException:
        os.close(handle)
        raise
    return handle


def _begun(target: Path) -> Path:
    """A new folder in the target."""
    try:
        names = {path.name for path in target.iterdir()}
        if not is_kept(target) and any(not name.startswith(MADE) for name in names):
            other = min(name for name in names if not name.startswith(MADE))
            raise DataError(f"{target}: holds {other} and nothing of a system: give a new or empty folder")
        work = Path(tempfile.mkdtemp(prefix=MADE, dir=target))
        work.chmod(0o755)
    except OSError as error:
        raise DataError(f"{target}: cannot be written: {error.strerror}") from None
    return work


def _settled(path: Path, text: str) -> None:
    """In place in one step."""
    new = path.with_name(f"{MADE}{path.name}")
    try:
        new.write_text(text, encoding="utf-8")
        new.replace(path)
    except OSError as error:
        raise DataError(f"{path}: cannot be written: {error.strerror}") from None


def _swept(target: Path, current: str) -> None:
    for path in target.glob(f"{MADE}*"):
        if path.name != current:
            shutil.rmtree(path, ignore_errors=True)
