"""What a weighting is: what a term is worth in a document and in a query, from statistics alone.

The score of a document is

    coordination · query norm · (Σ query weight · document weight + |q| · document part + query part)

over the terms that query and document share; |q| is the sum of the query's weights. Most schemes use a few of these
only. An index knows nothing of weightings and a weighting nothing of files: it sees the statistics.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.registry import Registry
from ..core.spec import Component

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[Any]


class TermCounts(NamedTuple):
    """A term in the collection: documents that have it, and occurrences; both are 0 if it is not indexed."""

    df: int
    cf: int


class Clause(NamedTuple):
    """A term in a query: as a word it stands there ``times`` times; as a weighted term once, with a ``boost``."""

    term: TermCounts
    times: int = 1
    boost: float = 1.0

    @property
    def weight(self) -> float:
        """The frequency of the term in the query."""
        return self.times * self.boost


class Postings(NamedTuple):
    """Postings of many terms: a document, the frequency in it, and the df and cf of the term, for each."""

    documents: Integers
    tf: Floats
    df: Floats
    cf: Floats


class Totals(NamedTuple):
    """What a collection comes to: documents, tokens, and different terms summed over the documents."""

    documents: int
    tokens: int
    distinct: int


def _none() -> Iterator[Postings]:
    return iter(())


@dataclass(frozen=True, eq=False)
class Statistics:
    """What weightings know of a collection: sizes, and for every document its tokens and its different terms.

    The documents may be a part of the collection; then ``whole`` has its figures, and arrays are as long as the part.
    """

    lengths: Integers
    distinct: Integers
    postings: Callable[[], Iterator[Postings]] = field(default=_none)
    """Everything that is indexed, in pieces of whole terms, for what depends on all terms of a document."""
    whole: Totals | None = None

    @cached_property
    def totals(self) -> Totals:
        """The figures of the collection."""
        if self.whole is not None:
            return self.whole
        return Totals(len(self.lengths), *(int(column.sum(dtype=np.int64)) for column in (self.lengths, self.distinct)))

    @property
    def documents(self) -> int:
        """How many the collection has."""
        return self.totals.documents

    @property
    def tokens(self) -> int:
        return self.totals.tokens

    @cached_property
    def average_length(self) -> float:
        """Tokens a document, empty ones included."""
        return self.tokens / max(1, self.documents)

    @cached_property
    def average_distinct(self) -> float:
        """Different terms a document, empty ones included."""
        return self.totals.distinct / max(1, self.documents)

    @cached_property
    def average_tf(self) -> Floats:
        """The mean frequency of a document's terms, for each document; 1 where it has none."""
        return np.divide(self.lengths, self.distinct, out=np.ones(len(self.lengths)), where=self.distinct > 0)


class Weighting(Component, ABC):
    """A scheme as functions of statistics; what depends on documents comes for all of them or all postings at once."""

    coordinated: ClassVar[bool] = False
    """Whether :meth:`coordination` matters."""
    logarithmic: ClassVar[bool] = False
    """Whether scores are logarithms, so that a good one may be negative."""
    every_term: ClassVar[bool] = False
    """Whether the norm of a document depends on how frequent each of its terms is in the collection."""

    @property
    def bounded(self) -> bool:
        """Whether a score is what the terms give and no more, so that the highest weights of terms tell which documents
        cannot be among the best. Where not, every document with a term of the query is scored."""
        return not self.coordinated and type(self).document_part is Weighting.document_part

    def norms(self, statistics: Statistics) -> Floats:
        """One figure for each document, made once for a collection and handed to :meth:`document`."""
        return np.ones(len(statistics.lengths))

    def length_norms(self, statistics: Statistics, lengths: Integers) -> Floats | None:
        """The norms of documents with these lengths, if :meth:`document` is tf / (tf + norm) and norms follow from the
        lengths alone; none if not. It lets one loop weigh a term."""
        del statistics, lengths
        return None

    @abstractmethod
    def document(self, statistics: Statistics, term: TermCounts, tf: Floats, norm: Floats) -> Floats:
        """The weight of a term in documents where it occurs so often, which have these norms."""

    @abstractmethod
    def query(self, statistics: Statistics, clause: Clause) -> float:
        """The weight of a term in the query; with 0 the term finds nothing. Asked for indexed terms only."""

    def query_norm(self, statistics: Statistics, clauses: Sequence[Clause]) -> float:
        """What all scores of a query are multiplied with; 0 if the query finds nothing."""
        del statistics, clauses
        return 1.0

    def coordination(self, overlap: Floats, clauses: int) -> Floats:
        """The factor for documents in which so many of the query's clauses occur."""
        del clauses
        return np.ones(len(overlap))

    def document_part(self, statistics: Statistics) -> Floats | None:
        """What each document gets for every query term, whether it has the term or not."""
        del statistics
        return None

    def query_part(self, statistics: Statistics, clauses: Sequence[Clause]) -> float:
        """What every document gets for this query."""
        del statistics, clauses
        return 0.0


weightings: Registry[Weighting] = Registry("weighting", "adjudge.weighting", Weighting)
