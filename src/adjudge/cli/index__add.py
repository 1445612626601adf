"""Add documents to an index: searches are then those of an index of all documents.

    adjudge index add fr94.index new/
    adjudge index add archive.index scans/ --new

The new documents come behind the others, as if all had been indexed at once with the analyzer of the index; texts and
positions are stored if they were before. Only the new documents are read and analyzed: they become a part of the index
of their own, and small parts are merged from time to time (adjudge index merge makes one of all). A command that fails
or is interrupted changes nothing, and searches that are under way go on with the index as it was.

A document whose id is in the index already is an error; with --new it is left out, so that the folder of an archive is
given as before and only what is new in it is added. A folder that a system prepared (adjudge index --system) cannot be
added to, because a system learns from all documents: index them again.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

from ..index.index import Index
from ..index.index_changes import add_documents
from ..systems.parts.kept import refuse_change
from ..verbs.search_verbs import refuse_places
from ..words.summaries import documents_added
from ._options import Parser, emit, note
from ._terminal import Terminal
from .index import documents_of, documents_option, failures_of, memory_option, reading_options, summary


def parser() -> Parser:
    command = Parser(
        prog="adjudge index add", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("index", metavar="INDEX", help="folder of the index")
    documents_option(command)
    command.add_argument("--new", action="store_true", help="leave out documents whose ids are in the index already")
    reading_options(command)
    memory_option(command)
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    refuse_change(options.index)
    began = time.monotonic()
    before = len(Index.open(options.index))
    documents = documents_of(options, options.index)
    refuse_places(options.index, options.documents, documents)
    index = add_documents(options.index, documents, new=options.new, progress=Terminal(), memory=options.memory << 20)
    note(documents.notes)
    seconds = time.monotonic() - began
    emit(f"{documents_added(options.index, len(index) - before, summary(index), seconds)}\n")
    return failures_of(documents)
