"""Search an index: the best documents for a query, with the words of the query marked in them.

    adjudge search fr94.index "solar power in Florida"
    adjudge search fr94.index solar power -k 20 --weighting "bm25(k1=1.2, b=0.75)"
    adjudge search fr94.index "solar power" -f json
    adjudge search scanned.index "federal register"

Documents are listed by score, highest first. The snippet is the part of the document with most different words of the
query; an index that was built with --no-texts gives ids and scores only. The query goes through the analyzer of the
index. CSV and JSON have scores with all digits. If a system such as decipher prepared the index, it answers: the
strings that it took for words of the query are marked (Regis[er for Register), and a line shows how they were read,
with the probability.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Sequence

from ..report.search_results import PAGE, answer_of, as_text, found_by
from ..words.summaries import no_snippets
from ._index import kept_of, searcher_of, searching_options
from ._options import Parser, between, coloured, digits_option, emit, format_of, note


def parser() -> Parser:
    command = Parser(prog="adjudge search", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("index", metavar="dir", help="index that adjudge index built")
    command.add_argument("query", nargs="+", help="words of the query, with or without quotes around them")
    command.add_argument(
        "-k",
        "--hits",
        dest="k",
        type=between(1, 10**9),
        default=10,
        metavar="N",
        help="number of documents to show (default: 10)",
    )
    searching_options(command)
    command.output()
    digits_option(command)
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    form = format_of(options.format, options.output, "table")
    query = " ".join(options.query)
    colour = coloured(options.output)
    width = min(PAGE, shutil.get_terminal_size().columns) if colour else PAGE
    if system_folder := kept_of(options):
        hits = system_folder.answerer.search(query, options.k)
        answer = found_by(system_folder.answerer, str(system_folder.system), query, hits, width)
    else:
        searcher = searcher_of(options)
        answer = answer_of(searcher, query, searcher.search([query], options.k)[0], width)
    if answer.note:
        note([answer.note])
    elif not answer.texts:
        note([no_snippets(options.index)])
    emit(as_text(answer, form, options.digits, colour=colour, width=width), options.output)
    return 0
