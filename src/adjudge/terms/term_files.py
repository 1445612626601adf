"""Terms in files: Parquet, CSV or one JSON object a line, as the ending says; read back by what the file holds.

class       riemannian manifold
frequency   13
c_value     12.5
nc_value    empty if it was not asked for
forms       [{"form": "Riemannian manifold", "frequency": 9}, …], in CSV as JSON
"""

from __future__ import annotations

import io
import json
import math
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.errors import AdjudgeError, DataError, SpecError, at
from ..formats.nested import parse_json
from ..formats.parquet_tables import first_line, read_parquet
from ..formats.raw_file import looks_like_json, looks_like_parquet
from ..formats.source import Source, open_source
from ..formats.writing import PACKERS, csv_cell, plain_cell, write
from .terms import Term, Terms

if TYPE_CHECKING:
    import polars as pl

KINDS = (".parquet", ".csv", ".jsonl")
LARGEST = 2**62
COLUMNS = ("class", "frequency", "c_value", "nc_value", "forms")


def kind_of(path: str | os.PathLike[str]) -> str:
    """What a file of that name holds; an error if terms are not written so."""
    stem, ending = os.path.splitext(os.fspath(path).lower())
    if ending in PACKERS:
        ending = os.path.splitext(stem)[1]
    if ending not in KINDS:
        raise SpecError(f"{path}: terms are written as {', '.join(KINDS)}")
    return ending


def write_terms(terms: Terms, path: str | os.PathLike[str]) -> None:
    """Write technical terms to a file, in one step.

    Args:
        terms: what :func:`adjudge.extract_terms` returns.
        path: the file; its ending says the format: .parquet, .csv or .jsonl.

    >>> write_terms(read_terms("terms.parquet"), "terms.csv")  # doctest: +SKIP
    """
    kind = kind_of(path)
    data = _parquet(terms) if kind == ".parquet" else _csv(terms) if kind == ".csv" else _jsonl(terms)
    write(path, data)


def _parquet(terms: Terms) -> bytes:
    import polars as pl

    of = np.repeat(np.arange(len(terms)), np.diff(terms.offsets))
    forms = pl.DataFrame({"of": of, "form": list(terms.forms), "frequency": terms.form_frequencies})
    listed = forms.group_by("of", maintain_order=True).agg(pl.struct("form", "frequency").alias("forms"))
    nc = pl.Series("nc_value", terms.nc_values, pl.Float64) if terms.nc_values is not None else None
    frame = pl.DataFrame(
        {
            "class": list(terms.names),
            "frequency": terms.frequencies,
            "c_value": terms.c_values,
            "nc_value": pl.Series([None] * len(terms), dtype=pl.Float64) if nc is None else nc.fill_nan(None),
            "forms": listed["forms"],
        }
    )
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()


def _record(term: Term) -> dict[str, Any]:
    nc = None if math.isnan(term.nc_value) else term.nc_value
    forms = [{"form": form, "frequency": number} for form, number in term.forms.items()]
    return dict(zip(COLUMNS, (term.name, term.frequency, term.c_value, nc, forms), strict=True))


def _jsonl(terms: Terms) -> bytes:
    return "".join(json.dumps(_record(term), ensure_ascii=False) + "\n" for term in terms).encode()


def _csv(terms: Terms) -> bytes:
    import csv

    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(COLUMNS)
    for record in map(_record, terms):
        rows.writerow([*map(csv_cell, list(record.values())[:-1]), json.dumps(record["forms"], ensure_ascii=False)])
    return out.getvalue().encode()


def read_terms(source: Any) -> Terms:
    """Read technical terms that were written to a file.

    Args:
        source: a path, ``-`` or an open binary file, packed or not; the content decides what it holds.

    >>> read_terms("terms.parquet")[0].name  # doctest: +SKIP
    """
    opened = open_source(source)
    try:
        if looks_like_parquet(opened):
            return _of_parquet(opened)
        if looks_like_json(opened):
            return Terms.of([_of_line(opened, n, line) for n, line in _lines(opened)], opened.name)
        return _of_csv(opened)
    finally:
        opened.close()


def _lines(source: Source) -> list[tuple[int, str]]:
    return [(n, line) for n, line in enumerate(_text(source).split("\n"), 1) if line.strip()]


def _text(source: Source) -> str:
    try:
        return source.whole().decode()
    except UnicodeDecodeError as error:
        raise DataError(f"{source.name}: not UTF-8 at byte {error.start}") from None


def _of_line(source: Source, number: int, line: str) -> Term:
    record = parse_json(Source(f"{source.name}:{number}", line.encode()))
    if not isinstance(record, dict):
        raise DataError(at(source.name, number, "not a JSON object", line))
    return _of_record(record, f"{source.name}:{number}")


