"""Documents, analyzed and inverted batch by batch, by threads of this process or by processes that read some files."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from typing import TYPE_CHECKING, NamedTuple

from ..core.document import Document, Documents, batches
from ..core.kernel import THREADS, compiled
from ..core.machine import cores
from .certainty import is_certain, token_certainty
from .inversion import InvertedBatch, invert
from .segments import Numbers

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
    vocabulary: int = -1
    """Which vocabulary it is; with -1 it is of this batch alone."""
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
    parts = documents.parts(PART) if many > 1 else ()
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
    for some, terms, inverted in analyze_batches(documents, analyzer, characters, positions=positions):
        yield AnalyzedBatch([each.id for each in some], some if texts else [], inverted, terms, read=documents.read)


def analyze_some(
    some: list[Document], analyzer: Analyzer, numbers: Numbers, *, positions: bool
) -> InvertedBatch:
    """The postings of some documents; new terms are added to the numbers."""
    scanned = any(is_certain(document) for document in some)
    tokens = analyzer([document.text for document in some], spans=scanned)
    certainty = token_certainty(some, tokens) if scanned else None
    return invert(tokens, numbers.of(tokens.types), 0, positions=positions, certainty=certainty)


def analyze_batches(
    documents: Documents, analyzer: Analyzer, characters: int, *, positions: bool
) -> Generator[tuple[list[Document], list[str], InvertedBatch], None, None]:
    """The documents of each batch, the terms in it, and its postings, whose terms are numbers of these.

    This thread reads and others analyze: tokenizing and sorting release the interpreter lock for most of their time.
    """
    from concurrent.futures import ThreadPoolExecutor

    def work(some: list[Document]) -> tuple[list[str], InvertedBatch]:
        numbers = Numbers()
        batch = analyze_some(some, analyzer, numbers, positions=positions)
        return list(numbers), batch

    waiting: deque[tuple[list[Document], Future[tuple[list[str], InvertedBatch]]]] = deque()
    threads = 1 if compiled is None else THREADS
    with ThreadPoolExecutor(threads, "analyzer") as pool:
        try:
            for some in batches(documents, characters):
                waiting.append((some, pool.submit(work, some)))
                if len(waiting) > max(AHEAD, threads):
                    done, future = waiting.popleft()
                    yield done, *future.result()
            while waiting:
                done, future = waiting.popleft()
                yield done, *future.result()
        finally:
            pool.shutdown(cancel_futures=True)
