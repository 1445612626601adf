"""Write the finished collection: topics, judgments, typed sentences, counts and a datasheet.

    adjudge collect export project
    adjudge collect export project -o collection --name "MO 2024" --source mathoverflow.net --licence "CC BY-SA 4.0"
    adjudge collect export project --assessments decisions.jsonl --all-grades

Threads that meet both criteria become topics; T.m is micro-topic m of thread T. Documents that are total and direct are
judged with grade 2, unrelated ones with grade 0; with --all-grades the others with grade 1. Threads on which people
differ have to be adjudicated in the workbench first, and a note names them. --assessments reads decisions from lines of
JSON instead of the database.
The folder holds topics.jsonl and topics.trec, qrels.txt, tuples.csv, collection.jsonl, topics/ (XHTML with MathML),
counts.json, formulas.csv and datasheet.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ..report.text_table import FORMS
from ..words import summaries
from ._collect import counts_table
from ._options import Parser, between, coloured, emit, format_of, note

NOTED = 10


def parser() -> Parser:
    command = Parser(
        prog="adjudge collect export", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("project", metavar="PROJECT", help="folder of the project")
    command.add_argument(
        "-o", "--output", metavar="DIR", help="folder for the collection (default: PROJECT/collection)"
    )
    command.add_argument("--store", metavar="URL", help="database of decisions (default: PROJECT/store.sqlite)")
    command.add_argument(
        "--assessments", metavar="FILE", help="read decisions from FILE, lines of JSON, instead of a database"
    )
    command.add_argument(
        "--people",
        type=between(1, 100),
        default=1,
        metavar="N",
        help="least number of people who must have finished a thread (default: 1)",
    )
    command.add_argument(
        "--all-grades", action="store_true", help="judge partial and indirect documents too, with grade 1"
    )
    for name, says in (
        ("name", "name of the collection"),
        ("source", "site of the dump"),
        ("licence", "licence of its texts"),
    ):
        command.add_argument(f"--{name}", default="", metavar="TEXT", help=f"{says}, for the datasheet")
    command.add_argument("--corpus", default="", metavar="TEXT", help="description of the documents, for the datasheet")
    command.add_argument("-f", "--format", choices=FORMS, help="format of the printed counts (default: table)")
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    from ..collection.qa.assessment import Assessment
    from ..collection.qa.export import Origin, export_project
    from ..collection.qa.project import open_project, read_assessments

    form = format_of(options.format, None, "table")
    project = open_project(options.project)
    everyone: Sequence[Assessment] = ()
    if options.assessments is not None:
        final: Sequence[Assessment] = read_assessments(Path(options.assessments))
    else:
        from ..collection.workbench.state import project_decisions

        decisions = project_decisions(project, options.store)
        final, everyone = decisions.final, decisions.assessments
        note([summaries.thread_left_out(str(thread.thread), thread.why) for thread in decisions.unresolved])
        if decisions.pending:
            note([summaries.threads_undecided(len(decisions.pending))])
        if decisions.bad:
            note([summaries.events_set_aside(decisions.bad)])
        if decisions.unknown:
            note([summaries.threads_unknown(len(decisions.unknown))])
    export = export_project(
        project,
        final,
        everyone,
        Origin(options.name, options.source, options.licence, options.corpus),
        folder=None if options.output is None else Path(options.output),
        all_grades=options.all_grades,
        people=options.people,
    )
    emit(counts_table(export.counts).form(form, colour=coloured(None)))
    note(export.notes[:NOTED])
    if len(export.notes) > NOTED:
        note([summaries.more_in_datasheet(len(export.notes) - NOTED)])
    note([summaries.files_written(str(export.folder), len(export.files))])
    return 0
