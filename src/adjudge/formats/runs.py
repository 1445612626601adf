"""Reading and writing runs."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from ..core.arguments import is_file, is_frame, wrong_type
from ..core.collapse import ChunkRun
from ..core.errors import ConflictError, DataError, at
from ..core.likes import RunLike
from ..core.run import RepetitionError, Run
from . import trec_columns
from .ir_metadata import header_bytes, read_header
from .rank_check import contradiction
from .raw_file import header_separator, looks_like_json
from .source import NamedPath, RunColumns, Source, open_source, read_columns

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

NO_LINES = b"# no topic finds a document\n"
"""What a file of TREC lines says to people if it has none."""


def read_run(source: RunLike | Source, *, name: str | None = None, chunks: bool = False, spans: bool = False) -> Run:
    """Read a run: what a system retrieved for each topic, with scores.

    Args:
        source: a path (``-`` is standard input), an open binary file, {topic: {document: score}}, or a pandas or polars
            frame with columns for topic, document and score. Files may be TREC lines, JSON, Parquet, or CSV and TSV
            with a header, plain or packed with gzip, xz, zstd or bzip2; the content decides, not the name.
        name: the name of the run, instead of the tag in the file.
        chunks: allow that a document occurs more than once in a topic, for :func:`collapse`.
        spans: take columns from and to of a table for the span of a passage, so that the document of a line is
            ``DOCUMENT:FROM-TO``, as measures of passages need it.

    >>> read_run({"301": {"d1": 2.5, "d2": 1.0}}, name="mine")
    Run(mine: 1 topics, 2 rows)
    """
    if isinstance(source, Run):
        return source if name is None else replace(source, name=name)
    if isinstance(source, Mapping):
        from . import nested

        return _of_columns(nested.from_dict(source, False, name or "run"), name or "run", "run", chunks=chunks)
    if is_frame(source):
        from . import nested

        return _of_columns(nested.from_frame(source, False, "run", spans=spans), name, "run", chunks=chunks)
    if name is None and isinstance(source, NamedPath):
        name = source.run_name
    if not is_file(source) and not isinstance(source, Source):
        raise wrong_type("run", source)
    opened = open_source(source)
    try:
        return _read(opened, name, chunks, spans)
    finally:
        opened.close()


def _read(source: Source, name: str | None, chunks: bool, spans: bool) -> Run:
    kind = ChunkRun if chunks else Run
    if not spans and (header_separator(source) or looks_like_json(source)):
        from . import plain_tables  # which knows columns and their names, and takes time to load

        if (plain := plain_tables.read_plain(source)) is not None:
            table, tag = plain
            return kind(table.topics, table.offsets, table.documents, table.numbers, name or tag or source.stem)
    columns = read_columns(source, integer=False, spans=spans)
    if columns is not None:
        return _of_columns(columns, name, source.stem, source.name, chunks=chunks)
    table, tag = trec_columns.read_table(source, trec_columns.RUN)
    metadata, notes = read_header(source)
    named = name or tag or source.stem
    notes = (*notes, *contradiction(source, named))
    run = kind(table.topics, table.offsets, table.documents, table.numbers, named, notes, metadata)
    if not len(run):
        raise DataError(f"{source.name}: empty: only comments and blank lines")
    try:
        run.refuse_repeated(source.name)
    except RepetitionError as repetition:
        lines = trec_columns.find_lines(source, trec_columns.RUN, repetition.topic, repetition.document)
        _, (line, text) = itertools.islice(lines, 2)
        raise ConflictError(at(source.name, line, repetition.why, text)) from None
    return run


def _of_columns(
    columns: RunColumns, name: str | None, otherwise: str, source: str | None = None, *, chunks: bool = False
) -> Run:
    topics, documents, scores, tag, place = columns
    named = name or tag or otherwise
    if not len(topics):
        raise DataError(f"{source or named}: empty: a run has at least one line")
    try:
        return (ChunkRun if chunks else Run).of_columns(topics, documents, scores, source or named, name=named)
    except RepetitionError:
        if place is None:
            raise
        row, _ = columns.first_repetition(same=True)
        raise ConflictError(place(row, RepetitionError("", topics[row], documents[row]).why)) from None


def has_run_lines(path: str | os.PathLike[str]) -> bool:
    """Whether the first line of a file that is no comment has the six columns of a run in the format of TREC."""
    source = open_source(path)
    try:
        for line in bytes(source.text[source.begin : source.begin + 65536]).splitlines():
            words = line.split()
            if words and not line.startswith(b"#"):
                return len(words) >= 6 and b"{" not in words[0]
        return False
    finally:
        source.close()


def write_run(run: Run, path: str | os.PathLike[str], *, metadata: bool = False) -> None:
    """Write a run to a file.

    Args:
        run: the run.
        path: the file; its ending says the format: .parquet, .json, else TREC lines; .gz, .xz, .zst or .bz2 packs.
        metadata: write the run's metadata as an ir_metadata header before TREC lines. Programs that know no comments,
            trec_eval 9 and pytrec_eval among them, cannot read such a file.

    >>> write_run(read_run({"301": {"d1": 2.5}}), "mine.run.gz")  # doctest: +SKIP
    """
    from .writing import format_by_ending, write

    write(path, run_bytes(run, format_by_ending(path), metadata=metadata))


def run_bytes(run: Run, kind: str, *, metadata: bool = False) -> bytes:
    """A run as a file holds it: as parquet, json, else TREC lines, of which the first may be its metadata."""
    from .writing import to_json, to_parquet

    if kind == "parquet":
        columns = {"topic": run.topic_column(), "document": list(run.documents), "score": run.scores}
        return to_parquet({**columns, "tag": [run.name] * len(run)}, texts=("topic", "document", "tag"))
    if kind == "json":
        return to_json(run.to_dict())
    return (header_bytes(run.metadata) if metadata and run.metadata else b"") + _trec_lines(run)


def _trec_lines(run: Run) -> bytes:
    from .writing import trec_bytes, trec_text, unwritable

    unwritable([run.name], "tag")
    if not len(run):
        return NO_LINES
    unwritable(run.topics, "topic", first=True)
    lines = _lines_by_kernel(run)
    if lines is not None:
        return trec_bytes(lines)
    documents = list(run.documents)
    unwritable(documents, "document")
    return trec_text("".join(_ranked_lines(run, documents)))


def _lines_by_kernel(run: Run) -> bytes | None:
    """The lines, unless there is no kernel or it leaves them to Python."""
    from ..core.kernel import native
    from ..core.strings import Strings, encode

    kernel = native("writing")
    if kernel is None or not isinstance(run.documents, Strings):
        return None
    rows = _rows_by_rank(run)
    documents = run.documents
    columns = run.offsets, rows, documents.data, documents.starts, documents.lengths, run.scores
    lines: bytes | None = kernel.lines(tuple(map(encode, run.topics)), *columns, encode(run.name))
    return lines


def _rows_by_rank(run: Run) -> npt.NDArray[np.int64] | None:
    """The rows of each topic by rank; None if they stand so, as in most files."""
    import numpy as np

    from ..core.strings import encode

    level = np.flatnonzero(~(run.scores[1:] < run.scores[:-1]))  # rows after which scores do not fall
    level = level[~np.isin(level, run.offsets[1:-1] - 1)]  # but where a topic ends they may
    if not len(level):
        return None
    rows = np.arange(len(run))
    for t in np.unique(np.searchsorted(run.offsets, level, "right") - 1).tolist():
        some = slice(int(run.offsets[t]), int(run.offsets[t + 1]))
        scores, names = run.scores[some].tolist(), list(map(encode, run.documents[some]))
        order = sorted(range(len(names)), key=lambda i: (scores[i], names[i]), reverse=True)
        rows[some] = np.array(order, np.int64) + some.start
    return rows


def _ranked_lines(run: Run, documents: list[str]) -> Iterable[str]:
    scores, name, rows = run.scores.tolist(), run.name, _rows_by_rank(run)
    for t, topic in enumerate(run.topics):
        begin, end = int(run.offsets[t]), int(run.offsets[t + 1])
        order = range(begin, end) if rows is None else rows[begin:end].tolist()
        yield "".join(
            [f"{topic} Q0 {documents[row]} {rank} {scores[row]!r} {name}\n" for rank, row in enumerate(order, 1)]
        )
