"""A pool as files in the folder of a project.

PROJECT/
  pool.json      what the pool was made by, its runs, and the checksums of its columns; written last
  pool-…/        the columns, one file each, in the format of numpy; they are mapped into memory, not read
  topics.jsonl   the topics, if they were given
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import DataError
from ..core.strings import Strings
from ..core.topic import Topic
from ..formats.topics import read_topics, write_topics
from ..storage.access import reading, writing
from ..storage.lock import locked
from ..storage.manifest import ManifestKind, checksums, damaged_files
from ..storage.replace import new_folder
from .pooled_pairs import Budget, Pool, PoolDefinition, PooledRun

POOL = ManifestKind("adjudge pool", 1, "pool", "make it again")
MANIFEST, TOPICS, FOLDER = "pool.json", "topics.jsonl", "pool-"
COLUMNS = ("offsets", "numbers", "list_offsets", "list_pairs", "strata", "probabilities", "drawn")
IDS = ("data", "starts", "lengths")


def is_pool(folder: Path) -> bool:
    """Whether there is a pool in a folder."""
    return POOL.is_at(folder / MANIFEST)


def write_pool(pool: Pool, folder: Path, topics: Sequence[Topic] = ()) -> None:
    """Write a pool; one that was there is replaced, and nothing else in the folder is touched."""
    with writing(folder), locked(folder):
        part = new_folder(folder, FOLDER)
        try:
            for name in COLUMNS:
                _save(part / f"{name}.npy", getattr(pool, name))
            ids = _packed(pool.documents)
            for name in IDS:
                _save(part / f"documents-{name}.npy", getattr(ids, name))
            if topics:
                write_topics(topics, folder / TOPICS)
            body = {
                "definition": asdict(pool.definition),
                "topics": list(pool.topics),
                "runs": list(pool.runs),
                "folder": part.name,
                "files": checksums(part),
            }
            POOL.write(folder / MANIFEST, body)
        except BaseException:
            shutil.rmtree(part, ignore_errors=True)
            raise
        for old in folder.glob(f"{FOLDER}*"):
            if old.is_dir() and old != part:
                shutil.rmtree(old, ignore_errors=True)


def _packed(ids: Strings) -> Strings:
    """The same ids without gaps between them."""
    whole = int(ids.lengths.sum(dtype=np.int64))
    if whole == len(ids.data):
        return ids
    return Strings.of(list(ids))


def _save(path: Path, column: npt.NDArray[Any]) -> None:
    with path.open("wb") as file:
        np.save(file, np.ascontiguousarray(column), allow_pickle=False)


def open_pool(folder: Path | str) -> Pool:
    """Open the pool of a project; its columns are mapped into memory, so that millions of pairs are there at once.

    Args:
        folder: the folder of the project.

    >>> open_pool("project")  # doctest: +SKIP
    """
    path = Path(folder) / MANIFEST
    if not path.is_file():
        raise DataError(f"{folder}: no pool here: adjudge pool RUNS -o {folder} makes one")
    body = POOL.read(path)
    part = Path(folder) / str(body["folder"])
    for name in damaged_files(part, body["files"]):
        raise DataError(f"{part / name}: missing or damaged: make the pool again")
    columns = {name: _load(part / f"{name}.npy") for name in COLUMNS}
    ids = Strings(*(_load(part / f"documents-{name}.npy") for name in IDS))
    return Pool(
        topics=tuple(body["topics"]),
        documents=ids,
        runs=tuple(body["runs"]),
        definition=_definition(body["definition"]),
        **columns,
    )


def _definition(body: Any) -> PoolDefinition:
    return PoolDefinition(
        pooling=body["pooling"],
        runs=tuple(PooledRun(**run) for run in body["runs"]),
        seed=body["seed"],
        priority=body["priority"],
        budget=Budget(**body["budget"]),
        documents=body["documents"],
    )


def definition_text(pool: Pool) -> str:
    """What a pool was made by, as JSON: adjudge pool again makes the same pool from it."""
    body = {"topics": list(pool.topics), "definition": asdict(pool.definition)}
    return json.dumps(body, indent=1, ensure_ascii=False) + "\n"


def read_definition(place: Path) -> tuple[PoolDefinition, tuple[str, ...]]:
    """What a pool was made by, and its topics, from a definition or from the folder of a project."""
    if place.is_dir():
        pool = open_pool(place)
        return pool.definition, tuple(pool.topics)
    with reading(place):
        raw = place.read_bytes()
    try:
        body = json.loads(raw)
        return _definition(body["definition"]), tuple(map(str, body["topics"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        raise DataError(f"{place}: not the definition of a pool") from None


def _load(path: Path) -> npt.NDArray[Any]:
    with reading(path):
        try:
            column: npt.NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
        except ValueError as error:
            if path.stat().st_size and "empty" not in str(error):
                raise DataError(f"{path}: damaged: {error}: make the pool again") from None
            column = np.load(path, allow_pickle=False)  # a column of no rows cannot be mapped
    return column


def pool_topics(folder: Path | str) -> list[Topic]:
    """The topics of a project; those of the pool by their ids if no others were given."""
    path = Path(folder) / TOPICS
    return read_topics(path) if path.is_file() else [Topic(topic, "") for topic in open_pool(folder).topics]


def missing_topics(pool: Pool, topics: Iterable[Topic]) -> list[str]:
    """Topics of the pool that are not among those that were given."""
    known = {topic.id for topic in topics}
    return [topic for topic in pool.topics if topic not in known]
