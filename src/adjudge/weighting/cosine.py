"""The cosine of tf · idf vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from . import Clause, Floats, Statistics, Term, Weighting


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

    def norms(self, statistics: Statistics) -> Floats:
        squares = np.zeros(statistics.documents)
        for some in statistics.postings():
            weights = some.tf * np.log(statistics.documents / some.df)
            squares += np.bincount(some.documents, weights=weights**2, minlength=statistics.documents)
        return np.divide(1, np.sqrt(squares), out=np.zeros(statistics.documents), where=squares > 0)

    def document(self, statistics: Statistics, term: Term, tf: Floats, norm: Floats) -> Floats:
        return tf * (idf(statistics, term) * norm)

    def query(self, statistics: Statistics, clause: Clause) -> float:
        return clause.weight * idf(statistics, clause.term)

    def query_norm(self, statistics: Statistics, clauses: Sequence[Clause]) -> float:
        length = math.hypot(*(self.query(statistics, c) for c in clauses if c.term.df))
        return 1 / length if length else 0.0


def idf(statistics: Statistics, term: Term) -> float:
    return math.log(statistics.documents / term.df)
