"""Remove documents from an index: searches are then those of an index without them.

    adjudge index remove fr94.index FR940406-1-00001 FR940406-1-00002
    adjudge index remove fr94.index --ids withdrawn.txt

The documents vanish at once from results, frequencies and lengths. What they took on disk is freed when more than half
of the documents of their part of the index are gone, or by adjudge index merge. An id that is not in the index is an
error, and nothing is changed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from ..core.errors import DataError, SpecError
from ..index.index import Index
from ..index.index_changes import remove_documents
from ..storage.access import reading
from ..systems.parts.kept import refuse_change
from ..words.summaries import documents_removed
from ._options import Parser, emit
from .index import summary


def parser() -> Parser:
    command = Parser(
        prog="adjudge index remove", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("index", metavar="INDEX", help="folder of the index")
    command.add_argument("documents", nargs="*", metavar="ID", help="id of a document")
    command.add_argument("--ids", metavar="FILE", help="file with one id a line (- for standard input)")
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    if not options.documents and options.ids is None:
        raise SpecError("adjudge index remove: give ids, or --ids FILE with one a line")
    refuse_change(options.index)
    began = time.monotonic()
    before = len(Index.open(options.index))
    index = remove_documents(options.index, [*options.documents, *_listed(options.ids)])
    seconds = time.monotonic() - began
    emit(f"{documents_removed(options.index, before - len(index), summary(index), seconds)}\n")
    return 0


def _listed(file: str | None) -> list[str]:
    """The ids of a file, one a line; empty lines are none."""
    if file is None:
        return []
    with reading(file):
        raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    ids = [line.decode("utf-8", "surrogateescape").strip() for line in raw.splitlines()]
    if not any(ids):
        raise DataError(f"{file}: no ids")
    return [name for name in ids if name]
