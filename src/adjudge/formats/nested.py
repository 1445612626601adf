"""Nested dicts and frames: {topic: {document: number}} as pytrec_eval and ranx use it, CSV, Parquet, polars, pandas."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.errors import AdjudgeError, ConflictError, DataError, at
from ..core.strings import CodedStrings, Strings, encode
from .raw_file import DOCUMENT, TOPIC, fold_word
from .source import RunColumns, Source

if TYPE_CHECKING:
    import numpy.typing as npt

SCORE = ("score", "sim", "rsv", "value")
GRADE = ("grade", "relevance", "rel", "label", "judgment", "score", "value")
TAG = ("tag", "run", "runid", "system", "name")
BESIDE = ({"docno", "docid"}, {"qid", "query"}, {"queryid", "query"}, {"grade", "score"}, {"relevance", "score"})
"""Columns that are known to stand beside each other with different meanings; any other two candidates are ambiguous."""

NAN = float("nan")
HALF = re.compile(rb"\\u[dD][89a-fA-F]")
"""How JSON escapes half of a surrogate pair."""
NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"


def unique_keys(source: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object, refused if it has a key twice."""
    record: dict[str, Any] = dict(pairs)
    if len(record) == len(pairs):
        return record
    record = {}
    for key, value in pairs:
        if key in record:
            raise ConflictError(f"{source}: the key {key!r} occurs twice in one object")
        record[key] = value
    return record


def parse_json(source: Source) -> Any:
    try:
        value = json.loads(source.whole(), object_pairs_hook=lambda pairs: unique_keys(source.name, pairs))
        return refuse_half_characters(value, source)
    except AdjudgeError:  # a key that occurs twice, or half a character
        raise
    except json.JSONDecodeError as error:
        numbered = source.name.rpartition(":")[2].isdigit()  # one line of a file, which has its number in its name
        raise DataError(at(source.name, None if numbered else error.lineno, f"not JSON: {error.msg}")) from None
    except UnicodeDecodeError as error:
        raise DataError(f"{source.name}: not UTF-8 at byte {error.start}") from None
    except RecursionError:
        raise DataError(f"{source.name}: JSON nested too deeply") from None
    except ValueError as error:  # a whole number with thousands of digits
        raise DataError(f"{source.name}: {error}") from None


def refuse_half_characters(value: Any, source: Source) -> Any:
    """A value of JSON, refused if an escape in it is half a surrogate pair, which no file can be written with."""
    if HALF.search(source.text):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            half = f"\\u{ord(error.object[error.start]):04x}"
            raise DataError(f"{source.name}: {half} is not valid Unicode: half of a surrogate pair") from None
    return value


def from_json(source: Source, integer: bool) -> RunColumns:
    return from_dict(parse_json(source), integer, source.name)


def identifier(value: Any, kind: str, place: str) -> str:
    """Identifiers are strings, or whole numbers that can be written as such; 1.0, NaN and None are none."""
    if why := why_no_identifier(value, kind):
        raise DataError(f"{place}: {why}")
    return str(value)


def why_no_identifier(value: Any, kind: str) -> str:
    """What is wrong with a value that should be an identifier; empty if nothing is."""
    if type(value) is str and value and value.isascii():  # nearly all
        return ""
    if value is None or value == "":
        return f"no {kind}"
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not whole and not isinstance(value, str):
        return f"the {kind} is {repr(value)[:50]}, not a string or a whole number"
    try:
        str(value).encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return f"the {kind} {str(value)!r} is not valid Unicode"
    return ""


def from_dict(data: Any, integer: bool, name: str) -> RunColumns:
    topics: list[str] = []
    documents: list[str] = []
    values: list[float] = []
    what = "grade" if integer else "score"
    if not isinstance(data, Mapping):
        raise DataError(f"{name}: not of the form {{topic: {{document: {what}}}}}")
    for key, ranking in data.items():
        topic = identifier(key, "topic", name)
        if not isinstance(ranking, Mapping):
            raise DataError(f"{name}: topic {topic} is not of the form {{document: {what}}}")
        topics.extend([topic] * len(ranking))
        documents.extend(identifier(document, "document", f"{name}: topic {topic}") for document in ranking)
        for document, value in ranking.items():
            number = NAN if isinstance(value, str) else _value(value)
            if math.isnan(number):
                wrong = f"the {what} of document {document} in topic {topic} is {repr(value)[:50]}"
                raise DataError(f"{name}: {wrong}, not a {'whole' if integer else 'finite'} number")
            values.append(number)
    return RunColumns(topics, documents, _numbers(np.array(values), integer, name, topics, documents))


def _numbers(
    array: npt.NDArray[np.float64], integer: bool, name: str, topics: list[str], documents: list[str]
) -> npt.NDArray[Any]:
    wrong = np.flatnonzero(bad_numbers(array, integer))
    if len(wrong):
        i = int(wrong[0])
        what, kind = ("grade", "whole") if integer else ("score", "finite")
        raise DataError(
            f"{name}: the {what} of document {documents[i]} in topic {topics[i]} is {array[i]}, not a {kind} number"
        )
    return array.astype(np.int32) if integer else array


