"""Words that are broken into two strings: at the end of a line, with or without a hyphen, or by a gap in the print.

The index does not say which strings are neighbours. But the halves of a broken word stand in the same documents, and
what else they are hardly does so by chance: a document that has the rarer half has the other one as well with a
probability that follows from its length and from how often that one occurs. What goes beyond is broken words.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .likeness import places_of
from .reading import Reading

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[Any]

LONG, HALF = 6, 2
"""Characters of a word that is looked for in two halves, and of a half."""
COMPANY = 2.0
"""By so much more than by chance words stand in the same documents that have to do with each other."""
LIKELY = 0.2
"""The probability below which a pair of strings does not count."""


class BrokenWord(NamedTuple):
    """Two strings that may be halves of a word, and in which documents."""

    halves: tuple[str, str]
    documents: npt.NDArray[np.int64]
    occurrences: Floats
    chances: Floats
    """The probability that the strings of each document are the word."""

    @property
    def expected(self) -> Floats:
        """How often the word is expected in each document."""
        return self.chances * self.occurrences


def broken_words(reading: Reading, word: str) -> list[BrokenWord]:
    """What may be a word in two strings."""
    if len(word) < LONG or not word.isalpha():
        return []
    cuts = range(HALF, len(word) - HALF + 1)
    halves = [(word[:at], word[at:]) for at in cuts]
    places = places_of(reading.vocabulary, [half for both in halves for half in both])
    found = (
        _broken(reading, both, (int(reading.vocabulary.numbers[first]), int(reading.vocabulary.numbers[last])))
        for both, first, last in zip(halves, places[::2], places[1::2], strict=True)
        if first >= 0 and last >= 0 and first != last
    )
    return [each for each in found if each is not None]


def _broken(reading: Reading, halves: tuple[str, str], numbers: tuple[int, int]) -> BrokenWord | None:
    index = reading.index
    counts = [float(index.arrays["cf"][number]) for number in numbers]
    rare, other = numbers if counts[0] <= counts[1] else numbers[::-1]
    every, frequencies, offsets = index.postings_of(np.array([rare, other]))
    documents, tf = (column[: offsets[1]] for column in (every, frequencies))
    others, times = (column[offsets[1] :] for column in (every, frequencies))
    rate = COMPANY * max(counts) / max(reading.words, 1.0)
    by_chance = -np.expm1(-rate * reading.lengths[documents])
    at = np.minimum(np.searchsorted(others, documents), len(others) - 1)
    both = others[at] == documents
    share = (float(both.sum()) - float(by_chance.sum())) / (len(documents) + 1)
    if share <= 0:
        return None
    chances = share / (share + (1 - share) * by_chance[both])
    likely = chances >= LIKELY
    if not likely.any():
        return None
    occurrences = np.minimum(tf[both], times[at[both]])[likely].astype(np.float64)
    return BrokenWord(halves, documents[both][likely].astype(np.int64), occurrences, chances[likely])
