"""Words that are broken into two strings: at the end of a line, with or without a hyphen, or by a gap in the print.

The index does not say which strings are neighbours. But the halves of a broken word stand in the same documents, and
what else they are hardly does so by chance: a document that has the rarer half has the other one as well with a
probability that follows from its length and from how often that one occurs. What goes beyond is broken words.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
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


Halves = tuple[int, tuple[str, str], tuple[int, int]]
"""Which word, its halves, and the terms of the index that these are."""


def broken_words(reading: Reading, words: Sequence[str]) -> list[list[BrokenWord]]:
    """What may be each of some words in two strings."""
    found: list[list[BrokenWord]] = [[] for _ in words]
    pairs = _halves(reading, words)
    if not pairs:
        return found
    terms = np.unique([term for _, _, both in pairs for term in both])
    documents, tf, offsets = reading.postings_of(terms)
    at = dict(zip(terms.tolist(), pairwise(offsets.tolist()), strict=True))
    for word, halves, numbers in pairs:
        counts = [float(tf[slice(*at[number])].sum()) for number in numbers]
        rare, other = (slice(*at[n]) for n in (numbers if counts[0] <= counts[1] else numbers[::-1]))
        postings = (documents[rare], tf[rare]), (documents[other], tf[other])
        broken = _broken(reading, halves, max(counts), *postings)
        if broken is not None:
            found[word].append(broken)
    return found


def _halves(reading: Reading, words: Sequence[str]) -> list[Halves]:
    """The halves of words that are both strings of the text."""
    vocabulary = reading.vocabulary
    some = [(k, word, vocabulary.encode(word)) for k, word in enumerate(words) if len(word) >= LONG and word.isalpha()]
    cuts = [(k, word, code, at) for k, word, code in some for at in range(HALF, len(word) - HALF + 1)]
    places = places_of(vocabulary, [half for _, _, code, at in cuts for half in (code[:at], code[at:])])
    numbers, made = vocabulary.numbers, []
    for (k, word, _, at), first, last in zip(cuts, places[::2], places[1::2], strict=True):
        if first >= 0 and last >= 0 and first != last:
            made.append((k, (word[:at], word[at:]), (int(numbers[first]), int(numbers[last]))))
    return made


def _broken(
    reading: Reading,
    halves: tuple[str, str],
    most: float,
    rare: tuple[Integers, Integers],
    other: tuple[Integers, Integers],
) -> BrokenWord | None:
    """What may be a word in two halves, from the postings of the rarer one and of the other, which occurs so often."""
    (documents, tf), (others, times) = rare, other
    at = np.minimum(np.searchsorted(others, documents), len(others) - 1)
    both = others[at] == documents
    many = float(np.count_nonzero(both))
    if not many:
        return None  # whatever is expected by chance
    by_chance = -np.expm1(-(COMPANY * most / max(reading.words, 1.0)) * reading.lengths[documents])
    share = (many - float(by_chance.sum())) / (len(documents) + 1)
    if share <= 0:
        return None
    chances = share / (share + (1 - share) * by_chance[both])
    likely = chances >= LIKELY
    if not likely.any():
        return None
    occurrences = np.minimum(tf[both], times[at[both]])[likely].astype(np.float64)
    return BrokenWord(halves, documents[both][likely].astype(np.int64), occurrences, chances[likely])
