"""Similarity of collection and query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.spec import require
from ..predictor import POOLS, Floats, Predictor, QueryTerms


@dataclass(frozen=True)
class SCQ(Predictor):
    """How similar query and collection are: tf · idf with the whole collection in the place of a document.

    Formula: (1 + ln cf) · ln(1 + N / df) for each indexed word, cf its occurrences in the collection, df documents of
    N with it; then pooled.

    Parameters: ``by`` sum, mean or max (sum): SCQ, NSCQ and MaxSCQ of the paper.

    No value: words that are not indexed are left out; a query without an indexed word has none.

    Paper: Zhao, Scholer, Tsegay, Effective pre-retrieval query performance prediction using similarity and variability
    evidence (ECIR 2008).

    Example: documents a b a | b c | c c c d, query a b: (1 + ln 2) · ln 4 = 2.347200 and (1 + ln 2) · ln 2.5 =
    1.551415, sum 3.898615, mean 1.949308, maximum 2.347200.
    """

    name: ClassVar[str] = "scq"
    positional: ClassVar[str] = "by"
    always: ClassVar[tuple[str, ...]] = ("by",)

    by: str = "sum"

    def __post_init__(self) -> None:
        require(self, "by", self.by in POOLS, f"be {', '.join(POOLS[:-1])} or {POOLS[-1]}")

    def __call__(self, asked: QueryTerms) -> Floats:
        return asked.pool((1 + np.log(asked.cf)) * np.log1p(asked.documents / asked.df), self.by)
