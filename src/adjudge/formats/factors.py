"""Reading factors: a table that names the components of each system, a column for each factor."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping
from typing import Any

from ..core.arguments import is_file, is_frame, wrong_type
from ..core.errors import ConflictError, DataError, at
from .nested import parse_json
from .raw_file import fold_word, looks_like_json
from .source import Source, open_source
from .writing import plain_cell

SYSTEM = ("system", "run", "runid", "tag", "name")
FactorTable = dict[str, dict[str, str]]
"""The level of each factor by system."""


def read_factors(source: Any) -> FactorTable:
    """Read the components of systems: a column ``system`` and one for each factor, or {system: {factor: level}}.

    Args:
        source: a path (CSV, TSV or JSON), a frame of pandas or polars, or a dict.

    >>> read_factors({"a": {"stemmer": "porter", "k1": 0.9}})
    {'a': {'stemmer': 'porter', 'k1': '0.9'}}
    """
    if isinstance(source, Mapping):
        return _of_mapping("factors", source)
    if is_frame(source):
        names = [str(column) for column in source.columns]
        columns = [list(source[column]) for column in source.columns]
        return _of_rows("factors", names, [list(row) for row in zip(*columns, strict=True)], 1)
    if not is_file(source):
        raise wrong_type("factors", source, "a path, {system: {factor: level}} or a frame with a column system")
    opened = open_source(source)
    if looks_like_json(opened):
        data = parse_json(opened)
        if not isinstance(data, Mapping):
            raise DataError(f"{opened.name}: factors in JSON are an object, {{system: {{factor: level}}}}")
        return _of_mapping(opened.name, data)
    return _of_text(opened)


def _of_mapping(name: str, data: Mapping[Any, Any]) -> FactorTable:
    table: FactorTable = {}
    for system, row in data.items():
        if not isinstance(row, Mapping):
            raise DataError(f"{name}: the factors of {system} must be {{factor: level}}, not {type(row).__name__}")
        table[str(system)] = {str(factor): level_text(level) for factor, level in row.items()}
    if not table:
        raise DataError(f"{name}: no system in it")
    return table


def level_text(level: Any) -> str:
    """A level as a text: 0.9 and 0.90 are the same number, true and none are words.

    >>> level_text(1.0), level_text(True), level_text(None)
    ('1', 'true', '')
    """
    if level is None or (isinstance(level, float) and math.isnan(level)):
        return ""
    if isinstance(level, bool):
        return str(level).lower()
    if isinstance(level, float) and float(f"{level:g}") == level:
        return f"{level:g}"
    return str(level).strip()


def _of_text(source: Source) -> FactorTable:
    text = source.whole().decode("utf-8-sig", "surrogateescape")
    head = text.partition("\n")[0]
    separator = max("\t,;", key=head.count)
    if separator not in head:
        raise DataError(at(source.name, 1, "factors need a column system and a column for each factor", head))
    reader = csv.reader(io.StringIO(text), delimiter=separator)
    try:
        rows = [(reader.line_num, [plain_cell(cell).strip() for cell in row]) for row in reader if row]
    except csv.Error as error:
        raise DataError(at(source.name, reader.line_num, f"not a table: {error}")) from None
    names = rows[0][1]
    for line, row in rows[1:]:
        if len(row) != len(names):
            raise DataError(at(source.name, line, f"{len(row)} columns, and the header has {len(names)}"))
    return _of_rows(source.name, names, [row for _, row in rows[1:]], 2)


def _of_rows(name: str, names: list[str], rows: list[list[Any]], first: int) -> FactorTable:
    folded = [fold_word(each) for each in names]
    column = next((folded.index(known) for known in SYSTEM if known in folded), None)
    if column is None:
        raise DataError(f"{name}: no column with the names of the systems: call it system")
    if len(set(names)) < len(names):
        raise ConflictError(f"{name}: two columns have the same name")
    if len(names) < 2:
        raise DataError(f"{name}: no column beside {names[column]}: factors need one each")
    table: FactorTable = {}
    for number, row in enumerate(rows, first):
        system = level_text(row[column])
        if not system:
            raise DataError(at(name, number, "a row without a system"))
        if system in table:
            raise ConflictError(at(name, number, f"the system {system} has two rows"))
        table[system] = {
            each: level_text(cell) for c, (each, cell) in enumerate(zip(names, row, strict=True)) if c != column
        }
    if not table:
        raise DataError(f"{name}: no row in it")
    return table
