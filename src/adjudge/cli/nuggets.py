"""Score answers by their nuggets: vital, weighted and all, strict and lenient, as the RAG track of TREC 2024 does it.

    adjudge nuggets assignments.jsonl
    adjudge nuggets bm25.jsonl dense=run7.jsonl --per-topic -o scores.csv
    adjudge compare assignments.jsonl -m strict_vital_score --groups
    adjudge guard before.jsonl after.jsonl -m strict_vital_score --tolerance 0.01

Files are what `nuggetizer assign` writes, JSON or a JSON object a line, or TSV and CSV with the columns system, topic,
nugget, importance (vital, okay) and assignment (support, partial_support, not_support). A nugget that is supported in
part counts one half, in the strict scores nothing; in the weighted scores an okay nugget counts half of a vital one.
NAME=FILE names the system of a file. Commands that take a table of scores take a file of assignments too.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..core.errors import SpecError
from ..core.nuggets import MEASURES, NuggetAssignments
from ..formats.nuggets import read_nuggets
from ..formats.source import NamedPath, Source
from ..report.score_table import FORMATS, as_bytes, as_text
from ._options import Parser, coloured, digits_option, emit, format_of, note


def parser() -> Parser:
    command = Parser(prog="adjudge nuggets", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("files", nargs="+", metavar="file", help="nugget assignments (- for standard input)")
    command.add_argument(
        "-m", "--measure", action="append", choices=MEASURES, help="score to show, may be repeated (default: all)"
    )
    command.add_argument("-q", "--per-topic", action="store_true", help="show every topic, not only the averages")
    command.add_argument(
        "-c", "--complete", action="store_true", help="score 0 on topics that a system does not answer (default: skip)"
    )
    command.output(FORMATS)
    digits_option(command)
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    if list(map(str, options.files)).count("-") > 1:
        raise SpecError("standard input can be read only once")
    form = format_of(options.format, options.output, "table", FORMATS)
    if form == "parquet" and options.output is None:
        raise SpecError("parquet cannot be shown on the screen: give --output FILE")
    several = [read_nuggets(str(file), name=_given_name(file)) for file in options.files]
    scores = NuggetAssignments.join(several).scores(complete=options.complete)
    note(scores.notes)
    scores = scores.of_measures(options.measure or MEASURES)
    if form == "parquet":
        emit(as_bytes(scores, per_topic=options.per_topic), options.output, options.files)
        return 0
    colour = coloured(options.output)
    text = as_text(scores, form, per_topic=options.per_topic, digits=options.digits, colour=colour)
    emit(text, options.output, options.files)
    return 0


def _given_name(file: str) -> str | None:
    """The name of NAME=FILE; a file without one may say itself whose answers it has."""
    named = isinstance(file, NamedPath) and file.run_name != Source(str(file), b"").stem
    return file.run_name if isinstance(file, NamedPath) and named else None
