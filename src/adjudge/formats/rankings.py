"""Reading rankings of anything: ids from best to worst, ids with scores, or numbers alone."""

from __future__ import annotations

import csv
import re
from typing import Any

from ..core.errors import ConflictError, DataError, at
from .nested import NUMBER, parse_json
from .raw_file import looks_like_json, looks_like_parquet
from .source import Source, open_source

Ranking = list[str] | list[float] | dict[str, float]


def read_ranking(source: Any) -> Ranking | None:
    """Read a ranking; None if it is a table of scores with more than two columns.

    Args:
        source: a path, ``-`` or an open binary file. Lines of one id are a ranking from best to worst; of an id and a
            number (between blanks, commas, tabs or semicolons; a first line without a number is a header) {id: number};
            of one number a list of numbers. JSON may be a list or an object of numbers.

    >>> read_ranking("systems.txt")  # doctest: +SKIP
    """
    opened = open_source(source)
    if looks_like_parquet(opened):
        return None
    if looks_like_json(opened) or opened.whole().lstrip()[:1] == b"[":
        return _of_json(opened)
    lines = [
        (n, line) for n, line in enumerate(opened.whole().decode("utf-8", "replace").splitlines(), 1) if line.strip()
    ]
    if not lines:
        raise DataError(f"{opened.name}: empty: a ranking has at least one line")
    rows = [(n, line, _fields(opened.name, n, line)) for n, line in lines]
    widths = {len(fields) for _, _, fields in rows}
    if max(widths) > 2:
        return None
    if max(widths) == 1:
        return _of_column(opened, rows)
    head = rows[0][2]
    if len(rows) > 1 and len(head) == 2 and _is_word(head[1]):
        rows = rows[1:]
    ranking: dict[str, float] = {}
    for number, line, fields in rows:
        if len(fields) != 2 or not _is_number(fields[1]):
            raise DataError(at(opened.name, number, "not an id and a number", line))
        if fields[0] in ranking:
            raise ConflictError(at(opened.name, number, f"{fields[0]} is ranked twice", line))
        ranking[fields[0]] = float(fields[1])
    return ranking


def _fields(name: str, number: int, line: str) -> list[str]:
    separator = next((s for s in "\t,;" if s in line.strip()), None)
    if separator is None:
        return line.split()
    try:
        return [field.strip() for field in next(csv.reader([line.strip()], delimiter=separator))]
    except csv.Error as error:
        raise DataError(at(name, number, f"not a table: {error}")) from None


def _is_number(text: str) -> bool:
    return re.fullmatch(NUMBER, text) is not None


def _is_word(text: str) -> bool:
    """A name that a column may have, and not a number that is none."""
    return not _is_number(text) and text.strip("+-").lower() not in {"", "nan", "na", "inf", "infinity", "null", "none"}


def _of_column(source: Source, rows: list[tuple[int, str, list[str]]]) -> Ranking:
    if len(rows) > 1 and _is_word(rows[0][2][0]) and all(_is_number(fields[0]) for _, _, fields in rows[1:]):
        rows = rows[1:]  # the name of the column
    numbers = [_is_number(fields[0]) for _, _, fields in rows]
    if all(numbers):
        return [float(fields[0]) for _, _, fields in rows]
    seen: dict[str, int] = {}
    for (number, line, fields), is_number in zip(rows, numbers, strict=True):
        if is_number:
            raise DataError(at(source.name, number, "a number among ids: a ranking is one or the other", line))
        if seen.setdefault(fields[0], number) != number:
            raise ConflictError(at(source.name, number, f"{fields[0]} is ranked twice", line))
    return list(seen)


def _of_json(source: Source) -> Ranking | None:
    data = parse_json(source)
    if isinstance(data, dict) and "topics" in data and isinstance(data["topics"], dict):
        return None
    if isinstance(data, list) and data and all(isinstance(item, str) for item in data):
        return data
    numbers = list(data.values()) if isinstance(data, dict) else data if isinstance(data, list) else []
    if not numbers or not all(isinstance(n, int | float) and not isinstance(n, bool) for n in numbers):
        raise DataError(f"{source.name}: a ranking is a list of ids or numbers, or an object of numbers")
    try:
        return {str(k): float(v) for k, v in data.items()} if isinstance(data, dict) else [float(n) for n in data]
    except OverflowError:
        raise DataError(f"{source.name}: a number is too large to be compared") from None