def bad_numbers(array: npt.NDArray[np.float64], integer: bool) -> npt.NDArray[np.bool_]:
    bad = ~np.isfinite(array)
    if integer:
        with np.errstate(invalid="ignore"):
            bad |= (array != np.floor(array)) | (np.abs(array) >= 2**31)
    return bad


def from_parquet(source: Source, integer: bool, *, spans: bool = False) -> RunColumns:
    from .parquet_tables import contained, read_parquet

    frame = read_parquet(source)
    return contained(lambda: from_frame(frame, integer, source.name, spans=spans), source.name, len(source.text))


def from_delimited(source: Source, separator: str, integer: bool, *, spans: bool = False) -> RunColumns:
    import polars as pl

    from .parquet_tables import first_line

    head = bytes(source.text[source.begin : source.begin + 4096]).split(b"\n")[0].decode("utf-8", "replace")
    words = [fold_word(word) for word in head.split(separator)]
    if twice := next((word for word in words if word and words.count(word) > 1), None):
        raise DataError(f"{source.name}: two columns are called {twice}")  # polars would give one another name
    try:
        frame = pl.read_csv(source.whole(), separator=separator, infer_schema=False)
    except (Exception, pl.exceptions.PanicException) as error:
        raise DataError(ragged_line(source, separator) or f"{source.name}: {first_line(error)}") from None
    return from_frame(
        frame, integer, source.name, line_of=lambda row: delimited_line(source, separator, row), spans=spans
    )


def delimited_line(source: Source, separator: str, row: int) -> tuple[int, str]:
    """Number and text of the line on which a row of a delimited file ends. Slow: for error messages."""
    text = source.whole().decode("utf-8", "replace")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    with suppress(csv.Error):
        for place, _ in enumerate(reader):
            if place == row + 1:  # the header is row -1
                return reader.line_num, _line(text, reader.line_num)
    return 0, ""


def _line(text: str, number: int) -> str:
    """The line of a text with that number, as the csv module counts lines: a carriage return ends one, too."""
    return next(islice(io.StringIO(text, newline=None), number - 1, None), "").rstrip("\n")


def ragged_line(source: Source, separator: str) -> str | None:
    """The line that has another number of columns than the header."""
    text = source.whole().decode("utf-8", "replace")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        width = len(next(reader, []))
        for fields in reader:
            if fields and len(fields) != width:
                line = reader.line_num
                why = f"the header has {width} columns, this line {len(fields)}"
                return at(source.name, line, why, _line(text, line))
    except csv.Error as error:
        return at(source.name, reader.line_num, f"not a table: {error}")
    return None


def from_frame(
    frame: Any, integer: bool, name: str, line_of: Any = None, *, ordered: bool = True, spans: bool = False
) -> RunColumns:
    """Columns of a polars or pandas frame, found by their names; without an order errors do not number rows.

    With ``spans`` the columns from and to, if both are there, are joined with the document as DOCUMENT:FROM-TO.
    """
    columns = folded_columns(frame.columns, name)

    def pick(kind: str, names: tuple[str, ...]) -> str:
        return pick_column(columns, kind, names, name)

    def place(row: int, why: str) -> str:
        if line_of is None:
            return f"{name}: row {row + 1}: {why}" if ordered else f"{name}: {why}"
        line, text = line_of(row)
        return at(name, line, why, text)

    pair = [pick("topic", TOPIC), pick("document", DOCUMENT)]
    topics = _identifiers(frame[pair[0]], "topic", place)
    documents = _identifiers(frame[pair[1]], "document", place)
    bounds = [next((columns[word] for word in names if word in columns), None) for names in (FROM, TO)]
    if spans and None not in bounds:
        documents = _with_spans(documents, [frame[bound] for bound in bounds], place)
    what, column = ("grade", pick("grade", GRADE)) if integer else ("score", pick("score", SCORE))
    values = _values(frame[column])
    wrong = np.flatnonzero(bad_numbers(values, integer))
    if len(wrong):
        raise DataError(place(int(wrong[0]), f"the {what} is not a {'whole' if integer else 'finite'} number"))
    tag = _tag(frame, next((columns[t] for t in TAG if t in columns), None), name, several=integer)
    numbers = values.astype(np.int32) if integer else values
    return RunColumns(topics, documents, numbers, None if tag is None else str(tag), place)


def folded_columns(names: Sequence[str], source: str) -> dict[str, str]:
    """{name, white space, case and punctuation apart: name} of the columns of a table."""
    columns: dict[str, str] = {}
    for column in names:
        if fold_word(str(column)) in columns:
            raise DataError(
                f"{source}: both {columns[fold_word(str(column))]} and {column} could be meant by one column"
            )
        columns[fold_word(str(column))] = column
    return columns


