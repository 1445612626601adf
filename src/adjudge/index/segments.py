"""Postings of a collection under construction: in memory up to a bound, then spilled to disk, merged at the end.

Every mapped file takes one of the process's file handles, of which there are a thousand or so; so segments are merged
into larger ones before there are many, however small the bound and large the collection.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import compress, count
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .index_files import Writer
from .inversion import Runs, sums, together

Integers = npt.NDArray[Any]
COLUMNS: dict[str, type[Any]] = dict.fromkeys(("terms", "df", "cf", "width"), np.int64)
COLUMNS |= {"documents": np.int32, "tf": np.uint8, "positions": np.uint8, "certainty": np.uint8}
SHARE = 4
"""A piece of what is merged takes the bound over this; putting it together takes several times its size."""
FAN = 16
"""So many segments of a kind become one; fewer are left of each kind, with a file for every column."""


class Numbers(defaultdict[str, int]):
    """Gives a term that is asked for and not there the next number."""

    def __init__(self) -> None:
        super().__init__(count().__next__)

    def of(self, terms: Sequence[str]) -> Integers:
        return np.fromiter(map(self.__getitem__, terms), np.int64, len(terms))


class Segment(NamedTuple):
    """Runs on disk, mapped, their terms in the order of their bytes."""

    runs: Runs
    folder: Path
    level: int
    """How often they were merged."""


class Segments:
    """Runs of batches, and the segments that they were spilled to, both in the order of their documents."""

    def __init__(self, folder: Path, bound: int) -> None:
        self.folder, self.bound = folder, bound
        self.numbers = Numbers()
        """The number of each term, in the order in which terms were met."""
        self.waiting: list[Runs] = []
        self.spilled: list[Segment] = []
        self.written = self.held = 0

    def add(self, runs: Runs) -> None:
        self.waiting.append(runs)
        self.held += runs.size
        if self.held > self.bound:
            self.spill()

    def spill(self) -> None:
        """Write what is in memory as a segment."""
        _, place, sizes = self._order(self.waiting)
        whole = together(self.waiting, place, len(sizes))
        self.waiting, self.held = [], 0
        self.spilled.append(self._segment([whole], 0))
        del whole
        while len(self.spilled) >= FAN and self.spilled[-1].level == self.spilled[-FAN].level:
            self._unite()

    def _unite(self) -> None:
        """Make one segment of the last ones, which are of one level."""
        last = self.spilled[-FAN:]
        runs = [segment.runs for segment in last]
        _, place, sizes = self._order(runs)
        united = self._segment(_pieces(runs, place, sizes, self.bound), last[0].level + 1)
        self.spilled[-FAN:] = [united]
        for segment in last:
            for column in COLUMNS:
                (segment.folder / column).unlink()

    def _segment(self, pieces: Iterable[Runs], level: int) -> Segment:
        folder = self.folder / str(self.written)
        self.written += 1
        folder.mkdir()
        with closing(Writer(folder)) as writer:
            columns = {name: writer.column(name, dtype) for name, dtype in COLUMNS.items()}
            for piece in pieces:
                for name, column in columns.items():
                    column.append(getattr(piece, name))
            for column in columns.values():
                column.file.flush()  # a disk that is full is an error now
        return Segment(Runs(**{name: _map(folder / name, COLUMNS[name]) for name in COLUMNS}), folder, level)

    def _order(self, parts: Sequence[Runs]) -> tuple[list[str], Integers, Integers]:
        """The terms of some runs, sorted; the place of each number among them, -1 if it has none; bytes for each."""
        size = np.zeros(len(self.numbers), np.int64)
        for runs in parts:
            size[runs.terms] += 5 * runs.df + runs.width
        names = sorted(compress(self.numbers, (size > 0).tolist()))
        numbers = self.numbers.of(names)
        place = np.full(len(self.numbers), -1, np.int64)
        place[numbers] = np.arange(len(names))
        return names, place, size[numbers]

    def merge(self) -> tuple[list[str], Integers, Iterator[Runs]]:
        """The terms in order, the place of each number among them, and the runs in that order, in pieces."""
        if self.spilled and self.waiting:
            self.spill()
        parts = [segment.runs for segment in self.spilled] or self.waiting
        names, place, sizes = self._order(parts)
        if not self.spilled:
            return names, place, iter([together(parts, place, len(names))])
        return names, place, _pieces(parts, place, sizes, self.bound)


def _pieces(parts: Sequence[Runs], place: Integers, sizes: Integers, bound: int) -> Iterator[Runs]:
    """Sorted runs put together, some terms at a time, in a fraction of the memory that may be held."""
    known = [(runs, place[runs.terms], sums(runs.df), sums(runs.width)) for runs in parts]
    ends, first = sums(sizes), 0
    while first < len(sizes):
        last = max(first + 1, int(np.searchsorted(ends, ends[first] + bound // SHARE, "right")) - 1)
        some = []
        for runs, places, offsets, bytes_at in known:
            low, high = np.searchsorted(places, [first, last]).tolist()
            some.append(runs.part(low, high, offsets, bytes_at))
        yield together(some, place - first, last - first)
        first = last


def _map(path: Path, dtype: npt.DTypeLike) -> Integers:
    if not path.stat().st_size:
        return np.zeros(0, dtype)
    return np.memmap(path, dtype, "r").view(np.ndarray)
