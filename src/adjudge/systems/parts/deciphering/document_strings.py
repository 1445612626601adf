"""The strings of each document in their order, which postings tell only of strings that are known beforehand.

They are kept as the numbers of the index's terms, in as few bytes each as the largest one needs. They are made of the
places in the postings, some terms at a time.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ....core.errors import DataError
from ....index.index import Index
from ....index.inversion import sums

Integers = npt.NDArray[Any]
Bytes = npt.NDArray[np.uint8]

TOGETHER = 2_000_000
"""Occurrences that are put in order at a time, but for those of one term."""


def in_order(index: Index) -> Bytes:
    """The terms of all documents in their order: a row of bytes for each, the lowest first."""
    frequencies = np.cumsum(index.arrays["cf"].astype(np.int64))
    firsts = sums(np.asarray(index.statistics.lengths, np.int64))
    width = max(1, (int(index.manifest.terms).bit_length() + 7) // 8)
    # A place that no term has, as damage would leave it, is the number after the last one.
    rows = np.tile(_bytes_of(np.array([index.manifest.terms]), width), (int(firsts[-1]), 1))
    every, begin = np.arange(len(index)), 0
    while begin < index.manifest.terms:
        done = int(frequencies[begin - 1]) if begin else 0
        end = max(begin + 1, int(np.searchsorted(frequencies, done + TOGETHER, "right")))
        terms = np.arange(begin, end)
        found = index.places_in(terms, every)
        rows[firsts[found.slots] + found.places] = _bytes_of(terms[found.terms], width)
        begin = end
    return rows


def _bytes_of(numbers: Integers, width: int) -> Bytes:
    return np.ascontiguousarray(numbers, "<u8").view(np.uint8).reshape(-1, 8)[:, :width]


class Stretch(NamedTuple):
    """Stretches of documents, by the places of strings among those of all documents."""

    firsts: npt.NDArray[np.int64]
    """Where their documents begin."""
    begins: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]


class DocumentStrings:
    """The terms of each document in their order."""

    def __init__(self, index: Index, rows: Bytes) -> None:
        self.index, self.rows = index, np.ascontiguousarray(rows)
        self.firsts = sums(np.asarray(index.statistics.lengths, np.int64))

    def stretches(self, documents: Integers, begins: Integers, ends: Integers) -> Stretch:
        """Some documents from one place to another, as far as the documents go."""
        firsts, lasts = self.firsts[documents], self.firsts[documents + 1]
        begins = np.minimum(firsts + np.maximum(begins, 0), lasts)
        return Stretch(firsts, begins, np.maximum(np.minimum(firsts + ends, lasts), begins))

    def terms(self, document: int, begin: int, end: int) -> list[int]:
        """The terms of a document from one place to another."""
        _, (begin,), (end,) = self.stretches(np.array([document]), np.array([begin]), np.array([end]))
        found = [int.from_bytes(row.tobytes(), "little") for row in self.rows[begin:end]]
        if any(term >= self.index.manifest.terms for term in found):
            raise DataError(f"{self.index.folder}: damaged: a document with a string that the index does not have")
        return found
