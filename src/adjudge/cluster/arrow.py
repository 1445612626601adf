"""Rows as Spark takes them from Python and gives them to it: Arrow batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

Batches = Iterator["pa.RecordBatch"]
ROWS, CHARACTERS = 2000, 4_000_000
"""So much at most goes back to Spark at a time; a single document may be longer."""


KINDS = {"string": "string", "bigint": "int64", "long": "int64", "int": "int32", "double": "float64"}
"""Names of Spark's types and Arrow's."""


def utf_8(text: str) -> bool:
    """Whether Arrow and Spark can hold a text: bytes that are no UTF-8 are kept as halves of surrogate pairs."""
    return not any("\ud800" <= sign <= "\udfff" for sign in text)


def schema_of(columns: str) -> pa.Schema:
    """The schema of columns that Spark writes as ``id string, found bigint``."""
    import pyarrow as pa

    pairs = [column.split() for column in columns.split(",")]
    return pa.schema([(name, pa.type_for_alias(KINDS[kind])) for name, kind in pairs])


def batch_rows(rows: Iterable[Sequence[Any]], columns: str, weight: Callable[[Any], int]) -> Batches:
    """Rows as Arrow batches of bounded size; ``columns`` as Spark writes them."""
    import pyarrow as pa

    schema = schema_of(columns)
    some: list[Sequence[Any]] = []
    held = 0

    def make_batch() -> pa.RecordBatch:
        given = zip(zip(*some, strict=True), schema.types, strict=True)
        return pa.RecordBatch.from_arrays([pa.array(column, kind) for column, kind in given], schema=schema)

    for row in rows:
        some.append(row)
        held += weight(row)
        if len(some) >= ROWS or held >= CHARACTERS:
            yield make_batch()
            some, held = [], 0
    if some:
        yield make_batch()
