"""Write the finished collection: topics, judgments, typed sentences, counts and a datasheet.

    adjudge collect export project
    adjudge collect export project -o collection --name "MO 2024" --source mathoverflow.net --licence "CC BY-SA 4.0"
    adjudge collect export project --assessments decisions.jsonl --all-grades

Threads that meet both criteria become topics; T.m is micro-topic m of thread T. Documents that are total and direct are
judged with grade 2; with --all-grades the others with grade 1. Threads on which people differ have to be adjudicated in
the workbench first and are told. --assessments takes decisions from lines of JSON instead of the workbench's store.
The folder holds topics.jsonl and topics.trec, qrels.txt, tuples.csv, collection.jsonl, topics/ (XHTML with MathML),
counts.json, formulas.csv and datasheet.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ..report.table import FORMS
from ._collect import counts_table
from ._options import Parser, coloured, emit, format_of, note

NOTED = 10


def parser() -> Parser:
    made = Parser(
        prog="adjudge collect export", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("project", metavar="PROJECT", help="the folder of the project")
    made.add_argument("-o", "--output", metavar="DIR", help="where the collection goes (PROJECT/collection)")
    made.add_argument("--store", metavar="URL", help="where decisions are (PROJECT/store.sqlite)")
    made.add_argument("--assessments", metavar="FILE", help="decisions as lines of JSON, instead of a store")
    made.add_argument("--all-grades", action="store_true", help="partial and indirect documents too, with grade 1")
    for name, says in (("name", "of the collection"), ("source", "the site"), ("licence", "of its texts")):
        made.add_argument(f"--{name}", default="", metavar="TEXT", help=f"{says}, for the datasheet")
    made.add_argument("--corpus", default="", metavar="TEXT", help="what the documents are, for the datasheet")
    made.add_argument("-f", "--format", choices=FORMS, help="of the counts that are shown (table)")
    return made


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    from ..collection.qa.agreement import in_words, of_assessments
    from ..collection.qa.assessment import Assessment
    from ..collection.qa.export import export
    from ..collection.qa.project import open_project, read_assessments

    form = format_of(options.format, None, "table")
    project = open_project(options.project)
    twice: Sequence[Assessment] = ()
    if options.assessments is not None:
        final = read_assessments(Path(options.assessments))
    else:
        from ..collection.workbench.state import project_decisions

        decided = project_decisions(project, options.store)
        final, twice = list(decided.final), decided.assessments
        note([f"thread {one.thread} is left out: {one.why}" for one in decided.unresolved])
        if decided.pending:
            note([f"{len(decided.pending)} threads are not decided yet"])
        if decided.unknown:
            note([f"{len(decided.unknown)} threads were decided and are no candidates any more"])
    assessors = sorted({one.assessor for one in final})
    about = {name: getattr(options, name) for name in ("source", "licence", "corpus")}
    about |= {"assessors": ", ".join(assessors), "made": f"by adjudge from {len(project.candidates)} candidates"}
    about["agreement"] = in_words(of_assessments(twice))
    folder = None if options.output is None else Path(options.output)
    made, files = export(project, final, about, folder=folder, name=options.name, all_grades=options.all_grades)
    emit(counts_table(made.counts()).form(form, colour=coloured(None)))
    note(made.notes[:NOTED])
    if len(made.notes) > NOTED:
        note([f"{len(made.notes) - NOTED} more, all in datasheet.md"])
    note([f"{folder or project.export_path}: {len(files)} files"])
    return 0
