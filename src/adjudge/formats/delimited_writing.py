"""Runs, judgments and topics as tables with commas or tabs, as they are read."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ..core.errors import DataError
from ..core.qrels import Qrels
from ..core.run import Run
from ..core.topic import Topic
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


def write_topic_lines(topics: Sequence[Topic], path: str | os.PathLike[str]) -> None:
    """Topics as lines of id, tab and text; an error if one has more than that."""
    lines = []
    for topic in topics:
        if more := [name for name in ("description", "narrative", "sentences") if getattr(topic, name)]:
            raise DataError(f"topic {topic.id} has a {more[0]}, for which lines of id and text have no place")
        if "\t" in topic.id or any(sign in topic.id + topic.query for sign in "\r\n"):
            raise DataError(f"topic {topic.id!r} has a tab or a line break, which would be read as the end of it")
        lines.append(f"{topic.id}\t{topic.query}\n")
    write(path, "".join(lines).encode("utf-8", "surrogateescape"))


def _write(path: str | os.PathLike[str], header: Sequence[str], rows: Iterable[Sequence[Any]], separator: str) -> None:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    write(path, text.getvalue().encode("utf-8", "surrogateescape"))
