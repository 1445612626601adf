"""Simplified clarity score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..predictor import Floats, Predictor, QueryTerms


@dataclass(frozen=True)
class SCS(Predictor):
    """Simplified clarity: how far the words of the query are from those of the collection, in bits.

    Formula: Σ p · log2(p · tokens / cf) over the different indexed words, p = their share of the indexed words of the
    query, cf of the tokens of the collection: the divergence of the query from the collection.

    Parameters: none.

    No value: words that are not indexed are left out, of p too; a query without an indexed word has none.

    Paper: He, Ounis, Inferring query performance using pre-retrieval predictors (SPIRE 2004).

    Example: documents a b a | b c | c c c d, query a a b: 2/3 · log2(2/3 · 9/2) + 1/3 · log2(1/3 · 9/2) = 1.251629.
    """

    name: ClassVar[str] = "scs"

    def __call__(self, asked: QueryTerms) -> Floats:
        share = asked.times / np.maximum(asked.indexed_words, 1)[asked.query]
        return asked.pool(np.log2(share * asked.tokens / asked.cf), "mean")
