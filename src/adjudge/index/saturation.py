"""The weights of a term where they are tf / (tf + norm) and a norm follows from the length of a document: one loop."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.kernel import native
from .accumulation import BLOCK, Floats, Integers, blocks_of

weighing: Any = native("weighing")
SMALL = 1 << 8
"""Numbers that take one byte."""
COUNTED = 1 << 22
"""Lengths that are counted to know which occur; where there are longer ones they are sorted."""


class LengthNorms(NamedTuple):
    """The length of each document as a number, in one byte or in two, and the norm that belongs to each number."""

    small: npt.NDArray[np.uint8] | None
    large: npt.NDArray[np.uint16] | None
    norms: Floats

    @classmethod
    def of(cls, lengths: Integers, norms: Floats) -> LengthNorms:
        """Lengths that are numbers of norms."""
        if len(norms) <= SMALL:
            return cls(lengths.astype(np.uint8), None, norms)
        return cls(None, lengths.astype(np.uint16), norms)

    @property
    def lengths(self) -> Integers:
        """The numbers, whatever they take."""
        return self.large if self.small is None else self.small  # type: ignore[return-value]


def numbered_lengths(lengths: Integers, most: int) -> tuple[npt.NDArray[np.int64], Integers]:
    """Lengths by number, and the number of each length: a length is its own number if there are at most so many, unless
    few of them occur."""
    longest = int(lengths.max(initial=0))
    every = np.arange(longest + 1) if longest < most else None
    if every is not None and longest < SMALL:
        return every, lengths
    counted = longest < COUNTED
    occurring = np.flatnonzero(np.bincount(lengths)) if counted else np.unique(lengths).astype(np.int64)
    if every is not None and len(occurring) > SMALL:
        return every, lengths
    if not counted:
        return occurring, np.searchsorted(occurring, lengths)
    number = np.zeros(longest + 1, np.int32)
    number[occurring] = np.arange(len(occurring))
    return occurring, number[lengths]


def saturated(documents: Integers, tf: Integers, by: LengthNorms) -> tuple[Floats, float, tuple[Integers, Floats]]:
    """tf / (tf + norm) for the documents of a term, the lowest of these weights, and the term's blocks."""
    if weighing is None:
        weights = tf / (tf + by.norms[by.lengths[documents]])
        return weights, float(weights.min(initial=np.inf)), blocks_of(documents, weights)
    many = (len(documents) + BLOCK - 1) // BLOCK
    weights, lasts, most = np.empty(len(documents)), np.empty(many, np.int32), np.empty(many)
    return weights, weighing.saturate(documents, tf, *by, weights, lasts, most), (lasts, most)


class PackedTerm(NamedTuple):
    """The postings of a term as they lie in an index: ``data[begin : end]`` has so many of them."""

    data: Integers
    begin: int
    end: int
    postings: int


def weigh_packed(
    term: PackedTerm, by: LengthNorms
) -> tuple[npt.NDArray[np.int32], Floats, float, tuple[Integers, Floats], int]:
    """The documents of a term, then as :func:`saturated`, and the sum of its frequencies, all by the kernel.

    A ValueError if the bytes are no postings of these documents.
    """
    documents, weights = np.empty(term.postings, np.int32), np.empty(term.postings)
    lasts, most = _blocks(term)
    least, total = weighing.weigh(*term, *by, documents, weights, None, lasts, most)
    return documents, weights, least, (lasts, most), total


class TermOutline(NamedTuple):
    """A packed term, where the bytes of its blocks begin, the last document and the highest weight of each, and the
    lowest of all weights: enough to know which blocks to unpack."""

    packed: PackedTerm
    starts: npt.NDArray[np.int64]
    lasts: npt.NDArray[np.int32]
    most: Floats
    least: float


def outline(term: PackedTerm, by: LengthNorms) -> tuple[TermOutline, int]:
    """The outline of a term and the sum of its frequencies; a ValueError as by :func:`weigh_packed`."""
    lasts, most = _blocks(term)
    starts = np.empty(len(lasts), np.int64)
    least, total = weighing.weigh(*term, *by, None, None, starts, lasts, most)
    return TermOutline(term, starts, lasts, most, least), total


def _blocks(term: PackedTerm) -> tuple[npt.NDArray[np.int32], Floats]:
    many = (term.postings + BLOCK - 1) // BLOCK
    return np.empty(many, np.int32), np.empty(many)
