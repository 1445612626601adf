"""Query likelihood with a Dirichlet prior."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.spec import is_number, require
from .scheme import Clause, Floats, Statistics, TermCounts, Weighting


@dataclass(frozen=True)
class Dirichlet(Weighting):
    """Query likelihood: the logarithm of P(query | document), smoothed with a Dirichlet prior.

    Formula: Σ q · ln((tf + mu · p) / (length + mu)) over all indexed query terms, p = cf / tokens of the collection.
    The scores are exact, hence negative; only documents with at least one of the terms are ranked.

    Parameters: ``mu`` in [1e-9, 1e15] (2000), the weight of the collection, in tokens.

    No value: query terms that are not indexed have probability 0 everywhere and are left out.

    Paper: Zhai, Lafferty, A study of smoothing methods for language models (SIGIR 2001, TOIS 2004).

    Example: documents a b a | b c | c c c d, query a, mu = 9: p = 2/9, first ln((2 + 2) / (3 + 9)) = −1.098612.
    """

    name: ClassVar[str] = "dirichlet"
    aliases: ClassVar[tuple[str, ...]] = ("lm_dirichlet", "dirichlet_lm", "dirichletlm", "lmdirichlet", "qld")
    positional: ClassVar[str] = "mu"
    logarithmic: ClassVar[bool] = True

    mu: float = 2000.0

    def __post_init__(self) -> None:
        require(self, "mu", is_number(self.mu) and 1e-9 <= self.mu <= 1e15, "lie in [1e-9, 1e15]")

    def document(self, statistics: Statistics, term: TermCounts, tf: Floats, norm: Floats) -> Floats:
        del norm
        return np.log1p(tf * (statistics.tokens / (self.mu * term.cf)))

    def query(self, statistics: Statistics, clause: Clause) -> float:
        del statistics
        return clause.weight

    def document_part(self, statistics: Statistics) -> Floats:
        return -np.log1p(statistics.lengths / self.mu)

    def query_part(self, statistics: Statistics, clauses: Sequence[Clause]) -> float:
        return math.fsum(c.weight * math.log(c.term.cf / statistics.tokens) for c in clauses if c.term.cf)
