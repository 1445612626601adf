"""From tokens to postings: a batch of texts is inverted by one sort, batches are put together by term.

Sorting (term, document) brings the occurrences of a term in a document together; how many stand together is the term
frequency. Batches come in the order of the documents, so the postings of a term are those of the batches one after the
other, and putting batches together is copying, not sorting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.kernel import native
from ..core.scanned_page import UNKNOWN
from ..text.tokens import Tokens
from . import varbyte

Integers = npt.NDArray[Any]
compiled: Any = native("gathering")
loops: Any = native("inverting")
INVERTED = (*[np.int64] * 4, np.int32, np.uint8, np.uint8, np.int64, np.int64)
"""What the loop gives: types, in how many texts, how often and with how many bytes each is, texts and frequencies of
postings, positions, different types of texts, and large frequencies."""
MANY = 255
"""A term frequency of this and above is written as this; a table has the true one."""


@dataclass(frozen=True, eq=False)
class Runs:
    """Postings grouped by term: term ``terms[i]`` has the next ``df[i]`` of the documents and frequencies."""

    terms: Integers
    df: Integers
    cf: Integers
    documents: Integers
    tf: Integers
    width: Integers
    """Bytes of positions for each term; all 0 without positions."""
    positions: Integers
    certainty: Integers = field(default_factory=lambda: np.zeros(0, np.uint8))
    """How sure an OCR engine was of the term in each document, 0 to 100, 255 if nobody knows; empty if for none."""

    @property
    def size(self) -> int:
        """Bytes in memory, about."""
        return 5 * len(self.documents) + len(self.positions) + 32 * len(self.terms)

    def part(self, first: int, last: int, offsets: Integers, bytes_at: Integers) -> Runs:
        """The runs from one to another, given the sums of df and width."""
        some = slice(first, last)
        postings = slice(int(offsets[first]), int(offsets[last]))
        raw = slice(int(bytes_at[first]), int(bytes_at[last]))
        return Runs(
            self.terms[some],
            self.df[some],
            self.cf[some],
            self.documents[postings],
            self.tf[postings],
            self.width[some],
            self.positions[raw],
            self.certainty[postings] if len(self.certainty) else self.certainty,
        )


@dataclass(frozen=True, eq=False)
class InvertedBatch:
    """An inverted batch: its postings, its documents' figures, and the frequencies that one byte cannot hold."""

    runs: Runs
    lengths: Integers
    distinct: Integers
    large: Integers
    """Rows (term, document, frequency)."""


def sums(counts: Integers) -> Integers:
    """0 and the running sums: where each group begins, and where the last one ends."""
    out = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=out[1:])
    return out


def _changes(values: Integers) -> Integers:
    """Where a value differs from the one before it."""
    return np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]])) if len(values) else np.zeros(0, np.int64)


def _sort(ids: Integers, text: Integers, types: int, texts: int, places: Integers | None) -> tuple[Integers, ...]:
    """Type, text and, if given, place of every token, sorted."""
    small = types * texts < 2**32
    if places is None:
        key: Integers = ids.astype(np.uint32 if small else np.uint64)
        size: Any = key.dtype.type(texts)
        key *= size
        key += text.astype(key.dtype)
        key.sort()
        kind = key // size
        return kind, key - kind * size
    if not small:
        order = np.lexsort((places, text, ids))
        return ids[order], text[order], places[order]
    key = (ids.astype(np.uint64) * np.uint64(texts) + text.astype(np.uint64)) << np.uint64(32)
    key |= places.astype(np.uint64)
    key.sort()
    high = key >> np.uint64(32)
    kind = high // np.uint64(texts)
    return kind, high - kind * np.uint64(texts), key & np.uint64(2**32 - 1)


