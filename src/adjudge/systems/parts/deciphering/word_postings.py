"""The postings of what stands for words of a question, and what these give to documents: remembered for words that are
asked for again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from ....text.splitting import offsets_of
from .adding_up import GivenScores
from .closeness import StringPostings
from .grouped_strings import GroupedStrings
from .word_forms import Forms

Integers = npt.NDArray[Any]
Name = tuple[str, bool]
"""A word, and whether it is asked for as a common one."""

CACHE = 4_000_000
"""Postings that are remembered, those of strings and those of words: no more than 20 bytes each."""


@dataclass(eq=False)
class WordPostings:
    """The postings of the strings of a word, where their places are, and what the word gives, once that is known."""

    terms: Integers
    documents: Integers
    tf: Integers
    sizes: Integers
    """How many postings each string has."""
    begins: Integers
    ends: Integers
    given: GivenScores | None = None

    def __len__(self) -> int:
        return len(self.documents) + (0 if self.given is None else len(self.given.documents))


class PostingsOfWords:
    """The postings of words that were asked for, as long as there is room. Of documents that are one group."""

    def __init__(self, strings: GroupedStrings) -> None:
        self.strings = strings
        self._kept: OrderedDict[Name, WordPostings] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def of(self, names: Sequence[Name], forms: Sequence[Forms]) -> tuple[StringPostings, list[GivenScores | None]]:
        """The postings of what stands for some words, one after the other, and what each gives, if that is known.

        Postings that are not known are read together.
        """
        known = [self._kept.get(name) for name in names]
        fresh = [k for k, postings in enumerate(known) if postings is None]
        if fresh:
            read = self._read([forms[k] for k in fresh])
            for k, postings in zip(fresh, _each_word(read), strict=True):
                known[k] = postings
                self._keep(names[k], postings)
            if len(fresh) == len(names):
                return read, [None for _ in names]
        every = [postings for postings in known if postings is not None]
        return _together(every, forms), [postings.given for postings in every]

    def remember(self, name: Name, given: GivenScores) -> None:
        """Keep what a word gives, if its postings are kept."""
        with self._lock:
            postings = self._kept.get(name)
            if postings is not None and postings.given is None:
                postings.given = given
                self._size += len(given.documents)
                self._make_room()

    def _keep(self, name: Name, postings: WordPostings) -> None:
        with self._lock:
            if name not in self._kept:
                self._kept[name] = postings
                self._size += len(postings)
                self._make_room()

    def _make_room(self) -> None:
        while self._size > CACHE and self._kept:
            self._size -= len(self._kept.popitem(last=False)[1])

    def _read(self, forms: Sequence[Forms]) -> StringPostings:
        read, index = StringPostings.of(self.strings, forms), self.strings.index
        return read._replace(ranges=index.place_ranges(read.terms) if index.manifest.positions else (read.terms,) * 2)


def _each_word(read: StringPostings) -> list[WordPostings]:
    """The postings of each word; what is read together is kept together."""
    sizes, (begins, ends) = np.diff(read.offsets), read.ranges or (read.terms, read.terms)
    bounds, made = read.offsets[read.words].tolist(), []
    for (a, b), (first, last) in zip(pairwise(read.words), pairwise(bounds), strict=True):
        postings = read.documents[first:last], read.tf[first:last]
        made.append(WordPostings(read.terms[a:b], *postings, sizes[a:b], begins[a:b], ends[a:b]))
    return made


def _together(words: Sequence[WordPostings], forms: Sequence[Forms]) -> StringPostings:
    """The postings of several words, one after the other."""
    first = list(accumulate((len(word.terms) for word in words), initial=0))
    rows = [(word.terms, word.documents, word.tf, word.sizes, word.begins, word.ends) for word in words]
    terms, documents, tf, sizes, begins, ends = (np.concatenate(column) for column in zip(*rows, strict=True))
    exact, weights = (np.concatenate(column) for column in ([f.exact for f in forms], [f.weights for f in forms]))
    every = documents, tf, offsets_of(sizes)
    return StringPostings(terms, *every, first, None, every, exact, weights, (begins, ends))
