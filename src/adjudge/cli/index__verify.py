"""Compare every file of an index with its checksum.

    adjudge index verify fr94.index

Opening an index looks at sizes and at what must hold for every search; a flipped bit inside a posting is found only by
this, which reads all of it. A damaged index is told with the file, and exit code 2: build it again.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..index.index import Index
from ._options import Parser, emit
from .index import summary


def parser() -> Parser:
    made = Parser(
        prog="adjudge index verify", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("index", metavar="INDEX")
    return made


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_args(arguments)
    index = Index.open(options.index)
    index.verify()
    emit(f"{options.index}: whole: {summary(index)}\n")
    return 0
