"""Weighted information gain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.spec import is_count, require
from ..predictor import Floats, Predictor, QueryTerms


@dataclass(frozen=True)
class WIG(Predictor):
    """Weighted information gain: how much better the best documents explain the query than the collection does.

    Formula: the mean over the best ``documents`` d of (ln P(q | d) − ln P(q | collection)) / √|q|; P(q | d) is the
    weighting dirichlet, |q| the indexed words of the query. Terms alone, without the phrases of the paper.

    Parameters: ``documents`` (5, the paper's), those that are retrieved first.

    No value: a query that finds nothing. Fewer documents than wanted: those.

    Paper: Zhou, Croft, Query performance prediction in web search environments (SIGIR 2007).

    Example: documents a b a | b c | c c c d, query a: only the first has it, with ln((2 + 2000 · 2/9) / (3 + 2000));
    minus ln(2/9) that is 0.002991.
    """

    name: ClassVar[str] = "wig"

    documents: int = 5

    def __post_init__(self) -> None:
        require(self, "documents", is_count(self.documents), "be a whole number, 1 or more")

    def __call__(self, asked: QueryTerms) -> Floats:
        means = [scores.mean() if len(scores) else np.nan for scores in asked.likelihoods(self.documents)]
        return np.asarray((np.array(means) - asked.collection) / np.sqrt(np.maximum(asked.indexed_words, 1)))
