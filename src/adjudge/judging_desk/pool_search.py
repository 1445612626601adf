"""Searching the pool: which pairs have some words in their document, for who judges and wants to compare.

A pool may have millions of pairs, and a page is waited for. So the ids of all pairs are one text, in which a part of an
id is looked for as in any text, and every pair has the number by which the source of documents knows its document. Both
are made when the desk is started. A few topics are gone through at first, then more and more at a time until enough is
found: what many documents have is found among the first, and what few have is not looked for topic by topic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

from ..core.strings import Strings
from ..pools.pooled_pairs import Pool
from .desk_documents import DeskDocuments

Ints = npt.NDArray[np.int64]
MOST_FOUND = 25
"""Pairs on a page."""
FIRST_ROWS, GROWTH = 2_000, 8
"""Pairs that are gone through at first, at least, and how many times as many next."""
BETWEEN = "\0"
"""What stands between two ids in the text of all of them."""
PIECE = 100_000
"""Ids that are taken together when that text is made, so that it takes no more memory than it has."""


@dataclass(frozen=True)
class FoundPairs:
    """Pairs that were found, topic by topic in the order of the pool: as many as a page shows."""

    pairs: tuple[tuple[str, str], ...]
    more: bool
    """Whether others follow."""


class PoolSearch:
    """The pairs of a pool, laid out for searching."""

    def __init__(self, pool: Pool, documents: DeskDocuments | None = None) -> None:
        self._pool, self._documents = pool, documents
        self._names, self._starts = _folded(pool.documents)
        self._numbers = None if documents is None else _numbers(pool.documents, documents)

    def find(
        self,
        words: str,
        topics: Sequence[str],
        allowed: Callable[[str, str], bool] = lambda *_: True,
        skip: int = 0,
    ) -> FoundPairs:
        """The pairs to be judged of some topics whose document has all words, or has them in its id.

        ``allowed`` says of a topic and a document whether the pair may be found. So many that are found are skipped.
        """
        if not words.split():
            return FoundPairs((), False)
        every = filter(lambda pair: allowed(*pair), self._found(words, topics))
        found = tuple(islice(every, skip, skip + MOST_FOUND + 1))
        return FoundPairs(found[:MOST_FOUND], len(found) > MOST_FOUND)

    def _found(self, words: str, topics: Sequence[str]) -> Iterator[tuple[str, str]]:
        pool, name = self._pool, words.strip().casefold()
        having = None
        if self._documents is not None and self._numbers is not None:
            having = np.zeros(1 + int(self._numbers.max(initial=0)), bool)
            numbers = self._documents.search(words)
            having[1 + numbers[numbers < len(having) - 1]] = True
        for first, last in _stretches([pool.position[topic] for topic in topics], pool.offsets):
            rows = self._named(name, first, last)
            if having is not None and self._numbers is not None:
                rows = np.union1d(rows, first + np.flatnonzero(having[self._numbers[first:last]]))
            rows = rows[pool.to_judge[rows]]
            owners = np.searchsorted(pool.offsets, rows, side="right") - 1
            for row, owner in zip(rows.tolist(), owners.tolist(), strict=True):
                yield pool.topics[owner], pool.documents[row]

    def _named(self, name: str, first: int, last: int) -> Ints:
        """The rows, of some that follow each other, whose id has this in it."""
        if BETWEEN in name or first == last:
            return np.zeros(0, np.int64)
        begin, end = int(self._starts[first]), int(self._starts[last]) - len(BETWEEN)
        # What it has in it lies between the parts, and the first place of each id is one of those.
        parts = self._names[begin:end].split(name)
        lengths = np.fromiter(map(len, parts), np.int64, len(parts))[:-1]
        places = begin + np.cumsum(lengths) + len(name) * np.arange(len(lengths))
        return np.unique(np.searchsorted(self._starts, places, side="right") - 1)


def _stretches(places: Sequence[int], offsets: Ints) -> Iterator[tuple[int, int]]:
    """The rows of topics, of neighbours together: a few at first, then more and more."""
    wanted, at = FIRST_ROWS, 0
    while at < len(places):
        first, after = int(offsets[places[at]]), at + 1
        while (
            after < len(places) and places[after] == places[after - 1] + 1 and offsets[places[after]] - first < wanted
        ):
            after += 1
        last = int(offsets[places[after - 1] + 1])
        yield first, last
        wanted, at = GROWTH * max(wanted, last - first), after


def _folded(ids: Strings) -> tuple[str, Ints]:
    """All ids in one text, as letters are compared, and where each begins; and the end."""
    pieces, lengths = [], np.zeros(len(ids) + 1, np.int64)
    for first in range(0, len(ids), PIECE):
        listed = [id_.casefold() for id_ in ids[first : first + PIECE]]
        lengths[first + 1 : first + 1 + len(listed)] = list(map(len, listed))
        pieces.append(BETWEEN.join(listed))
    lengths[1:] += len(BETWEEN)
    return BETWEEN.join(pieces), np.cumsum(lengths)


def _numbers(ids: Strings, documents: DeskDocuments) -> Ints:
    """1 + the number by which the source knows the document of each pair; 0 if it does not have it."""
    codes: dict[str, int] = {}
    own = np.fromiter((codes.setdefault(id_, len(codes)) for id_ in ids), np.int64, len(ids))
    numbers = np.zeros(len(codes), np.int64)
    for number, id_ in enumerate(documents.listed):
        code = codes.get(id_)
        if code is not None:
            numbers[code] = 1 + number
    return numbers[own]
