"""Reading and writing judgments of spans: topic document from to, and perhaps a grade and the document's length."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from ..core.arguments import is_frame
from ..core.errors import ConflictError, DataError, at
from ..core.fallback import INTEGER
from ..core.likes import SpansLike
from ..core.qrels import Qrels
from ..core.span_judgments import SpanQrels, why_no_span
from ..core.strings import decode
from .nested import FROM, GRADE, TO, from_frame, identifier, whole_numbers
from .raw_file import fold_word, header_separator, looks_like_json, looks_like_parquet
from .source import Source, open_source

COLUMNS = ("topic", "document", "from", "to", "grade", "length")
LEAST = 4
NEITHER = "needs judgments of spans (topic, document, from, to)"
FORM = "{topic: {document: [[from, to], [from, to, grade]]}}"

Row = tuple[str, str, int, int, int]


def read_spans(source: SpansLike | Any, *, lengths: Mapping[str, int] | None = None) -> SpanQrels:
    """Read judgments of spans, by which measures of passages evaluate.

    Args:
        source: a path (``-`` is standard input), an open binary file, {topic: {document: [(from, to), …]}} with a grade
            as the third number if there is one, or a frame with the columns topic, document, from, to and perhaps grade
            and length. Files may be lines of these columns, JSON, Parquet, or CSV and TSV with a header, packed or not.
            ``from`` is the place of the first character, counted from 0, ``to`` the one behind the last; without a
            grade a span is relevant (1). The length is that of the document, and no span may end behind it.
        lengths: {document: characters}, of documents for which the source has none.

    >>> len(read_spans({"1": {"d1": [(0, 40), (90, 120)]}}))
    2
    """
    if isinstance(source, SpanQrels):
        return source
    if isinstance(source, Qrels) or type(source).__name__ == "SubtopicQrels":
        raise DataError(f"judgments of documents, where a measure of passages {NEITHER}")
    given = dict(lengths or {})
    if isinstance(source, Mapping):
        return SpanQrels.of_rows(list(_nested(source, "span judgments")), given)
    if is_frame(source):
        return _of_frame(source, "span judgments", given)
    opened = open_source(source)
    try:
        return _read(opened, given)
    finally:
        opened.close()


def _read(source: Source, lengths: dict[str, int]) -> SpanQrels:
    if looks_like_json(source):
        from .nested import parse_json

        return SpanQrels.of_rows(list(_nested(parse_json(source), source.name)), lengths, source.name)
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
        return _of_frame(frame, source.name, lengths)
    return SpanQrels.of_rows(list(_lines(source, lengths)), lengths, source.name)


def _lines(source: Source, lengths: dict[str, int]) -> Iterator[Row]:
    """Rows of a file of lines; what is wrong is said with the line."""
    seen: dict[tuple[str, str, int, int], int] = {}
    for number, line in enumerate(source.whole().split(b"\n"), 1):
        fields = line.split()
        if not fields or fields[0].startswith(b"#"):
            continue
        try:
            row, length = _row(fields)
            topic, document, begin, end, grade = row
            if length is not None and lengths.setdefault(document, length) != length:
                raise DataError(f"document {document} had {lengths[document]} characters before, now {length}")
            if why := why_no_span(document, begin, end, lengths.get(document)):
                raise DataError(why)
        except DataError as error:
            raise DataError(at(source.name, number, str(error), line)) from None
        if seen.setdefault(row[:4], grade) != grade:
            why = f"the span {begin}-{end} of document {document} was judged {seen[row[:4]]} before in topic {topic}"
            raise ConflictError(at(source.name, number, f"{why}, now {grade}", line))
        yield row


def _row(fields: list[bytes]) -> tuple[Row, int | None]:
    if not LEAST <= len(fields) <= len(COLUMNS):
        columns = "topic document from to, and perhaps grade and length"
        raise DataError(f"a judgment of a span has 4 to 6 columns ({columns}), this line has {len(fields)}")
    numbers: list[int] = []
    for name, token in zip(COLUMNS[2:], fields[2:], strict=False):
        if not INTEGER.fullmatch(token) or abs(int(token)) >= (2**31 if name == "grade" else 2**53):
            raise DataError(f"{name} is not a whole number")
        numbers.append(int(token))
    grade = numbers[2] if len(numbers) > 2 else 1
    length = numbers[3] if len(numbers) > 3 else None
    return (decode(fields[0]), decode(fields[1]), numbers[0], numbers[1], grade), length


def _nested(data: Any, name: str) -> Iterator[Row]:
    if not isinstance(data, Mapping):
        raise DataError(f"{name}: not of the form {FORM}")
    for key, of_topic in data.items():
        topic = identifier(key, "topic", name)
        if not isinstance(of_topic, Mapping):
            raise DataError(f"{name}: topic {topic} is not of the form {FORM}: a measure of passages {NEITHER}")
        for given, spans in of_topic.items():
            document = identifier(given, "document", f"{name}: topic {topic}")
            if isinstance(spans, str) or not hasattr(spans, "__iter__"):
                raise DataError(f"{name}: topic {topic} is not of the form {FORM}: a measure of passages {NEITHER}")
            for span in spans:
                numbers = list(span) if hasattr(span, "__iter__") and not isinstance(span, str) else []
                whole = all(hasattr(number, "__index__") and not isinstance(number, bool) for number in numbers)
                if len(numbers) not in {2, 3} or not whole:
                    what = f"{name}: a span of document {document} in topic {topic} is {span!r:.60}"
                    raise DataError(f"{what}, not [from, to] or [from, to, grade]")
                begin, end, *grade = map(int, numbers)
                yield topic, document, begin, end, grade[0] if grade else 1


def _of_frame(frame: Any, name: str, lengths: dict[str, int]) -> SpanQrels:
    columns = {fold_word(str(column)): column for column in frame.columns}

    def place(row: int, why: str) -> str:
        return f"{name}: row {row + 1}: {why}"

    bounds = []
    for kind, names in (("from", FROM), ("to", TO)):
        column = next((columns[word] for word in names if word in columns), None)
        if column is None:
            have = ", ".join(map(str, frame.columns))
            raise DataError(f"{name}: no column {kind} among: {have}: a measure of passages {NEITHER}")
        bounds.append(whole_numbers(frame[column], kind, place))
    graded = any(word in columns for word in GRADE)
    plain = from_frame(_with_grades(frame, graded), True, name)
    if "length" in columns:
        sizes = whole_numbers(frame[columns["length"]], "length", place)
        for row, (document, size) in enumerate(zip(plain.documents, sizes, strict=True)):
            if lengths.setdefault(document, size) != size:
                why = f"document {document} had {lengths[document]} characters before, now {size}"
                raise DataError(place(row, why))
    rows = list(zip(plain.topics, plain.documents, *bounds, plain.numbers.tolist(), strict=True))
    for number, (_, document, begin, end, _) in enumerate(rows):
        if why := why_no_span(document, begin, end, lengths.get(document)):
            raise DataError(place(number, why))
    return SpanQrels.of_rows(rows, lengths, name)


def _with_grades(frame: Any, graded: bool) -> Any:
    """The frame itself, or with a grade of 1 for all."""
    if graded:
        return frame
    if hasattr(frame, "with_columns"):
        import polars as pl

        return frame.with_columns(grade=pl.lit(1))
    return frame.assign(grade=1)


def write_spans(judgments: SpanQrels, path: str | os.PathLike[str]) -> None:
    """Write judgments of spans to a file.

    Args:
        judgments: the judgments of spans.
        path: the file; its ending says the format: .parquet, .json, else lines; .gz packs.

    >>> write_spans(read_spans({"1": {"d1": [(0, 40)]}}), "spans.txt")  # doctest: +SKIP
    """
    from .writing import format_by_ending, to_json, to_parquet, trec_text, unwritable, write

    rows = list(judgments.rows())
    kind = format_by_ending(path)
    if kind == "parquet":
        write(path, to_parquet(dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=False))))
    elif kind == "json":
        nested: dict[str, dict[str, list[list[int]]]] = {}
        for topic, document, *numbers in rows:
            nested.setdefault(topic, {}).setdefault(document, []).append(numbers)
        write(path, to_json(nested))
    else:
        unwritable([topic for topic, *_ in rows], "topic", first=True)
        unwritable([document for _, document, *_ in rows], "document")
        write(path, trec_text("".join(f"{t} {d} {begin} {end} {g}\n" for t, d, begin, end, g in rows)))
