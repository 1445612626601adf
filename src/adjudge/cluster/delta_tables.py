"""Terms in the documents of a cluster: the index of their places, and documents in which they are boosted.

Every worker has all terms in memory, as a table in which they are looked up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..core.document import batches as cut
from ..core.errors import DataError
from ..terms.attribution import BATCH, Attribution, DeltaDocuments, Emission, terms_absent
from ..terms.matching import Matcher
from ..terms.term_index import occurrences
from ..terms.terms import Terms
from .arrow import Batches, batch_rows
from .document_tables import Read, Streamed
from .folders import Folder, escape_pattern
from .session import Cluster
from .term_tables import broadcasting

if TYPE_CHECKING:
    from pyspark import Broadcast

INDEX = "class string, form string, document string, tf int, positions array<int>"
DELTA = "id string, text string, found bigint"
ROWS = 10_000
"""Rows of an index that go back to Spark at a time."""


class ReadyTerms:
    """Terms that are made ready where they are used, once in a process: what is ready cannot be sent."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms

    @cached_property
    def matcher(self) -> Matcher:
        return Matcher.of(self.terms)


def write_term_index_on(cluster: Cluster, read: Read, terms: Terms, path: str) -> int:
    """Write the index of terms as a Parquet table where Spark writes, and tell how many rows it has.

    Its rows are those of :func:`adjudge.terms.term_index.write_term_index`, in no order. Spark has no unsigned numbers,
    so the frequencies and positions are int.
    """
    with cluster.work("index_terms"), broadcasting(cluster, ReadyTerms(terms)) as sought:
        Folder(cluster, path).write(read.frame.mapInArrow(Indexing(sought), INDEX))
        return cluster.spark.read.schema(INDEX).parquet(escape_pattern(path)).count()


@dataclass(frozen=True)
class Indexing:
    """The places of terms in the documents of a partition."""

    sought: Broadcast[ReadyTerms]

    def __call__(self, batches: Batches) -> Batches:
        import pyarrow as pa

        kinds = [pa.string(), pa.string(), pa.string(), pa.int32(), pa.list_(pa.int32())]
        sought = self.sought.value
        for some in cut(Streamed(batches), BATCH):
            frame = occurrences(some, sought.matcher, sought.terms)
            wanted = pa.schema(list(zip(frame.columns, kinds, strict=True)))
            for part in frame.iter_slices(ROWS):
                yield from part.to_arrow().cast(wanted).to_batches()


def write_delta_on(
    cluster: Cluster, read: Read, terms: Terms, emission: Emission | None, path: str, *, source: str = "terms"
) -> int:
    """Write documents with boosted terms as a Parquet table (id, text), and tell how many terms were found in them.

    If none is found that is an error, which names the source of the terms, and nothing is written.
    """
    from pyspark import StorageLevel
    from pyspark.sql import functions as f

    with broadcasting(cluster, Attribution(terms, emission)) as attribution:
        with cluster.work("apply_terms"):
            delta = read.frame.mapInArrow(Applying(attribution), DELTA).persist(StorageLevel.DISK_ONLY)
        try:
            with cluster.work("apply_terms"):
                row: Any = delta.agg(f.sum("found").alias("found")).first()
            if not row.found:
                raise DataError(f"{source}: {terms_absent(terms)}")
            with cluster.work("write_documents"):
                Folder(cluster, path).write(delta.select("id", "text"))
        finally:
            delta.unpersist()
    return int(row.found)


@dataclass(frozen=True)
class Applying:
    """The documents of a partition with boosted terms, and how many terms each has."""

    attribution: Broadcast[Attribution]

    def __call__(self, batches: Batches) -> Batches:
        return batch_rows(self._rows(batches), DELTA, lambda row: len(row[1]))

    def _rows(self, batches: Batches) -> Iterator[tuple[str, str, int]]:
        for document, matches in DeltaDocuments(Streamed(batches), self.attribution.value).with_counts():
            yield document.id, document.text, matches
