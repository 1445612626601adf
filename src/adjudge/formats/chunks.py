"""How chunks become documents, and the table that says which document a chunk is of."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..core.arguments import is_file, is_frame, type_name
from ..core.collapse import Collapse
from ..core.errors import ConflictError, DataError, SpecError, WrongTypeError, at
from ..core.likes import CollapseLike
from ..core.strings import decode
from .raw_file import DOCUMENT, fold_word, looks_like_json, looks_like_parquet
from .source import Source, open_source

CHUNK = ("chunk", "chunkid", "passage", "passageid", "segment", "segmentid", "pid")
PARENT = (*DOCUMENT, "parent", "parentid")


def read_collapse(given: CollapseLike | None, folder: Path | None = None) -> Collapse | None:
    """Read how lines for chunks become documents.

    Args:
        given: a Collapse; ``max``, ``first`` or ``sum`` for runs that have documents more than once; or settings:
            ``keep`` (one of these, max), and one of ``separator``, ``pattern`` and ``table``, {chunk: document} or a
            file with lines chunk, document.
        folder: what the path of a table is relative to.

    >>> read_collapse({"keep": "sum", "separator": "#"}).keep
    'sum'
    """
    if given is None or isinstance(given, Collapse):
        return given
    if isinstance(given, str):
        return Collapse(given)
    if not isinstance(given, Mapping):
        raise WrongTypeError(f"collapse must be max, first, sum, a Collapse or settings, not {type_name(given)}")
    settings = dict(given)
    table = settings.pop("table", None)
    if table is not None:
        if isinstance(table, str) and folder is not None:
            table = folder / table
        settings |= {"parents": read_chunks(table)}
        settings |= {"source": str(table)} if is_file(table) else {}
    return Collapse.of(settings)


def read_chunks(source: Any) -> Mapping[str, str]:
    """Read the table of chunks: {chunk: document}, in the order in which the chunks stand.

    Args:
        source: {chunk: document}, a frame with the columns chunk and document, or a file: lines of chunk and document
            with white space between them, CSV or TSV with a header, JSON or Parquet, packed or not.

    >>> read_chunks({"d1#1": "d1"})
    {'d1#1': 'd1'}
    """
    if isinstance(source, Mapping):
        return _of_pairs(list(source.items()), "the table of chunks")
    if is_frame(source):
        return _of_frame(source, "the table of chunks")
    opened = open_source(source)
    try:
        return _read(opened)
    finally:
        opened.close()


def _read(source: Source) -> dict[str, str]:
    if looks_like_json(source):
        from .nested import parse_json

        data = parse_json(source)
        if not isinstance(data, Mapping):
            raise DataError(f"{source.name}: not of the form {{chunk: document}}")
        return _of_pairs(list(data.items()), source.name)
    head = source.whole()[:4096].split(b"\n")[0].decode("utf-8", "replace")
    words = {separator: {fold_word(word) for word in head.split(separator)} for separator in ("\t", ",", ";")}
    separator = next((s for s, known in words.items() if known & set(CHUNK) and known & set(PARENT)), None)
    if separator or looks_like_parquet(source):
        import io

        import polars as pl

        try:
            frame = (
                pl.read_csv(source.whole(), separator=separator, infer_schema=False)
                if separator
                else pl.read_parquet(io.BytesIO(bytes(source.text)))
            )
        except Exception as error:
            raise DataError(f"{source.name}: {str(error).splitlines()[0]}") from None
        return _of_frame(frame, source.name)
    return _of_lines(source)


def _of_lines(source: Source) -> dict[str, str]:
    parents: dict[str, str] = {}
    for number, line in enumerate(source.whole().split(b"\n"), 1):
        fields = line.split()
        if not fields or fields[0].startswith(b"#"):
            continue
        if len(fields) != 2:
            why = f"a table of chunks has 2 columns (chunk document), this line has {len(fields)}"
            raise DataError(at(source.name, number, why, line))
        chunk, document = map(decode, fields)
        if parents.setdefault(chunk, document) != document:
            why = f"chunk {chunk} was of document {parents[chunk]} before, now of {document}"
            raise ConflictError(at(source.name, number, why, line))
    if not parents:
        raise DataError(f"{source.name}: empty: only comments and blank lines")
    return parents


def _of_frame(frame: Any, name: str) -> dict[str, str]:
    columns = {fold_word(str(column)): column for column in frame.columns}
    picked = []
    for kind, names in (("chunk", CHUNK), ("document", PARENT)):
        column = next((columns[word] for word in names if word in columns), None)
        if column is None:
            raise DataError(f"{name}: no {kind} column among: {', '.join(map(str, frame.columns))}")
        picked.append(frame[column].to_list())
    return _of_pairs(list(zip(*picked, strict=True)), name)


def _of_pairs(pairs: list[tuple[Any, Any]], name: str) -> dict[str, str]:
    from .nested import identifier

    parents: dict[str, str] = {}
    for chunk, document in pairs:
        known, of = identifier(chunk, "chunk", name), identifier(document, "document", name)
        if parents.setdefault(known, of) != of:
            raise ConflictError(f"{name}: chunk {known} is of documents {parents[known]} and {of}")
    if not parents:
        raise DataError(f"{name}: empty: no chunk is in it")
    return parents


def collapse_of(keep: str | None, separator: str = "", pattern: str = "", table: Any = None) -> Collapse | None:
    """From single settings, of which a command has an option each; None if none is given."""
    given = {"keep": keep, "separator": separator, "pattern": pattern, "table": table}
    wanted = {name: value for name, value in given.items() if value not in (None, "")}
    if len(wanted) - ("keep" in wanted) > 1:
        raise SpecError("the document of a chunk is known by a separator, a pattern or a table: give one of them")
    return read_collapse(wanted) if wanted else None
