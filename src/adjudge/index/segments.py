"""Postings of a collection under construction: in memory up to a bound, then spilled to disk, merged at the end.

Every mapped file takes one of the process's file handles, of which there are a thousand or so; so segments are merged
into larger ones before there are many, however small the bound and large the collection.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import compress, count, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.kernel import native
from .index_files import Writer
from .inversion import Runs, sums, together

Integers = npt.NDArray[Any]
compiled: Any = native("numbering")
LONGEST = 1 << 22
"""Characters of a term that the compiled vocabulary holds; only made up ones are longer."""
COLUMNS: dict[str, type[Any]] = dict.fromkeys(("terms", "df", "cf", "width"), np.int64)
COLUMNS |= {"documents": np.int32, "tf": np.uint8, "positions": np.uint8, "certainty": np.uint8}
SHARE = 4
"""A piece of what is merged takes the bound over this; putting it together takes several times its size."""
FAN = 16
"""So many segments of a kind become one; fewer are left of each kind, with a file for every column."""


class TermsInOrder(NamedTuple):
    """Terms in the order of their bytes: in UTF-8 one after the other, where each begins and the last one ends, and the
    number of each."""

    raw: npt.NDArray[np.uint8]
    offsets: npt.NDArray[np.int64]
    numbers: Integers

    def __len__(self) -> int:
        return len(self.numbers)


class Numbers:
    """Gives a term that is asked for and not there the next number."""

    def __init__(self) -> None:
        self._handle = None if compiled is None else compiled.vocabulary(False)
        self._known = defaultdict[str, int](count().__next__)
        """The terms where there is no compiled vocabulary, or one that it cannot hold."""
        self._many = 0

    def __len__(self) -> int:
        return len(self._known) if self._handle is None else self._many

    def of(self, terms: Sequence[str]) -> Integers:
        """The numbers of terms."""
        if self._handle is not None and not (all(terms) and max(map(len, terms), default=0) <= LONGEST):
            self._in_python()
        if self._handle is None:
            return np.fromiter(map(self._known.__getitem__, terms), np.int64, len(terms))
        numbers = np.empty(len(terms), np.int32)
        compiled.number(self._handle, *encoded(terms), numbers, False)
        self._many = max(self._many, int(numbers.max(initial=-1)) + 1)
        return numbers.astype(np.int64)

    def _in_python(self) -> None:
        """Go on without the compiled vocabulary: there is a term that it does not hold."""
        raw, offsets, numbers = self.in_order(np.ones(self._many, np.bool_))
        names = [raw[a:b].tobytes().decode("utf-8", "surrogatepass") for a, b in pairwise(offsets.tolist())]
        for place in np.argsort(numbers).tolist():
            self._known[names[place]]  # gets the next number, which is the one that it had
        self._handle = None

    def in_order(self, wanted: npt.NDArray[np.bool_]) -> TermsInOrder:
        """The terms that are wanted, for each of which there is a mark by its number."""
        if self._handle is None:
            names = sorted(compress(self._known, wanted.tolist()))
            return TermsInOrder(*encoded(names), self.of(names))
        raw = compiled.in_order(self._handle, wanted.view(np.uint8))
        kinds = np.uint8, np.int64, np.int32
        return TermsInOrder(*(np.frombuffer(*column) for column in zip(raw, kinds, strict=True)))


def encoded(terms: Sequence[str]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Terms in UTF-8 one after the other, and where each begins and the last one ends."""
    raw = np.frombuffer("".join(terms).encode("utf-8", "surrogatepass"), np.uint8)
    offsets = sums(np.fromiter(map(len, terms), np.int64, len(terms)))
    if len(raw) > offsets[-1]:  # characters of several bytes
        offsets = np.append(np.flatnonzero(raw & 0xC0 != 0x80), len(raw))[offsets]
    return raw, offsets


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

    def _order(self, parts: Sequence[Runs]) -> tuple[TermsInOrder, Integers, Integers]:
        """The terms of some runs, sorted; the place of each number among them, -1 if it has none; bytes for each."""
        size = np.zeros(len(self.numbers), np.int64)
        for runs in parts:
            size[runs.terms] += 5 * runs.df + runs.width
        terms = self.numbers.in_order(size > 0)
        place = np.full(len(self.numbers), -1, np.int64)
        place[terms.numbers] = np.arange(len(terms))
        return terms, place, size[terms.numbers]

    def merge(self) -> tuple[TermsInOrder, Integers, Iterator[Runs]]:
        """The terms in order, the place of each number among them, and the runs in that order, in pieces."""
        if self.spilled and self.waiting:
            self.spill()
        parts = [segment.runs for segment in self.spilled] or self.waiting
        terms, place, sizes = self._order(parts)
        if not self.spilled:
            return terms, place, iter([together(parts, place, len(terms))])
        return terms, place, _pieces(parts, place, sizes, self.bound)


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
