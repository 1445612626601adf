"""Collapse a run of chunks into one of documents: each document once, by its first chunk, the largest score or the sum.

    adjudge collapse passages.run --chunk-separator '#' -o documents.run
    adjudge collapse passages.run --chunk-pattern '(.*)_[0-9]+' --keep sum -o documents.run.gz
    adjudge collapse passages.run --chunk-table chunks.tsv --keep first | adjudge measure qrels.txt -

The document of a chunk is what stands before the last separator of its id, the first group of a pattern that matches
the whole id, or what a table says: lines of chunk and document. Without one of these, ids are those of documents, which
may occur more than once. An id without the separator, or that the pattern does not match, stands for a document; a
chunk that is not in the table is an error. Ranks are made anew from the scores. Commands that evaluate runs take the
same options, with --collapse for --keep.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

from ..core.errors import SpecError
from ..core.judging import KEEPS
from ..formats.runs import read_run, run_bytes
from ..formats.writing import unwritable
from ._options import Parser, chunk_options, collapse_option, emit, note, refuse_inputs
from ._runs import form_of, refuse_folder, run_output


def parser() -> Parser:
    command = Parser(prog="adjudge collapse", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("runs", nargs=1, metavar="run", help="run of chunks (- for standard input)")
    command.add_argument(
        "--keep",
        dest="collapse",
        choices=KEEPS,
        default="max",
        help="score of a document: that of its first chunk, the largest or the sum (default: max)",
    )
    chunk_options(command)
    command.add_argument("--name", metavar="TAG", help="tag of the run (default: that of the run of chunks)")
    run_output(command)
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    options.output = None if options.output == "-" else options.output
    form = form_of(options.format, options.output)
    (source,) = options.runs
    if source == "-" and options.chunk_table == "-":
        raise SpecError("standard input can be read only once")
    if options.name is not None and form == "trec":  # before the work, not after it
        unwritable([options.name], "tag")
    inputs = [source, *([options.chunk_table] if options.chunk_table else [])]
    if options.output is not None:
        refuse_inputs(options.output, inputs)
        refuse_folder(options.output)
    collapse = collapse_option(options)
    run = read_run(str(source), chunks=True)
    documents = run if collapse is None else collapse(run)
    note(documents.notes)
    named = documents if options.name is None else replace(documents, name=options.name)
    emit(run_bytes(named, form), options.output, inputs)
    return 0
