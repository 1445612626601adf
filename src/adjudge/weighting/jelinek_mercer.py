"""Query likelihood with the smoothing of Jelinek and Mercer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.spec import is_number, require
from .scheme import Clause, Floats, Statistics, TermCounts, Weighting


@dataclass(frozen=True)
class JelinekMercer(Weighting):
    """Query likelihood: the logarithm of P(query | document), mixed linearly with the collection.

    Formula: Σ q · ln((1 − lam) · tf / length + lam · p) over all indexed query terms, p = cf / tokens of all documents.
    The scores are exact, hence negative; only documents with at least one of the terms are ranked.

    Parameters: ``lam`` in [1e-9, 1) (0.1), the weight of the collection, λ in the paper.

    No value: query terms that are not indexed have probability 0 everywhere and are left out.

    Paper: Zhai, Lafferty, A study of smoothing methods for language models (SIGIR 2001, TOIS 2004), which finds 0.1
    right for short queries and 0.7 for long ones.

    Example: documents a b a | b c | c c c d, query a, lam = 0.5: first document ln(0.5 · 2/3 + 0.5 · 2/9) = −0.810930.
    """

    name: ClassVar[str] = "jelinek_mercer"
    aliases: ClassVar[tuple[str, ...]] = ("jm", "lm_jelinek_mercer", "lmjelinekmercer", "qljm")
    positional: ClassVar[str] = "lam"
    logarithmic: ClassVar[bool] = True

    lam: float = 0.1

    def __post_init__(self) -> None:
        require(self, "lam", is_number(self.lam) and 1e-9 <= self.lam < 1, "lie in [1e-9, 1)")

    def norms(self, statistics: Statistics) -> Floats:
        lengths = statistics.lengths
        return np.divide(1, lengths, out=np.zeros(len(lengths)), where=lengths > 0)

    def document(self, statistics: Statistics, term: TermCounts, tf: Floats, norm: Floats) -> Floats:
        return np.log1p(tf * norm * ((1 - self.lam) * statistics.tokens / (self.lam * term.cf)))

    def query(self, statistics: Statistics, clause: Clause) -> float:
        del statistics
        return clause.weight

    def query_part(self, statistics: Statistics, clauses: Sequence[Clause]) -> float:
        p = self.lam / max(1, statistics.tokens)
        return math.fsum(c.weight * math.log(p * c.term.cf) for c in clauses if c.term.cf)
