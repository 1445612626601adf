"""Documents as Spark reads them: Parquet tables, or files of any layout that one machine reads, wherever Spark reads.

Files are read whole by Spark and cut into documents by the same code as on one machine. A Parquet table has the columns
id and text, and a title if there is one.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..core.document import Document, Documents
from ..core.errors import AdjudgeError, ConflictError, DataError
from ..core.note import Note
from ..formats.documents.layout import ReadingTally, layouts
from ..formats.documents.layouts.parquet import Columns, ParquetLayout
from ..formats.documents.produced import documents_of_job
from .arrow import Batches, batch_rows
from .folders import binary, escape_pattern, is_pattern, names_of
from .session import Cluster
from .spark_errors import Fault
from .spark_files import SCHEMA, files_as_documents, note_hidden_files, weight

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

WHOLE = ("tinyint", "smallint", "int", "bigint")
"""What Spark calls whole numbers, which ids may be."""


@dataclass(frozen=True)
class Read:
    """A table of documents (id, text), whose ids are all different, and how much it is."""

    frame: DataFrame
    documents: int
    characters: int
    notes: tuple[Note, ...] = ()


class Streamed(Documents):
    """Documents that come in Arrow batches, once."""

    def __init__(self, batches: Batches) -> None:
        self.batches = batches

    def __iter__(self) -> Iterator[Document]:
        for batch in self.batches:
            ids, texts = (batch.column(name).to_pylist() for name in ("id", "text"))
            yield from map(Document, ids, texts)


def read_table(cluster: Cluster, paths: Sequence[str], layout: str | None = None) -> Read:
    """The documents behind paths as Spark sees them; wrong or doubled ones are reported before any work."""
    from pyspark import StorageLevel

    if "-" in paths:
        raise DataError("standard input cannot be read by the engine spark: put the documents into a file")
    kind = None if layout is None else layouts.parse(layout)
    given = [_of_job(path) for path in paths]
    with cluster.work("list_files"):
        over = note_hidden_files(cluster, given)
        wanted = [path if is_pattern(cluster, path) else escape_pattern(path) for path in given]
        files = binary(cluster, wanted)
        names = names_of(files)
        if not names:
            raise DataError(f"{given[0]}: no file there")
    if all(name.lower().endswith(".parquet") for name in names) and isinstance(kind, ParquetLayout | None):
        parsed, over = _of_parquet(cluster, wanted, given[0], kind or ParquetLayout()), ()
    else:
        with cluster.work("look_at_files"):
            parsed = files_as_documents(cluster, files, names, given, layout)
        parsed = parsed.persist(StorageLevel.DISK_ONLY)
    with cluster.work("look_through"):
        documents, characters, notes = _check(parsed)
    frame = parsed.where("id is not null").select("id", "text")
    return Read(cluster.spread(frame), documents, characters, (*notes, *over))


def _of_job(path: str) -> str:
    """The documents of a noise job, whose folder has them in several layouts."""
    files = documents_of_job(path) if os.path.isdir(path) else None
    return path if files is None else files


def _of_parquet(cluster: Cluster, paths: Sequence[str], source: str, layout: ParquetLayout) -> DataFrame:
    with cluster.work("look_at_files"):
        reader = cluster.spark.read.option("recursiveFileLookup", "true")
        frame = reader.option("mergeSchema", "true").parquet(*paths)  # a title may be in some of the files only
        columns = layout.columns(frame.columns, source)
        kinds = dict(frame.dtypes)
        for name in columns.names:
            if kinds[name] not in {"string", "void", *(WHOLE if name == columns.id else ())}:
                raise DataError(f"{source}: the column {name} has {kinds[name]}, not text")
        return frame.select(*(f"`{name}`" for name in columns.names)).mapInArrow(_Rows(source, columns), SCHEMA)


@dataclass(frozen=True)
class _Rows:
    """Rows of a Parquet table as documents."""

    source: str
    columns: Columns

    def __call__(self, batches: Batches) -> Batches:
        return batch_rows(self._rows(batches), SCHEMA, weight)

    def _rows(self, batches: Batches) -> Iterator[tuple[Any, ...]]:
        names = self.columns.names
        for batch in batches:
            for values in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                row = dict(zip(names, values, strict=True))
                id_ = row[self.columns.id]
                place = self.source if id_ in {None, ""} else f"{self.source}: document {id_}"
                try:
                    document = ParquetLayout.document(row, self.columns, place)
                except AdjudgeError as error:
                    yield None, None, *Fault.of(error), None
                else:
                    yield document.id, document.text, None, None, None


def _check(parsed: DataFrame) -> tuple[int, int, tuple[Note, ...]]:
    """How many documents and characters there are; an error if one is wrong, or if an id occurs twice."""
    from pyspark.sql import functions as f

    by_id = parsed.groupBy("id").agg(
        f.count("id").alias("times"),
        f.sum(f.length("text")).alias("characters"),
        f.min(f.when(f.col("fault").isNotNull(), f.struct("fault", "message"))).alias("fault"),
        f.sort_array(f.collect_list("note")).alias("notes"),
        f.max(f.col("text") == "").alias("empty"),
    )
    row: Any = by_id.agg(
        f.count("id").alias("ids"),
        f.sum("times").alias("times"),
        f.sum("characters").alias("characters"),
        f.min("fault").alias("fault"),
        f.min(f.when(f.col("times") > 1, f.col("id"))).alias("twice"),
        # documents have none: an empty list of each would be as long as the corpus
        f.flatten(f.collect_list(f.when(f.size("notes") > 0, f.col("notes")))).alias("notes"),
        f.count_if("empty").alias("empty"),
        f.min(f.when(f.col("empty"), f.col("id"))).alias("first_empty"),
    ).first()
    if row.fault:
        raise Fault(*row.fault).error()
    if row.twice is not None:
        raise ConflictError(f"document {row.twice} occurs twice")
    if not row.ids:
        raise DataError("no documents")
    tally = ReadingTally()
    for note in row.notes:
        tally.add(Note.from_json(json.loads(note)))
    tally.empty, tally.first_empty = int(row.empty), row.first_empty or ""
    return int(row.ids), int(row.characters or 0), tally.notes()
