"""Files wherever Spark reads, cut into documents by the layouts that one machine reads them with."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..core.errors import AdjudgeError, DataError
from ..formats.documents.layout import Tally, layouts
from ..formats.documents.reading import ASKED, documents_in, layout_of
from ..formats.documents.streams import opened
from .arrow import Batches, batched
from .engine import Cluster
from .folders import Folder, fixed, is_pattern

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SCHEMA = "id string, text string, fault string, note string"
PIECE = 1 << 20


def weight(row: Any) -> int:
    """Characters of a row."""
    return len(row[1] or "")


def files_as_documents(
    cluster: Cluster, files: DataFrame, names: Sequence[str], given: Sequence[str], layout: str | None
) -> DataFrame:
    """The documents of files: id and text, or what is wrong with a file, or what a user should know."""
    from pyspark.sql import functions as f

    roots = [_root(cluster, path) for path in given]
    rows = files.select("path", "content")
    if rows.select("path").count() < len(names):  # Spark makes no row of an empty file, which may be a document
        there = {row.path for row in rows.select("path").toLocalIterator()}
        lost = [(name, b"") for name in names if name not in there]
        rows = rows.union(cluster.spark.createDataFrame(lost, "path string, content binary"))
    if layout is None:
        heads = rows.where(f.col("path").isin(*names[:ASKED]))
        votes = Counter(row.kind for row in heads.mapInArrow(_Kinds(tuple(roots)), "kind string").collect())
        if not votes:
            raise DataError(f"{given[0]}: an archive without files")
        layout = min(votes, key=lambda kind: (-votes[kind], kind))
    else:
        layouts.parse(layout)
    return rows.mapInArrow(_Parsed(tuple(roots), layout), SCHEMA)


def _root(cluster: Cluster, path: str) -> str:
    """What comes before the name of a file within the collection."""
    return Folder(cluster, fixed(path) if is_pattern(cluster, path) else path).qualified


@dataclass(frozen=True)
class _Files:
    """Files as streams, with the names that they have within the collection."""

    roots: tuple[str, ...]

    def streams(self, path: str, content: bytes) -> Iterator[Any]:
        named = path in self.roots
        root = max((root for root in self.roots if path.startswith(f"{root}/")), key=len, default="")
        inner = os.path.basename(path) if named else path[len(root) + 1 :] if root else os.path.basename(path)
        shown = path.removeprefix("file:")
        pieces = (content[at : at + PIECE] for at in range(0, len(content), PIECE))
        return opened(shown, inner, named, pieces)


@dataclass(frozen=True)
class _Kinds(_Files):
    """The layout that each file shows."""

    def __call__(self, batches: Batches) -> Batches:
        import pyarrow as pa

        for batch in batches:
            paths, contents = (batch.column(name).to_pylist() for name in ("path", "content"))
            found = []
            for path, content in zip(paths, contents, strict=True):
                found += [layout_of(stream) for stream in self.streams(path, content)][:ASKED]
            yield pa.RecordBatch.from_pydict({"kind": pa.array(found, pa.string())})


@dataclass(frozen=True)
class _Parsed(_Files):
    """The documents of files; what is wrong with a file is told and ends it."""

    layout: str

    def __call__(self, batches: Batches) -> Batches:
        return batched(self._rows(batches), SCHEMA, weight)

    def _rows(self, batches: Batches) -> Iterator[tuple[Any, ...]]:
        layout, tally = layouts.parse(self.layout), Tally()
        for batch in batches:
            for path, content in zip(batch.column("path"), batch.column("content"), strict=True):
                try:
                    for document in documents_in(self.streams(path.as_py(), content.as_py()), layout, tally):
                        yield document.id, document.text, None, None
                except AdjudgeError as error:
                    yield None, None, f"{type(error).__name__}: {error}", None
        tally.empty = 0  # counted for all parts together
        for note in tally.notes():
            yield None, None, None, note