def invert(
    tokens: Tokens,
    terms: Integers,
    first: int,
    *,
    positions: bool = False,
    certainty: Integers | None = None,
    different: bool = False,
) -> InvertedBatch:
    """Postings of a batch; ``terms`` has the number of each type, ``first`` is the number of its first document.

    ``different`` says that no two types are one term, so that nobody need look.

    ``certainty`` has what an engine says of each token; the postings get the mean of those that say something.
    """
    ids: Integers = tokens.ids
    texts, lengths = len(tokens), np.diff(tokens.offsets)
    if not different:
        unique, same = np.unique(terms, return_inverse=True)
        if len(unique) < len(terms):  # two types of the batch may have become one term
            terms, ids = unique, same[ids]
    if (found := _inverted(tokens, ids, len(terms), positions)) is not None:
        kinds, df, cf, width, documents, tf, raw, distinct, large = found
        large = large.reshape(-1, 3) + np.array([0, first, 0])
        large[:, 0] = terms[large[:, 0]]
        sure = np.zeros(0, np.uint8)
        if certainty is not None:
            text = np.repeat(np.arange(texts, dtype=np.int32), lengths)
            sure = _means(ids, text, np.repeat(kinds, df), documents, certainty)
        if first:
            documents = documents + np.int32(first)
        runs = Runs(terms[kinds].astype(np.int64), df, cf, documents, tf, width, raw, sure)
        return InvertedBatch(runs, lengths, distinct, large)
    text = np.repeat(np.arange(texts, dtype=np.int32), lengths)
    columns = _sort(ids, text, len(terms), max(1, texts), tokens.places if positions else None)
    new = np.concatenate([[True], (columns[0][1:] != columns[0][:-1]) | (columns[1][1:] != columns[1][:-1])])
    starts = np.flatnonzero(new[: len(ids)])
    kind, document = columns[0][starts].astype(np.int64), columns[1][starts].astype(np.int32)
    tf = np.diff(starts, append=len(ids))
    firsts = _changes(kind)
    numbers = terms[kind[firsts]].astype(np.int64)
    df = np.diff(firsts, append=len(kind))
    cf = np.add.reduceat(tf, firsts) if len(firsts) else np.zeros(0, np.int64)
    many = np.flatnonzero(tf >= MANY)
    large = np.stack([terms[kind[many]].astype(np.int64), document[many] + np.int64(first), tf[many]], axis=1)
    width, raw = np.zeros(len(firsts), np.int64), np.zeros(0, np.uint8)
    if positions:
        gaps = np.diff(columns[2].astype(np.int64), prepend=0)
        gaps[starts] = columns[2][starts]
        raw = varbyte.encode(gaps)
        ends = sums(varbyte.widths(gaps))[np.append(starts[firsts], len(ids))]
        width = np.diff(ends)
    sure = np.zeros(0, np.uint8) if certainty is None else _means(ids, text, kind, document, certainty)
    runs = Runs(numbers, df, cf, document + np.int32(first), np.minimum(tf, MANY).astype(np.uint8), width, raw, sure)
    return InvertedBatch(runs, lengths, np.bincount(document, minlength=texts), large)


def _inverted(tokens: Tokens, ids: Integers, types: int, positions: bool) -> list[Integers] | None:
    """The postings of a batch by the compiled loop; None without it, or if places descend."""
    if loops is None:
        return None
    places = tokens.given_places if positions else None
    columns = np.ascontiguousarray(ids, np.int32), np.ascontiguousarray(tokens.offsets, np.int64)
    raw = loops.invert(*columns, None if places is None else np.ascontiguousarray(places), types, positions)
    return None if raw is None else [np.frombuffer(*column) for column in zip(raw, INVERTED, strict=True)]


def _means(ids: Integers, text: Integers, kind: Integers, document: Integers, certainty: Integers) -> Integers:
    """The mean certainty of the tokens of each posting."""
    texts = np.int64(int(document.max(initial=0)) + 1)
    known = certainty != UNKNOWN
    posting = np.searchsorted(kind * texts + document, ids[known].astype(np.int64) * texts + text[known])
    count = np.bincount(posting, minlength=len(kind))
    total = np.bincount(posting, certainty[known], minlength=len(kind))
    return np.where(count > 0, np.rint(total / np.maximum(count, 1)), UNKNOWN).astype(np.uint8)


def together(parts: Sequence[Runs], place: Integers, size: int) -> Runs:
    """One set of runs, term ``t`` at ``place[t]``, from parts in the order of their documents."""
    df, cf, width = (np.zeros(size, np.int64) for _ in range(3))
    for part in parts:
        at = place[part.terms]
        df[at] += part.df
        cf[at] += part.cf
        width[at] += part.width
    terms = np.zeros(size, np.int64)
    documents, tf = np.empty(int(df.sum()), np.int32), np.empty(int(df.sum()), np.uint8)
    positions = np.empty(int(width.sum()), np.uint8)
    certainty = np.full(len(documents) if any(len(part.certainty) for part in parts) else 0, UNKNOWN, np.uint8)
    next_posting, next_byte = sums(df)[:-1].copy(), sums(width)[:-1].copy()
    for part in parts:
        at = place[part.terms]
        terms[at] = part.terms
        if len(part.certainty):
            _gather_bytes(at, part.df, part.certainty, next_posting.copy(), certainty)
        _gather_postings(at, part, next_posting, documents, tf)
        if len(part.positions):
            _gather_bytes(at, part.width, part.positions, next_byte, positions)
    return Runs(terms, df, cf, documents, tf, width, positions, certainty)


def _gather_postings(at: Integers, part: Runs, following: Integers, documents: Integers, tf: Integers) -> None:
    """Put the postings of a part behind those that each term has; ``following`` is moved on behind them."""
    if compiled is not None:
        compiled.postings(at, part.df, part.documents, part.tf, following, documents, tf)
        return
    target = targets(following, at, part.df)
    documents[target], tf[target] = part.documents, part.tf


def _gather_bytes(at: Integers, counts: Integers, values: Integers, following: Integers, out: Integers) -> None:
    """The same for groups of bytes."""
    if compiled is not None:
        compiled.bytes(at, counts, values, following, out)
        return
    out[targets(following, at, counts)] = values


def targets(following: Integers, at: Integers, counts: Integers) -> Integers:
    """Where the values of each group go; ``following`` is moved on behind them."""
    begin = following[at] - sums(counts)[:-1]
    following[at] += counts
    places = np.repeat(begin, counts)
    places += np.arange(len(places))
    return places
