"""What a query performance predictor is: a figure for a query, from the index, that should tell how well it will do.

Predictors before retrieval see how often the terms of the query occur in the collection; those after it see the
likelihoods of the documents that are found as well. They know nothing of judgments, nor of the systems whose success
they are to predict. Each is one file in ``predictors``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import DataError
from ..core.registry import Registry
from ..core.spec import Component
from .index import Index
from .query import Query
from .searching import Searcher

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[Any]
POOLS = ("sum", "mean", "max")
LIKELIHOOD = "dirichlet"
"""What the documents are ranked by for predictors after retrieval: query likelihood, whose scores mean something."""
DEFAULT = (
    "length",
    "idf(by=mean)",
    "idf(by=max)",
    "scq(by=sum)",
    "scq(by=mean)",
    "scq(by=max)",
    "scs",
    "ictf",
    "wig",
    "nqc",
)
"""What is predicted with when nobody says what."""


@dataclass(frozen=True, eq=False)
class QueryTerms:
    """Queries as an index sees them: a row for each different indexed term of each query."""

    index: Index
    parsed: tuple[Query, ...]
    query: Integers
    """The number of the query of each row."""
    times: Floats
    """How often the term stands in the query."""
    df: Floats
    cf: Floats
    _kept: dict[int, list[Floats]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, queries: Sequence[str], index: Index) -> QueryTerms:
        """Texts, analyzed as the index was; terms that are not indexed are in ``lengths`` only."""
        if not len(index) or not index.statistics.tokens:
            raise DataError(f"{index.folder}: has no terms, so nothing can be predicted from it")
        parsed = tuple(Query.all_of(list(queries), index.analyzer))
        rows = [
            (i, times, *index.term(number))
            for i, query in enumerate(parsed)
            for term, times in zip(query.terms, query.counts, strict=True)
            if (number := index.number(term)) >= 0
        ]
        table = np.array(rows, np.float64).reshape(-1, 4)
        return cls(index, parsed, table[:, 0].astype(np.int64), *table[:, 1:].T)

    def __len__(self) -> int:
        return len(self.parsed)

    @property
    def documents(self) -> int:
        return self.index.statistics.documents

    @property
    def tokens(self) -> int:
        return self.index.statistics.tokens

    @property
    def lengths(self) -> Floats:
        """Words of each query after analysis, indexed or not."""
        return np.array([sum(query.counts) for query in self.parsed], np.float64)

    @property
    def indexed_words(self) -> Floats:
        """Words of each query that are indexed."""
        return self.sum(np.ones(len(self.query)))

    def sum(self, values: Floats) -> Floats:
        """Of a value for each row, over the words of each query: a word that stands there twice counts twice."""
        return np.bincount(self.query, weights=values * self.times, minlength=len(self)).astype(np.float64)

    def pool(self, values: Floats, by: str) -> Floats:
        """Sum, mean or maximum over the indexed words of each query; NaN where there are none."""
        known = self.indexed_words
        if by == "max":
            figures = np.full(len(self), -np.inf)
            np.maximum.at(figures, self.query, values)
        else:
            figures = self.sum(values) / (np.maximum(known, 1) if by == "mean" else 1)
        return np.where(known > 0, figures, np.nan)

    def likelihoods(self, k: int) -> list[Floats]:
        """ln P(query | document) of the k documents that give it the highest probability, for each query."""
        if k not in self._kept:
            self._kept[k] = [hits.scores for hits in Searcher(self.index, LIKELIHOOD).search(self.parsed, k)]
        return self._kept[k]

    @property
    def collection(self) -> Floats:
        """ln P(query | collection) of each query."""
        return self.sum(np.log(self.cf / self.tokens))


class Predictor(Component, ABC):
    """Called with queries it gives one figure for each, NaN where its definition gives none.

    Larger figures are to mean that a query does better, except that of ``length``, of which either is believed.
    """

    @abstractmethod
    def __call__(self, asked: QueryTerms) -> Floats:
        """One figure for each query."""


predictors: Registry[Predictor] = Registry("predictor", "adjudge.index.predictors", Predictor)
