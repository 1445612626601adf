"""Lnu.ltn, with pivoted normalisation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.spec import is_number, require
from .scheme import Clause, Floats, Statistics, TermCounts, Weighting


@dataclass(frozen=True)
class Pivoted(Weighting):
    """Lnu.ltn: pivoted normalisation by the number of different terms in a document.

    Formula:
    Σ (1 + ln tf_d) / (1 + ln average tf of d) / ((1 − slope) · pivot + slope · U_d) · (1 + ln tf_q) · ln(N / df);
    U_d is the number of different terms of the document, the pivot its mean over all documents.

    Parameters: ``slope`` in [0, 1] (0.2), how much the number of different terms counts.

    No value: a query term in all documents has weight 0 and finds nothing; one that is not indexed is left out. A
    weight below 1/e, as feedback may give, would make 1 + ln tf_q negative: weights up to 1 are taken as they are.

    Paper: Singhal, Buckley, Mitra, Pivoted document length normalization (SIGIR 1996).

    Example: documents aaaa bbbb | aaaa aaaa aaaa cccc as padded 4-grams, 6 different ones in both: the query bbbb
    scores 3 · ln 2 / 6 = 0.3466 in the first.
    """

    name: ClassVar[str] = "pivoted"
    positional: ClassVar[str] = "slope"

    slope: float = 0.2

    def __post_init__(self) -> None:
        require(self, "slope", is_number(self.slope) and 0 <= self.slope <= 1, "lie in [0, 1]")

    def norms(self, statistics: Statistics) -> Floats:
        pivoted = (1 - self.slope) * statistics.average_distinct + self.slope * statistics.distinct
        divisor = (1 + np.log(statistics.average_tf)) * pivoted
        return np.divide(1, divisor, out=np.zeros(len(divisor)), where=divisor > 0)

    def document(self, statistics: Statistics, term: TermCounts, tf: Floats, norm: Floats) -> Floats:
        del statistics, term
        weight: Floats = (1 + np.log(tf)) * norm
        return weight

    def query(self, statistics: Statistics, clause: Clause) -> float:
        q = clause.weight
        return (q if q <= 1 else 1 + math.log(q)) * math.log(statistics.documents / clause.term.df)
