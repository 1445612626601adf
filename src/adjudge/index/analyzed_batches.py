"""Documents, analyzed and inverted batch by batch, while the next batch is being read."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from typing import TYPE_CHECKING

from ..core.document import Document, Documents, batches
from .certainty import is_certain, token_certainty
from .inversion import InvertedBatch, invert
from .segments import Numbers

if TYPE_CHECKING:
    from concurrent.futures import Future

    from ..text.analyzer import Analyzer

AHEAD = 2
"""Batches that may wait for the analyzer: reading is never far ahead, so memory stays bounded."""


def analyze_batches(
    documents: Documents, analyzer: Analyzer, characters: int, *, positions: bool
) -> Generator[tuple[list[Document], list[str], InvertedBatch], None, None]:
    """The documents of each batch, the terms in it, and its postings, whose terms are numbers of these.

    One thread reads and one analyzes: tokenizing and sorting release the interpreter lock for most of their time.
    """
    from concurrent.futures import ThreadPoolExecutor

    def work(some: list[Document], first: int) -> tuple[list[str], InvertedBatch]:
        scanned = any(is_certain(document) for document in some)
        tokens = analyzer([document.text for document in some], spans=scanned)
        numbers = Numbers()
        certainty = token_certainty(some, tokens) if scanned else None
        batch = invert(tokens, numbers.of(tokens.types), first, positions=positions, certainty=certainty)
        return list(numbers), batch

    waiting: deque[tuple[list[Document], Future[tuple[list[str], InvertedBatch]]]] = deque()
    first = 0
    with ThreadPoolExecutor(1, "analyzer") as pool:
        try:
            for some in batches(documents, characters):
                waiting.append((some, pool.submit(work, some, first)))
                first += len(some)
                if len(waiting) > AHEAD:
                    done, future = waiting.popleft()
                    yield done, *future.result()
            while waiting:
                done, future = waiting.popleft()
                yield done, *future.result()
        finally:
            pool.shutdown(cancel_futures=True)
