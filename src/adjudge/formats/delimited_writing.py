"""Runs and judgments as tables with commas or tabs, as they are read."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ..core.qrels import Qrels
from ..core.run import Run
from .writing import PACKERS, write

SEPARATORS = {".csv": ",", ".tsv": "\t"}


def separator_of(path: str | os.PathLike[str]) -> str | None:
    """What stands between columns by the ending of a file, packed or not; None if it is no table."""
    target = Path(path)
    ending = Path(target.stem).suffix if target.suffix in PACKERS else target.suffix
    return SEPARATORS.get(ending.lower())


def write_table(table: Run | Qrels, path: str | os.PathLike[str], separator: str) -> None:
    """A run or judgments as a table with a header: topic, document, and score and tag or grade."""
    if isinstance(table, Run):
        rows: Iterable[Sequence[Any]] = ((*row[:2], repr(float(row[2])), table.name) for row in table.rows())
        _write(path, ("topic", "document", "score", "tag"), rows, separator)
    else:
        _write(path, ("topic", "document", "grade"), table.rows(), separator)


def _write(path: str | os.PathLike[str], header: Sequence[str], rows: Iterable[Sequence[Any]], separator: str) -> None:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    write(path, text.getvalue().encode("utf-8", "surrogateescape"))
