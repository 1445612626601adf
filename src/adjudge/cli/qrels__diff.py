"""Compare two sets of judgments: what they have alike, with other grades, and alone.

    adjudge qrels diff old.txt new.txt
    adjudge qrels diff old.txt new.txt -f csv

Exit code 0 if they are the same, 1 if they differ. adjudge judges measures how far two judges agree.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..report.text_table import TextTable
from ..words.pool_summaries import difference_summary
from ._options import Parser, coloured, emit, format_of

DIFFERENT = 1


def parser() -> Parser:
    command = Parser(
        prog="adjudge qrels diff", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("first", help="judgments")
    command.add_argument("second", help="other judgments")
    command.output()
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    from ..verbs.file_verbs import qrels_diff

    form = format_of(options.format, options.output, "table")
    result = qrels_diff(options.first, options.second)
    exact: list[list[object]] = [[c.topic, c.document, c.first, c.second] for c in result.changed]
    exact += [[topic, document, grade, None] for topic, document, grade in result.only_first]
    exact += [[topic, document, None, grade] for topic, document, grade in result.only_second]
    rows = [["" if cell is None else str(cell) for cell in row] for row in exact]
    table = TextTable(["topic", "document", "first", "second"], rows, 2, exact=exact)
    text = table.form(form, colour=coloured(options.output)) if rows or form != "table" else ""
    if form == "table":
        text += difference_summary(result) + "\n"
    emit(text, options.output, [options.first, options.second])
    return DIFFERENT if rows else 0
