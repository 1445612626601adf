"""A table of short sequences of numbers: how often each was seen, and which number it has.

A term is a sequence of the numbers of its words, so counting candidates, grouping forms to classes, finding terms
within terms and finding terms in texts are all one table. ``tally.c`` holds it where a compiler was at hand, a dict
elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.kernel import native

compiled: Any = native("tally")

Integers = npt.NDArray[Any]
WIDEST = 64


class Tally:
    """Sequences up to ``width`` numbers, each of them 0 or more, numbered in the order in which they were first seen.

    Sequences are given as stretches of an array: ``ids[starts[i] : starts[i] + lengths[i]]``. With ``last`` the last
    number n of each is replaced by ``last[n]``. A stretch with a negative number has no number itself: -1.
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self._table: Any = None if compiled is None else compiled.new(width)
        self._numbers: dict[tuple[int, ...], int] = {}
        self._counts: list[int] = []

    def __len__(self) -> int:
        return len(self._counts) if self._table is None else int(compiled.size(self._table))

    def add(
        self,
        ids: Integers,
        starts: Integers,
        lengths: Integers,
        *,
        weights: Integers | None = None,
        last: Integers | None = None,
    ) -> Integers:
        """Count sequences, each once or by its weight, and tell their numbers."""
        given = None if weights is None else np.ascontiguousarray(weights, np.int64)
        if self._table is not None:
            columns = _columns(ids, starts, lengths, last)
            out = np.empty(len(columns[2]), np.int32)
            compiled.add(self._table, *columns, given, out)
            return out
        out = np.full(len(lengths), -1, np.int32)
        for i, key in _keys(ids, starts, lengths, last, self.width):
            number = self._numbers.setdefault(key, len(self._numbers))
            if number == len(self._counts):
                self._counts.append(0)
            self._counts[number] += 1 if given is None else int(given[i])
            out[i] = number
        return out

    def find(self, ids: Integers, starts: Integers, lengths: Integers, *, last: Integers | None = None) -> Integers:
        """The numbers of sequences, -1 for those that were never added."""
        if self._table is not None:
            columns = _columns(ids, starts, lengths, last)
            out = np.empty(len(columns[2]), np.int32)
            compiled.find(self._table, *columns, None, out)
            return out
        out = np.full(len(lengths), -1, np.int32)
        for i, key in _keys(ids, starts, lengths, last, self.width):
            out[i] = self._numbers.get(key, -1)
        return out

    def content(self) -> tuple[Integers, Integers]:
        """All sequences as rows, with -1 where one is shorter, and their counts."""
        rows, counts = np.full((len(self), self.width), -1, np.int32), np.zeros(len(self), np.int64)
        if self._table is not None:
            compiled.fill(self._table, rows, counts)
            return rows, counts
        for key, number in self._numbers.items():
            rows[number, : len(key)] = key
        counts[:] = self._counts
        return rows, counts


def _columns(ids: Integers, starts: Integers, lengths: Integers, last: Integers | None) -> tuple[Any, ...]:
    mapped = None if last is None else np.ascontiguousarray(last, np.int32)
    return (
        np.ascontiguousarray(ids, np.int32),
        np.ascontiguousarray(starts, np.int64),
        np.ascontiguousarray(lengths, np.uint8),
        mapped,
    )


def _keys(
    ids: Integers, starts: Integers, lengths: Integers, last: Integers | None, width: int
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The sequences that have a number or may get one."""
    words, there = ids.ravel().tolist(), ids.size
    for i, (start, length) in enumerate(zip(starts.tolist(), lengths.tolist(), strict=True)):
        if not (1 <= length <= width and 0 <= start <= there - length):
            continue
        key = words[start : start + length]
        if last is not None and key[-1] >= 0:
            key[-1] = int(last[key[-1]]) if key[-1] < len(last) else -1
        if min(key) >= 0:
            yield i, tuple(key)


def lengths_of(rows: Integers) -> Integers:
    """How long the sequence in each row is."""
    lengths: Integers = (rows >= 0).sum(axis=1).astype(np.uint8)
    return lengths


def stretches(rows: Integers) -> tuple[Integers, Integers, Integers]:
    """Rows as a :class:`Tally` takes them."""
    return rows.ravel(), np.arange(len(rows), dtype=np.int64) * rows.shape[1], lengths_of(rows)


def longest_matches(starts: Integers, lengths: Integers) -> npt.NDArray[np.bool_]:
    """Which matches are left if the longest is taken from left to right and none overlaps another.

    They come in the order of their starts, the longest of each start first.
    """
    taken = np.zeros(len(starts), np.uint8)
    if compiled is not None:
        compiled.choose(np.ascontiguousarray(starts, np.int64), np.ascontiguousarray(lengths, np.uint8), taken)
        return taken.view(np.bool_)
    free = -1
    for i, (start, length) in enumerate(zip(starts.tolist(), lengths.tolist(), strict=True)):
        if start >= free:
            taken[i], free = 1, start + length
    return taken.view(np.bool_)
