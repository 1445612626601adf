"""What ``native/closer.c`` does, in Python: the definition, which the tests compare it with."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .slow_deciphering import DEEPEST, Step, steps_of

Array = npt.NDArray[Any]

APART, SURE, LOWEST = 2, 0.5, 1e-12


class _Word:
    """P(string | word) for strings of which nothing was known."""

    def __init__(self, word: bytes, tables: tuple[Array, ...]) -> None:
        steps, deletions, self.ones = steps_of(word, tables)
        self.insertion, self.size = tables[1][1], len(word)
        self.steps: dict[bytes, list[Step]] = {}
        self.best = np.concatenate([self.insertion[None, :], self.ones]).max(axis=0)
        for step in steps:
            self.steps.setdefault(step[2], []).append(step)
            for code in step[2]:
                self.best[code] = max(self.best[code], step[3] ** (1 / len(step[2])))
        self.deletions = deletions

    def chance(self, string: bytes, least: float) -> float:
        """P(string | word), or 0 where the likeliest places of three rows, with the best of what follows, are below
        least."""
        rest = [1.0]
        for code in reversed(string):
            rest.append(rest[-1] * float(self.best[code]))
        rest.reverse()
        if math.prod(float(self.best[code]) for code in string) < least:
            return 0.0
        first = np.zeros(self.size + 1)
        first[0] = 1.0
        rows = [self._lose(first)]
        peaks = [float(first.max())]
        for depth, code in enumerate(string):
            row = rows[depth] * self.insertion[code]
            row[1:] += rows[depth][:-1] * self.ones[:, code]
            for size in range(1, min(3, depth + 1) + 1):
                for start, end, _, chance in self.steps.get(string[depth + 1 - size : depth + 1], ()):
                    row[end] += rows[depth + 1 - size][start] * chance
            rows.append(self._lose(row))
            peaks.append(float(row.max()))
            if all(peaks[k] * rest[k] < least for k in range(max(depth - 1, 0), depth + 2)):
                return 0.0
        return float(rows[-1][-1])

    def _lose(self, row: Array) -> Array:
        """Characters of the word that are lost, in the order of where they begin."""
        for start, end, _, chance in self.deletions:
            row[end] += row[start] * chance
        return row


class _Figures(NamedTuple):
    least: float
    broken: float
    total: float


def look(letters: Array, offsets: Array, otherwise: Array, *rest: Any) -> tuple[bytes, bytes, bytes, bytes, bytes]:
    """The strings of some windows that may be words of a question; as ``closer.c`` has it."""
    tables = [np.asarray(column) for column in rest[:8]]
    tables[0], tables[1] = tables[0].reshape(256, 256), tables[1].reshape(3, 256)
    words, ends, expected, known, weights, bounds, order, place_of, firsts, begins, until, width, _, *figures = rest[8:]
    if not figures[2] > 0 or not all(0 <= weight <= 1 for weight in np.asarray(weights).tolist()):
        raise ValueError("look: no probability")
    raw, cuts, found = bytes(letters), np.asarray(offsets).tolist(), list[tuple[int, int, float, int]]()
    numbers = np.asarray(order).reshape(-1, width).astype(np.int64) @ (1 << 8 * np.arange(width))
    if len(numbers) and int(numbers.max()) >= len(place_of):
        raise ValueError("look: order: strings that the vocabulary does not have")
    rows = [place_of[numbers[a:b]].tolist() for a, b in zip(begins.tolist(), until.tolist(), strict=True)]
    strings = {place: raw[cuts[place] : cuts[place + 1]] for row in rows for place in row if place >= 0}
    other = {place: float(otherwise[place]) for place in strings}
    counts, most = [], dict[int, float]()
    for place, weight in zip(known.tolist(), weights.tolist(), strict=True):
        most[place] = max(most.get(place, 0.0), weight)
    for number, times in enumerate(np.asarray(expected).tolist()):
        word = _Word(bytes(words)[int(ends[number]) : int(ends[number + 1])], tuple(tables))
        span = slice(int(bounds[number]), int(bounds[number + 1]))
        told = dict(zip(known[span].tolist(), weights[span].tolist(), strict=True))
        search, before = _Search(word, times, strings, other, told, most, _Figures(*figures)), len(found)
        for window, (row, shift) in enumerate(zip(rows, (begins - firsts).tolist(), strict=True)):
            wanted = times > 0 and not search.sure(row)
            found += [(window, shift + k, *each) for k, *each in (search(row) if wanted else search.known(row))]
        counts.append(len(found) - before)
    columns = zip(*found, strict=True) if found else ((), (), (), ())
    kinds = (np.int32, np.int32, np.float64, np.uint8)
    made = [np.array(column, kind).tobytes() for column, kind in zip(columns, kinds, strict=True)]
    return *made, np.array(counts, np.int64).tobytes()  # type: ignore[return-value]


class _Search:
    """A word, and what is known of it."""

    def __init__(
        self,
        word: _Word,
        expected: float,
        strings: dict[int, bytes],
        other: dict[int, float],
        told: dict[int, float],
        most: dict[int, float],
        figures: _Figures,
    ) -> None:
        self.word, self.expected, self.strings, self.other = word, expected, strings, other
        self.told, self.most, self.figures = told, most, figures

    def sure(self, row: list[int]) -> bool:
        """Whether a window has the word by what is known."""
        return 1 - math.prod(1 - self.told.get(place, 0.0) for place in row if place >= 0) >= SURE

    def known(self, row: list[int]) -> list[tuple[int, float, int]]:
        """The strings of a window that are known to stand for the word."""
        return [(k, self.told[place], 1) for k, place in enumerate(row) if self.told.get(place, 0.0) > 0]

    def __call__(self, row: list[int]) -> list[tuple[int, float, int]]:
        """All strings of a window that may be the word."""
        found, before = [], 0.0
        for k, place in enumerate(row):
            following = row[k + 1] if k + 1 < len(row) else -1
            own, both = self.alone(place) if place >= 0 else 0.0, 0.0
            free = place >= 0 and following >= 0 and own < SURE and before < SURE
            free = free and max(self.most.get(place, 0.0), self.most.get(following, 0.0)) < SURE
            if free and self.figures.broken > 0 and self.alone(following) < SURE:
                both = self.together(place, following)
            before = both
            if own > 0 or both > 0:
                found.append((k, max(own, both), 2 if both > own else 1))
        return found

    def alone(self, place: int) -> float:
        """P(word | string)."""
        told, string = self.told.get(place, 0.0), self.strings[place]
        apart = max(self.word.size // 2, APART)
        if (
            self.most.get(place, 0.0) >= SURE
            or not 0 < len(string) <= DEEPEST
            or abs(len(string) - self.word.size) > apart
        ):
            return told
        return max(told, self._posterior(string, self.other[place], self.expected))

    def together(self, one: int, two: int) -> float:
        """P(word | two strings side by side)."""
        first, second, size = self.strings[one], self.strings[two], self.word.size
        if not (0 < len(first) <= min(size, DEEPEST) and 0 < len(second) <= min(size, DEEPEST)):
            return 0.0
        if abs(len(first) + len(second) - size) > max(size // 3, 1):
            return 0.0
        other = self.other[one] * self.other[two] / self.figures.total + 1e-300
        return self._posterior(first + second, other, self.figures.broken * self.expected)

    def _posterior(self, string: bytes, other: float, expected: float) -> float:
        least = self.figures.least
        chance = self.word.chance(string, max(least * other / expected, LOWEST)) * expected
        weight = chance / (chance + other + 1e-300)
        return weight if weight >= least else 0.0
