"""Normalised query commitment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.spec import is_count, require
from ..predictor import Floats, Predictor, QueryTerms


@dataclass(frozen=True)
class NQC(Predictor):
    """Normalised query commitment: how far the scores of the best documents are spread.

    Formula: √(mean (s − mean s)²) / |ln P(q | collection)| over the best ``documents``, s = ln P(q | d) under the
    weighting dirichlet.

    Parameters: ``documents`` (100), those that are retrieved first.

    No value: a query that finds nothing, or whose words are all there is in the collection. Fewer documents than
    wanted: those; a single one has 0.

    Paper: Shtok, Kurland, Carmel, Raiber, Markovits, Predicting query performance by query-drift estimation (TOIS
    2012).

    Example: documents a b a | b c | c c c d, query b: ln P(q | d) = −1.502829 and −1.503329, so their deviation is
    0.000250, over ln(9/2) = 1.504077: 0.000166.
    """

    name: ClassVar[str] = "nqc"

    documents: int = 100

    def __post_init__(self) -> None:
        require(self, "documents", is_count(self.documents), "be a whole number, 1 or more")

    def __call__(self, asked: QueryTerms) -> Floats:
        spread = [scores.std() if len(scores) else np.nan for scores in asked.likelihoods(self.documents)]
        below = np.abs(asked.collection)
        return np.asarray(np.divide(np.array(spread), below, out=np.full(len(asked), np.nan), where=below > 0))
