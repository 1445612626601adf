"""The innermost loops: add up what the terms of a query give to documents, and choose the best."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.kernel import native

if TYPE_CHECKING:
    from .saturation import LengthNorms, TermOutline

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[Any]

compiled: Any = native("scoring")
pruning: Any = native("pruning")
BLOCK = 128
"""Postings whose highest weight is kept for :func:`pruned_answers`."""

TINY = 1e-100
"""Weights above this cannot vanish when two are multiplied."""


class Impacts(NamedTuple):
    """What one term of the query gives: documents (no one twice), the weight in each, and the weight in the query."""

    documents: Integers
    weights: Floats
    positive: bool
    """Whether all the weights are clearly above 0."""
    factor: float
    clauses: int
    """How often the term stands in the query, for coordination."""
    blocks: tuple[Integers, Floats] | None = None
    """The last document and the highest weight of each block of postings, where documents may be left out."""


class WeightedQuery(NamedTuple):
    """A query made ready: its terms, and what is done to their sum to make a score of it."""

    terms: list[Impacts]
    part: float
    norm: float

    @property
    def positive(self) -> bool:
        """Whether a document has a term of the query just if its sum is above 0."""
        return all(term.positive and term.factor > TINY for term in self.terms)


class PackedImpacts(NamedTuple):
    """The same for a term whose postings stay packed until a block of them is needed; see :func:`pruned_answers`."""

    outline: TermOutline
    positive: bool
    factor: float
    clauses: int


class PackedQuery(NamedTuple):
    """A query of such terms."""

    terms: list[PackedImpacts]
    part: float
    norm: float

    @property
    def fit(self) -> bool:
        """Whether :func:`pruned_answers` can answer it."""
        clear = all(term.positive and term.factor > TINY for term in self.terms)
        return bool(self.terms) and clear and 0 < self.norm < math.inf


class Scratch:
    """Room for the sums of one query at a time, zero between queries: making it anew takes longer than adding up."""

    def __init__(self, documents: int) -> None:
        self.documents = documents
        self.sums = np.zeros(documents)


def accumulate(documents: int, terms: Sequence[Impacts], *, counted: bool) -> tuple[Integers, Floats, Floats]:
    """Of so many documents those with a term of the query, Σ factor · weight for each, and, if counted, the clauses
    that occur. The documents of a term ascend."""
    if compiled is None:
        return _accumulate(documents, terms, counted=counted)
    room = min(documents, sum(len(term.documents) for term in terms))
    found, out, counts = np.empty(room, np.int64), np.empty(room), np.empty(room if counted else 0)
    columns = tuple((term.documents, term.weights, term.factor, term.clauses) for term in terms)
    n = compiled.add(columns, documents, found, out, counts if counted else None)
    return found[:n], out[:n], counts[:n]


def _accumulate(documents: int, terms: Sequence[Impacts], *, counted: bool) -> tuple[Integers, Floats, Floats]:
    """The same without the kernel."""
    scores = np.zeros(documents)
    for term in terms:
        scores[term.documents] += term.weights * term.factor
    if counted:
        overlap = np.zeros(documents, np.int32)
        for term in terms:
            overlap[term.documents] += term.clauses
        matches = np.flatnonzero(overlap > 0)
        return matches, scores[matches], overlap[matches].astype(np.float64)
    if WeightedQuery(list(terms), 0.0, 1.0).positive:
        matches = np.flatnonzero(scores > 0)
    else:  # what was added may have been 0
        has = np.zeros(documents, bool)
        for term in terms:
            has[term.documents] = True
        matches = np.flatnonzero(has)
    return matches, scores[matches], np.zeros(0)


def best(scores: Floats, documents: Integers, ranks: Integers, k: int) -> Integers:
    """The places of the k highest scores, highest first; among equal ones the document with the highest rank first."""
    if compiled is not None:
        out = np.empty(min(k, len(scores)), np.int64)
        compiled.top(np.ascontiguousarray(scores, np.float64), np.ascontiguousarray(documents, np.int64), ranks, out)
        return out
    least = np.partition(scores, len(scores) - k)[len(scores) - k] if k < len(scores) else -np.inf
    places = np.flatnonzero(scores >= least)
    return places[np.lexsort((-ranks[documents[places]], -scores[places]))[:k]]


def answers(
    scratch: Scratch, queries: Sequence[WeightedQuery], ranks: Integers, k: int
) -> list[tuple[Integers, Floats]]:
    """The best k documents with their scores for each query; all queries are ``positive``.

    The kernel adds up, chooses and sorts for all of them in one go, outside the interpreter.
    """
    if compiled is None:
        rankings = []
        for query in queries:
            places, sums, _ = _accumulate(scratch.documents, query.terms, counted=False)
            scores = (sums + query.part) * query.norm
            top = best(scores, places, ranks, k)
            rankings.append((places[top], scores[top]))
        return rankings
    documents, scores = np.empty((len(queries), k), np.int32), np.empty((len(queries), k))
    counts = np.empty(len(queries), np.int64)
    columns = tuple(
        (tuple((t.documents, t.weights, t.factor, t.clauses) for t in query.terms), query.part, query.norm)
        for query in queries
    )
    compiled.answer(columns, scratch.sums, ranks, k, documents, scores, counts)
    return [(documents[i, :n].astype(np.int64), scores[i, :n].copy()) for i, n in enumerate(counts.tolist())]


def blocks_of(documents: Integers, weights: Floats) -> tuple[Integers, Floats]:
    """The last document and the highest weight of each block of postings, whose documents must ascend.

    They are looked at here, once for a term; :func:`pruned_answers` does not look at all of them for each query.
    """
    if not bool((documents[1:] > documents[:-1]).all()):
        raise ValueError("blocks_of: documents that do not ascend")
    starts = np.arange(0, len(documents), BLOCK)
    lasts = documents[np.minimum(starts + BLOCK, len(documents)) - 1]
    return lasts, np.maximum.reduceat(weights, starts)


def pruned_answers(
    queries: Sequence[WeightedQuery | PackedQuery], ranks: Integers, k: int, by: LengthNorms | None = None
) -> list[tuple[Integers, Floats]]:
    """The same as :func:`answers`, to the last bit, without looking at documents that cannot be among the best.

    Documents of a term ascend, terms have their ``blocks`` or are packed, for which ``by`` has norms, and the norms of
    the queries are above 0.
    """
    documents, scores = np.empty((len(queries), k), np.int32), np.empty((len(queries), k))
    counts = np.empty(len(queries), np.int64)
    columns = tuple((tuple(map(_columns, query.terms)), query.part, query.norm) for query in queries)
    pruning.answer(columns, ranks, *(by or (None, None, None)), k, documents, scores, counts)
    return [(documents[i, :n].astype(np.int64), scores[i, :n].copy()) for i, n in enumerate(counts.tolist())]


def _columns(term: Impacts | PackedImpacts) -> tuple[Any, ...]:
    """A term as the kernel takes it."""
    if isinstance(term, Impacts):
        return term.documents, term.weights, term.factor, term.clauses, *(term.blocks or ())
    (data, _, end, postings), starts, lasts, most, _ = term.outline
    return data, end, postings, term.factor, term.clauses, starts, lasts, most