def pick_column(columns: Mapping[str, str], kind: str, names: tuple[str, ...], source: str) -> str:
    """The column that is meant by the first of some names that is there."""
    there = [candidate for candidate in names if candidate in columns]
    if not there:
        have = ", ".join(map(str, columns.values()))
        raise DataError(f"{source}: no {kind} column (one of {', '.join(names)}) among: {have}")
    if len(there) > 1 and set(there[:2]) not in BESIDE:
        raise DataError(f"{source}: both {columns[there[0]]} and {columns[there[1]]} could be the {kind} column")
    return columns[there[0]]


FROM = ("from", "start", "begin", "spanstart", "spanbegin")
TO = ("to", "end", "stop", "spanend")
"""Columns of the first character of a span and of the one behind its last."""


def _with_spans(documents: Sequence[str], bounds: list[Any], place: Any) -> list[str]:
    from ..core.span_judgments import passage_id

    begins, ends = (whole_numbers(series, name, place) for series, name in zip(bounds, ("from", "to"), strict=True))
    return [passage_id(*passage) for passage in zip(documents, begins, ends, strict=True)]


def whole_numbers(series: Any, name: str, place: Any) -> list[int]:
    """The whole numbers of a column, or an error that names the row of one that is none."""
    values = _values(series)
    with np.errstate(invalid="ignore"):
        wrong = np.flatnonzero(~np.isfinite(values) | (values != np.floor(values)) | (np.abs(values) > 2**53))
    if len(wrong):
        raise DataError(place(int(wrong[0]), f"{name} is not a whole number"))
    return [int(value) for value in values]


def _tag(frame: Any, column: str | None, name: str, *, several: bool) -> Any:
    """What the last row says of where it comes from; an error if the rows are of several runs."""
    if column is None or not len(frame):
        return None
    tags = sorted(map(str, frame[column].unique()))
    if len(tags) > 1 and fold_word(column) != "name" and not several:  # a column of names may be of anything
        raise DataError(f"{name}: rows of {len(tags)} runs ({tags[0]} and others): give each one a file")
    return frame[column].to_list()[-1] if not is_polars(frame) else frame[column][-1]


def is_polars(thing: Any) -> bool:
    return type(thing).__module__.startswith("polars")


def is_text(series: Any) -> bool:
    """Whether this is a column of polars that has a text in every row."""
    return is_polars(series) and str(series.dtype) == "String" and not series.null_count()


def plain_strings(series: Any) -> Strings | None:
    """A column of texts none of which is empty, without a Python string for each; None for any other."""
    if not is_text(series) or not len(series):
        return None
    lengths = series.str.len_bytes().to_numpy()
    if not lengths.all():
        return None
    data = np.frombuffer(encode(series.str.join("")[0]), np.uint8)
    lengths = lengths.astype(np.int64)
    return Strings(data, np.cumsum(lengths) - lengths, lengths.astype(np.int32))


def coded_strings(series: Any) -> CodedStrings | None:
    """The same of a column in which a text mostly has the same below it, as topics do."""
    if not is_text(series) or not len(series):
        return None
    blocks = series.rle()
    texts = blocks.struct.field("value").to_list()
    if not all(texts) or len(texts) > len(series) // 4 + 1:
        return None
    seen: dict[str, int] = {}
    codes = np.fromiter((seen.setdefault(text, len(seen)) for text in texts), np.int64, len(texts))
    return CodedStrings(tuple(seen), np.repeat(codes, blocks.struct.field("len").to_numpy()))


def _identifiers(series: Any, kind: str, place: Any) -> Sequence[str]:
    plain = coded_strings(series) if kind == "topic" else plain_strings(series)
    if plain is not None:
        return plain
    listed: list[Any] = series.to_list()
    if set(map(type, listed)) <= {str} and all(listed):
        return listed
    for row, value in enumerate(listed):
        if why := why_no_identifier(value, kind):
            raise DataError(place(row, why))
        listed[row] = str(value)
    return listed


def _values(series: Any) -> npt.NDArray[np.float64]:
    """Numbers of a column; NaN for anything else. Text must be a decimal number, so not 1_0."""
    if is_polars(series) and (series.dtype.is_float() or series.dtype.is_integer()):
        exact: npt.NDArray[np.float64] = series.cast(float).fill_null(NAN).to_numpy().copy()
        return exact
    listed = [] if is_text(series) else series.to_list()
    kinds = set(map(type, listed))
    if listed and kinds <= {int, float}:
        return np.array(listed, float)
    if is_polars(series) and is_text(series):
        text = series.str.strip_chars()
        numbers: npt.NDArray[np.float64] = text.cast(float, strict=False).fill_null(NAN).to_numpy().copy()
        numbers[~text.str.contains(NUMBER).to_numpy()] = np.nan
        return numbers
    return np.array([_value(value) for value in listed], float)


def _value(value: Any) -> float:
    """A number as it is, text if it is a decimal number, NaN for anything else."""
    if isinstance(value, str):
        return float(value) if re.fullmatch(NUMBER, value.strip()) else NAN
    try:
        return NAN if value is None or isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        return NAN
