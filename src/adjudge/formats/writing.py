"""Writing values as files: packed, and in one step."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from ..core.errors import DataError, SpecError
from ..storage.replace import write_bytes
from .raw_file import header_separator, looks_like_json
from .source import PACKED, Source


def _zstd(data: bytes) -> bytes:
    from ..storage.zstd import pack

    return pack(data)


def _gzip(data: bytes) -> bytes:
    import gzip

    return gzip.compress(data, mtime=0)


def _xz(data: bytes) -> bytes:
    import lzma

    return lzma.compress(data)


def _bzip2(data: bytes) -> bytes:
    import bz2

    return bz2.compress(data)


NOT_UNICODE = "an identifier has bytes that are not UTF-8, which {} cannot hold: write TREC lines"

PACKERS: dict[str, Callable[[bytes], bytes]] = {".gz": _gzip, ".xz": _xz, ".zst": _zstd, ".bz2": _bzip2}


FOREIGN = frozenset({".jsonl", ".ndjson", ".xml", ".html", ".htm", ".xlsx"})
"""Endings of formats in which runs and judgments are not written."""


def write(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file, packed if the ending says so, and in one step: a reader sees the old file or the new."""
    packer = PACKERS.get(os.path.splitext(os.path.realpath(path))[1])
    write_bytes(path, packer(data) if packer else data, durable=False)


def make_folder(path: str | os.PathLike[str]) -> Path:
    """A folder for files that are to be written, made if it is not there."""
    place = Path(path)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{os.fspath(path)}: cannot be made: {error.strerror}") from None
    return place


def format_by_ending(path: str | os.PathLike[str]) -> str:
    """parquet, json or text, from the ending before any packing."""
    return {".parquet": "parquet", ".json": "json"}.get(_ending(path), "text")


def refuse_foreign_ending(path: str | os.PathLike[str]) -> None:
    """An error if a name promises a format in which runs and judgments are not written."""
    if _ending(path).lower() in FOREIGN:
        raise SpecError(
            f"{os.fspath(path)}: runs and judgments are not written as {_ending(path)}, but as .json, .parquet, .csv,"
            " .tsv or, with any other ending, TREC lines"
        )


def _ending(path: str | os.PathLike[str]) -> str:
    """The ending of a name before that of a packer."""
    target = Path(path)
    return Path(target.stem).suffix if target.suffix in PACKERS else target.suffix


def to_json(data: Any) -> bytes:
    try:
        return (json.dumps(data, ensure_ascii=False) + "\n").encode("utf-8")
    except UnicodeEncodeError:
        raise DataError(NOT_UNICODE.format("JSON")) from None


def to_parquet(columns: dict[str, Any], *, texts: Sequence[str] = ()) -> bytes:
    """Columns as a Parquet file; those named in ``texts`` hold strings also where they have no row."""
    import io

    import polars as pl

    buffer = io.BytesIO()
    try:
        pl.DataFrame(columns, schema_overrides=dict.fromkeys(texts, pl.String)).write_parquet(buffer)
    except UnicodeEncodeError:
        raise DataError(NOT_UNICODE.format("Parquet")) from None
    return buffer.getvalue()


FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
"""What a cell begins with that a spreadsheet takes for a formula."""
DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def csv_cell(value: Any) -> Any:
    """A cell of CSV that no spreadsheet takes for a formula: an apostrophe goes before, unless it is a number.

    >>> csv_cell('=HYPERLINK("http://x")'), csv_cell("-0.5"), csv_cell("ap"), csv_cell(-1)
    ('\\'=HYPERLINK("http://x")', '-0.5', 'ap', -1)
    """
    if isinstance(value, str) and value.startswith(FORMULA_SIGNS) and not DECIMAL.fullmatch(value):
        return f"'{value}"
    return value


def plain_cell(text: str) -> str:
    """A cell as it was before :func:`csv_cell`."""
    return text[1:] if text[:1] == "'" and text[1:].startswith(FORMULA_SIGNS) else text


UNWRITABLE = re.compile("[ \t\r\n\v\f\0\ud800-\udc7f\udd00-\udfff]")


def unwritable(names: Iterable[str], kind: str, *, first: bool = False) -> None:
    """Refuse names that TREC lines cannot hold: white space or half a surrogate pair in them, none, # to begin a line.

    Surrogates that stand for bytes which are no UTF-8 (U+DC80 to U+DCFF) are written as these bytes.
    """
    name = first_unwritable(names, first=first)
    if name is not None:
        raise DataError(f"{kind} {name!r} cannot stand in a line of TREC: write JSON or Parquet instead")


def first_unwritable(names: Iterable[str], *, first: bool = False) -> str | None:
    """The first name that TREC lines cannot hold."""
    every = list(names)
    if all(every) and not UNWRITABLE.search("".join(every)) and not (first and any(n.startswith("#") for n in every)):
        return None
    return next(n for n in every if not n or UNWRITABLE.search(n) or (first and n.startswith("#")))


def trec_text(text: str) -> bytes:
    """Lines of TREC as bytes, refused if their beginning would be taken for another format."""
    return trec_bytes(text.encode("utf-8", "surrogateescape"))


def trec_bytes(data: bytes) -> bytes:
    """The same lines, if they can be told from other formats."""
    source = Source("", data)
    packed = any(data.startswith(magic) for _, magic, _ in PACKED)
    if packed or source.begin or looks_like_json(source) or header_separator(source) is not None:
        start = data[:160].decode("utf-8", "surrogateescape")[:40]
        raise DataError(f"the first line would be taken for another format: {start!r}: write JSON or Parquet instead")
    return data
