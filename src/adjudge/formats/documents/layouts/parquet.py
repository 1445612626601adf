"""Rows of a Parquet file."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from ....core.document import Document
from ....core.errors import AdjudgeError, DataError
from ...nested import identifier
from ...parquet_probe import LARGEST
from ...parquet_tables import contained, first_line, refuse_deadly
from ..layout import Layout, ReadingTally, with_title
from ..streams import Stream
from .jsonl import ID, TEXT, TITLE, require_names

MAGIC = b"PAR1"
ROWS = 256
"""So many rows are taken at a time: a text may be as long as a book."""


class Columns(NamedTuple):
    """Which columns are the id, the texts that are joined, and the title."""

    id: str
    texts: tuple[str, ...]
    title: str | None

    @property
    def names(self) -> list[str]:
        """Each column once."""
        return list(dict.fromkeys([self.id, *self.texts, *([] if self.title is None else [self.title])]))


@dataclass(frozen=True)
class ParquetLayout(Layout):
    """Rows of a Parquet file with a column for the id, one for the text and perhaps one for the title.

    Columns are named as the keys of a JSON object can be: see jsonl. Ids are text or whole numbers, the rest is text.
    A folder that Spark has written is read as a whole; its notes, files whose names begin with _, are passed over.

    Parameters: ``id``, ``text`` and ``title`` name other columns; several texts are joined: text=[summary, body].

    No value: a row without id or text is an error, and so is null; an empty text is a document without text, and a
    title of null is none.

    Example: a row with docno 7, title "Wings" and text "Lift grows." → 7, "Wings\\nLift grows.".
    """

    name: ClassVar[str] = "parquet"
    endings: ClassVar[tuple[str, ...]] = (".parquet",)

    id: str = ""
    text: str | tuple[str, ...] = ""
    title: str = ""

    def __post_init__(self) -> None:
        require_names(self, "a column")

    @classmethod
    def shows(cls, head: bytes) -> bool:
        return head.startswith(MAGIC)

    def ignores(self, stream: Stream) -> bool:
        return os.path.basename(stream.inner).startswith("_")

    def takes(self, stream: Stream) -> bool:
        return not self.ignores(stream) and super().takes(stream)

    def columns(self, names: Sequence[str], place: str) -> Columns:
        """The columns that count among those of a table; an error if one is lacking."""

        def pick(wanted: tuple[str, ...], what: str) -> str:
            for name in wanted:
                if name in names:
                    return name
            have = ", ".join(list(names)[:8]) or "no columns"
            raise DataError(f"{place}: no column for the {what}: none of {', '.join(wanted)} among {have}")

        id_ = pick((self.id,) if self.id else ID, "id")
        if isinstance(self.text, tuple):
            texts = tuple(pick((name,), "text") for name in self.text)
        else:
            texts = (pick((self.text,) if self.text else TEXT, "text"),)
        titles = (self.title,) if self.title else TITLE
        return Columns(id_, texts, next((name for name in titles if name in names), None))

    @staticmethod
    def document(row: dict[str, Any], columns: Columns, place: str) -> Document:
        """One row as a document."""
        id_ = identifier(row[columns.id], "id", place)
        text = "\n".join(_text(row, name, place) for name in columns.texts).strip()
        named = columns.title is not None and row[columns.title] is not None
        title = _text(row, columns.title, place) if named and columns.title is not None else ""
        return Document(id_, with_title(title, text), title)

    def read(self, stream: Stream, tally: ReadingTally) -> Iterator[Document]:  # noqa: ARG002  nothing to tell
        # A Parquet file is read from its end: it may come packed or through a pipe, so it is laid down first.
        handle, path = tempfile.mkstemp(prefix="adjudge-", suffix=".parquet")
        try:
            try:
                with os.fdopen(handle, "wb") as file:
                    for piece in stream.raw():
                        file.write(piece)
            except OSError as error:
                raise DataError(f"{stream.name}: cannot be laid down in {path}: {error.strerror or error}") from None
            yield from self._documents(path, stream.name)
        finally:
            with suppress(OSError):
                os.unlink(path)

    def _documents(self, path: str, name: str) -> Iterator[Document]:
        number = 0
        for rows, columns in self._batches(path, name):
            for row in rows:
                number += 1
                yield self.document(row, columns, f"{name}: row {number}")

    def _batches(self, path: str, name: str) -> Iterator[tuple[Iterator[dict[str, Any]], Columns]]:
        import polars as pl

        try:
            if os.path.getsize(path) <= LARGEST:
                with open(path, "rb") as file:
                    refuse_deadly(file.read(), name)
            table = pl.scan_parquet(path, glob=False)
            schema = contained(table.collect_schema, name, os.path.getsize(path))
            columns = self.columns(list(schema), name)
            for column in columns.names:
                fine = any(schema[column] == kind for kind in (pl.String, pl.Categorical, pl.Enum, pl.Null))
                if not fine and not (column == columns.id and schema[column].is_integer()):
                    raise DataError(f"{name}: the column {column} has {schema[column]}, not text")
            pieces, size = _pieces(table.select(columns.names)), os.path.getsize(path)
            while (batch := contained(lambda: next(pieces, None), name, size)) is not None:
                yield batch.iter_rows(named=True, buffer_size=32), columns
        except AdjudgeError:
            raise
        except (Exception, pl.exceptions.PanicException) as error:
            raise DataError(f"{name}: not readable as Parquet: {first_line(error)}") from None


def _pieces(table: Any) -> Iterator[Any]:
    """A few rows after the others; older versions of polars must begin anew for each."""
    if hasattr(table, "collect_batches"):
        yield from table.collect_batches(chunk_size=ROWS, maintain_order=True)
        return
    at = 0
    while len(piece := table.slice(at, 256 * ROWS).collect()):
        at += len(piece)
        yield from piece.iter_slices(ROWS)


def _text(row: dict[str, Any], name: str, place: str) -> str:
    value = row[name]
    if not isinstance(value, str):
        raise DataError(f"{place}: {name} is {'null' if value is None else repr(value)[:50]}, not text")
    return value.strip()
