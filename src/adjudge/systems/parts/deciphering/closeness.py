"""Words of a question that stand near each other: what a doubtful string is told by its neighbours.

Strings that are taken for words of the question by mistake stand anywhere in a document. Those that are these words
mostly stand together, in the sentence or two that the question is about. So the best documents are looked at again, for
the stretch of text in which most of the words are most probable.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ....core.errors import DataError
from ....core.kernel import native
from ....index.index import Index
from . import slow_adding
from .broken_words import BrokenPlaces
from .closer_look import CloserLook, Occurrences, Readings, Wanted
from .grouped_strings import GroupedStrings
from .word_forms import Forms

compiled: Any = native("stretching")
loops: Any = compiled or slow_adding
Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[Any]

HALF = 20
"""Strings of half a stretch; a stretch begins every so many strings."""
LOOKED_AT = 50
"""The best documents of a question, which are looked at."""
SURE = 0.5
"""The probability from which on two strings side by side are a word, so that its halves need not be looked for."""
CLOSE = 0.5
"""What the words of a stretch count, where those of a document have the weight of BM25."""


class AskedWord(NamedTuple):
    """A word of a question: what stands for it, how often it is asked for, and the odds of a stretch that has it."""

    forms: Forms
    times: float
    odds: float
    expected: Sequence[float] = ()
    """How often it is expected in each group; nothing for a word of which no other strings are looked for."""


class StringPostings(NamedTuple):
    """The postings of the strings of several words, one word after the other."""

    terms: Integers
    documents: Integers
    tf: Integers
    offsets: Integers
    """Where those of each string begin and end."""
    words: list[int]
    """The first string of each word, and their end."""
    groups: Integers | None
    """The group of each string, if there are several; documents of other groups are among its postings."""
    own: tuple[Integers, Integers, Integers]
    """The postings without these."""
    exact: Floats
    weights: Floats
    """What the strings count for their words, as these have it."""
    ranges: tuple[Integers, Integers] | None = None
    """Where the places of each string begin and end, if that is known."""

    @classmethod
    def of(cls, strings: GroupedStrings, forms: Sequence[Forms]) -> StringPostings:
        """The postings of what stands for words; they are read together."""
        places = np.concatenate([np.zeros(0, np.int32), *(each.strings for each in forms)])
        terms = strings.numbers[places]
        words = list(accumulate((len(each.strings) for each in forms), initial=0))
        every = strings.index.postings_of(terms)
        exact = np.concatenate([np.zeros(0), *(each.exact for each in forms)])
        weights = np.concatenate([np.zeros(0), *(each.weights for each in forms)])
        groups = None if len(strings.groups) == 1 else strings.group(places)
        return cls(terms, *every, words, groups, strings.own(places, every), exact, weights)

    def of_word(self, word: int) -> tuple[Integers, Integers, Integers, Integers]:
        """Documents and frequencies of all strings, and where those of the strings of a word begin and end."""
        first, last = self.words[word], self.words[word + 1]
        documents, tf, offsets = self.own
        return documents, tf, offsets[first:last], offsets[first + 1 : last + 1]


class Closeness(NamedTuple):
    """The best stretch of some documents: what it counts, and which it is, the first being half before the document."""

    values: Floats
    stretches: Integers
    found: Occurrences
    closer: Occurrences | None = None
    """What was found in the documents that were looked at closer, in place of that."""
    looked: Integers | None = None
    """These documents, as their places among all."""

    def within(self, slot: int, word: int) -> Readings:
        """The occurrences of a word in the best stretch of a document."""
        found, at = self.found, slot
        if self.closer is not None and self.looked is not None and slot in self.looked:
            found, at = self.closer, int(np.flatnonzero(self.looked == slot)[0])
        some, best = found.of(word), int(self.stretches[slot])
        cells = found.places[some] // HALF
        there = (found.slots[some] == at) & ((cells == best) | (cells == best - 1))
        return found.at(some.start + np.flatnonzero(there))


class BestStretches(NamedTuple):
    """How stretches of documents are compared."""

    searched: Index
    words: Sequence[AskedWord]
    company: float

    def of(self, found: Occurrences, chosen: Integers) -> tuple[Floats, Integers]:
        """What the best stretch of each document counts, and which it is."""
        firsts = np.zeros(len(chosen) + 1, np.int64)
        np.cumsum(self.searched.statistics.lengths[chosen] // HALF + 2, out=firsts[1:])
        times, odds = (np.array([word[k] for word in self.words], np.float64) for k in (1, 2))
        values, stretches = np.zeros(len(chosen)), np.zeros(len(chosen), np.int64)
        try:
            loops.stretches(*found[:4], times, odds, firsts, HALF, self.company, values, stretches)
        except ValueError:
            raise DataError(f"{self.searched.folder}: damaged: a place beyond the end of its document") from None
        return CLOSE * values, stretches


def closeness(
    index: Index,
    postings: StringPostings,
    words: Mapping[str, AskedWord],
    chosen: Integers,
    scores: Floats,
    beliefs: Floats,
    company: float = 0.0,
    group: int = 0,
    closer: CloserLook | None = None,
    broken: BrokenPlaces | None = None,
) -> Closeness:
    """How close the words of a question stand in some documents of one group; ``company.py`` says what that is.

    ``scores`` are those that the documents have by their words alone.
    """
    best = BestStretches(index, list(words.values()), company)
    found = _known_occurrences(index, postings, chosen, beliefs, group)
    if broken is not None and len(chosen):
        found = _with_halves(index, found, broken, chosen, beliefs)
    values, stretches = best.of(found, chosen)
    if closer is not None and closer.pays_off(group) and words and len(chosen):
        wanted = [Wanted(word, *each.forms[:2], each.expected) for word, each in words.items()]
        most = closer.documents(sum(bool(each.expected) and word.isalpha() for word, each in words.items()))
        order = np.sort(np.argsort(-(scores + values), kind="stable")[:most])
        near = HALF * stretches[order]
        again = closer.look(group, wanted, chosen[order], near - HALF, near + HALF)
        if broken is not None:
            again = _with_halves(index, again, broken, chosen[order], beliefs)
        values[order], stretches[order] = best.of(again, chosen[order])
        return Closeness(values, stretches, found, again, order)
    return Closeness(values, stretches, found)


def _with_halves(
    index: Index, found: Occurrences, broken: BrokenPlaces, chosen: Integers, beliefs: Floats
) -> Occurrences:
    """The same with words that are broken into two strings, which count where one of these is; but not in documents in
    which both were surely found side by side."""
    slot = np.minimum(np.searchsorted(chosen, broken.documents), len(chosen) - 1)
    there = np.flatnonzero(chosen[slot] == broken.documents)
    words, many = found.words, len(chosen)
    pairs = (found.sizes > 1) & (found.chances >= SURE)
    seen = words[pairs] * many + found.slots[pairs]
    there = there[~np.isin(broken.words[there] * many + slot[there], seen)]
    if not len(there):
        return found
    terms, which = np.unique(broken.terms[there], return_inverse=True)
    read, keys = index.places_in(terms, chosen), which * many + slot[there]
    there, keys = there[np.argsort(keys, kind="stable")], np.sort(keys)
    wanted = read.terms.astype(np.int64) * many + read.slots
    first, last = np.searchsorted(keys, wanted), np.searchsorted(keys, wanted, "right")
    some = np.repeat(np.arange(len(wanted)), last - first)
    rows = there[np.arange(len(some)) + np.repeat(first - (np.cumsum(last - first) - (last - first)), last - first)]
    words = np.concatenate([words, broken.words[rows]])
    order = np.argsort(words, kind="stable")
    slots, places = (
        np.concatenate(both)[order] for both in ((found.slots, read.slots[some]), (found.places, read.places[some]))
    )
    believed = broken.chances[rows] * beliefs[broken.documents[rows]]
    chances = np.concatenate([found.chances, believed])[order]
    sizes = np.concatenate([found.sizes, np.ones(len(rows), np.uint8)])[order]
    bounds = np.searchsorted(words[order], np.arange(len(found.bounds))).astype(np.int64)
    return Occurrences(slots, places, chances, bounds, sizes)


def _known_occurrences(
    index: Index, postings: StringPostings, chosen: Integers, beliefs: Floats, group: int
) -> Occurrences:
    """Where the strings that stand for the words are in some documents."""
    found = index.places_in(postings.terms, chosen, postings[1:4], postings.ranges)
    belief = beliefs[chosen[found.slots]]
    chances = postings.exact[found.terms] * (1 - belief) + postings.weights[found.terms] * belief
    if postings.groups is not None:
        chances[postings.groups[found.terms] != group] = 0.0
    bounds = np.searchsorted(found.terms, postings.words).astype(np.int64)
    return Occurrences(found.slots, found.places, chances, bounds, np.ones(len(chances), np.uint8))


def presence(chances: Floats) -> float:
    """The probability that a word is among some occurrences."""
    return 1 - float(np.prod(1 - np.minimum(chances, 1.0)))


def value_of(word: AskedWord, present: float) -> float:
    """What a word counts in a stretch that has it with this probability."""
    return CLOSE * word.times * math.log1p(word.odds * present)
