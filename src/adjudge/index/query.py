"""A query as terms with weights."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..core.errors import SpecError

if TYPE_CHECKING:
    from ..text.analyzer import Analyzer

LARGEST = 1e15
"""Weights beyond are mistakes, and would make scores infinite."""


@dataclass(frozen=True)
class Query:
    """Each different term with how often it stands there and how much it is boosted, in the order of the query.

    Words that stand there twice and a term with weight 2 are the same to most weightings, but not to Lucene's.
    """

    terms: tuple[str, ...]
    counts: tuple[int, ...]
    boosts: tuple[float, ...]

    @classmethod
    def of(cls, query: str | Mapping[str, float] | Query, analyzer: Analyzer) -> Query:
        """A text, which is analyzed, or terms with their weights, which are taken as they are."""
        return cls.all_of([query], analyzer)[0]

    @classmethod
    def all_of(cls, queries: Sequence[str | Mapping[str, float] | Query], analyzer: Analyzer) -> list[Query]:
        """Many queries; the texts are analyzed together, which is quicker."""
        tokens = analyzer([query for query in queries if isinstance(query, str)])
        texts = (cls._of_words(tokens.of(i)) for i in range(len(tokens)))
        parsed = []
        for query in queries:
            if isinstance(query, str):
                parsed.append(next(texts))
            else:
                parsed.append(query if isinstance(query, Query) else cls._of_weights(query))
        return parsed

    @classmethod
    def _of_words(cls, words: list[str]) -> Query:
        counts = Counter(words)
        return cls(tuple(counts), tuple(counts.values()), (1.0,) * len(counts))

    @classmethod
    def _of_weights(cls, query: Mapping[str, float]) -> Query:
        weights = []
        for term, given in query.items():
            try:
                weight = float(given)
            except OverflowError:
                weight = math.inf
            except (TypeError, ValueError):
                weight = math.nan
            if not abs(weight) <= LARGEST:
                shown = weight if isinstance(given, int | float) else repr(given)
                raise SpecError(f"the weight of the query term {term!r} is {shown}, not a number up to {LARGEST:g}")
            weights.append(weight)
        return cls(tuple(query), (1,) * len(query), tuple(weights))

    def weights(self) -> dict[str, float]:
        """Terms with their weights, as feedback adds to them."""
        return {t: c * b for t, c, b in zip(self.terms, self.counts, self.boosts, strict=True)}
