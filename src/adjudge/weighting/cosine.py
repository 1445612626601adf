"""The cosine of tf · idf vectors."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .scheme import Clause, Floats, Statistics, TermCounts, Weighting


@dataclass(frozen=True)
class Cosine(Weighting):
    """The cosine of the angle between query and document, both as vectors of tf · idf.

    Formula: Σ tf_q · idf · tf_d · idf / (‖q‖ ‖d‖), idf = ln(N / df); the base of the logarithm cancels.

    Parameters: none.

    No value: a document whose terms are all in every document has norm 0 and score 0; so has such a query, which finds
    nothing. Query terms that are not indexed are left out, of ‖q‖ too.

    Paper: Salton, Wong, Yang, A vector space model for automatic indexing (CACM 1975).

    Example: documents a b | b, query a: ‖d‖ = ln 2 · 1 because b, in both, has idf 0, so the first scores 1.
    """

    name: ClassVar[str] = "cosine"
    every_term: ClassVar[bool] = True

    def norms(self, statistics: Statistics) -> Floats:
        return inverse_lengths(statistics, lambda tf: tf)

    def document(self, statistics: Statistics, term: TermCounts, tf: Floats, norm: Floats) -> Floats:
        return tf * (idf(statistics, term) * norm)

    def query(self, statistics: Statistics, clause: Clause) -> float:
        return clause.weight * idf(statistics, clause.term)

    def query_norm(self, statistics: Statistics, clauses: Sequence[Clause]) -> float:
        length = math.hypot(*(self.query(statistics, c) for c in clauses if c.term.df))
        return 1 / length if length else 0.0


def inverse_lengths(statistics: Statistics, weight: Callable[[Floats], Floats]) -> Floats:
    """1 / ‖d‖ for each document, whose terms have weight(tf) · ln(N / df); 0 where all of them are 0."""
    squares = np.zeros(len(statistics.lengths))
    for some in statistics.postings():
        # One by one in the order of terms: a sum for each piece would round as the pieces happen to be cut.
        np.add.at(squares, some.documents, (weight(some.tf) * np.log(statistics.documents / some.df)) ** 2)
    return np.divide(1, np.sqrt(squares), out=np.zeros(len(squares)), where=squares > 0)


def idf(statistics: Statistics, term: TermCounts) -> float:
    return math.log(statistics.documents / term.df)
