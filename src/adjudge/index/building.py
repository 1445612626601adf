"""Building an index: documents stream through the analyzer, are inverted batch by batch and merged.

The folder is changed in one step, when the new index is whole (index_folder.py).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.document import Documents
from ..core.errors import DataError
from ..core.progress import SILENT, Listener
from ..core.scanned_page import UNKNOWN
from .analyzed_batches import AnalyzedBatch, analyze_documents
from .document_ids import DocumentIds
from .field_columns import FieldWriter
from .index import Index
from .index_files import Manifest, Writer, narrow
from .index_folder import IndexFolder, changing, fit_for_index
from .inversion import MANY, Integers, Runs, sums
from .packed_postings import pack
from .page_records import PageWriter
from .segments import Segments
from .texts import TextWriter

if TYPE_CHECKING:
    from ..text.analyzer import Analyzer

DEFAULT = "words|lower|stop(smart)|porter"
MEMORY = 512 << 20
"""Bytes of postings that are held before they are spilled; a build needs about two and a half times as much."""
BATCH = 8_000_000
"""Characters that are analyzed at a time."""
PIECE = 1 << 20
"""Postings that are packed at a time."""


def build(
    documents: Documents,
    folder: str | os.PathLike[str],
    *,
    analyzer: str = DEFAULT,
    positions: bool = False,
    texts: bool = False,
    progress: Listener = SILENT,
    memory: int = MEMORY,
    batch: int = BATCH,
    workers: int | None = None,
) -> Index:
    """Index documents into a folder, replacing the index that is there; :func:`adjudge.index` takes more kinds of them.

    Args:
        documents: what :func:`adjudge.read_documents` returns.
        folder: where the index goes.
        analyzer: a tokenizer and filters, such as ``words|lower|stop(smart)|porter``.
        positions: store where in a document each term stands.
        texts: store the documents too, their fields, and the pages of those that were scanned.
        progress: hears how far it is.
        memory: bytes of postings that are held before they go to disk.
        batch: characters that are analyzed at a time.
        workers: processes that read and analyze, 1 for none but this; by default one for each core if the documents are
            many and lie in several files, or in large ones of JSON lines or SGML. The index is the same.

    >>> build(documents, "docs.index")  # doctest: +SKIP
    """
    from ..text.analyzer import Analyzer

    parsed = Analyzer.parse(analyzer)
    with changing(Path(folder), fit_for_index) as place:
        how = (documents, parsed, positions, texts)
        place.put(write_index(place, *how, progress=progress, memory=memory, batch=batch, workers=workers))
    return Index.open(folder)


def write_index(
    place: IndexFolder,
    documents: Documents,
    analyzer: Analyzer,
    positions: bool,
    texts: bool,
    *,
    progress: Listener = SILENT,
    memory: int = MEMORY,
    batch: int = BATCH,
    workers: int | None = None,
) -> Manifest:
    """Write the arrays of an index of documents into a new data folder; what its manifest must say."""
    with ExitStack() as stack:
        written = _Build(place.writer(), place.spill(), str(analyzer), positions, texts, memory)
        stream = analyze_documents(documents, analyzer, batch, positions=positions, texts=texts, workers=workers)
        stack.enter_context(closing(stream))
        step = stack.enter_context(progress.work("index", str(analyzer), documents.size, "bytes"))
        for some in stream:
            written.add(some)
            step.reach(some.read, documents=len(written.ids))
        return written.finish(documents.source)


class _Build:
    """What is known of the documents so far."""

    def __init__(self, writer: Writer, spill: Path, analyzer: str, positions: bool, texts: bool, memory: int) -> None:
        self.analyzer, self.positions = analyzer, positions
        self.writer = writer
        self.segments = Segments(spill, memory)
        self.texts = TextWriter(self.writer) if texts else None
        self.pages = PageWriter(self.writer) if texts else None
        self.fields = FieldWriter(self.writer) if texts else None
        self.ids = DocumentIds()
        self.certain = False
        self.lengths: list[Any] = []
        self.distinct: list[Any] = []
        self.large: list[Any] = []
        self.vocabularies: dict[tuple[int, int], Integers] = {}

    def add(self, batch: AnalyzedBatch) -> None:
        first = len(self.ids)
        if first + len(batch.ids) >= 2**31:
            raise DataError(f"an index holds at most {2**31 - 1:,} documents")
        self.ids.add(batch.ids)
        numbers, inverted = self._numbers(batch), batch.inverted
        runs = inverted.runs
        self.segments.add(replace(runs, terms=numbers[runs.terms], documents=runs.documents + np.int32(first)))
        self.certain = self.certain or bool(len(runs.certainty))
        self.lengths.append(narrow(inverted.lengths))
        self.distinct.append(narrow(inverted.distinct))
        term, document, tf = inverted.large.T
        self.large.append(np.stack([numbers[term], document + first, tf], axis=1))
        if self.texts is not None and self.pages is not None:
            self.texts.add_documents(batch.documents)
            self.pages.add_documents(batch.documents)
        if self.fields is not None:
            self.fields.add_documents(batch.documents)

    def _numbers(self, batch: AnalyzedBatch) -> Integers:
        """Our numbers for those of the vocabulary of a batch."""
        fresh = self.segments.numbers.of(batch.terms)
        before = self.vocabularies.get(batch.vocabulary)
        whole = fresh if before is None else np.concatenate([before, fresh])
        self.vocabularies[batch.vocabulary] = whole
        maker, time = batch.vocabulary
        self.vocabularies.pop((maker, time - 1), None)  # batches come in order, so that none needs it any more
        return whole

    def finish(self, source: str) -> Manifest:
        """Write everything that is left and say what there is."""
        if not len(self.ids):
            raise DataError("no documents to index")
        terms, place, pieces = self.segments.merge()
        postings = self._postings(pieces, self._large(place))
        if self.texts is not None:
            self.texts.close()
        pages = self.pages is not None and self.pages.close(needed=False)
        fields = () if self.fields is None else self.fields.close()
        self.writer.array("terms", terms.raw)
        self.writer.array("term_offsets", narrow(terms.offsets))
        lengths = np.concatenate(self.lengths)
        self.writer.array("lengths", narrow(lengths))
        self.writer.array("distinct", narrow(np.concatenate(self.distinct)))
        self._ids()
        return Manifest(
            analyzer=self.analyzer,
            data=self.writer.folder.name,
            documents=len(self.ids),
            terms=len(terms),
            postings=postings,
            tokens=int(lengths.sum()),
            positions=self.positions,
            texts=self.texts is not None,
            pages=pages,
            certainty=self.certain,
            source=source if pages else "",
            fields=fields,
            files=self.writer.finish(),
        )

    def _postings(self, pieces: Iterator[Any], large: Integers) -> int:
        packed = self.writer.column("postings", np.uint8)
        positions = self.writer.column("positions", np.uint8) if self.positions else None
        certainty = self.writer.column("certainty", np.uint8) if self.certain else None
        df, cf, width, ends, done, taken = [], [], [], [], 0, 0
        for runs in pieces:
            for some in _small(runs):
                tf, many = some.tf.astype(np.int32), np.flatnonzero(some.tf == MANY)
                tf[many] = large[taken : taken + len(many)]
                taken += len(many)
                raw, ends_here = pack(some.documents, tf, sums(some.df))
                ends.append(np.diff(ends_here))
                packed.append(raw)
            if positions is not None:
                positions.append(runs.positions)
            if certainty is not None:
                unknown = np.full(len(runs.documents), UNKNOWN, np.uint8)
                certainty.append(runs.certainty if len(runs.certainty) else unknown)
            done += len(runs.documents)
            df.append(runs.df)
            cf.append(runs.cf)
            width.append(runs.width)
        nothing = np.zeros(0, np.int64)
        self.writer.array("offsets", narrow(sums(np.concatenate([nothing, *df]))))
        self.writer.array("cf", narrow(np.concatenate([nothing, *cf])))
        self.writer.array("posting_offsets", narrow(sums(np.concatenate([nothing, *ends]))))
        if positions is not None:
            self.writer.array("position_offsets", narrow(sums(np.concatenate([nothing, *width]))))
        return done

    def _large(self, place: Integers) -> Integers:
        """Frequencies that one byte cannot hold, in the order of their postings."""
        large = np.concatenate(self.large)
        order = np.lexsort((large[:, 1], place[large[:, 0]]))
        in_order: Integers = large[order, 2]
        return in_order

    def _ids(self) -> None:
        data, offsets, order = self.ids.columns()
        self.writer.array("ids", data)
        self.writer.array("id_offsets", narrow(offsets))
        self.writer.array("id_order", order)


def _small(runs: Runs) -> Iterator[Runs]:
    """The same runs in pieces: memory that was used just before is written to much sooner than new memory."""
    offsets, widths, first = sums(runs.df), sums(runs.width), 0
    while first < len(runs.terms):
        last = max(first + 1, int(np.searchsorted(offsets, offsets[first] + PIECE, "right")) - 1)
        yield runs.part(first, last, offsets, widths)
        first = last
