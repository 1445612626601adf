"""Convert runs, judgments, topics and documents from one format to another.

    adjudge convert mine.run -o mine.parquet
    adjudge convert qrels.json --kind qrels -o qrels.txt
    adjudge convert topics.xml -o topics.jsonl
    adjudge convert docs/ -o docs.jsonl.zst
    adjudge convert docs.index -o docs.trec

What a file holds is seen from its content where that is possible, else --kind says it. All formats that adjudge knows
are read; the ending of the output says what is written: runs and judgments as .json, .parquet, .csv, .tsv or
else TREC lines; topics as .jsonl, .trec (.sgml), .xml or .tsv; documents as .jsonl, .trec (.sgml), .tsv or .parquet.
.gz, .zst and others pack.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..formats.documents.layout import layouts
from ..words.pool_summaries import conversion_summary
from ._options import Parser, emit, note

KINDS = ("run", "qrels", "topics", "documents")


def parser() -> Parser:
    command = Parser(prog="adjudge convert", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("input", help="file, folder, or index with texts")
    command.add_argument("-o", "--output", required=True, metavar="FILE", help="file to write (replaced atomically)")
    command.add_argument("--kind", choices=KINDS, default="", help="what the input holds (default: seen from content)")
    command.component("--layout", of=[layouts], metavar="LAYOUT", help="file format of documents (default: seen)")
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    from ..verbs.file_verbs import convert

    done = convert(options.input, options.output, kind=options.kind, layout=options.layout)
    emit(conversion_summary(done.kind, done.count, str(done.path)) + "\n")
    note(done.notes)
    return 0
