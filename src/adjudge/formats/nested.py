"""Nested dicts and frames: {topic: {document: number}} as pytrec_eval and ranx use it, CSV, Parquet, polars, pandas."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import ConflictError, DataError, at, shown
from .source import DOCUMENT, TOPIC, Columns, Source, folded

SCORE = ("score", "sim", "rsv", "value")
GRADE = ("grade", "relevance", "rel", "label", "judgment", "score", "value")
TAG = ("tag", "run", "runid", "system", "name")


def from_json(source: Source, integer: bool) -> Columns:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise ConflictError(f"{source.name}: the key {twice!r} occurs twice in one object")
        return made

    try:
        data = json.loads(source.whole(), object_pairs_hook=once)
    except json.JSONDecodeError as error:
        raise DataError(at(source.name, error.lineno, f"not JSON: {error.msg}")) from None
    except UnicodeDecodeError as error:
        raise DataError(f"{source.name}: not UTF-8 at byte {error.start}") from None
    return from_dict(data, integer, source.name)


def from_dict(data: Any, integer: bool, name: str) -> Columns:
    topics: list[str] = []
    documents: list[str] = []
    values: list[float] = []
    what = "grade" if integer else "score"
    if not isinstance(data, Mapping):
        raise DataError(f"{name}: not of the form {{topic: {{document: {what}}}}}")
    for topic, ranking in data.items():
        if not isinstance(ranking, Mapping):
            raise DataError(f"{name}: topic {topic} is not of the form {{document: {what}}}")
        topics.extend([str(topic)] * len(ranking))
        documents.extend(map(str, ranking))
        for document, value in ranking.items():
            if isinstance(value, bool) or not isinstance(value, int | float | np.number):
                raise DataError(
                    f"{name}: the {what} of document {document} in topic {topic} is {shown(repr(value))}, not a number"
                )
            values.append(value.item() if isinstance(value, np.number) else value)
    return topics, documents, _numbers(values, integer, name, topics, documents), None


def _numbers(
    values: list[float], integer: bool, name: str, topics: list[str], documents: list[str]
) -> npt.NDArray[Any]:
    array = np.array(values, dtype=np.float64)
    if integer:
        wrong = np.flatnonzero((array != np.floor(array)) | (np.abs(array) >= 2**31) | ~np.isfinite(array))
        if len(wrong):
            i = int(wrong[0])
            raise DataError(
                f"{name}: the grade of document {documents[i]} in topic {topics[i]} is {values[i]}, not a whole number"
            )
        return array.astype(np.int32)
    return array


def from_parquet(source: Source, integer: bool) -> Columns:
    import io

    import polars as pl

    try:
        frame = pl.read_parquet(io.BytesIO(bytes(source.text)))
    except Exception as error:
        raise DataError(f"{source.name}: not readable as Parquet: {str(error).splitlines()[0]}") from None
    return from_frame(frame, integer, source.name, first_line=None)


def from_delimited(source: Source, separator: str, integer: bool) -> Columns:
    import polars as pl

    try:
        frame = pl.read_csv(source.whole(), separator=separator, infer_schema=False)
    except Exception as error:
        raise DataError(f"{source.name}: not readable as CSV: {str(error).splitlines()[0]}") from None
    return from_frame(frame, integer, source.name, first_line=2)


def from_frame(frame: Any, integer: bool, name: str, first_line: int | None = None) -> Columns:
    """Columns of a polars or pandas frame, found by their names."""
    columns = {folded(str(column)): column for column in frame.columns}

    def pick(kind: str, names: tuple[str, ...]) -> list[Any]:
        for candidate in names:
            if candidate in columns:
                listed: list[Any] = frame[columns[candidate]].to_list()
                return listed
        have = ", ".join(map(str, frame.columns))
        raise DataError(f"{name}: no {kind} column (one of {', '.join(names)}) among: {have}")

    def place(row: int) -> str:
        return f"{name}: row {row + 1}" if first_line is None else f"{name}:{row + first_line}"

    topics, documents = pick("topic", TOPIC), pick("document", DOCUMENT)
    what, raw = ("grade", pick("grade", GRADE)) if integer else ("score", pick("score", SCORE))
    values = np.empty(len(raw))
    for row, (topic, document, value) in enumerate(zip(topics, documents, raw, strict=True)):
        for kind, identifier in (("topic", topic), ("document", document)):
            if identifier is None or (isinstance(identifier, float) and np.isnan(identifier)):
                raise DataError(f"{place(row)}: no {kind}")
        try:
            values[row] = float(value)
        except (TypeError, ValueError):
            values[row] = np.nan
        fine = np.isfinite(values[row]) and not isinstance(value, bool)
        if not fine or (integer and (values[row] != np.floor(values[row]) or abs(values[row]) >= 2**31)):
            wanted = "a whole number" if integer else "a finite number"
            raise DataError(f"{place(row)}: the {what} is not {wanted}: {shown(str(value))}")
    tag = next((frame[columns[t]].to_list()[-1] for t in TAG if t in columns and len(raw)), None)
    numbers = values.astype(np.int32) if integer else values
    return [str(t) for t in topics], [str(d) for d in documents], numbers, None if tag is None else str(tag)
