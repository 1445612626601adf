"""Check a run as an organiser's script does: format, tags, ranks against scores, ties, duplicates, unknown names.

    adjudge check mine.run --topics topics.txt
    adjudge check runs/* --qrels qrels.txt --documents docs.index
    adjudge check mine.run --topics topics.txt --most 100 --least 100

Each thing is one line with file and line number. Errors refuse a run, warnings (ties, missing topics, fewer documents
than asked for) do not. Exit code 0 if all runs can be accepted, 1 if one cannot.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..report.text_table import json_text
from ..words.run_issues import check_lines, check_summary
from ._options import Parser, between, emit

REFUSED = 1


def parser() -> Parser:
    command = Parser(prog="adjudge check", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("run", nargs="+", help="runs in TREC's six columns (- for standard input)")
    command.add_argument("--topics", metavar="FILE", help="topics that there are")
    command.add_argument("--qrels", metavar="FILE", help="judgments, whose topics there are")
    command.add_argument("--documents", metavar="PATH", help="index or documents: no others may be retrieved")
    command.add_argument(
        "--most", type=between(1, 10**9), default=1000, metavar="N", help="most documents per topic (default: 1000)"
    )
    command.add_argument(
        "--least", type=between(0, 10**9), default=1, metavar="N", help="fewest documents per topic (default: 1)"
    )
    command.add_argument(
        "-f", "--format", choices=("text", "json"), default="text", help="output format (default: text)"
    )
    command.add_argument("-o", "--output", metavar="FILE", help="write to FILE (replaced atomically)")
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    from ..verbs.document_sources import document_ids
    from ..verbs.file_verbs import check

    documents = None if options.documents is None else dict.fromkeys(document_ids(options.documents))
    lines: list[str] = []
    records = []
    fine = True
    for path in options.run:
        result = check(
            path,
            qrels=options.qrels,
            topics=options.topics,
            documents=None if documents is None else dict.fromkeys(documents, ""),
            most=options.most,
            least=options.least,
        )
        fine = fine and result.fine
        lines += [*check_lines(result, options.most, options.least), check_summary(result)]
        records.append({"run": result.source, "fine": result.fine, "tag": result.tag} | result.to_dict())
    text = json_text({"runs": records}) if options.format == "json" else "".join(f"{line}\n" for line in lines)
    emit(text, options.output, options.run)
    return 0 if fine else REFUSED
