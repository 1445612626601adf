"""The type case: glyphs that were drawn, blurred and reduced, kept where a page is printed from them."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from .glyphs import Bytes, Placed

NUMBERS = 6
"""What is kept of a glyph beside its ink: where that begins, left, top, rows, columns, whether it is narrow."""

Integers = npt.NDArray[np.int64]
Kind = TypeVar("Kind", np.uint8, np.int64)


class TypeCase:
    """Glyphs by their keys: the ink of all of them in one array, and a row of numbers for each.

    A key is a small number, such as four bits for the place between dots behind the number of a glyph.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self.ink: Bytes = np.zeros(1 << 16, np.uint8)
        self.places: Integers = np.zeros((256, NUMBERS), np.int64)
        self._numbers: Integers = np.full(256, -1, np.int64)
        self._end = self._count = 0

    def missing(self, keys: npt.NDArray[np.intp], most: int) -> list[int]:
        """The keys that are not there. The case is emptied first if it has more bytes than it may."""
        if self._end > most:
            self.clear()
        highest = int(keys.max(initial=0))
        if highest >= len(self._numbers):
            self._numbers = _grown(self._numbers, highest + 1, -1)
        lacking: list[int] = np.unique(keys[self._numbers[keys] < 0]).tolist()
        return lacking

    def add(self, key: int, glyph: Placed) -> None:
        end = self._end + glyph.ink.size
        if end > len(self.ink):
            self.ink = _grown(self.ink, end, 0)
        if self._count == len(self.places):
            self.places = _grown(self.places, self._count + 1, 0)
        self.ink[self._end : end] = glyph.ink.reshape(-1)
        self.places[self._count] = self._end, glyph.left, glyph.top, *glyph.ink.shape, glyph.narrow
        self._numbers[key] = self._count
        self._end, self._count = end, self._count + 1

    def numbers(self, keys: npt.NDArray[np.intp]) -> Integers:
        """Rows of ``places`` by keys that are there."""
        return self._numbers[keys]

    def __getitem__(self, key: int) -> Placed:
        begin, left, top, tall, wide, narrow = self.places[self._numbers[key]].tolist()
        return Placed(self.ink[begin : begin + tall * wide].reshape(tall, wide), left, top, bool(narrow))


def _grown(array: npt.NDArray[Kind], least: int, filled: int) -> npt.NDArray[Kind]:
    """The array with room for so many rows, and for as many again before that must be done again."""
    grown = np.full((2 * least, *array.shape[1:]), filled, array.dtype)
    grown[: len(array)] = array
    return grown
