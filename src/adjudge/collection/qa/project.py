"""The folder of a project: what the commands of ``adjudge collect`` hand to each other.

PROJECT/
  candidates.jsonl   one candidate a line: thread, citations, sentences
  dropped.csv        threads and citations that were not taken, and why
  report.json        counts, the settings, what was odd in the dump
  formulas.jsonl     TeX and MathML of every formula in the questions, when they were converted
  store.sqlite       decisions, written by the workbench
  store.url          where decisions are that are not here
  guidelines.md      rules of the organisers, shown beside the decisions
  collection/        what was exported
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ...core.errors import ConflictError, DataError, at
from ...core.machine import uncollected
from ...formats.nested import refuse_half_characters
from ...formats.source import Source
from ...formats.writing import write
from ...storage.access import refuse_links
from .assessment import Assessment, Judgment, Label
from .mending import SentenceBreak
from .threads import KINDS, PARTS, QUERY, Candidate, Citation, Comment, Part, Post, Sentence, Thread

OWN = (
    "candidates.jsonl", "dropped.csv", "report.json", "formulas.jsonl", "store.sqlite", "store.sqlite-wal",
    "store.sqlite-shm", "store.url", "guidelines.md", "collection",
)  # fmt: skip
"""All that is read and written in the folder."""


@dataclass(frozen=True)
class Project:
    """Where things lie; nothing is read before it is asked for."""

    folder: Path

    @property
    def candidates_path(self) -> Path:
        return self.folder / "candidates.jsonl"

    @property
    def dropped_path(self) -> Path:
        return self.folder / "dropped.csv"

    @property
    def report_path(self) -> Path:
        return self.folder / "report.json"

    @property
    def formulas_path(self) -> Path:
        return self.folder / "formulas.jsonl"

    @property
    def store_path(self) -> Path:
        return self.folder / "store.sqlite"

    @property
    def elsewhere_path(self) -> Path:
        """Names the database that decisions go to, if they are not in the folder."""
        return self.folder / "store.url"

    @property
    def guidelines_path(self) -> Path:
        """The rules of this project for its assessors, if there are any: plain text."""
        return self.folder / "guidelines.md"

    @property
    def export_path(self) -> Path:
        return self.folder / "collection"

    @cached_property
    def candidates(self) -> dict[str, Candidate]:
        """{thread: candidate} in the order of the file."""
        candidates: dict[str, Candidate] = {}
        with uncollected():
            for candidate in read_candidates(self.candidates_path):
                if candidate.id in candidates:
                    raise ConflictError(f"{self.candidates_path}: thread {candidate.id} occurs twice")
                candidates[candidate.id] = candidate
        return candidates


def open_project(folder: str | Path) -> Project:
    """A project that has candidates."""
    project = Project(Path(folder))
    refuse_links(folder, OWN)
    if not project.candidates_path.is_file():
        raise DataError(f"{folder}: no candidates.jsonl here: adjudge collect candidates makes it")
    return project


def write_candidates(candidates: Iterable[Candidate], path: Path) -> None:
    write(path, "".join(map(candidate_line, candidates)).encode("utf-8", "replace"))


def candidate_line(candidate: Candidate) -> str:
    """A candidate as a line of JSON."""
    return json.dumps(candidate, default=vars, ensure_ascii=False) + "\n"


def read_candidates(path: Path) -> Iterator[Candidate]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    candidate = _candidate(_record(line, str(path), number), f"{path}:{number}")
                    if not candidate.id:
                        raise DataError(f"{path}:{number}: a thread without an id")
                    yield candidate
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror}") from None


def _record(line: bytes, name: str, number: int) -> Mapping[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        raise DataError(at(name, number, "not JSON", line)) from None
    refuse_half_characters(record, Source(f"{name}:{number}", line))
    if not isinstance(record, dict):
        raise DataError(at(name, number, "not a JSON object", line))
    return record


PARTS_OF_SENTENCES = frozenset({"parts"})
_KINDS: dict[type[Any], tuple[tuple[str, type[Any] | None], ...]] = {}


def _kinds(record_class: type[Any]) -> tuple[tuple[str, type[Any] | None], ...]:
    """(field, its type) of a record class; None for a list of texts."""
    known = _KINDS.get(record_class)
    if known is None:
        types: dict[str, type[Any]] = {"str": str, "int": int, "bool": bool}
        fields = record_class.__dataclass_fields__
        known = _KINDS[record_class] = tuple((name, types.get(str(field.type))) for name, field in fields.items())
    return known


def _fields(record: Any, place: str, record_class: type[Any], nested: frozenset[str] = frozenset()) -> dict[str, Any]:
    """The fields of a record that a class has, refused if one is of another kind than the class says."""
    if not isinstance(record, dict):
        raise DataError(f"{place}: {record_class.__name__.lower()} is {repr(record)[:50]}, not an object")
    fields: dict[str, Any] = {}
    for name, kind in _kinds(record_class):
        if name in nested or name not in record:
            continue
        value = record[name]
        if kind is None:  # tuple[str, ...]
            if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
                raise DataError(f"{place}: {name} is {repr(value)[:50]}, not a list of texts")
            value = tuple(value)
        elif type(value) is not kind:
            raise DataError(f"{place}: {name} is {repr(value)[:50]}, not {kind.__name__}")
        fields[name] = value
    return fields


def _build(record_class: type[Any], place: str, fields: dict[str, Any]) -> Any:
    try:
        return record_class(**fields)
    except TypeError:
        have = ", ".join(sorted(fields))
        raise DataError(f"{place}: {record_class.__name__.lower()} lacks a field: has {have}") from None


_WHOLE: dict[type[Any], tuple[tuple[str, ...], tuple[Any, ...]]] = {}


def _plain(record_class: type[Any], record: Any, place: str) -> Any:
    """A record without others in it. One that has all fields, each of its kind, is taken as it is: most are so."""
    whole = _WHOLE.get(record_class)
    if whole is None:
        names, kinds = zip(*_kinds(record_class), strict=True)
        whole = _WHOLE[record_class] = (names, kinds)
    if type(record) is dict and tuple(record) == whole[0] and tuple(map(type, record.values())) == whole[1]:
        made = object.__new__(record_class)
        made.__dict__.update(record)  # what __init__ does, in a tenth of the time
        return made
    return _build(record_class, place, _fields(record, place, record_class))


def _list(record: Mapping[str, Any], name: str, place: str) -> list[Any]:
    value = record.get(name, [])
    if not isinstance(value, list):
        raise DataError(f"{place}: {name} is {repr(value)[:50]}, not a list")
    return value


def _candidate(record: Mapping[str, Any], place: str) -> Candidate:
    inner = record.get("thread")
    fields = _fields(inner, place, Thread, frozenset({"question", "answers", "comments"}))
    if not isinstance(inner, dict):
        raise DataError(f"{place}: no thread")
    fields["question"] = _plain(Post, inner.get("question"), place)
    fields["answers"] = tuple(_plain(Post, item, place) for item in _list(inner, "answers", place))
    fields["comments"] = tuple(_plain(Comment, item, place) for item in _list(inner, "comments", place))
    thread: Thread = _build(Thread, place, fields)
    citations = tuple(_plain(Citation, item, place) for item in _list(record, "citations", place))
    dropped = tuple(_plain(Citation, item, place) for item in _list(record, "dropped", place))
    sentences = tuple(_sentence(item, place) for item in _list(record, "sentences", place))
    numbers = [sentence.number for sentence in sentences]
    if len(set(numbers)) != len(numbers):
        raise ConflictError(f"{place}: a sentence number occurs twice")
    return Candidate(thread, citations, sentences, dropped)


def _sentence(record: Any, place: str) -> Sentence:
    fields = _fields(record, place, Sentence, PARTS_OF_SENTENCES)
    fields["parts"] = tuple([_plain(Part, item, place) for item in _list(record, "parts", place)])
    sentence: Sentence = _build(Sentence, place, fields)
    if sentence.kind not in KINDS or (sentence.micro_topic > 0) != (sentence.kind == QUERY):
        raise DataError(f"{place}: sentence {sentence.number} cannot be {sentence.kind!r} of {sentence.micro_topic}")
    if unknown := [part.kind for part in sentence.parts if part.kind not in PARTS]:
        raise DataError(f"{place}: sentence {sentence.number} has a part of kind {unknown[0]!r}")
    return sentence


def read_assessments(path: Path) -> list[Assessment]:
    """Decisions from lines of JSON, for who makes them without the workbench."""
    assessments = []
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror}") from None
    for number, line in enumerate(lines, 1):
        if line.strip():
            assessments.append(_assessment(_record(line, str(path), number), f"{path}:{number}"))
    return assessments


def _assessment(record: Mapping[str, Any], place: str) -> Assessment:
    criteria = {name: record.get(name) for name in ("clear", "answered", "confirmed")}
    for name, value in criteria.items():
        if not isinstance(value, bool | None):
            raise DataError(f"{place}: {name} is {repr(value)[:50]}, not true, false or null")
    fields = _fields(record, place, Assessment, frozenset({*criteria, "labels", "judgments", "breaks"}))
    fields |= criteria
    fields["breaks"] = tuple(_plain(SentenceBreak, item, place) for item in _list(record, "breaks", place))
    fields["labels"] = tuple(_plain(Label, item, place) for item in _list(record, "labels", place))
    fields["judgments"] = tuple(_plain(Judgment, item, place) for item in _list(record, "judgments", place))
    assessment: Assessment = _build(Assessment, place, fields)
    return assessment
