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
from ..core.strings import Strings, decode, encode
from .index_files import Writer, narrow
from .inversion import sums

Integers = npt.NDArray[Any]
FIELDS = ("field_values", "field_value_offsets", "field_firsts", "field_codes", "field_offsets")
NONE = -1
"""The number for a document without a value."""


class FieldWriter:
    """Takes documents in order and writes the values of their fields."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.names: dict[str, int] = {}
        self.values: dict[tuple[int, bytes], int] = {}
        self.codes, self.counts = array("q"), array("q")

    def add_documents(self, documents: Sequence[Document]) -> None:
        for document in documents:
            before = len(self.codes)
            for name, value in dict.fromkeys(document.fields):
                key = self.names.setdefault(name, len(self.names)), _encode(document, name, value)
                self.codes.append(self.values.setdefault(key, len(self.values)))
            self.counts.append(len(self.codes) - before)

    def close(self) -> tuple[str, ...]:
        """Write everything; the names of the fields."""
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
        self.writer.array("field_codes", narrow(place[np.frombuffer(self.codes, np.int64)]))
        self.writer.array("field_offsets", narrow(sums(np.frombuffer(self.counts, np.int64))))
        return tuple(self.names)


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
        if documents is None:
            codes = self.codes
        elif self.documents is None:
            codes = self.codes[documents]
        else:
            wanted = np.zeros(among, bool)
            wanted[documents] = True
            codes = self.codes[wanted[self.documents]]
        return np.bincount(codes.astype(np.int64) + 1, minlength=len(self.values) + 1)[1:]

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
    documents = np.repeat(np.arange(count, dtype=np.int32), np.diff(offsets.astype(np.int64)))
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
