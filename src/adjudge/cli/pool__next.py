"""Show which documents of a pool are to be judged next, after the judgments that there are.

    adjudge pool next project
    adjudge pool next project --topic 7
    adjudge pool next project --qrels judged.txt --topic 7 -n 20
    adjudge pool next project --qrels judged.txt --priority hedge -f csv

Judgments are those of the desk (adjudge pool serve), or of a file in its order. Without a topic, those come first of
which the least is done.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..pools.priority import priorities
from ..report.text_table import TextTable
from ._options import Parser, between, coloured, emit, format_of, grade_option
from ._terminal import Terminal


def parser() -> Parser:
    command = Parser(
        prog="adjudge pool next", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("project", metavar="PROJECT", help="folder of the project")
    command.add_argument("--qrels", metavar="FILE", help="judgments so far, in their order (default: the desk's)")
    command.add_argument("--store", metavar="URL", help="database of the desk (default: PROJECT/store.sqlite)")
    command.add_argument("--topic", metavar="ID", help="only documents of this topic")
    command.add_argument(
        "-n", "--number", type=between(1, 10**6), default=10, metavar="N", help="number of documents (default: 10)"
    )
    command.component("--priority", of=[priorities], metavar="SPEC", help="another order than that of the pool")
    grade_option(command.add_argument_group("judging"))
    command.output()
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    from ..verbs.pool_verbs import pool_next

    form = format_of(options.format, options.output, "table")
    pairs = pool_next(
        options.project,
        options.qrels,
        topic=options.topic,
        count=options.number,
        priority=options.priority,
        level=options.level,
        store=options.store,
        progress=Terminal(),
    )
    header = ["topic", "document", "best rank", "runs", "stratum", "probability"]
    exact = [[pair.topic, pair.document, pair.rank, pair.runs, pair.stratum, pair.probability] for pair in pairs]
    rows = [[*map(str, row[:-1]), f"{row[-1]:.4g}"] for row in exact]
    table = TextTable(header, rows, 2, exact=exact)
    emit(table.form(form, colour=coloured(options.output)), options.output)
    return 0
