"""Export what was judged at the desk of a pool: qrels, those of each assessor, and every judgment with who made it.

    adjudge pool judgments PROJECT -o judgments
    adjudge pool judgments PROJECT -o judgments --store postgresql://adjudge@db.example.org/project
    adjudge judges judgments/by/*.qrels runs/* --common

The folder gets qrels.txt (what is agreed or settled), by/NAME.qrels for each assessor who gave a grade,
judgments.jsonl, unresolved.jsonl, events.jsonl, definition.json and datasheet.md. Pairs on which people differ have no
grade until somebody settles them: they are counted, and never resolved silently. adjudge judges says how far assessors
agree and what that does to the ranking of systems.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..words.pool_summaries import desk_export_summary
from ._options import Parser, emit


def parser() -> Parser:
    command = Parser(
        prog="adjudge pool judgments", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("project", metavar="PROJECT", help="folder of the project")
    command.add_argument("-o", "--output", required=True, metavar="FOLDER", help="folder for the files")
    command.add_argument("--store", metavar="URL", help="database of the desk (default: PROJECT/store.sqlite)")
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    from ..verbs.desk_verbs import pool_judgments

    made = pool_judgments(options.project, options.output, store=options.store)
    told = desk_export_summary(
        options.output,
        len(made.qrels),
        made.judgments,
        len(made.assessors),
        differing=made.differing,
        set_aside=made.set_aside,
        unsure=made.unsure,
        outside=made.outside,
        bad=made.bad,
        not_trec=made.not_trec,
    )
    emit(f"{told}\n")
    return 0
