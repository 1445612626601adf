"""The sums of a question over the documents: expected frequencies of a word, and the scores of all words."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ....index.index import Index
from .word_forms import loops

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[Any]

Postings = tuple[Integers, Integers, Integers, Integers]
"""Documents and frequencies of many strings, and where those of the strings of a word begin and end."""


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

    def gather(self, postings: Postings, exact: Floats, weights: Floats) -> Gathered:
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

    def add_doubtful(self, found: Integers, times: int, odds: float, repeats: float) -> None:
        """Add what was gathered to the scores of some documents, by the probability that the word is there."""
        gathered = self.sums, self.absent, found, len(found), self.norms
        self.many = loops.add_doubtful(*gathered, times, odds, repeats, self.scores, self.all, self.many)

    def take(self) -> tuple[Integers, Floats]:
        """The documents with a score, ascending, and their scores; all is zero again."""
        documents = np.sort(self.all[: self.many]).astype(np.int64)
        scores = self.scores[documents]
        self.scores[documents] = 0.0
        self.many = 0
        return documents, scores