def _of_csv(source: Source) -> Terms:
    import csv

    rows = csv.reader(io.StringIO(_text(source), newline=""), strict=True)
    try:
        header = [name.strip() for name in next(rows, [])]
        lacking = [name for name in COLUMNS if name not in header and name != "nc_value"]
        if lacking:
            raise DataError(at(source.name, 1, f"no column {lacking[0]}: a table of terms has {', '.join(COLUMNS)}"))
        if len(set(header)) < len(header):
            raise DataError(at(source.name, 1, "a column occurs twice"))
        terms = []
        for row in rows:
            if not row:
                continue
            place = f"{source.name}:{rows.line_num}"
            if len(row) != len(header):
                raise DataError(f"{place}: {len(header)} columns expected, {len(row)} found")
            record: dict[str, Any] = dict(zip(header, row, strict=True))
            record["class"] = plain_cell(record["class"])
            record["forms"] = parse_json(Source(place, record["forms"].encode()))
            terms.append(
                _of_record(record | {k: _number(record[k], k, place) for k in COLUMNS[1:4] if k in record}, place)
            )
    except csv.Error as error:
        raise DataError(f"{source.name}:{rows.line_num}: not CSV: {error}") from None
    return Terms.of(terms, source.name)


def _number(text: str, name: str, place: str) -> float | int | None:
    if not text:
        return None
    try:
        if "_" in text or not text.isascii():  # Python would read 1_0 as 10
            raise ValueError
        return int(text) if name == "frequency" else float(text)
    except ValueError:
        raise DataError(f"{place}: {name} is {text[:50]!r}, not a number") from None


def _of_record(record: dict[str, Any], place: str) -> Term:
    def number(name: str, kinds: tuple[type, ...], value: Any) -> Any:
        fine = isinstance(value, kinds) and not isinstance(value, bool)
        if not fine or (isinstance(value, int) and abs(value) > LARGEST):
            raise DataError(f"{place}: {name} is {repr(value)[:50]}, not a number")
        return value

    name, forms, nc = record.get("class"), record.get("forms"), record.get("nc_value")
    if not isinstance(name, str):
        raise DataError(f"{place}: class is {repr(name)[:50]}, not a text")
    if not isinstance(forms, list):
        raise DataError(f"{place}: forms are {repr(forms)[:50]}, not a list of forms with frequencies")
    frequencies: dict[str, int] = {}
    for each in forms:
        form = each.get("form") if isinstance(each, dict) else None
        if not isinstance(form, str) or form in frequencies:
            raise DataError(f"{place}: {repr(each)[:80]} is not a form with a frequency, or occurs twice")
        frequencies[form] = number("the frequency of a form", (int,), each.get("frequency"))
    return Term(
        name,
        number("frequency", (int,), record.get("frequency")),
        float(number("c_value", (int, float), record.get("c_value"))),
        math.nan if nc is None else float(number("nc_value", (int, float), nc)),
        frequencies,
    )


def _of_parquet(source: Source) -> Terms:
    import polars as pl

    try:
        frame = read_parquet(source, "a table of terms")
        lacking = [name for name in COLUMNS if name not in frame.columns]
        if lacking:
            raise DataError(f"{source.name}: no column {lacking[0]}: a table of terms has {', '.join(COLUMNS)}")
        for name in COLUMNS[:3]:
            if frame[name].null_count():
                raise DataError(f"{source.name}: a term without {name}")
        sizes = frame["forms"].list.len().fill_null(0).to_numpy()
        flat = frame["forms"].explode(empty_as_null=False, keep_nulls=False).struct.unnest()
        # A cast would make 2 of 2.7, and 1 of true.
        _refuse(source, frame["class"], frame["class"].dtype == pl.String, "text")
        _refuse(source, frame["c_value"], frame["c_value"].dtype.is_numeric(), "numbers")
        for column in (frame["frequency"], flat["frequency"]):
            _refuse(source, column, column.dtype.is_integer(), "whole numbers")
        of = np.repeat(np.arange(len(frame)), sizes)
        twice = pl.DataFrame({"of": of, "form": flat["form"]}).is_duplicated().arg_true()
        if len(twice):
            raise DataError(f"{source.name}: the form {flat['form'][twice[0]]!r} of a term occurs twice")
        return Terms(
            frame["class"].to_list(),
            frame["frequency"].cast(pl.Int64, strict=True).to_numpy(),
            frame["c_value"].cast(pl.Float64, strict=True).to_numpy(),
            None
            if frame["nc_value"].is_null().all()
            else frame["nc_value"].cast(pl.Float64).fill_null(math.nan).to_numpy(),
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            flat["form"].cast(pl.String, strict=True).fill_null("").to_list(),
            flat["frequency"].cast(pl.Int64, strict=True).fill_null(0).to_numpy(),
        ).validate(source.name)
    except AdjudgeError:
        raise
    except (Exception, pl.exceptions.PanicException) as error:  # a panic, which damaged files cause, is no Exception
        raise DataError(f"{source.name}: not readable as a table of terms: {first_line(error)}") from None


def _refuse(source: Source, column: pl.Series, fine: bool, what: str) -> None:
    if not fine:
        raise DataError(f"{source.name}: {column.name} has {column.dtype}, not {what}")
