"""Searching the pool: which pairs have some words in their document, for who judges and wants to compare."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from ..pools.pooled_pairs import Pool
from .desk_documents import DeskDocuments

MOST_FOUND = 100


@dataclass(frozen=True)
class FoundPairs:
    """The first pairs that were found, topic by topic in the order of the pool."""

    pairs: tuple[tuple[str, str], ...]
    more: bool
    """Whether there are others."""


def find_pairs(pool: Pool, documents: DeskDocuments | None, words: str, topics: Sequence[str]) -> FoundPairs:
    """The pairs to be judged of some topics whose document has all words, or has them in its id."""
    if not words.split():
        return FoundPairs((), False)
    having = () if documents is None else documents.search(words)
    found = tuple(islice(_found(pool, topics, having, words.strip().casefold()), MOST_FOUND + 1))
    return FoundPairs(found[:MOST_FOUND], len(found) > MOST_FOUND)


def _found(pool: Pool, topics: Sequence[str], having: Collection[str], name: str) -> Iterator[tuple[str, str]]:
    for topic in topics:
        at = pool.position[topic]
        first, last = int(pool.offsets[at]), int(pool.offsets[at + 1])
        for document, drawn in zip(pool.documents[first:last], pool.drawn[first:last].tolist(), strict=True):
            if drawn and (document in having or name in document.casefold()):
                yield topic, document
