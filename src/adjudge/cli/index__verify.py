"""Verify an index: compare every file of it with its checksum.

    adjudge index verify fr94.index

Opening an index checks sizes and what must hold for every search; a flipped bit inside a posting is found only by this
command, which reads all of it. A damaged index is reported with the file and exit code 2: build it again. A folder that
a system prepared (adjudge index --system) is verified in the same way.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..index.index import Index
from ..systems.parts.kept import is_kept, verify_kept
from ..words.summaries import index_whole
from ._options import Parser, emit
from .index import summary, summary_of_kept


def parser() -> Parser:
    command = Parser(
        prog="adjudge index verify", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("index", metavar="INDEX", help="folder of the index")
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_args(arguments)
    if is_kept(options.index):
        line = summary_of_kept(verify_kept(options.index), options.index)
    else:
        index = Index.open(options.index)
        index.verify()
        line = summary(index)
    emit(f"{index_whole(options.index, line)}\n")
    return 0
