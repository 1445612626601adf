"""The fields of an index in several parts, as a build of all its documents would write them.

Values are numbered anew, since each part has its own numbers; the work is a few passes over arrays and a look at each
different value. Whether the title is a field depends on how many documents share titles in the whole, so titles that a
part does not have as a field are read from its texts, until it is clear that there are too many different ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.errors import DataError
from ..core.strings import Strings, encode
from .field_columns import FEW_TITLES, FIELDS, TITLE, FieldWriter
from .index import TEXTS
from .index_files import Writer
from .inversion import sums
from .joined_index import IndexPart
from .texts import CODEC, every_record

Integers = npt.NDArray[Any]
NOBODY = -1
"""The title of a document without one."""


class _Column(NamedTuple):
    """The values of fields of the documents of a part that are left."""

    names: list[str]
    """The field of each value that has a number."""
    raw: Strings
    codes: Integers
    counts: Integers
    """Values of each document."""


def join_fields(parts: Sequence[IndexPart], writer: Writer) -> tuple[str, ...]:
    """Write the fields of all documents that are left; the names of the fields."""
    if not parts[0].index.manifest.texts:
        return ()
    joint: Any = FieldWriter(writer)
    columns = [_column(part, titles=False) for part in parts]
    numbers: dict[tuple[str, str], int] = {}
    streams = [np.zeros(0, np.int64)]
    for column in columns:
        place = np.zeros(len(column.names), np.int64)
        for code in np.unique(column.codes).tolist():
            place[code] = numbers.setdefault((column.names[code], column.raw[code]), len(numbers))
        streams.append(place[column.codes])
    stream = np.concatenate(streams)
    names = [name for name, _ in numbers]
    used, firsts = np.unique(stream, return_index=True)  # all are used; names are numbered as they come
    for value in used[np.argsort(firsts)].tolist():
        joint.names.setdefault(names[value], len(joint.names))
    joint.values = {(joint.names[name], encode(value)): at for (name, value), at in numbers.items()}
    joint.codes, joint.counts = stream, np.concatenate([column.counts for column in columns])
    joint.titles = None if TITLE in joint.names else _titles(parts)
    fields: tuple[str, ...] = joint.close()
    return fields


def _column(part: IndexPart, *, titles: bool) -> _Column:
    """The fields of a part, or only its titles where they are a field because they are shared."""
    names, arrays = part.index.manifest.fields, part.index.arrays
    if not names:
        return _Column([], Strings.of([]), np.zeros(0, np.int64), np.zeros(len(part), np.int64))
    raw, value_offsets, firsts, codes, offsets = (arrays[name] for name in FIELDS)
    begins = value_offsets.astype(np.int64)
    sizes, each = _widths(firsts), _widths(offsets)
    of_value, documents = np.repeat(np.arange(len(names)), sizes), np.repeat(np.arange(len(part.index)), each)
    is_title = of_value[codes] == (len(names) - 1 if has_titles(part) else NOBODY)
    wanted = part.left[documents] & (is_title == titles)
    counts = np.bincount(documents[wanted], minlength=len(part.index))[part.left]
    strings = Strings(raw, begins[:-1], np.diff(begins).astype(np.int32))
    return _Column([names[field] for field in of_value.tolist()], strings, codes[wanted].astype(np.int64), counts)


def _widths(offsets: Integers) -> Integers:
    widths: Integers = np.diff(offsets.astype(np.int64))
    return widths


def has_titles(part: IndexPart) -> bool:
    """Whether the last field of a part was made of its titles, and is none that its documents had."""
    names, arrays = part.index.manifest.fields, part.index.arrays
    if not names or names[-1] != TITLE:
        return False
    _, value_offsets, firsts, codes, offsets = (arrays[name].astype(np.int64) for name in FIELDS)
    is_title = codes >= firsts[-2]
    documents = np.repeat(np.arange(len(part.index)), np.diff(offsets))[is_title]
    sizes = np.zeros(len(part.index), np.int64)
    np.add.at(sizes, documents, np.diff(value_offsets)[codes[is_title]])
    once = len(np.unique(documents)) == len(documents)
    return once and np.array_equal(sizes, arrays["text_sizes"][::2].astype(np.int64))


def _titles(parts: Sequence[IndexPart]) -> Any:
    """The documents of each title; None if there are too many different ones."""
    numbers: dict[str, int] = {}
    every = [np.zeros(0, np.int64)]
    for part in parts:
        before = sum(map(len, every))
        if has_titles(part):
            column = _column(part, titles=True)
            codes, first = np.unique(column.codes, return_index=True)
            place = np.zeros(len(column.names), np.int64)
            for code in codes[np.argsort(first)].tolist():  # in the order in which documents have them
                place[code] = numbers.setdefault(column.raw[code], len(numbers))
            own = np.full(len(part), NOBODY, np.int64)
            own[column.counts > 0] = place[column.codes]
        else:
            read = _read_titles(part, numbers, before)
            if read is None:
                return None
            own = read
        every.append(own)
        stream = np.concatenate(every)
        highest = np.maximum.accumulate(np.append(NOBODY, stream))[1:] + 1  # titles are numbered as they come
        if bool((highest > FEW_TITLES + np.arange(len(stream)) // 2).any()):
            return None
        every = [stream]
    owners = np.flatnonzero(every[0] >= 0)
    own = every[0][owners]
    order = np.argsort(own, kind="stable")
    cuts = sums(np.bincount(own, minlength=len(numbers)))
    rows = owners[order]
    return {title: rows[cuts[at] : cuts[at + 1]] for title, at in numbers.items()}


def _read_titles(part: IndexPart, numbers: dict[str, int], before: int) -> Integers | None:
    """The titles of a part from its texts, by number; None once there are too many different ones."""
    own = np.full(len(part), NOBODY, np.int64)
    sizes = part.index.arrays["text_sizes"][::2][part.left]
    if not bool(sizes.any()):
        return own
    for row, title in enumerate(_left_titles(part)):
        if title:
            own[row] = numbers.setdefault(title, len(numbers))
            if len(numbers) > FEW_TITLES + (before + row) // 2:
                return None
    return own


def _left_titles(part: IndexPart) -> Iterator[str]:
    index, left = part.index, part.left.tolist()
    place = str(index.folder / index.manifest.data / "texts")
    records = every_record(place, [index.arrays[name] for name in TEXTS], 2)
    try:
        for (title, _), wanted in zip(records, left, strict=True):
            if wanted:
                yield title.decode(*CODEC)
    except UnicodeDecodeError as error:
        raise DataError(f"{place}: damaged: {error}") from None
