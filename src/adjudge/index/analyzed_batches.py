"""Documents, analyzed and inverted batch by batch, by threads of this process or by processes that read some files."""

from __future__ import annotations

import itertools
import threading
from collections import deque
from collections.abc import Generator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..core.document import Document, Documents, batches
from ..core.kernel import THREADS, compiled
from ..core.machine import cores
from .certainty import is_certain, token_certainty
from .inversion import InvertedBatch, invert

if TYPE_CHECKING:
    from concurrent.futures import Future

    from ..text.analyzer import Analyzer

AHEAD = 2
"""Batches that may wait for the analyzer: reading is never far ahead, so memory stays bounded."""
WORTHWHILE = 24 << 20
"""Bytes of documents for which it pays to start another process, which takes as long as reading a third of them."""
PART = 8 << 20
"""Bytes that such a process is given at a time."""


class AnalyzedBatch(NamedTuple):
    """Some documents and their postings, whose documents are numbered from 0."""

    ids: list[str]
    documents: list[Document]
    """Empty where only the ids are wanted."""
    inverted: InvertedBatch
    """Its terms are numbers of a vocabulary."""
    terms: list[str]
    """What is new in the vocabulary, in the order of numbers."""
    vocabulary: tuple[int, int]
    """Which vocabulary it is: who made it, and for the how manieth time."""
    read: int = 0
    """Bytes of the documents that were read so far."""


def analyze_documents(
    documents: Documents,
    analyzer: Analyzer,
    characters: int,
    *,
    positions: bool,
    texts: bool,
    workers: int | None = None,
) -> Generator[AnalyzedBatch, None, None]:
    """The documents in batches, in order. What is in which batch depends on the workers, what is in all does not.

    Args:
        workers: so many processes read and analyze; with 1 or fewer this one does, and by default as many as there are
            cores where the documents are many and lie in several files.
    """
    many = min(cores(), documents.size // WORTHWHILE) if workers is None else workers
    parts = documents.divide(PART) if many > 1 else ()
    many = min(many, len(parts))
    if many > 1:
        from .analysis_crew import AnalysisCrew, AnalysisJob

        job = AnalysisJob.of(parts, analyzer, characters, positions, texts)
        crew = None if job is None else AnalysisCrew.start(job, many)
        if crew is not None:
            with crew:
                yield from crew.analyze(parts)
                documents.conclude(crew.reports)
            return
    yield from analyze_batches(documents, analyzer, characters, positions=positions, texts=texts)


class BatchAnalyzer:
    """Makes postings of batches of documents, their terms numbered through all of them. For one thread."""

    def __init__(self, analyzer: Analyzer, *, positions: bool) -> None:
        from ..text.many_batches import ManyBatches

        self._analyze, self._positions = ManyBatches(analyzer), positions
        self._generation = self._known = 0

    def __call__(self, some: list[Document], texts: bool) -> AnalyzedBatch:
        """Some documents as a batch; its vocabulary counts how often the numbers of terms began anew."""
        scanned = any(is_certain(document) for document in some)
        tokens = self._analyze([document.text for document in some], spans=scanned)
        certainty = token_certainty(some, tokens) if scanned else None
        terms = np.arange(len(tokens.types))
        inverted = invert(tokens, terms, 0, positions=self._positions, certainty=certainty, different=True)
        if self._generation != self._analyze.generation:
            self._generation, self._known = self._analyze.generation, 0
        fresh = list(tokens.types[self._known :])
        self._known += len(fresh)
        documents = some if texts else []
        return AnalyzedBatch([each.id for each in some], documents, inverted, fresh, (0, self._generation))


def analyze_batches(
    documents: Documents, analyzer: Analyzer, characters: int, *, positions: bool, texts: bool
) -> Generator[AnalyzedBatch, None, None]:
    """The documents in batches, in order.

    This thread reads and others analyze: tokenizing and sorting release the interpreter lock for most of their time.
    """
    from concurrent.futures import ThreadPoolExecutor

    own, count = threading.local(), itertools.count()

    def work(some: list[Document]) -> AnalyzedBatch:
        if not hasattr(own, "analyze"):
            own.analyze, own.number = BatchAnalyzer(analyzer, positions=positions), next(count)
        batch: AnalyzedBatch = own.analyze(some, texts)
        return batch._replace(vocabulary=(own.number, batch.vocabulary[1]))

    waiting: deque[tuple[int, Future[AnalyzedBatch]]] = deque()
    threads = 1 if compiled is None else THREADS
    with ThreadPoolExecutor(threads, "analyzer") as pool:
        try:
            for some in batches(documents, characters):
                waiting.append((documents.read, pool.submit(work, some)))
                if len(waiting) > max(AHEAD, threads):
                    read, future = waiting.popleft()
                    yield future.result()._replace(read=read)
            while waiting:
                read, future = waiting.popleft()
                yield future.result()._replace(read=read)
        finally:
            pool.shutdown(cancel_futures=True)
