"""Index documents for searching: terms, frequencies and lengths, for any weighting.

    adjudge index fr94/ -o fr94.index
    adjudge index articles.jsonl more.jsonl.gz -o small.index --analyzer "words|lower|stop(smart)|porter"
    adjudge index "pages/**/*.html" -o grams.index --analyzer "ngrams(4, pad=_)" --no-texts
    adjudge index scanned.jsonl -o scanned.index --system decipher
    adjudge index verify fr94.index

Documents are files, folders, patterns or archives, plain or compressed; what they hold is seen from their content. A
new index replaces an old one in the same folder when it is whole: a build that fails or is killed changes nothing.
Queries later go through the same analyzer. Without texts the index is smaller, and searches show no snippets. With
--system, a system makes of the documents what it needs to answer queries, which adjudge search and adjudge explain
then put to it: decipher learns the errors of scanned text.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from pathlib import Path

from ..core.document import Documents
from ..core.errors import DataError, SpecError
from ..formats.documents import read_documents
from ..formats.documents.document_reading import DocumentFiles
from ..formats.documents.layout import layouts
from ..index.building import DEFAULT, MEMORY, build
from ..index.index import Index
from ..index.index_files import MANIFEST
from ..storage.access import is_within
from ..systems.parts.kept import Kept, keep, refuse
from ..systems.system import find_system
from ..text.analyzer import Analyzer
from ..text.token_filter import filters
from ..text.tokenizer import tokenizers
from ..words.summaries import index_built, index_size, system_size
from ._options import Parser, between, emit, note
from ._terminal import Terminal


def parser() -> Parser:
    command = Parser(prog="adjudge index", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument(
        "documents", nargs="+", metavar="docs", help="a file, folder, pattern or tar, - for standard input"
    )
    command.add_argument(
        "-o", "--output", required=True, metavar="DIR", help="the index: a new or empty folder, or an index"
    )
    command.add_argument(
        "-f",
        "--format",
        metavar="LAYOUT",
        help=f"what the files are, if it is not to be guessed: {', '.join(layouts.names)}",
    )
    command.add_argument(
        "-a",
        "--analyzer",
        default=DEFAULT,
        metavar="SPEC",
        help=f"a tokenizer ({', '.join(tokenizers.names)}), then filters ({', '.join(filters.names)}), with | between "
        f"them ({DEFAULT.replace('%', '%%')})",
    )
    command.add_argument(
        "-s",
        "--system",
        metavar="SPEC",
        help="a system that is to be asked later: bm25 or decipher, with its parameters",
    )
    command.add_argument("--positions", action="store_true", help="store where in a document each term stands")
    command.add_argument(
        "--texts",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="store the documents too, so that a search can show them (they are stored)",
    )
    command.add_argument(
        "--memory",
        type=between(1, 10**6),
        default=MEMORY >> 20,
        metavar="MB",
        help=f"postings that are held before they go to disk; all in all about 2.5 times as much ({MEMORY >> 20})",
    )
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    if options.documents.count("-") > 1:
        raise SpecError("standard input can be read only once")
    if options.system is not None:
        return of_system(options)
    Analyzer.parse(options.analyzer)  # before a large collection is looked through
    refuse_folders(options.output, options.documents)
    began = time.monotonic()
    documents = read_documents(options.documents, options.format)
    refuse_files(options.output, documents)
    index = build(
        documents,
        options.output,
        analyzer=options.analyzer,
        positions=options.positions,
        texts=options.texts,
        progress=Terminal(),
        memory=options.memory << 20,
    )
    note(documents.notes)
    emit(f"{index_built(options.output, summary(index), time.monotonic() - began)}\n")
    return 0


def of_system(options: argparse.Namespace) -> int:
    """What a system makes of the documents, kept in the folder."""
    usual = parser().parse_args([*options.documents, "-o", options.output])
    for name in ("analyzer", "positions", "texts", "memory"):
        if getattr(options, name) != getattr(usual, name):
            raise SpecError(f"--{name} is for an index of its own, not for what a system makes")
    system = find_system(options.system)
    refuse(system)
    refuse_folders(options.output, options.documents)
    began = time.monotonic()
    documents = read_documents(options.documents, options.format)
    refuse_files(options.output, documents)
    system_folder = keep(system, documents, options.output, progress=Terminal())
    note(documents.notes)
    extent = summary_of_kept(system_folder, options.output)
    emit(f"{index_built(options.output, extent, time.monotonic() - began)}\n")
    return 0


def summary_of_kept(system_folder: Kept, folder: str) -> str:
    """Of which system it is, and how large."""
    size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    return system_size(str(system_folder.system), size)


def summary(index: Index) -> str:
    """How much was indexed, in one line."""
    manifest = index.manifest
    size = (index.folder / MANIFEST).stat().st_size + sum(file.bytes for file in manifest.files.values())
    return index_size(manifest.documents, manifest.terms, manifest.postings, size)


def refuse_folders(target: str, sources: Sequence[str]) -> None:
    """An index inside a folder of documents would be read as documents by the next build."""
    for source in sources:
        if os.path.isdir(source) and is_within(target, source):
            raise DataError(f"{target}: lies in {source}, which is read: put the index elsewhere")


def refuse_files(target: str, documents: Documents) -> None:
    """Documents inside the folder of the index: they are its own files, or would stand in its way."""
    folder = os.path.join(os.path.realpath(target), "")
    for file in documents.files if isinstance(documents, DocumentFiles) else ():
        if file.handle is None and os.path.realpath(file.path).startswith(folder):
            raise DataError(f"{file.path}: lies in {target}, where the index is to be: put the index elsewhere")
