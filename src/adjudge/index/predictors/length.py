"""The length of the query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..predictor import Floats, Predictor, QueryTerms


@dataclass(frozen=True)
class QueryLength(Predictor):
    """The number of words in the query after analysis, indexed or not.

    Formula: |q|, a word that stands there twice counted twice.

    Parameters: none.

    No value: none; a query of which no word is left has 0.

    Paper: He, Ounis, Inferring query performance using pre-retrieval predictors (SPIRE 2004).

    Example: solar power, solar energy: 4.
    """

    name: ClassVar[str] = "length"

    def __call__(self, asked: QueryTerms) -> Floats:
        return asked.lengths
