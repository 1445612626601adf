"""Pairs of a topic and a document, numbered as runs come in.

The loops are in native/pooling.c; what they do is said here in Python too, for where they were not compiled and as the
second opinion of the tests.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.columns import read_only
from ..core.kernel import native
from ..core.run import Run
from ..core.strings import Strings, encode

Ints = npt.NDArray[np.int64]
Shorts = npt.NDArray[np.int32]


class SlowLoops:
    """What native/pooling.c does."""

    @staticmethod
    def top(
        data: Any, starts: Any, lengths: Any, scores: Any, offsets: Any, depth: int, rows: Any, out_offsets: Any
    ) -> None:
        ids = list(Strings(data, starts, lengths))
        for topic in range(len(offsets) - 1):
            own = range(int(offsets[topic]), int(offsets[topic + 1]))
            order = sorted(own, key=lambda row: (scores[row], encode(ids[row])), reverse=True)
            rows[int(out_offsets[topic]) : int(out_offsets[topic + 1])] = order[:depth]

    @staticmethod
    def number(
        data: Any,
        starts: Any,
        lengths: Any,
        topics: Any,
        ids: Any,
        pair_starts: Any,
        pair_lengths: Any,
        pair_topics: Any,
        slots: Any,  # noqa: ARG004
        numbers: Any,
        pairs: int,
        used: int,
    ) -> tuple[int, int]:
        known = {
            (int(pair_topics[p]), ids[pair_starts[p] : pair_starts[p] + pair_lengths[p]].tobytes()): p
            for p in range(pairs)
        }
        for row in range(len(starts)):
            text = data[starts[row] : starts[row] + lengths[row]]
            key = int(topics[row]), text.tobytes()
            if key not in known:
                known[key] = pairs
                pair_starts[pairs], pair_lengths[pairs], pair_topics[pairs] = used, len(text), topics[row]
                ids[used : used + len(text)] = text
                pairs, used = pairs + 1, used + len(text)
            numbers[row] = known[key]
        return pairs, used


loops: Any = native("pooling") or SlowLoops


def first_rows(run: Run, depth: int) -> tuple[Ints, Ints]:
    """The rows of a run down to a depth in every topic, in the order in which judging ranks them, and their offsets."""
    kept = np.minimum(np.diff(run.offsets), depth)
    offsets = np.zeros(len(kept) + 1, np.int64)
    np.cumsum(kept, out=offsets[1:])
    rows = np.empty(int(offsets[-1]), np.int64)
    ids = run.documents
    loops.top(ids.data, ids.starts, ids.lengths, run.scores, run.offsets, depth, rows, offsets)
    return rows, offsets


class PairTable:
    """Numbers for pairs: the first one that comes is 0."""

    def __init__(self) -> None:
        self.pairs = self.used = 0
        self._ids = np.zeros(1 << 16, np.uint8)
        self._starts = np.zeros(1 << 10, np.int64)
        self._lengths = np.zeros(1 << 10, np.int32)
        self._topics = np.zeros(1 << 10, np.int32)
        self._slots = np.zeros(1 << 11, np.int32)

    def number(self, documents: Strings, topics: Shorts) -> Shorts:
        """The number of each pair; those that are new get the next ones."""
        self._make_room(len(documents), int(documents.lengths.sum(dtype=np.int64)))
        numbers = np.empty(len(documents), np.int32)
        self.pairs, self.used = loops.number(
            documents.data,
            documents.starts,
            documents.lengths,
            np.ascontiguousarray(topics, np.int32),
            self._ids,
            self._starts,
            self._lengths,
            self._topics,
            self._slots,
            numbers,
            self.pairs,
            self.used,
        )
        return numbers

    def _make_room(self, rows: int, size: int) -> None:
        if self.used + size > len(self._ids):
            self._ids = np.resize(self._ids, 2 * (self.used + size))
        if self.pairs + rows > len(self._starts):
            room = 2 * (self.pairs + rows)
            self._starts = np.resize(self._starts, room)
            self._lengths, self._topics = np.resize(self._lengths, room), np.resize(self._topics, room)
        if 2 * (self.pairs + rows) > len(self._slots):
            self._slots = np.zeros(1 << (4 * (self.pairs + rows) - 1).bit_length(), np.int32)

    @property
    def topics(self) -> Shorts:
        """The number of the topic of each pair."""
        return self._topics[: self.pairs]

    def documents(self) -> Strings:
        """The document of each pair."""
        return Strings(
            read_only(self._ids[: max(1, self.used)].copy()),
            read_only(self._starts[: self.pairs].copy()),
            read_only(self._lengths[: self.pairs].copy()),
        )
