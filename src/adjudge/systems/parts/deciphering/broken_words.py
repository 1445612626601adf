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

from ....core.kernel import native
from ....text.splitting import offsets_of
from . import slow_deciphering
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
MET = (np.int64, np.int64, np.float64, np.float64)
"""What the loop gives: how many documents each pair has, documents, occurrences, chances."""
compiled: Any = native("halves")
loops: Any = compiled or slow_deciphering


class BrokenWord(NamedTuple):
    """Two strings that may be halves of a word, and in which documents."""

    halves: tuple[str, str]
    terms: tuple[int, int]
    """What they are in the index."""
    documents: npt.NDArray[np.int64]
    occurrences: Floats
    chances: Floats
    """The probability that the strings of each document are the word."""

    @property
    def expected(self) -> Floats:
        """How often the word is expected in each document."""
        return self.chances * self.occurrences


class BrokenPlaces(NamedTuple):
    """Halves of the words of a question that stand for these, by which their places near the other words are known."""

    words: Integers
    """The word, as its number in the question."""
    terms: Integers
    """Of each pair the half with more characters, as a term of the index."""
    documents: Integers
    chances: Floats

    @classmethod
    def of(cls, words: Sequence[Sequence[BrokenWord]]) -> BrokenPlaces:
        """The halves of some words, document by document."""
        pairs = [(k, pair) for k, some in enumerate(words) for pair in some]
        sizes = [len(pair.documents) for _, pair in pairs]
        terms = [pair.terms[len(pair.halves[1]) > len(pair.halves[0])] for _, pair in pairs]
        nothing = np.zeros(0, np.int64)
        documents = np.concatenate([nothing, *(pair.documents for _, pair in pairs)])
        chances = np.concatenate([np.zeros(0), *(pair.chances for _, pair in pairs)])
        numbers, halves = (np.repeat(np.array(each, np.int64), sizes) for each in ([k for k, _ in pairs], terms))
        return cls(numbers, halves, documents, chances)


Halves = tuple[int, tuple[str, str], tuple[int, int]]
"""Which word, its halves, and the terms of the index that these are."""


def broken_words(reading: Reading, words: Sequence[str]) -> list[list[BrokenWord]]:
    """What may be each of some words in two strings."""
    found: list[list[BrokenWord]] = [[] for _ in words]
    pairs = _halves(reading, words)
    if not pairs:
        return found
    terms, places = np.unique([term for _, _, both in pairs for term in both], return_inverse=True)
    ones, others = (np.ascontiguousarray(column, np.int64) for column in places.reshape(-1, 2).T)
    figures = COMPANY, max(reading.words, 1.0), LIKELY
    raw = loops.meet(*reading.postings_of(terms), ones, others, reading.lengths, *figures)
    counts, *columns = (np.frombuffer(*column) for column in zip(raw, MET, strict=True))
    for (word, halves, both), (a, b) in zip(pairs, pairwise(offsets_of(counts).tolist()), strict=True):
        if b > a:
            found[word].append(BrokenWord(halves, both, *(column[a:b] for column in columns)))
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
