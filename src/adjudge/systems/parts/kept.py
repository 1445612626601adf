"""What a system made of documents, kept in a folder so that it answers questions without them.

    FOLDER/system.json       which system it is of, and the folder with what it made
    FOLDER/adjudge-made-…/   indexes with the texts, copies of the files that the system's parameters name, and whatever
                             else the system keeps

What is made anew takes the place of the old when it is whole, because system.json is replaced last: a job that fails
or is killed changes nothing, and what it left behind is removed by the next one.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from ...core.document import Documents, InMemory
from ...core.errors import AdjudgeError, DataError, SpecError
from ...core.progress import SILENT, Listener
from ...core.run import Run
from ...storage.access import refuse_links, writing
from ...storage.lock import locked
from ...storage.manifest import ManifestKind
from ...storage.replace import is_leftover, new_folder, sweep
from .version import Aids, Version

if TYPE_CHECKING:
    from ...index.index import Index
    from ...index.searching import Hits
    from ..system import System
    from .answerer import Answerer

KIND = ManifestKind("adjudge system", 1, "system", "index the documents again", signed=False)
FILE = "system.json"
MADE = "adjudge-made-"
LOCK = f"{MADE}lock"


class Kept(NamedTuple):
    """A system with what it keeps, ready for questions."""

    system: System
    answerer: Answerer

    @property
    def stored(self) -> Index:
        """The index whose documents it answers with."""
        return self.answerer.search("", 1).index

    def run(
        self,
        topics: Mapping[str, str],
        k: int = 1000,
        name: str | None = None,
        *,
        progress: Listener = SILENT,
    ) -> Run:
        """The best k documents for each topic as a run; topics that find nothing are noted and left out."""
        from ...index.searching import run_of

        answers: dict[str, Hits] = {}
        with progress.work("search", total=len(topics), unit="topics") as step:
            for topic, question in topics.items():
                hits = self.answerer.search(question, k)
                if len(hits):
                    answers[topic] = hits
                elif hits.note is not None:
                    step.note(hits.note.about(topic))
                step.advance(name=topic)
        tag = "".join(str(self.system).split()) if name is None else name
        return run_of(answers, next(iter(answers.values())).index, tag) if answers else Run.empty(tag)


def is_kept(folder: str | os.PathLike[str]) -> bool:
    """Whether a folder says that a system made it."""
    return (Path(folder) / FILE).is_file()


def answering() -> list[str]:
    """The names of the systems that answer questions one by one."""
    from ..system import System, systems

    return [system.name for system in systems.all() if system.answerer is not System.answerer]


def refuse(system: System) -> None:
    """An error if a system answers no questions one by one, or if something that it needs is not installed."""
    if system.name not in answering():
        raise SpecError(f"{system} answers no questions one by one, only {', '.join(answering())} do")
    if missing := system.missing():
        raise DataError(f"{system}: {missing}")


def keep(system: System, documents: Documents, folder: str | os.PathLike[str], *, progress: Listener = SILENT) -> Kept:
    """Let a system make of documents what it needs for questions, in a new or empty folder or in place of the old."""
    refuse(system)
    target = Path(folder)
    with (
        locked(target, LOCK, busy="another job is making something in it", check=_check),
        progress.work("keep", str(system)) as step,
    ):
        return _prepare(system, documents, target, step.inside)


def _prepare(system: System, documents: Documents, target: Path, progress: Listener) -> Kept:
    with writing(target):
        work = new_folder(target, MADE)
    try:
        version = Version(target.name, documents, work, progress, texts=True, copies=_copied(system, work))
        system.prepare(version, Aids())
        answerer = system.answerer(version)
        KIND.write(target / FILE, {"system": str(system), "data": work.name, "files": list(version.copies)})
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        raise
    _sweep(target, work.name)
    return Kept(system, answerer)


def _copied(system: System, work: Path) -> dict[str, Path]:
    """The files that a system's parameters name, kept so that it is the same wherever it is asked."""
    copies = _copies(system.files, work)
    for name, copy in copies.items():
        try:
            content = Path(name).read_bytes()
        except OSError as why:
            raise DataError(f"{name}: cannot be read: {why.strerror}") from None
        with writing(copy):
            copy.write_bytes(content)
    return copies


def _copies(names: Iterable[str], work: Path) -> dict[str, Path]:
    return {name: work / f"file-{number}" for number, name in enumerate(names, 1)}


def open_kept(folder: str | os.PathLike[str]) -> Kept:
    """The system that a folder is of, ready for questions."""
    from ..system import systems

    target = Path(folder)
    about = _about(target)
    try:
        system = systems.parse(about["system"])
    except SpecError as error:
        raise DataError(f"{target / FILE}: {error}") from None
    made = target / about["data"]
    copies = _copies(about["files"], made)
    refuse_links(made, [copy.name for copy in copies.values()])
    version = Version(str(target), InMemory(()), made, texts=True, complete=True, copies=copies)
    try:
        return Kept(system, system.answerer(version))
    except AdjudgeError:
        if _about(target)["data"] == about["data"]:
            raise
        return open_kept(target)  # it was replaced in this moment


def refuse_change(folder: str | os.PathLike[str]) -> None:
    """An error if a folder is that of a system: what it learned depends on all documents."""
    if is_kept(folder):
        system = _about(Path(folder))["system"]
        raise SpecError(
            f"{os.fspath(folder)}: {system} learned from all its documents: index them again to change them"
        )


def verify_kept(folder: str | os.PathLike[str]) -> Kept:
    """The same, after every file that it needs was compared with its checksum."""
    from ...index.index import Index
    from ...index.index_files import MANIFEST

    system_folder, target = open_kept(folder), Path(folder)
    for manifest in sorted((target / _about(target)["data"]).glob(f"index-*/{MANIFEST}")):
        Index.open(manifest.parent).verify()
    return system_folder


class KeptFacts(TypedDict):
    """What system.json says."""

    system: str
    data: str
    files: list[str]


def _about(target: Path) -> KeptFacts:
    path = target / FILE
    about = KIND.read(path)
    data, files = about.get("data"), about.get("files", [])
    if not isinstance(files, list) or not all(isinstance(name, str) for name in files):
        raise DataError(f"{path}: damaged")
    if not isinstance(about.get("system"), str) or not isinstance(data, str) or Path(data).name != data:
        raise DataError(f"{path}: damaged")
    if not data.startswith(MADE) or not (target / data).is_dir():
        raise DataError(f"{path}: damaged: the folder {data} is not there")
    refuse_links(target, [data])
    return {"system": about["system"], "data": data, "files": files}


def _check(target: Path) -> None:
    """An error if a folder holds something else than what a system keeps, or a killed job left."""
    others = [path.name for path in target.iterdir() if not path.name.startswith(MADE) and not is_leftover(path.name)]
    if others and not is_kept(target):
        raise DataError(f"{target}: holds {min(others)} and nothing of a system: give a new or empty folder")


def _sweep(target: Path, current: str) -> None:
    sweep(target)
    for path in target.glob(f"{MADE}*"):
        if path.name not in {current, LOCK}:
            shutil.rmtree(path, ignore_errors=True)
