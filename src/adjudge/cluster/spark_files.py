"""Files wherever Spark reads, cut into documents by the layouts that one machine reads them with."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from ..core.errors import AdjudgeError, DataError
from ..core.note import Note
from ..formats.documents.document_reading import ASKED, documents_in, layout_of
from ..formats.documents.layout import ReadingTally, Some, layouts
from ..formats.documents.locations import files_of
from ..formats.documents.streams import open_stream
from .arrow import Batches, batch_rows, utf_8
from .folders import Folder, fixed_part, has_scheme, is_pattern
from .session import Cluster
from .spark_errors import Fault

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SCHEMA = "id string, text string, fault string, message string, note string"
"""Documents, and what was met on the way: an error by the name of its class and its message, a note as JSON."""
KINDS = "path string, place int, kind string, beside boolean"
PIECE = 1 << 20
HIDDEN = "Spark passes over files whose names begin with _"


def weight(row: Any) -> int:
    """Characters of a row."""
    return len(row[1] or "")


def files_as_documents(
    cluster: Cluster, files: DataFrame, names: Sequence[str], given: Sequence[str], layout: str | None
) -> DataFrame:
    """The documents of files: id and text, or what is wrong with a file, or what a user should know."""
    from pyspark.sql import functions as f

    roots = [_root(cluster, path) for path in given]
    names = sorted(names, key=lambda name: (_place(name, roots), name.split("/")))  # as one machine goes through them
    rows = files.select("path", "content")
    if rows.select("path").count() < len(names):  # Spark makes no row of an empty file, which may be a document
        there = {row.path for row in rows.select("path").toLocalIterator()}
        lost = [(name, b"") for name in names if name not in there]
        rows = rows.union(cluster.spark.createDataFrame(lost, "path string, content binary"))
    if layout is None:
        heads = rows.where(f.col("path").isin(*names[:ASKED]))
        layout = _vote(heads.mapInArrow(_Kinds(tuple(roots)), KINDS).collect(), names)
        if layout is None:
            raise DataError(f"{given[0]}: an archive without files")
    return rows.mapInArrow(_Parsed(tuple(roots), layout), SCHEMA)


def _place(name: str, roots: Sequence[str]) -> int:
    """Behind which of the paths that were given a file was found."""
    return next((i for i, root in enumerate(roots) if name == root or name.startswith(f"{root}/")), len(roots))


def _vote(opinions: Sequence[Any], names: Sequence[str]) -> str | None:
    """The layout that most of the first files show, those of the program that wrote the rest left aside."""
    order = {name: place for place, name in enumerate(names)}
    first = sorted(opinions, key=lambda row: (order[row.path], row.place))[:ASKED]
    votes = Counter(row.kind for row in first if not row.beside) or Counter(row.kind for row in first)
    return votes.most_common(1)[0][0] if votes else None


def note_hidden_files(cluster: Cluster, given: Sequence[str]) -> tuple[Note, ...]:
    """What one machine would read and Spark does not, as a note, if the files are on this machine."""
    if not Folder(cluster, ".").qualified.startswith("file:"):
        return ()
    over = Some[str]()
    for path in (path for path in given if not has_scheme(path)):
        if is_pattern(cluster, path):
            if "**" in path:
                raise DataError(f"{path}: Spark knows no **: give the folder")
            continue
        for file in files_of(path):
            if any(part.startswith("_") and "=" not in part for part in file.inner.split(os.sep)):
                if file.named:
                    raise DataError(f"{path}: {HIDDEN}: give it another name")
                over.append(file.path)
    return (Note.of("files_hidden", files=over, others=over.more),) if over else ()


def _root(cluster: Cluster, path: str) -> str:
    """What comes before the name of a file within the collection."""
    return Folder(cluster, fixed_part(path) if is_pattern(cluster, path) else path).qualified


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
        return open_stream(shown, inner, named, pieces)


@dataclass(frozen=True)
class _Kinds(_Files):
    """The layout that each file shows."""

    def __call__(self, batches: Batches) -> Batches:
        import pyarrow as pa

        for batch in batches:
            rows: list[tuple[str, int, str, bool]] = []
            for path, content in zip(batch.column("path").to_pylist(), batch.column("content"), strict=True):
                for place, stream in enumerate(islice(self.streams(path, content.as_py()), ASKED)):
                    beside = os.path.basename(stream.inner).startswith("_")
                    rows.append((path, place, layout_of(stream), beside))
            kinds = (pa.string(), pa.int32(), pa.string(), pa.bool_())
            columns = zip(*rows, strict=True) if rows else ((),) * len(kinds)
            arrays = [pa.array(column, kind) for column, kind in zip(columns, kinds, strict=True)]
            yield pa.RecordBatch.from_arrays(arrays, ["path", "place", "kind", "beside"])


@dataclass(frozen=True)
class _Parsed(_Files):
    """The documents of files; an error in a file is reported and ends it."""

    layout: str

    def __call__(self, batches: Batches) -> Batches:
        return batch_rows(self._rows(batches), SCHEMA, weight)

    def _rows(self, batches: Batches) -> Iterator[tuple[Any, ...]]:
        layout, tally = layouts.parse(self.layout), ReadingTally()
        for batch in batches:
            for path, content in zip(batch.column("path"), batch.column("content"), strict=True):
                try:
                    for document in documents_in(self.streams(path.as_py(), content.as_py()), layout, tally):
                        if not utf_8(document.id):
                            shown = path.as_py().removeprefix("file:")
                            raise DataError(
                                f"{shown}: the id {document.id!r} is not valid Unicode, and Spark cannot store it"
                            )
                        yield document.id, document.text, None, None, None
                except AdjudgeError as error:
                    yield None, None, *Fault.of(error), None
        tally.empty = 0  # counted for all parts together
        for note in tally.notes(entities=None):
            yield None, None, None, None, json.dumps(note.to_json())
