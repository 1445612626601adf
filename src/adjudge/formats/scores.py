"""Reading scores: long tables (system, topic, measure, value), tables with a column for each measure, matrices of
topics × systems, our own JSON."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.arguments import is_file, is_frame, wrong_type
from ..core.errors import AdjudgeError, ConflictError, DataError, SpecError, at
from ..core.likes import ScoresLike
from ..core.measure import measures
from ..core.scores import Column, Scores
from ..core.strings import encode
from .nested import NUMBER, parse_json, ragged_line, why_no_identifier
from .nuggets import looks_like_nuggets, read_nuggets
from .parquet_tables import contained, first_line, read_parquet
from .raw_file import DOCUMENT, TOPIC, fold_word, header_separator, looks_like_json, looks_like_parquet
from .source import Source, open_source
from .writing import plain_cell

SYSTEM = ("system", "run", "runid", "tag")
VALUE = ("value", "score")
DECIMAL = rf"(?i)(?:{NUMBER})|[+-]?inf(?:inity)?"
"""Infinite values are numbers, which are refused together."""
ROOM, SPARSE = 2_000_000, 100
"""A table with more cells than this must fill one in so many: three columns of names that never repeat make a cube."""


def read_scores(source: ScoresLike | Source, *, measure: str | None = None) -> Scores:
    """Read scores: the value of each system on each topic, by one measure or several.

    Args:
        source: a path, ``-`` or an open binary file (CSV, TSV, Parquet, or what ``adjudge measure --per-topic`` wrote),
            a pandas or polars frame, {system: {topic: value}}, or scores. A long table has the columns system, topic,
            measure (optional) and value. A table with the columns system and topic and no value has a column for each
            measure. Any other table is a matrix with a column for each system and a row for each topic; a first column
            named topic holds their ids, else they are numbered. Nugget assignments are the scores that follow.
        measure: the name of what a table without a measure column holds.

    >>> read_scores({"bm25": {"1": 0.5, "2": 0.25}}, measure="ap").mean()
    {'bm25': {'ap': 0.375}}
    """
    if isinstance(source, Scores):
        return source
    if isinstance(source, Mapping):
        return _of_mapping(source, measure or "value")
    if is_frame(source):
        return _of_frame(Source("scores", b""), _text_frame(source), measure)
    if not is_file(source) and not isinstance(source, Source):
        raise wrong_type("scores", source)
    opened = open_source(source)
    if looks_like_nuggets(opened):
        return read_nuggets(opened).scores()
    if looks_like_json(opened):
        return _of_json(opened)
    return _of_frame(opened, _frame(opened), measure)


def _of_mapping(scores: Mapping[Any, Any], measure: str) -> Scores:
    """{system: {topic: value}}, or {system: {topic: {measure: value}}} as :meth:`Scores.to_dict` gives it."""
    rows: list[tuple[Any, Any, Any, Any]] = []
    for system, topics in scores.items():
        if not isinstance(topics, Mapping):
            raise wrong_type(f"the scores of {system}", topics, "{topic: value}")
        for topic, value in topics.items():
            several = value.items() if isinstance(value, Mapping) else [(measure, value)]
            rows += [(system, topic, name, number) for name, number in several]
    if not rows:
        raise DataError("scores: no score in it")
    return _assemble(Source("scores", b""), *(list(column) for column in zip(*rows, strict=True)))


def _text_frame(frame: Any) -> Any:
    """A frame of pandas or polars with names of columns that are text."""
    import polars as pl

    if not isinstance(frame, pl.DataFrame):
        frame = pl.DataFrame({str(column): frame[column].to_list() for column in frame.columns}, strict=False)
    return frame


def _of_frame(opened: Source, frame: Any, measure: str | None) -> Scores:
    names = {fold_word(column): column for column in frame.columns}
    long = [next((names[n] for n in known if n in names), None) for known in (SYSTEM, TOPIC, VALUE)]
    if all(long):
        of_measure = frame[names["measure"]].to_list() if "measure" in names else [measure or "value"] * len(frame)
        columns = [frame[name].to_list() for name in long]
        return _assemble(opened, columns[0], columns[1], of_measure, columns[2])
    if long[0] and long[1] and len(frame.columns) > 2:
        return _of_wide(opened, frame, long[0], long[1])
    return _of_matrix(opened, frame, names, measure or "value")


def _of_wide(source: Source, frame: Any, system: str, topic: str) -> Scores:
    """A column for each measure."""
    named = [column for column in frame.columns if column not in {system, topic}]
    systems, topics = frame[system].to_list() * len(named), frame[topic].to_list() * len(named)
    of_measure = [name for name in named for _ in range(len(frame))]
    return _assemble(source, systems, topics, of_measure, [value for name in named for value in frame[name].to_list()])


def holds_scores(path: Any) -> bool:
    """Whether a file is a table of scores and not a run, detected from its content.

    Parquet and tables with a header are runs if they have a column of documents; JSON holds scores if it has ``topics``
    and ``measures`` beside each other, as ``adjudge measure`` writes it; nugget assignments are scores; TREC lines are
    a run.
    """
    source = open_source(path)
    try:
        if looks_like_nuggets(source):
            return True
        if looks_like_json(source):
            data = parse_json(source)
            return isinstance(data, dict) and {"topics", "measures"} <= data.keys()
        if looks_like_parquet(source):
            import polars as pl

            raw = source.whole()
            schema = contained(lambda: pl.read_parquet_schema(io.BytesIO(raw)), source.name, len(raw))
            return not {fold_word(name) for name in schema} & set(DOCUMENT)
        if header_separator(source):
            return False
        head = bytes(source.text[source.begin : source.begin + 65536]).split(b"\n")[0].decode("utf-8", "replace")
        separator = max("\t,;", key=head.count)
        try:
            words = [] if head.lstrip().startswith("#") else next(csv.reader([head], delimiter=separator), [])
        except csv.Error:
            return False
        named = bool(words) and fold_word(words[0]) in {*TOPIC, *SYSTEM}
        return len(words) > 1 and (named or not any(re.fullmatch(NUMBER, word.strip()) for word in words))
    finally:
        source.close()


def _frame(source: Source) -> Any:
    import polars as pl

    try:
        if looks_like_parquet(source):
            return read_parquet(source, "a table")
        separator, names = _header(source)
        frame = pl.read_csv(source.whole(), separator=separator, infer_schema=False)
        if len(names) == len(frame.columns):
            frame.columns = [plain_cell(name) for name in names]  # polars leaves doubled quotes in a header as they are
        return frame
    except AdjudgeError:
        raise
    except (Exception, pl.exceptions.PanicException) as error:
        raise DataError(f"{source.name}: not readable as a table: {first_line(error)}") from None


def _header(source: Source) -> tuple[str, list[str]]:
    """Tab, comma or semicolon, and the names of the columns; refused if the first line is no header or a line has
    another number of columns."""
    head = source.whole().split(b"\n")[0].decode("utf-8", "replace").strip("\r")
    separator = max("\t,;", key=head.count)
    try:
        names = next(csv.reader([head], delimiter=separator))
    except csv.Error as error:
        raise DataError(at(source.name, 1, f"not a table: {error}")) from None
    if separator not in head and len(head.split()) > 1:
        raise DataError(
            at(source.name, 1, "a table of scores has columns between commas or tabs; is this a run?", head)
        )
    seen: set[str] = set()
    for name in names:
        if not name.strip():
            raise DataError(at(source.name, 1, "a column without a name", head))
        if name in seen:
            raise ConflictError(at(source.name, 1, f"two columns are named {name}", head))
        seen.add(name)
    if all(re.fullmatch(NUMBER, name) for name in names):
        raise DataError(at(source.name, 1, "numbers where the names of the systems should be", head))
    ragged = ragged_line(source, separator)
    if ragged:
        raise DataError(ragged)
    return separator, names


def _of_matrix(source: Source, frame: Any, names: dict[str, str], measure: str) -> Scores:
    label = next((names[n] for n in TOPIC if n in names), None)
    systems = [column for column in frame.columns if column != label]
    if not systems or not len(frame):
        raise DataError(f"{source.name}: a matrix of scores has a row for each topic and a column for each system")
    topics = [str(t) for t in frame[label].to_list()] if label else [str(t) for t in range(1, len(frame) + 1)]
    of_system = [s for s in systems for _ in topics]
    values = [value for s in systems for value in frame[s].to_list()]
    return _assemble(source, of_system, topics * len(systems), [measure] * len(values), values)


def _of_json(source: Source) -> Scores:
    try:
        rows = [
            (system, topic, measure, value)
            for system, topics in parse_json(source)["topics"].items()
            for topic, row in topics.items()
            for measure, value in row.items()
            if not isinstance(value, str)
        ]
    except (KeyError, AttributeError, TypeError):
        raise DataError(
            f"{source.name}: no scores by topic in it: write them with adjudge measure --per-topic"
        ) from None
    if not rows:
        raise DataError(f"{source.name}: no score in it")
    return _assemble(source, *(list(column) for column in zip(*rows, strict=True)))


def _assemble(source: Source, systems: list[Any], topics: list[Any], of: list[Any], values: list[Any]) -> Scores:
    systems, topics, of = (
        _names(source, column, kind) for column, kind in ((systems, "system"), (topics, "topic"), (of, "measure"))
    )
    system_places = {s: i for i, s in enumerate(dict.fromkeys(systems))}
    topic_names = sorted(set(topics), key=encode)
    topic_places = {t: i for i, t in enumerate(topic_names)}
    measure_places = {m: i for i, m in enumerate(dict.fromkeys(of))}
    cells = len(system_places) * len(topic_places) * len(measure_places)
    if cells > ROOM and cells > SPARSE * len(values):
        many = f"{len(system_places):,} systems, {len(topic_places):,} topics and {len(measure_places):,} measures"
        raise DataError(f"{source.name}: {len(values):,} values for {many}: this is not a table of scores")
    array = np.full((len(system_places), len(topic_places), len(measure_places)), np.nan)
    filled = np.zeros(array.shape, bool)
    for row, (s, t, m, value) in enumerate(zip(systems, topics, of, values, strict=True)):
        place = system_places[s], topic_places[t], measure_places[m]
        if filled[place]:
            raise ConflictError(f"{source.name}: {m} of {s} on topic {t} is given twice")
        filled[place] = True
        try:
            array[place] = _number(value)
        except (TypeError, ValueError, OverflowError):
            why = f"{m} of {s} on topic {t} is not a number: {repr(value)[:50]}"
            raise DataError(f"{source.name}: row {row + 1}: {why}") from None
    if np.isinf(array).any():
        raise DataError(f"{source.name}: infinite values cannot be averaged")
    columns = tuple(_column(name) for name in measure_places)
    return Scores(array, tuple(system_places), tuple(topic_names), columns)


def _names(source: Source, column: list[Any], kind: str) -> list[str]:
    """Names of systems, topics or measures as texts; one line with the first row that has none."""
    if set(map(type, column)) <= {str} and all(column) and _is_text("".join(column)):
        return [plain_cell(name) for name in column] if any(name[0] == "'" for name in column) else column
    for row, value in enumerate(column):
        if why := why_no_identifier(value, kind):
            raise DataError(f"{source.name}: row {row + 1}: {why}")
    return list(map(str, column))


def _is_text(names: str) -> bool:
    try:
        encode(names)
    except UnicodeEncodeError:
        return False
    return True


def _number(value: Any) -> float:
    """A number, or text that is one in decimals; NaN where there is none. Python would read 1_0 as 10."""
    if value is None or (isinstance(value, str) and value.strip().lower() in {"", "na", "nan"}):
        return np.nan
    if isinstance(value, bool) or (isinstance(value, str) and not re.fullmatch(DECIMAL, value.strip())):
        raise ValueError(value)
    return float(value)


def _column(name: str) -> Column:
    try:
        return measures.column(name)[0]
    except SpecError:  # scores of another program may be of a measure that we do not have
        return Column(name, name)


def write_scores(scores: Scores, path: str | os.PathLike[str]) -> None:
    """Write scores to a file, one row for each system, topic and measure.

    Args:
        scores: the scores.
        path: the file; its ending says the format: .csv, .tsv or .parquet; .gz, .xz, .zst or .bz2 packs text.

    >>> write_scores(read_scores({"bm25": {"1": 0.5}}), "scores.csv")  # doctest: +SKIP
    """
    import polars as pl

    from .writing import csv_cell, to_parquet, write

    name = os.fspath(path).lower()
    for packed in (".gz", ".xz", ".zst", ".bz2"):
        name = name.removesuffix(packed)
    frame: pl.DataFrame = scores.to_polars()
    if name.endswith(".parquet"):
        write(path, to_parquet({column: frame[column] for column in frame.columns}))
    elif name.endswith((".csv", ".tsv")):
        texts = [column for column, kind in frame.schema.items() if kind == pl.String]
        cells = [pl.Series(column, map(csv_cell, frame[column]), pl.String) for column in texts]
        table = frame.with_columns(cells).write_csv(separator="\t" if name.endswith(".tsv") else ",")
        write(path, table.encode())
    else:
        raise SpecError(f"{os.fspath(path)}: scores are written as .csv, .tsv or .parquet")
