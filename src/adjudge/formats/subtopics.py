"""Reading and writing subtopic judgments, as the diversity tasks of TREC have them: topic subtopic document grade."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from ..core.arguments import is_frame
from ..core.errors import ConflictError, DataError, at
from ..core.fallback import INTEGER
from ..core.qrels import Qrels
from ..core.strings import decode
from ..core.subtopics import SubtopicQrels
from .preferences import lines_of
from .raw_file import fold_word, header_separator, looks_like_json, looks_like_parquet
from .source import Source, open_source

COLUMNS = ("topic", "subtopic", "document", "grade")
SUBTOPIC = ("subtopic", "subtopicid", "intent", "intentid", "nugget", "aspect", "iteration")
MANY = 100
"""Judgments of subtopics, from which on some document has two: assessors judge a document for every subtopic."""
NEITHER = "needs subtopic judgments (topic, subtopic, document, grade)"


def read_subtopics(source: Any) -> SubtopicQrels:
    """Read subtopic judgments, by which measures of diversity evaluate.

    Args:
        source: a path (``-`` is standard input), an open binary file, {topic: {subtopic: {document: grade}}}, or a
            frame with a column subtopic. Files may be TREC lines, JSON, Parquet, or CSV and TSV with a header, plain or
            packed with gzip, xz, zstd or bzip2.

    >>> len(read_subtopics({"1": {"a": {"d1": 1}, "b": {"d2": 1}}}))
    2
    """
    if isinstance(source, SubtopicQrels):
        return source
    if isinstance(source, Qrels):
        raise DataError(f"plain judgments, where a measure of diversity {NEITHER}")
    if isinstance(source, Mapping):
        return _of_nested(source, "subtopic judgments")
    if is_frame(source):
        return _of_frame(source, "subtopic judgments")
    opened = open_source(source)
    try:
        return _read(opened)
    finally:
        opened.close()


def _read(source: Source) -> SubtopicQrels:
    if looks_like_json(source):
        from .nested import parse_json

        return _of_nested(parse_json(source), source.name)
    separator = header_separator(source)
    if looks_like_parquet(source) or separator:
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
    rows = list(_rows(source))
    _refuse_plain(rows, source.name)
    topics, subtopics, documents, grades = (list(column) for column in zip(*rows, strict=True))
    return SubtopicQrels.of_columns(topics, subtopics, documents, grades, source.name)


def _refuse_plain(rows: list[tuple[str, str, str, int]], name: str) -> None:
    """Raise a DataError for plain judgments: their second column is constant, or a round or pool of the judgment."""
    values = {subtopic for _, subtopic, _, _ in rows}
    if len(values) == 1 and values <= {"0", "Q0"}:
        only = next(iter(values))
        raise DataError(f"{name}: plain judgments, column 2 is {only} throughout: a measure of diversity {NEITHER}")
    if (
        len(rows) >= MANY
        and len(values) > 1
        and len({(topic, document) for topic, _, document, _ in rows}) == len(rows)
    ):
        why = "no document is judged for two subtopics, so column 2 does not look like one"
        way = "if it is, give the judgments as JSON, or with a header that names the column subtopic"
        raise DataError(f"{name}: {why}: a measure of diversity {NEITHER}; {way}")


def _rows(source: Source) -> Iterator[tuple[str, str, str, int]]:
    seen: dict[tuple[str, str, str], int] = {}
    for number, line, fields in lines_of(source, "subtopic judgment", COLUMNS):
        if not INTEGER.fullmatch(fields[3]) or abs(int(fields[3])) >= 2**31:
            raise DataError(at(source.name, number, "the grade is not a whole number", line))
        topic, subtopic, document = map(decode, fields[:3])
        grade = int(fields[3])
        known = seen.setdefault((topic, subtopic, document), grade)
        if known != grade:
            why = f"document {document} was judged {known} before for subtopic {subtopic} of topic {topic}, now {grade}"
            raise ConflictError(at(source.name, number, why, line))
        yield topic, subtopic, document, grade


def _of_nested(data: Any, name: str) -> SubtopicQrels:
    from .nested import from_dict

    if not isinstance(data, Mapping):
        raise DataError(f"{name}: not of the form {{topic: {{subtopic: {{document: grade}}}}}}")
    topics: list[str] = []
    subtopics: list[str] = []
    documents: list[str] = []
    grades: list[int] = []
    for topic, of_topic in data.items():
        if not isinstance(of_topic, Mapping) or not all(isinstance(docs, Mapping) for docs in of_topic.values()):
            form = "{topic: {subtopic: {document: grade}}}"
            raise DataError(f"{name}: topic {topic} is not of the form {form}: a measure of diversity {NEITHER}")
        columns = from_dict(of_topic, True, f"{name}: topic {topic}")
        topics.extend([str(topic)] * len(columns.topics))
        subtopics.extend(columns.topics)
        documents.extend(columns.documents)
        grades.extend(columns.numbers.tolist())
    return SubtopicQrels.of_columns(topics, subtopics, documents, grades, name)


def _of_frame(frame: Any, name: str) -> SubtopicQrels:
    from .nested import from_frame

    column = next((c for word in SUBTOPIC for c in frame.columns if fold_word(str(c)) == word), None)
    if column is None:
        have = ", ".join(map(str, frame.columns))
        raise DataError(f"{name}: no subtopic column among: {have}: a measure of diversity {NEITHER}")
    columns = from_frame(frame, True, name)
    subtopics = [str(value) for value in frame[column].to_list()]
    return SubtopicQrels.of_columns(columns.topics, subtopics, columns.documents, columns.numbers.tolist(), name)


def write_subtopics(judgments: SubtopicQrels, path: str | os.PathLike[str]) -> None:
    """Write subtopic judgments to a file.

    Args:
        judgments: the subtopic judgments.
        path: the file; its ending says the format: .parquet, .json, else TREC lines; .gz packs.

    >>> write_subtopics(read_subtopics({"1": {"a": {"d1": 1}}}), "subtopics.txt")  # doctest: +SKIP
    """
    from .writing import format_by_ending, to_json, to_parquet, trec_text, unwritable, write

    rows = list(judgments.rows())
    kind = format_by_ending(path)
    if kind == "parquet":
        write(path, to_parquet(dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True))))
    elif kind == "json":
        nested: dict[str, dict[str, dict[str, int]]] = {}
        for topic, subtopic, document, grade in rows:
            nested.setdefault(topic, {}).setdefault(subtopic, {})[document] = grade
        write(path, to_json(nested))
    else:
        unwritable([topic for topic, _, _, _ in rows], "topic", first=True)
        unwritable([subtopic for _, subtopic, _, _ in rows], "subtopic")
        unwritable([document for _, _, document, _ in rows], "document")
        write(path, trec_text("".join(f"{t} {s} {d} {g}\n" for t, s, d, g in rows)))
