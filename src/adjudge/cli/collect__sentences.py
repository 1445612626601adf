"""Show the sentences of questions and the labels that rules propose: prelude, query of a micro-topic, or neither.

    adjudge collect sentences project --thread 14655
    adjudge collect sentences project -f csv -o sentences.csv

Rules only propose; people decide in the workbench. experiments/query_sentences.py measures how far the rules agree with
the labels of the Cambridge collection.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..report.text_table import TextTable
from ._options import Parser, coloured, emit, format_of

WIDTH = 90
HEADER = ("thread", "number", "paragraph", "kind", "micro_topic", "text")


def parser() -> Parser:
    command = Parser(
        prog="adjudge collect sentences", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("project", metavar="PROJECT", help="folder of the project")
    command.add_argument(
        "--thread", action="append", metavar="ID", help="show this thread only, may be repeated (default: all)"
    )
    command.output()
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    from ..collection.qa.project import open_project
    from ..verbs.collection_verbs import collect_sentences

    form = format_of(options.format, options.output, "table")
    project = open_project(options.project)
    exact = collect_sentences(options.project, options.thread or ())
    rows = [
        [a, str(b), str(c), d, str(e or ""), text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"]
        for a, b, c, d, e, text in exact
    ]
    emit(
        TextTable(HEADER, rows, labels=len(HEADER), exact=exact).form(form, colour=coloured(options.output)),
        options.output,
        [str(project.candidates_path)],
    )
    return 0
