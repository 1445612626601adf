"""Merge the parts of an index: one part of all, as if the documents had been indexed at once.

    adjudge index merge fr94.index

adjudge index add and remove leave an index in several parts, which are searched together and merged from time to time.
This command makes one of all of them, without what removed documents took: the files are those that adjudge index
would write for the same documents, to the byte. Nothing that is found changes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

from ..index.index_changes import merge_index
from ..systems.parts.kept import refuse_change
from ..words.summaries import index_built
from ._options import Parser, emit
from .index import summary


def parser() -> Parser:
    command = Parser(
        prog="adjudge index merge", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("index", metavar="INDEX", help="folder of the index")
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_args(arguments)
    refuse_change(options.index)
    began = time.monotonic()
    index = merge_index(options.index)
    emit(f"{index_built(options.index, summary(index), time.monotonic() - began)}\n")
    return 0
