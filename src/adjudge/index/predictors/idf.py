"""Inverse document frequency of the words of the query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.spec import require
from ..predictor import POOLS, Floats, Predictor, QueryTerms


@dataclass(frozen=True)
class IDF(Predictor):
    """How rare the words of the query are: the mean, maximum or sum of their inverse document frequencies.

    Formula: ln(N / df) for each indexed word, N documents, df of them with the word; then pooled.

    Parameters: ``by`` mean, max or sum (mean).

    No value: words that are not indexed are left out; a query without an indexed word has none.

    Paper: Cronen-Townsend, Zhou, Croft, Predicting query performance (SIGIR 2002) for the mean; Scholer, Williams,
    Turpin, Query association surrogates for Web search (JASIST 2004) for the maximum.

    Example: documents a b a | b c | c c c d, query a b: ln 3 = 1.098612 and ln 1.5 = 0.405465, mean 0.752039, maximum
    1.098612.
    """

    name: ClassVar[str] = "idf"
    positional: ClassVar[str] = "by"
    always: ClassVar[tuple[str, ...]] = ("by",)

    by: str = "mean"

    def __post_init__(self) -> None:
        require(self, "by", self.by in POOLS, f"be {', '.join(POOLS[:-1])} or {POOLS[-1]}")

    def __call__(self, asked: QueryTerms) -> Floats:
        return asked.pool(np.log(asked.documents / asked.df), self.by)
