"""Postings of a collection under construction: in memory up to a bound, then spilled to disk, merged at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .inversion import Runs, sums, together

Integers = npt.NDArray[Any]
COLUMNS = ("terms", "df", "cf", "documents", "tf", "width", "positions")


class Numbers(dict[str, int]):
    """Gives a term that is asked for and not there the next number."""

    def __missing__(self, term: str) -> int:
        number = self[term] = len(self)
        return number

    def of(self, terms: Sequence[str]) -> Integers:
        return np.fromiter(map(self.__getitem__, terms), np.int64, len(terms))


class Segments:
    """Runs of batches, and of spilled segments, whose terms are in the order of their bytes."""

    def __init__(self, folder: Path, bound: int) -> None:
        self.folder, self.bound = folder, bound
        self.numbers = Numbers()
        """The number of each term, in the order in which terms were met."""
        self.waiting: list[Runs] = []
        self.spilled: list[Runs] = []
        self.held = 0

    def add(self, runs: Runs) -> None:
        self.waiting.append(runs)
        self.held += runs.size
        if self.held > self.bound:
            self.spill()

    def _places(self, names: list[str]) -> Integers:
        """The place of each term among the sorted names; -1 for terms that are not among them."""
        place = np.full(len(self.numbers), -1, np.int64)
        place[self.numbers.of(names)] = np.arange(len(names))
        return place

    def spill(self) -> None:
        """Write what is in memory as a segment, in the order of the terms, and map it."""
        used = np.zeros(len(self.numbers), bool)
        for runs in self.waiting:
            used[runs.terms] = True
        names = sorted(compress(self.numbers, used.tolist()))
        whole = together(self.waiting, self._places(names), len(names))
        stem = self.folder / f"{len(self.spilled)}"
        for column in COLUMNS:
            np.save(f"{stem}.{column}.npy", getattr(whole, column))
        self.waiting, self.held = [], 0
        del whole
        self.spilled.append(Runs(**{c: _opened(f"{stem}.{c}.npy") for c in COLUMNS}))

    def merged(self, piece: int) -> tuple[list[str], Integers, Iterator[Runs]]:
        """The terms in order, the place of each number among them, and the runs in that order, in pieces."""
        if self.spilled and self.waiting:
            self.spill()
        df = np.zeros(len(self.numbers), np.int64)
        for runs in self.spilled or self.waiting:
            df[runs.terms] += runs.df + runs.width
        names = sorted(compress(self.numbers, (df > 0).tolist()))
        place = self._places(names)
        sizes = np.zeros(len(names), np.int64)
        sizes[place[place >= 0]] = df[place >= 0]
        return names, place, self._pieces(place, sizes, piece)

    def _pieces(self, place: Integers, sizes: Integers, piece: int) -> Iterator[Runs]:
        if not self.spilled:
            yield together(self.waiting, place, len(sizes))
            return
        known = [(runs, place[runs.terms], sums(runs.df), sums(runs.width)) for runs in self.spilled]
        ends, first = sums(sizes), 0
        while first < len(sizes):
            last = max(first + 1, int(np.searchsorted(ends, ends[first] + piece, "right")) - 1)
            parts = []
            for runs, places, offsets, bytes_at in known:
                low, high = np.searchsorted(places, [first, last]).tolist()
                parts.append(runs.part(low, high, offsets, bytes_at))
            yield together(parts, place - first, last - first)
            first = last


def _opened(path: str) -> Integers:
    values: Integers = np.load(path, mmap_mode="r")
    return values.view(np.ndarray)
