"""Explain the score of a document for a query: term by term, as a tree that adds up.

    adjudge explain fr94.index "solar power" FR940405-1-00001
    adjudge explain fr94.index "solar power" FR940405-1-00001 --weighting lucene_classic -f json
    adjudge explain scanned.index "federal register" FR940405-1-00001

Each figure is made from those indented below it: + are added, × are multiplied. The first is the score that a search
gives, or 0 with a reason if the document has no word of the query. If decipher made the index, the parts are the
strings of the document that it took for each word of the query: how they were read, with which probability, how often
they occur, and what they add.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..report.search_results import explanation_json, explanation_text
from ._index import kept_of, searcher_of, searching_options
from ._options import Parser, digits_option, emit, format_of

KINDS = ("table", "json")


def parser() -> Parser:
    command = Parser(prog="adjudge explain", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("index", metavar="dir", help="index that adjudge index built")
    command.add_argument("query", help="query, in quotes if it has several words")
    command.add_argument("document", help="id of the document")
    searching_options(command)
    command.output(KINDS)
    digits_option(command)
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    form = format_of(options.format, options.output, "table", KINDS)
    system_folder = kept_of(options)
    answerer = system_folder.answerer if system_folder else searcher_of(options)
    tree = answerer.explain(options.query, options.document)
    text = explanation_json(tree) if form == "json" else explanation_text(tree, options.digits)
    emit(text, options.output)
    return 0
