"""Words expanded by those of an index that are spelled much like them, each group of words weighted as one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ...index.accumulation import best
from ...index.index import Index
from ...index.searching import Hits
from ...weighting.scheme import Clause, TermCounts, weightings
from .content import nothing_found
from .peer_packages import needing

ANALYZER = "words|lower|stop(smart)"

Floats = npt.NDArray[np.float64]


class ExpandingSearcher:
    """An index of words, seen through a weighting and the ratio of edits from which on a word counts for another."""

    def __init__(self, index: Index, weighting: str, cutoff: float) -> None:
        self.index, self.cutoff = index, cutoff
        self.weighting = weightings.parse(weighting)
        self.norms = np.asarray(self.weighting.norms(index.statistics), np.float64)
        self._groups: dict[str, list[tuple[int, float]]] = {}

    @cached_property
    def vocabulary(self) -> list[str]:
        """All words of the documents by their numbers."""
        return [self.index.name(number) for number in range(len(self.index.arrays["cf"]))]

    def group(self, word: str) -> list[tuple[int, float]]:
        """The words of the documents that count for a word, by number, and how much each counts."""
        if word not in self._groups:
            with needing("fuzzy_expansion", "rapidfuzz"):
                from rapidfuzz import fuzz, process

            found = process.extract_iter(word, self.vocabulary, scorer=fuzz.ratio, score_cutoff=self.cutoff)
            self._groups[word] = [(number, ratio / 100) for _, ratio, number in found if ratio > 0]
        return self._groups[word]

    def frequencies(self, word: str) -> Floats:
        """How often a word stands in each document, if those of its group are counted with their weights."""
        sums = np.zeros(len(self.index))
        for number, weight in self.group(word):
            documents, tf = self.index.postings(number)
            sums[documents] += weight * tf
        return sums

    def search(self, words: Sequence[str], k: int) -> Hits:
        """The best k documents for words, each of which counts once."""
        scores, statistics = np.zeros(len(self.index)), self.index.statistics
        for word in words:
            tf = self.frequencies(word)
            found = np.flatnonzero(tf)
            df = float(np.minimum(tf, 1.0).sum())
            if df:
                term = TermCounts(df, df)  # type: ignore[arg-type]  # weighted ones are no whole numbers
                own = self.weighting.document(statistics, term, tf[found], self.norms[found])
                scores[found] += own * self.weighting.query(statistics, Clause(term))
        documents = np.flatnonzero(scores > 0)
        if not len(documents):
            return Hits(documents, np.zeros(0), self.index, nothing_found(words))
        top = best(scores[documents], documents, self.index.id_ranks, k)
        return Hits(documents[top], scores[documents][top], self.index)
