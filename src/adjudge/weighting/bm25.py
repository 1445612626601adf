"""Okapi BM25, in the form of Lucene and in that of Robertson."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from ..core.spec import is_number, require
from .scheme import Clause, Floats, Integers, Statistics, TermCounts, Weighting

LARGEST = 1e9
"""Beyond, figures are too large for their products."""


@dataclass(frozen=True)
class BM25(Weighting):
    """Okapi BM25: idf times a frequency that saturates, more slowly in long documents.

    Formula: Σ idf · tf / (tf + k1 · (1 − b + b · length / average length)) · q.
    form=lucene: idf = ln(1 + (N − df + 0.5) / (df + 0.5)), never negative, and no factor k1 + 1, as Lucene since
    version 8 and bm25s (method lucene) have it. form=robertson: idf = ln((N − df + 0.5) / (df + 0.5)), negative for
    terms in more than half of the documents, and the factor k1 + 1. q is the frequency of the term in the query, or
    with ``k3`` (k3 + 1) · q / (k3 + q). Lengths are exact; Lucene rounds them to one byte.

    Parameters: ``k1`` in [0, 1e9] (0.9), how slowly the frequency saturates; ``b`` in [0, 1] (0.4), how much length
    counts; ``form`` lucene or robertson; ``k3`` in [0, 1e9] or none (none: no saturation in the query).

    No value: a term that is not indexed counts nothing.

    Paper: Robertson, Walker, Jones, Hancock-Beaulieu, Gatford, Okapi at TREC-3 (1994); the defaults are those found
    on newswire by Trotman, Jia, Crane, Towards an efficient and effective search engine (OSIR 2012).

    Example: documents a b a | b c | c c c d, query a, k1 = 1, b = 0: idf = ln(1 + 2.5/1.5) = 0.980829, score of the
    first 0.980829 · 2 / 3 = 0.653886.
    """

    name: ClassVar[str] = "bm25"
    aliases: ClassVar[tuple[str, ...]] = ("okapi", "bm25_okapi", "okapi_bm25")

    k1: float = 0.9
    b: float = 0.4
    form: str = "lucene"
    k3: float | None = None

    def __post_init__(self) -> None:
        require(self, "k1", is_number(self.k1) and 0 <= self.k1 <= LARGEST, "lie in [0, 1e9]")
        require(self, "b", is_number(self.b) and 0 <= self.b <= 1, "lie in [0, 1]")
        require(self, "form", self.form in {"lucene", "robertson"}, "be lucene or robertson")
        known = self.k3 is None or (is_number(self.k3) and 0 <= self.k3 <= LARGEST)
        require(self, "k3", known, "lie in [0, 1e9], or be none")

    def norms(self, statistics: Statistics) -> Floats:
        return self.length_norms(statistics, statistics.lengths)

    def length_norms(self, statistics: Statistics, lengths: Integers) -> Floats:
        relative: Floats = lengths / (statistics.average_length or 1.0)
        return self.k1 * (1 - self.b + self.b * relative)

    def document(self, statistics: Statistics, term: TermCounts, tf: Floats, norm: Floats) -> Floats:
        del statistics, term
        return tf / (tf + norm)

    def query(self, statistics: Statistics, clause: Clause) -> float:
        df, q = clause.term.df, clause.weight
        odds = (statistics.documents - df + 0.5) / (df + 0.5)
        idf = math.log1p(odds) if self.form == "lucene" else (self.k1 + 1) * math.log(odds)
        if self.k3 is not None:
            q = (self.k3 + 1) * q / (self.k3 + abs(q)) if q else 0.0  # feedback may have weights below 0
        return idf * q
