"""The sums of a question over the documents: expected frequencies of a word, and the scores of all words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ....index.index import Index
from ....text.splitting import offsets_of
from .broken_words import BrokenWord
from .word_forms import loops

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[Any]

StringsOfWord = tuple[Integers, Integers, Integers, Integers]
"""Documents and frequencies of many strings, and where those of the strings of a word begin and end."""
Postings = tuple[Integers, Integers, Integers]
"""Documents and frequencies of strings, and where those of each begin and the last ones end."""


class WordPairs(NamedTuple):
    """Pairs of strings that may be words of a question: in which documents each is, how often, where those of each pair
    begin, and where the pairs of each word do."""

    documents: npt.NDArray[np.int64]
    expected: Floats
    bounds: npt.NDArray[np.int64]
    words: npt.NDArray[np.int64]

    @classmethod
    def of(cls, words: Sequence[Sequence[BrokenWord]]) -> WordPairs:
        """What may be each word."""
        every = [pair for pairs in words for pair in pairs]
        documents = np.concatenate([np.zeros(0, np.int64), *(pair.documents for pair in every)])
        expected = np.concatenate([np.zeros(0), *(pair.expected for pair in every)])
        bounds, firsts = (
            offsets_of([len(pair.documents) for pair in every]),
            offsets_of([len(pairs) for pairs in words]),
        )
        return cls(documents, expected, bounds, firsts)


class GivenScores(NamedTuple):
    """What a word that is asked for once adds to the scores of documents, and in how many documents it is."""

    documents: npt.NDArray[np.int32]
    given: Floats
    present: float


class AskedFor(NamedTuple):
    """How often each word of a question is asked for, how far an occurrence beyond the first counts in each group, the
    groups of the documents if there are several, and by how much words count as less rare."""

    times: Floats
    repeats: Floats
    groups: npt.NDArray[np.uint8] | None
    rarity: float


class Gathered(NamedTuple):
    """In how many documents strings of a word are, and in how many the word: Σ min(1, expected frequency), and the sum
    of the probabilities that it is there."""

    many: int
    df: float
    present: float


class Adding:
    """Room for the sums of one question at a time, zero between questions. Not for two threads at once."""

    def __init__(self, index: Index, norms: Floats, beliefs: Floats) -> None:
        alike = len(beliefs) > 1 and bool((beliefs == beliefs[0]).all())
        self.index, self.norms, self.beliefs = index, norms, beliefs[:1] if alike else beliefs
        self.sums, self.absent, self.scores = np.zeros(len(index)), np.ones(len(index)), np.zeros(len(index))
        self.found, self.all = np.empty(len(index), np.int32), np.empty(len(index), np.int32)
        self.many = 0

    def gather(self, postings: StringsOfWord, exact: Floats, weights: Floats) -> Gathered:
        """In how many documents some terms are; see ``adding.c``."""
        count = loops.gather(*postings, exact, weights, self.beliefs, self.sums, self.absent, self.found)
        return Gathered(int(count[0]), float(count[1]), float(count[2]))

    def also(self, gathered: Gathered, documents: Integers, expected: Floats) -> Gathered:
        """The same with more of the word in some different documents."""
        many, df, present = gathered
        before, absent = self.sums[documents], self.absent[documents]
        after, left = before + expected, absent * (1 - np.minimum(expected, 1.0))
        new = documents[(before == 0) & (after > 0)]
        self.found[many : many + len(new)] = new
        self.sums[documents], self.absent[documents] = after, left
        more = float((np.minimum(after, 1.0) - np.minimum(before, 1.0)).sum())
        return Gathered(many + len(new), df + more, present + float((absent - left).sum()))

    def clear(self, many: int) -> None:
        """Forget what was gathered."""
        self.sums[self.found[:many]], self.absent[self.found[:many]] = 0.0, 1.0

    def add(self, many: int, factor: float) -> None:
        """Add what was gathered to the scores, as bm25 does."""
        gathered = self.sums, self.absent, self.found, many, self.norms
        self.many = loops.add(*gathered, factor, self.scores, self.all, self.many)

    def ask(
        self, postings: Postings, words: Integers, exact: Floats, weights: Floats, pairs: WordPairs, asked: AskedFor
    ) -> list[GivenScores]:
        """Add all words of a question to the scores; what each gives.

        The strings of word w are from ``words[w]`` to ``words[w + 1]``.
        """
        many, most = len(asked.times), len(postings[0]) + len(pairs.documents)
        present, bounds = np.empty(many), np.empty(many + 1, np.int64)
        documents, given = np.empty(most, np.int32), np.empty(most)
        self.many = loops.ask(
            *(*postings, words, exact, weights, self.beliefs, *pairs, *asked, self.norms),
            *(self.sums, self.absent, self.found, self.scores, self.all, present, bounds, documents, given),
        )
        rows = zip(present.tolist(), pairwise(bounds.tolist()), strict=True)
        return [GivenScores(documents[a:b], given[a:b], p) for p, (a, b) in rows]

    def give(self, words: Sequence[GivenScores]) -> None:
        """Add words to the scores that give what is known, each asked for once."""
        documents, given = (
            np.concatenate(column) for column in ([w.documents for w in words], [w.given for w in words])
        )
        self.many = loops.give(documents, given, self.scores, self.all)

    def take(self) -> tuple[Integers, Floats]:
        """The documents with a score, ascending, and their scores; all is zero again."""
        documents = np.sort(self.all[: self.many]).astype(np.int64)
        scores = self.scores[documents]
        self.scores[documents] = 0.0
        self.many = 0
        return documents, scores
