"""Fields of documents, such as year or author: every value once, and for each document the numbers of its values.

Values are numbered field by field, in the order of their bytes. A document has as many values of a field as it likes,
or none. Counting the values of a million documents is a pass over one array of numbers.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.document import Document
from ..core.errors import DataError
from ..core.kernel import native
from ..core.strings import Strings, decode, encode
from .index_files import Writer, narrow
from .inversion import sums

Integers = npt.NDArray[Any]

compiled: Any = native("scoring")
FIELDS = ("field_values", "field_value_offsets", "field_firsts", "field_codes", "field_offsets")
TITLE = "title"
FEW_TITLES = 1000
"""So many documents may have titles that nobody shares before titles are no longer counted."""
NONE = -1
"""The number for a document without a value."""


class FieldWriter:
    """Takes documents in order and writes the values of their fields.

    The title is a field too where each is shared by two documents on average, as those of newspapers are.
    """

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.names: dict[str, int] = {}
        self.values: dict[tuple[int, bytes], int] = {}
        self.codes, self.counts = array("q"), array("q")
        self.titles: dict[str, array[int]] | None = {}

    def add_documents(self, documents: Sequence[Document]) -> None:
        for document in documents:
            before = len(self.codes)
            if self.titles is not None and document.title:
                self.titles.setdefault(document.title, array("q")).append(len(self.counts))
                if len(self.titles) > FEW_TITLES + len(self.counts) // 2:
                    self.titles = None
            for name, value in dict.fromkeys(document.fields):
                key = self.names.setdefault(name, len(self.names)), _encode(document, name, value)
                self.codes.append(self.values.setdefault(key, len(self.values)))
            self.counts.append(len(self.codes) - before)

    def close(self) -> tuple[str, ...]:
        """Write everything; the names of the fields."""
        codes, counts = np.frombuffer(self.codes, np.int64), np.frombuffer(self.counts, np.int64)
        if self.titles and 1 < len(self.titles) <= len(counts) // 2 and TITLE not in self.names:
            codes, counts = self._with_titles(codes, counts, self.titles)
        if not self.names:
            return ()
        order = sorted(self.values)
        place = np.empty(len(order), np.int64)
        place[np.fromiter((self.values[key] for key in order), np.int64, len(order))] = np.arange(len(order))
        of_field = np.fromiter((field for field, _ in order), np.int64, len(order))
        raw = [value for _, value in order]
        self.writer.array("field_values", np.frombuffer(b"".join(raw), np.uint8))
        self.writer.array("field_value_offsets", narrow(sums(np.fromiter(map(len, raw), np.int64, len(raw)))))
        self.writer.array("field_firsts", narrow(sums(np.bincount(of_field, minlength=len(self.names)))))
        self.writer.array("field_codes", narrow(place[codes]))
        self.writer.array("field_offsets", narrow(sums(counts)))
        return tuple(self.names)

    def _with_titles(
        self, codes: Integers, counts: Integers, titles: dict[str, array[int]]
    ) -> tuple[Integers, Integers]:
        """Numbers of values and how many each document has, the titles after the other fields."""
        field = self.names.setdefault(TITLE, len(self.names))
        numbers = [self.values.setdefault((field, encode_title(title)), len(self.values)) for title in titles]
        owners = np.concatenate([np.frombuffer(rows, np.int64) for rows in titles.values()])
        own = np.repeat(np.array(numbers, np.int64), [len(rows) for rows in titles.values()])
        every = np.concatenate([np.repeat(np.arange(len(counts)), counts), owners])
        return np.concatenate([codes, own])[np.argsort(every, kind="stable")], np.bincount(every, minlength=len(counts))


def encode_title(title: str) -> bytes:
    """The bytes of a title, which may have halves of surrogate pairs."""
    return encode(title.encode("utf-8", "replace").decode())


def _encode(document: Document, name: str, value: str) -> bytes:
    try:
        encode(name)
        return encode(value)
    except (AttributeError, UnicodeEncodeError):
        raise DataError(f"document {document.id}: field {name!r} is {value!r:.50}, which is no text") from None


@dataclass(frozen=True, eq=False)
class FieldColumn:
    """One field of all documents; documents with several values stand in ``documents`` several times."""

    name: str
    values: Sequence[str]
    codes: Integers
    """Numbers of values: one for each document, or, if some have several, one for each of ``documents``."""
    documents: Integers | None = None
    """The documents that the codes belong to, ascending; None: the code of each document, NONE if it has no value."""

    @property
    def single(self) -> bool:
        """Whether no document has more than one value."""
        return self.documents is None

    def counts(self, documents: Integers | None = None, among: int = 0) -> Integers:
        """How many of some documents (of all ``among`` so many if none are given) have each value."""
        rows: Integers | None = documents
        if documents is not None and self.documents is not None:
            wanted = np.zeros(among, bool)
            wanted[documents] = True
            rows = np.flatnonzero(wanted[self.documents])
        counts = np.zeros(len(self.values) + 1, np.int64)
        if compiled is None:
            codes = self.codes if rows is None else self.codes.take(rows)
            counts += np.bincount(codes + 1, minlength=len(counts))
        else:
            compiled.count(self.codes, None if rows is None else np.ascontiguousarray(rows, np.int64), counts)
        return counts[1:]

    def having(self, chosen: Sequence[int], documents: int) -> npt.NDArray[np.bool_]:
        """Which of all documents have one of the values with these numbers."""
        wanted = np.zeros(len(self.values) + 1, bool)  # the last is for NONE
        wanted[list(chosen)] = True
        if self.documents is None:
            return wanted[self.codes]
        marks = np.zeros(documents, bool)
        marks[self.documents[wanted[self.codes]]] = True
        return marks

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each value."""
        return {value: number for number, value in enumerate(self.values)}


def columns_of(names: Sequence[str], arrays: Mapping[str, Integers]) -> dict[str, FieldColumn]:
    """Every field as a column."""
    raw, value_offsets, firsts, codes, offsets = (arrays[name] for name in FIELDS)
    begins, count = value_offsets.astype(np.int64), len(offsets) - 1
    strings = Strings(raw, begins[:-1], np.diff(begins).astype(np.int32))
    own_values: Integers = np.diff(offsets.astype(np.int64))
    documents = np.repeat(np.arange(count, dtype=np.int32), own_values)
    fields = np.searchsorted(firsts, codes, "right") - 1
    columns = {}
    for number, name in enumerate(names):
        first, last = int(firsts[number]), int(firsts[number + 1])
        rows = fields == number
        own, owners = codes[rows].astype(np.int32) - np.int32(first), documents[rows]
        if bool((owners[1:] == owners[:-1]).any()):
            columns[name] = FieldColumn(name, strings[first:last], own, owners)
        else:
            every = np.full(count, NONE, np.int32)
            every[owners] = own
            columns[name] = FieldColumn(name, strings[first:last], every)
    return columns


def fields_of(names: Sequence[str], arrays: Mapping[str, Integers], document: int) -> tuple[tuple[str, str], ...]:
    """The fields of one document."""
    raw, value_offsets, firsts, codes, offsets = (arrays[name] for name in FIELDS)
    own = codes[int(offsets[document]) : int(offsets[document + 1])].tolist()
    return tuple(
        (
            names[int(np.searchsorted(firsts, code, "right")) - 1],
            decode(raw[int(value_offsets[code]) : int(value_offsets[code + 1])].tobytes()),
        )
        for code in own
    )
