"""Runs in CSV and JSON that are plain enough for a compiled loop, so that no library for tables need be loaded.

Quotes, escapes, other characters than ASCII, numbers in unusual writing and everything that is an error give None: then
nested.py reads the file with polars or json and says what is wrong.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.errors import DataError
from ..core.kernel import native
from ..core.strings import Strings, decode
from ..core.table import Table
from .nested import SCORE, TAG, folded_columns, pick_column
from .raw_file import DOCUMENT, TOPIC, header_separator, looks_like_json
from .source import Source
from .trec_columns import group_rows

MOST_COLUMNS = 64
"""As native/tables.c has it."""


def read_plain(source: Source) -> tuple[Table, str | None] | None:
    """The rows of a run in CSV, TSV or JSON, and its tag; None if it is something else, or not plain."""
    if native("tables") is None:
        return None
    separator = header_separator(source)
    if separator:
        return _delimited(source, separator)
    return _nested(source) if looks_like_json(source) else None


def _delimited(source: Source, separator: str) -> tuple[Table, str | None] | None:
    text, begin = source.text, source.begin
    head = text.find(b"\n", begin) + 1
    if not head or text[-1:] != b"\n":
        return None
    try:
        names = bytes(text[begin : head - 1]).decode("ascii").split(separator)
        columns = folded_columns(names, source.name)
        topic, document, score = (
            names.index(pick_column(columns, kind, words, source.name))
            for kind, words in (("topic", TOPIC), ("document", DOCUMENT), ("score", SCORE))
        )
    except (DataError, UnicodeDecodeError):
        return None
    if '"' in "".join(names) or "\r" in names[-1] or len(names) > MOST_COLUMNS:
        return None
    tag = next((names.index(columns[word]) for word in TAG if word in columns), -1)
    layout = ord(separator), len(names), topic, document, score, tag
    rows = native("lines").count_lines(text, head, len(text))
    return _table(source, rows, lambda *out: native("tables").delimited(text, head, len(text), layout, *out))


def _nested(source: Source) -> tuple[Table, str | None] | None:
    text = source.whole()
    return _table(source, text.count(b":"), lambda *out: native("tables").nested(text, 0, len(text), *out))


def _table(source: Source, rows: int, scan: Any) -> tuple[Table, str | None] | None:
    ids = np.empty(len(source.text), np.uint8)
    starts, lengths, values = np.empty(rows, np.int64), np.empty(rows, np.int32), np.empty(rows)
    scanned = scan(ids, starts, lengths, values)
    if scanned is None or not scanned[0]:
        return None
    count, tag = scanned[0], scanned[5]
    strings = Strings(ids, starts[:count], lengths[:count])
    table = group_rows([scanned], [0, count], strings, values[:count])
    if table.first_duplicate() is not None:
        return None
    return table, None if tag is None else decode(tag)
