"""Reading and writing relevance judgments."""

from __future__ import annotations

import os
from collections.abc import Mapping

from ..core.arguments import is_file, is_frame, wrong_type
from ..core.errors import ConflictError, DataError, at
from ..core.likes import QrelsLike
from ..core.qrels import ContradictionError, Qrels
from ..core.strings import decode
from . import trec_columns
from .classic_collections import looks_like_smart_qrels, read_smart_qrels
from .raw_file import looks_like_json
from .source import RunColumns, Source, open_source, read_columns


def read_qrels(source: QrelsLike | Source) -> Qrels:
    """Read relevance judgments.

    Args:
        source: a path (``-`` is standard input), an open binary file, {topic: {document: grade}}, or a pandas or polars
            frame with columns for topic, document and grade. Files may be TREC lines, JSON ({topic: {document: grade}},
            or a line for each judgment, as judges that are programs answer), Parquet, or CSV and TSV with a header,
            plain or packed with gzip, xz, zstd or bzip2.

    >>> read_qrels({"301": {"d1": 1, "d2": 0}})
    Qrels(1 topics, 2 rows)
    """
    if isinstance(source, Qrels):
        return source
    if type(source).__name__ == "SubtopicQrels":
        raise DataError("subtopic judgments, where plain ones are needed: give their union, the highest grades")
    if type(source).__name__ == "SpanQrels":
        raise DataError("judgments of spans, where judgments of documents are needed: measures of passages take them")
    if isinstance(source, Mapping):
        from . import nested

        return _of_columns(nested.from_dict(source, True, "qrels"), "qrels")
    if is_frame(source):
        from . import nested

        return _of_columns(nested.from_frame(source, True, "qrels"), "qrels")
    if not is_file(source) and not isinstance(source, Source):
        raise wrong_type("qrels", source)
    opened = open_source(source)
    try:
        return _read(opened)
    finally:
        opened.close()


def _read(source: Source) -> Qrels:
    if looks_like_smart_qrels(source):
        return read_smart_qrels(source)
    if looks_like_json(source):
        from .qrels_lines import has_qrels_lines, read_qrels_lines

        if has_qrels_lines(source):
            return _of_columns(read_qrels_lines(source), source.name)
    columns = read_columns(source, integer=True)
    if columns is not None:
        return _of_columns(columns, source.name)
    table, _ = trec_columns.read_table(source, trec_columns.QRELS)
    qrels = Qrels(table.topics, table.offsets, table.documents, table.numbers)
    if not len(qrels):
        raise DataError(f"{source.name}: empty: only comments and blank lines")
    try:
        valid = qrels.validate(source.name)
    except ContradictionError as contradiction:
        _refuse_subtopics(source)
        raise ConflictError(_place(source, contradiction)) from None
    if valid.repeated:
        _refuse_subtopics(source)
    return valid


def _refuse_subtopics(source: Source) -> None:
    """An error if a document that is judged twice was judged for different subtopics."""
    seen: dict[tuple[bytes, bytes], bytes] = {}
    for number, line in enumerate(source.whole().split(b"\n"), 1):
        fields = line.split()
        if len(fields) != len(trec_columns.QRELS.columns) or fields[0].startswith(b"#"):
            continue
        before = seen.setdefault((fields[0], fields[2]), fields[1])
        if before != fields[1]:
            both = f"{decode(before)} and {decode(fields[1])} in column 2"
            why = f"a document judged for {both}: subtopic judgments, where plain ones are needed"
            raise DataError(at(source.name, number, why, line))


def _place(source: Source, contradiction: ContradictionError) -> str:
    """The line on which a document gets another grade than before."""
    lines = trec_columns.find_lines(source, trec_columns.QRELS, contradiction.topic, contradiction.document)
    line, text = next((line, text) for line, text in lines if int(text.split()[3]) != contradiction.before)
    return at(source.name, line, contradiction.why, text)


def _of_columns(columns: RunColumns, name: str) -> Qrels:
    topics, documents, grades, _, place = columns
    try:
        return Qrels.of_columns(topics, documents, grades, name)
    except ContradictionError:
        if place is None:
            raise
        row, before = columns.first_repetition(same=False)
        first = ContradictionError("", topics[row], documents[row], int(grades[before]), int(grades[row]))
        raise ConflictError(place(row, first.why)) from None


def write_qrels(qrels: Qrels, path: str | os.PathLike[str]) -> None:
    """Write relevance judgments to a file.

    Args:
        qrels: the judgments.
        path: the file; its ending says the format: .parquet, .json, else TREC lines; .gz, .xz, .zst or .bz2 packs.

    >>> write_qrels(read_qrels({"301": {"d1": 1}}), "qrels.txt")  # doctest: +SKIP
    """
    from .writing import format_by_ending, to_json, to_parquet, trec_text, write

    kind = format_by_ending(path)
    if kind == "parquet":
        columns = {"topic": qrels.topic_column(), "document": list(qrels.documents), "grade": qrels.grades}
        write(path, to_parquet(columns))
    elif kind == "json":
        write(path, to_json(qrels.to_dict()))
    else:
        write(path, trec_text(qrels_text(qrels)))


def qrels_text(qrels: Qrels) -> str:
    """Relevance judgments as TREC lines; an error if an id cannot stand in one."""
    from .writing import unwritable

    unwritable(qrels.topics, "topic", first=True)
    unwritable(list(qrels.documents), "document")
    return "".join(f"{topic} 0 {document} {grade}\n" for topic, document, grade in qrels.rows())
