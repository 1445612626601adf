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


class Windows(NamedTuple):
    """Stretches of documents, one after the other."""

    documents: Integers
    begins: Integers
    bounds: npt.NDArray[np.int64]
    """Where the strings of each one begin, and their end."""
    terms: Integers
    """The term of each string."""


class DocumentStrings:
    """The terms of each document in their order."""

    def __init__(self, index: Index, rows: Bytes) -> None:
        self.index, self.rows = index, rows
        self.firsts = sums(np.asarray(index.statistics.lengths, np.int64))

    def windows(self, documents: Integers, begins: Integers, ends: Integers) -> Windows:
        """The strings of some documents from one place to another, as far as the documents go."""
        lengths = np.diff(self.firsts)[documents] if len(documents) else np.zeros(0, np.int64)
        begins = np.clip(begins, 0, lengths)
        sizes = np.clip(ends, begins, lengths) - begins
        bounds = np.concatenate([[0], np.cumsum(sizes)])
        at = np.arange(bounds[-1]) + np.repeat(self.firsts[documents] + begins - bounds[:-1], sizes)
        rows, terms = self.rows[at], np.zeros(len(at), np.int64)
        for k in range(rows.shape[1]):
            terms |= rows[:, k].astype(np.int64) << 8 * k
        if len(terms) and int(terms.max()) >= self.index.manifest.terms:
            raise DataError(f"{self.index.folder}: damaged: a document with a string that the index does not have")
        return Windows(documents, begins, bounds, terms)
