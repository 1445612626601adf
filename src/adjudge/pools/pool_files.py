"""A pool as files in the folder of a project.

PROJECT/
  pool.json      what the pool was made by, its runs, and the checksums of its columns; written last
  pool-…/        the columns, one file each, in the format of numpy; they are mapped into memory, not read
  topics.jsonl   the topics, if they were given
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import DataError, SpecError
from ..core.strings import Strings
from ..core.topic import Topic
from ..core.visible import visible
from ..formats.topics import read_topics, write_topics
from ..storage.access import is_within, reading, refuse_links, writing
from ..storage.arrays import ascends, read_array
from ..storage.lock import locked
from ..storage.manifest import ManifestKind, checksums, damaged_files
from ..storage.replace import new_folder
from .pooled_pairs import Budget, Pool, PoolDefinition, PooledRun

POOL = ManifestKind("adjudge pool", 1, "pool", "make it again")
MANIFEST, TOPICS, FOLDER = "pool.json", "topics.jsonl", "pool-"
OWN = (
    MANIFEST, TOPICS, "desk.toml", "guidelines.md", "store.url", "store.sqlite", "store.sqlite-wal", "store.sqlite-shm",
    "judges",
)  # fmt: skip
"""All that a project with a pool may have beside its columns."""
COLUMNS: dict[str, npt.DTypeLike] = {
    "offsets": np.int64,
    "numbers": np.int32,
    "list_offsets": np.int64,
    "list_pairs": np.int32,
    "strata": np.int32,
    "probabilities": np.float64,
    "drawn": np.bool_,
}
EMPTY = 128
"""Bytes of a file of numpy without a row."""
IDS: dict[str, npt.DTypeLike] = {"data": np.uint8, "starts": np.int64, "lengths": np.int32}


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
    refuse_links(folder, OWN)
    if not path.is_file():
        raise DataError(f"{folder}: no pool here: adjudge pool RUNS -o {folder} makes one")
    body = POOL.read(path)
    try:
        part = _part_of(Path(folder), body)
        topics, runs = _names(body["topics"], "topics"), _names(body["runs"], "runs")
        definition = _definition(body["definition"])
    except (KeyError, TypeError, ValueError, AttributeError, SpecError) as error:
        why = f"it lacks {error}" if isinstance(error, KeyError) else str(error).partition("\n")[0]
        raise DataError(f"{path}: damaged: {why}: make the pool again") from None
    for name in damaged_files(part, body["files"]):
        raise DataError(f"{part / name}: missing or damaged: make the pool again")
    columns = {name: _load(part / f"{name}.npy", kind) for name, kind in COLUMNS.items()}
    ids = {name: _load(part / f"documents-{name}.npy", kind) for name, kind in IDS.items()}
    try:
        _check_columns(columns, ids, len(topics), len(runs))
        return Pool(topics=topics, documents=Strings(**ids), runs=runs, definition=definition, **columns)
    except DataError as error:
        raise DataError(f"{part}: damaged: {error}: make the pool again") from None


def _part_of(folder: Path, body: Mapping[str, Any]) -> Path:
    """The folder of the columns, which lies in that of the project whatever the manifest says."""
    name, files = str(body["folder"]), body["files"]
    if not re.fullmatch(rf"{FOLDER}[\w.-]*", name, re.ASCII) or not is_within(folder / name, folder):
        raise ValueError(f"{visible(name)!r:.100} is no folder of a pool")
    wanted = {f"{column}.npy" for column in COLUMNS} | {f"documents-{column}.npy" for column in IDS}
    if not isinstance(files, dict) or not wanted <= files.keys() or not all(isinstance(n, int) for n in files.values()):
        raise ValueError("it does not list its files")
    for file in wanted:
        if not is_within(folder / name / file, folder):
            raise ValueError(f"{file} lies elsewhere")
    return folder / str(name)


def _names(given: Any, what: str) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(name, str) and name for name in given):
        raise ValueError(f"its {what} are no list of names")
    if len(set(given)) != len(given):
        raise ValueError(f"one of its {what} is there twice")
    return tuple(given)


def _definition(given: Mapping[str, Any]) -> PoolDefinition:
    runs = tuple(PooledRun(**run) for run in given["runs"])
    texts = [given[name] for name in ("pooling", "priority", "documents")]
    texts += [text for run in runs for text in (run.name, run.source, run.digest)]
    whole_topics = given.get("whole_topics", 0)
    numbers = [given["seed"], whole_topics, *(run.wave for run in runs)]
    if not all(isinstance(text, str) for text in texts) or not all(type(number) is int for number in numbers):
        raise ValueError("what it was made by cannot be read")
    if given["seed"] < 0:
        raise ValueError("its seed is negative")
    if whole_topics < 0:
        raise ValueError("its number of whole topics is negative")
    return PoolDefinition(
        pooling=given["pooling"],
        runs=runs,
        seed=given["seed"],
        priority=given["priority"],
        budget=Budget(**given["budget"]),
        documents=given["documents"],
        whole_topics=whole_topics,
    )


def _check_columns(
    columns: Mapping[str, npt.NDArray[Any]], ids: Mapping[str, npt.NDArray[Any]], topics: int, runs: int
) -> None:
    """What a pool counts on, since a stranger can make checksums fit."""
    rows, entries = len(columns["numbers"]), len(columns["list_pairs"])
    starts, lengths = ids["starts"], ids["lengths"]
    offsets, list_offsets = columns["offsets"], columns["list_offsets"]
    if len(starts) != rows or len(lengths) != rows:
        raise DataError(f"{len(starts):,} documents of {rows:,} pairs")
    if rows and (int(starts.min()) < 0 or int(lengths.min()) < 0 or int((starts + lengths).max()) > len(ids["data"])):
        raise DataError("ids of documents lie outside of their column")
    if len(offsets) != topics + 1 or not ascends(offsets, rows):
        raise DataError(f"the pairs of {topics:,} topics do not follow each other")
    if len(list_offsets) != topics * runs + 1 or not ascends(list_offsets, entries):
        raise DataError(f"the lists of {runs:,} runs do not follow each other")
    if rows and int(columns["numbers"].min()) < 1:
        raise DataError("a rank below 1")
    chances = columns["probabilities"]
    if not bool(((chances >= 0) & (chances <= 1)).all()):
        raise DataError("a probability that is none")
    bounds = list_offsets[::runs] if runs else np.zeros(topics + 1, np.int64)
    for topic in range(topics):
        own = columns["list_pairs"][int(bounds[topic]) : int(bounds[topic + 1])]
        if len(own) and not int(offsets[topic]) <= int(own.min()) <= int(own.max()) < int(offsets[topic + 1]):
            raise DataError(f"a list of topic {topic + 1:,} has pairs of another topic")


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
        return _definition(body["definition"]), _names(body["topics"], "topics")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, SpecError):
        raise DataError(f"{place}: not the definition of a pool") from None


def _load(path: Path, kind: npt.DTypeLike) -> npt.NDArray[Any]:
    return read_array(path, kind, mapped=path.stat().st_size > EMPTY)  # a column of no rows cannot be mapped


def pool_topics(folder: Path | str) -> list[Topic]:
    """The topics of a project; those of the pool by their ids if no others were given."""
    path = Path(folder) / TOPICS
    return read_topics(path) if path.is_file() else [Topic(topic, "") for topic in open_pool(folder).topics]


def missing_topics(pool: Pool, topics: Iterable[Topic]) -> list[str]:
    """Topics of the pool that are not among those that were given."""
    known = {topic.id for topic in topics}
    return [topic for topic in pool.topics if topic not in known]
