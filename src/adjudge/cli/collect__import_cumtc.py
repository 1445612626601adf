"""Read the Cambridge mathematical test collection and write it as topics and judgments; compare it with its paper.

    adjudge collect import-cumtc cumtc/ -o collection
    adjudge collect import-cumtc cumtc/ -o collection -f csv

The folder is the collection as its authors distribute it: topics/*.txt and judgements.csv. Sentence types are kept; the
query of micro-topic T.m is the prelude and the sentences of m. The table has each figure of section 2 and Table 2 of
the paper beside what the files hold: they differ in the number of documents, and of documents per topic.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ..report.text_table import FORMS, TextTable
from ..words.summaries import files_written
from ._options import Parser, coloured, emit, format_of, note

ABOUT = {
    "source": "mathoverflow.net, by Stathopoulos and Teufel (ACL 2015), version 1.0",
    "licence": "CC BY-SA 3.0",
    "corpus": "MREC 2011.4.439: articles of arXiv, named by their arXiv ids",
    "assessors": "one of the authors",
}


def parser() -> Parser:
    command = Parser(
        prog="adjudge collect import-cumtc", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("folder", help="folder with topics/ and judgements.csv")
    command.add_argument("-o", "--output", metavar="DIR", help="folder for the collection (default: write nothing)")
    command.add_argument("-f", "--format", choices=FORMS, help="format of the printed comparison (default: table)")
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    from ..collection.qa.cumtc import compare_with_paper, read_cumtc
    from ..collection.qa.export import write_collection

    form = format_of(options.format, None, "table")
    collection = read_cumtc(options.folder)
    exact = [
        (what, paper, here, "" if paper == here else "differs")
        for what, paper, here in compare_with_paper(collection.counts())
    ]
    rows = [[what, str(paper), str(here), says] for what, paper, here, says in exact]
    emit(TextTable(("what", "paper", "files", "same"), rows, exact=exact).form(form, colour=coloured(None)))
    note(collection.notes)
    if options.output is not None:
        files = write_collection(collection, Path(options.output), {}, ABOUT)
        note([files_written(options.output, len(files))])
    return 0
