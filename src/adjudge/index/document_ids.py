"""The ids of a collection under construction: some bytes for each, however many there are, and none of them twice."""

from __future__ import annotations

from itertools import chain, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import ConflictError, DataError
from ..core.strings import Strings, decode
from .inversion import sums

Integers = npt.NDArray[Any]
WIDEST = 64
"""Bytes of an id up to which ids are sorted as rows of a table."""
SOME = 1 << 20
"""Ids that are put into the table at a time."""


class DocumentIds:
    """Takes ids batch by batch; that one is known is seen by its hash, of which sorted columns are kept."""

    def __init__(self) -> None:
        self._batches: list[Strings] = []
        self._known: list[npt.NDArray[np.int64]] = []
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def add(self, names: list[str]) -> None:
        """Some more; a ConflictError if one is there already."""
        hashes = np.sort(np.fromiter(map(hash, names), np.int64, len(names)))
        if len(again := self._again(hashes)):
            self._compare(names, set(again.tolist()))
        try:
            self._batches.append(Strings.of(names))
        except UnicodeEncodeError as error:
            raise DataError(f"a document id has half a surrogate pair: {error.object!r}") from None
        self._size += len(names)
        self._known.append(hashes)
        while len(self._known) > 1 and len(self._known[-2]) <= 2 * len(self._known[-1]):
            last = self._known.pop()
            self._known[-1] = np.sort(np.concatenate([self._known[-1], last]), kind="stable")  # two runs are merged

    def _again(self, hashes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Those of some sorted hashes that are known or stand there twice."""
        found = [hashes[1:][hashes[1:] == hashes[:-1]]]
        for known in self._known:
            at = np.minimum(np.searchsorted(known, hashes), max(0, len(known) - 1))
            found.append(hashes[known[at] == hashes] if len(known) else hashes[:0])
        return np.concatenate(found)

    def _compare(self, names: list[str], hashes: set[int]) -> None:
        """Refuse names that are known; different ones may have the same hash."""
        suspects = {name for name in names if hash(name) in hashes}
        known = {name for name in chain.from_iterable(self._batches) if name in suspects}
        for name in names:
            if name in known:
                raise ConflictError(f"document {name} occurs twice")
            if name in suspects:
                known.add(name)

    def columns(self) -> tuple[Integers, Integers, npt.NDArray[np.int32]]:
        """All the bytes, where the id of each document begins and the last one ends, and the documents in the order of
        their ids; a ConflictError if two are the same bytes, as texts may be if one of them is no proper Unicode."""
        lengths = np.concatenate([batch.lengths for batch in self._batches])
        data = np.concatenate([batch.data[: int(batch.lengths.sum(dtype=np.int64))] for batch in self._batches])
        offsets = sums(lengths)
        if int(lengths.max()) > WIDEST or not data.all():  # behind a text zeros are not seen
            return data, offsets, _sort_one_by_one(data, offsets)
        return data, offsets, _sort_rows(data, lengths, offsets)


def _sort_rows(data: Integers, lengths: Integers, offsets: Integers) -> npt.NDArray[np.int32]:
    width = max(1, int(lengths.max()))
    table = np.zeros((len(lengths), width), np.uint8)
    for first in range(0, len(lengths), SOME):
        last = min(first + SOME, len(lengths))
        here = np.arange(width) < lengths[first:last, None]
        table[first:last][here] = data[int(offsets[first]) : int(offsets[last])]
    rows = table.view(f"S{width}").ravel()
    order = np.arange(len(rows), dtype=np.int32)
    if not bool((rows[1:] > rows[:-1]).all()):  # they often come in order
        order = np.argsort(rows, kind="stable").astype(np.int32)
        in_order = rows[order]
        same = np.flatnonzero(in_order[1:] == in_order[:-1])
        if len(same):
            raise _twice(data, offsets, int(order[same[0]]))
    return order


def _sort_one_by_one(data: Integers, offsets: Integers) -> npt.NDArray[np.int32]:
    raw, places = data.tobytes(), offsets.tolist()
    names = [raw[first:last] for first, last in pairwise(places)]
    order = sorted(range(len(names)), key=names.__getitem__)
    for earlier, later in pairwise(order):
        if names[earlier] == names[later]:
            raise _twice(data, offsets, earlier)
    return np.array(order, np.int32)


def _twice(data: Integers, offsets: Integers, document: int) -> ConflictError:
    raw = data[int(offsets[document]) : int(offsets[document + 1])].tobytes()
    return ConflictError(f"document {decode(raw)} occurs twice")
