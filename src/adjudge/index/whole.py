"""A collection of which an index holds a part: what must be known of it so that scores are those of the whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..weighting.scheme import Postings, Statistics, TermCounts, Totals
from .index import Index


@dataclass(frozen=True, eq=False)
class Whole:
    """Its figures, and those of terms: all that are asked for and, for some weightings, all in more than one part."""

    totals: Totals
    terms: Mapping[str, TermCounts]

    def term(self, name: str, own: TermCounts) -> TermCounts:
        """A term in the collection; one that is not listed occurs in this part only, as often as there."""
        return self.terms.get(name, own)

    def statistics(self, index: Index) -> Statistics:
        """What weightings may know of the documents of a part."""
        return replace(index.statistics, whole=self.totals, postings=lambda: self._postings(index))

    def _postings(self, index: Index) -> Iterator[Postings]:
        for first, last, documents, tf in index.pieces():
            every = [(number, index.term(number)) for number in range(first, last)]
            own = np.array([term.df for _, term in every], np.int64)
            whole = np.array([self.term(index.name(number), term) for number, term in every], np.float64)
            yield Postings(documents, tf, *(np.repeat(column, own) for column in whole.T))
