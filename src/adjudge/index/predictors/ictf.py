"""Inverse collection term frequency of the words of the query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..predictor import Floats, Predictor, QueryTerms


@dataclass(frozen=True)
class ICTF(Predictor):
    """How rare the words of the query are among all words: their mean inverse collection term frequency.

    Formula: the mean of log2(tokens / cf) over the indexed words, cf of the tokens of the collection.

    Parameters: none.

    No value: words that are not indexed are left out; a query without an indexed word has none.

    Paper: Kwok, A new method of weighting query terms for ad-hoc retrieval (SIGIR 1996); as a predictor He, Ounis,
    Inferring query performance using pre-retrieval predictors (SPIRE 2004).

    Example: documents a b a | b c | c c c d, query a d: log2(9/2) = 2.169925 and log2(9) = 3.169925, mean 2.669925.
    """

    name: ClassVar[str] = "ictf"

    def __call__(self, asked: QueryTerms) -> Floats:
        return asked.pool(np.log2(asked.tokens / asked.cf), "mean")
