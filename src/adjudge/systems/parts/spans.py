"""Span scoring: a document is the better, the closer together the concepts of the question stand in it.

A span of degree n is a shortest stretch of text with n different concepts: none lies within another of its degree.
Compiled in ``spans.c``; the same in Python for machines without a compiler.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...core.kernel import native, parts_for, together
from .concepts import Concept, Form, terms

if TYPE_CHECKING:
    from ...index.index import Index

Integers = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]

compiled: Any = native("spans")

WORTHWHILE = 200_000
"""Occurrences that are worth a thread."""
PLACES = 1 << 32
"""More places than a document has."""


@dataclass(frozen=True, eq=False)
class ConceptPlaces:
    """Where concepts stand: in document ``documents[d]``, at ``places[offsets[d] : offsets[d + 1]]``, ascending."""

    documents: Integers
    offsets: Integers
    places: Integers
    concepts: Integers
    weights: Floats | None = None

    @classmethod
    def of(
        cls, documents: Integers, places: Integers, concepts: Integers, weights: Floats | None = None
    ) -> ConceptPlaces:
        """From columns in any order; where one concept is twice at one place, the higher weight counts."""
        order = np.lexsort(
            (concepts, places, documents) if weights is None else (-weights, concepts, places, documents)
        )
        documents, places, concepts = documents[order], places[order], concepts[order]
        fresh = np.ones(len(order), bool)
        fresh[1:] = (np.diff(documents) != 0) | (np.diff(places) != 0) | (np.diff(concepts) != 0)
        documents = documents[fresh]
        starts = np.flatnonzero(np.diff(documents, prepend=-1))
        return cls(
            documents[starts],
            np.append(starts, len(documents)).astype(np.int64),
            np.ascontiguousarray(places[fresh], np.int64),
            np.ascontiguousarray(concepts[fresh], np.int32),
            None if weights is None else weights[order][fresh],
        )

    def scores(self, shares: Floats, *, decay: float = 0.5, longest: int | None = None) -> Floats:
        """Σ over degrees n of shares[n − 1] · Σ over spans of length^−decay, for each document.

        Spans longer than ``longest`` words do not count. With weights a span counts for the mean of those in it.
        """
        shares = np.ascontiguousarray(shares, np.float64)
        running = None if self.weights is None else np.concatenate([[0.0], np.cumsum(self.weights)])
        out, many = np.zeros(len(self.documents)), len(self.documents)
        if compiled is None:
            for d in range(many):
                out[d] = self._slow_score(d, shares.tolist(), running, decay, longest)
            return out
        parts = parts_for(len(self.places), WORTHWHILE)
        cuts = [int(np.searchsorted(self.offsets, len(self.places) * i // parts)) for i in range(parts)] + [many]
        arrays = (self.offsets, self.places, self.concepts, running, shares, decay, longest or 0, out)
        together(lambda i: compiled.score(*arrays, cuts[i], cuts[i + 1]), parts)
        return out

    def _slow_score(
        self, d: int, shares: Sequence[float], running: Floats | None, decay: float, longest: int | None
    ) -> float:
        begin, end = int(self.offsets[d]), int(self.offsets[d + 1])
        places, concepts = self.places[begin:end].tolist(), self.concepts[begin:end].tolist()
        score = 0.0
        for n in range(1, len(set(concepts)) + 1):
            part = 0.0
            for left, after in spans(places, concepts, n):
                length = places[after - 1] - places[left] + 1
                if longest is None or length <= longest:
                    mean = 1.0 if running is None else (running[begin + after] - running[begin + left]) / (after - left)
                    part += length**-decay * float(mean)
            score += shares[n - 1] * part
        return score


def spans(places: Sequence[int], concepts: Sequence[int], n: int) -> Iterator[tuple[int, int]]:
    """The spans of degree n among occurrences in the order of their places: the first one, and the one after the last.

    >>> [(left, after - 1) for left, after in spans([0, 2, 5, 6, 7], [0, 1, 0, 1, 2], 3)]
    [(2, 4)]
    """

    def beside(at: int, end: int) -> int:
        return next((i for i in range(at, end) if places[i] != places[at]), end)

    inside: Counter[int] = Counter()
    left, previous, right = 0, -1, 0
    while right < len(places):
        after = beside(right, len(places))
        inside.update(concepts[right:after])
        while len(inside) >= n:
            following = beside(left, after)
            rest = inside - Counter(concepts[left:following])
            if len(rest) < n:
                break
            inside, left = rest, following
        if len(inside) >= n and left != previous:
            yield left, after
            previous = left
        right = after


def find(index: Index, concepts: Sequence[Concept], *, shortest: int = 3, weighted: bool = False) -> ConceptPlaces:
    """Where the forms of concepts stand in the documents of an index with places."""
    columns: list[tuple[Integers, int, float]] = []
    for number, concept in enumerate(concepts):
        for form, keys in _forms(index, concept, shortest):
            columns.append((keys, number, form.probability))
    keys = np.concatenate([np.zeros(0, np.int64), *(column for column, _, _ in columns)])
    sizes = [len(column) for column, _, _ in columns]
    numbers = np.repeat(np.array([number for _, number, _ in columns], np.int32), sizes)
    weights = np.repeat(np.array([weight for _, _, weight in columns]), sizes) if weighted else None
    return ConceptPlaces.of(keys // PLACES, keys % PLACES, numbers, weights)


def _forms(index: Index, concept: Concept, shortest: int) -> Iterator[tuple[Form, Integers]]:
    """The places of each form; a term that several forms of a concept match is read once, for the most probable."""
    seen: set[int] = set()
    for form in sorted(concept, key=lambda form: -form.probability):
        words = terms(index, form, shortest)
        if len(words) == 1:
            words = [[term for term in words[0] if term not in seen]]
            seen.update(words[0])
        if all(words):
            keys = _places(index, words[0])
            for behind, some in enumerate(words[1:], 1):
                keys = np.intersect1d(keys, _places(index, some) - behind, assume_unique=True)
            yield form, keys


def _places(index: Index, some: Sequence[int]) -> Integers:
    """Where terms stand, document and place in one number."""
    columns = []
    for term in some:
        documents, _ = index.postings(term)
        places, begins = index.positions(term)
        columns.append(np.repeat(documents.astype(np.int64) * PLACES, np.diff(begins)) + places)
    return np.concatenate(columns)
