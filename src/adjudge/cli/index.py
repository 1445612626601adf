"""Index documents for searching: terms, frequencies and lengths, for any retrieval model.

    adjudge index fr94/ -o fr94.index
    adjudge index articles.jsonl more.jsonl.gz -o small.index --analyzer "words|lower|stop(smart)|porter"
    adjudge index "pages/**/*.html" -o grams.index --analyzer "ngrams(4, pad=_)" --no-texts
    adjudge index scanned.jsonl -o scanned.index --system decipher
    adjudge index scans/ -o archive.index --system decipher
    adjudge index add fr94.index new/
    adjudge index remove fr94.index FR940406-1-00001
    adjudge index verify fr94.index

Documents are files, folders, patterns or archives, plain or compressed; their format is detected from the content, not
from the extension. A new index replaces an old one in the same folder when it is complete: a build that fails or is
interrupted changes nothing. Queries later go through the same analyzer. Without texts the index is smaller, and
searches show no snippets. With --system, a system prepares what it needs to answer queries, and adjudge search,
retrieve and explain use it: decipher learns the errors of scanned text.

Scanned pages are ALTO, hOCR, PAGE XML, PDF, METS, or images that an engine reads (--ocr). A file of pages that cannot
be read is one line, the rest goes on, and the exit code is 1. What was read is kept in the file DIR.pages, so that an
interrupted job goes on and a later one reads only what is new.

After index, the words add, merge, remove and verify are commands; documents in a file or folder of such a name are
given as ./add.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from ..core.document import Documents
from ..core.errors import SpecError
from ..formats.documents.layout import layouts
from ..formats.documents.scan_reading import UNITS, ScanFiles
from ..index.building import DEFAULT, MEMORY, build
from ..index.index import Index
from ..index.index_files import MANIFEST
from ..noise.engines.engine import engines
from ..systems.parts.kept import Kept, keep, refuse
from ..systems.system import find_system, systems
from ..text.analyzer import Analyzer
from ..text.token_filter import filters
from ..text.tokenizer import tokenizers
from ..verbs.search_verbs import read_scans, refuse_places
from ..words.summaries import index_built, index_size, pages_failed, system_size
from ._options import Parser, between, emit, note
from ._terminal import Terminal

FAILED = 1
"""The exit code if all went on to the end and some files could not be read."""


def parser() -> Parser:
    command = Parser(prog="adjudge index", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    documents_option(command)
    command.add_argument(
        "-o", "--output", required=True, metavar="DIR", help="folder of the index: new or empty, or an index to replace"
    )
    reading_options(command)
    command.component(
        "-a",
        "--analyzer",
        of=[tokenizers, filters],
        default=DEFAULT,
        metavar="SPEC",
        help=f"tokenizer, then filters, with | between them: %(known)s (default: {DEFAULT.replace('%', '%%')})",
    )
    command.component(
        "-s",
        "--system",
        of=[systems],
        metavar="SPEC",
        help="system that prepares the folder and answers queries, such as decipher",
    )
    command.add_argument("--positions", action="store_true", help="store the positions of terms in the documents")
    command.add_argument(
        "--texts",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="store the documents, so that a search can show them (default: yes)",
    )
    memory_option(command)
    return command


def documents_option(command: Parser) -> None:
    command.add_argument(
        "documents", nargs="+", metavar="docs", help="file, folder, pattern or tar of documents (- for standard input)"
    )


def reading_options(command: Parser) -> None:
    """Options that say how documents are read."""
    action = command.component(
        "--layout",
        dest="format",
        of=[layouts],
        metavar="LAYOUT",
        help="file format of the documents: %(known)s (default: detected from the content)",
    )
    command.old_spelling(action, "-f", "--format")
    command.add_argument(
        "--unit",
        choices=UNITS,
        default=UNITS[0],
        help="what becomes a document of scanned pages: each page; each article where a METS has them, else as volume "
        "(document); each METS, PDF or folder (volume); each file "
        f"(default: {UNITS[0]})",
    )
    command.component(
        "--ocr",
        of=[engines],
        metavar="ENGINE",
        help="engine that reads page images without text, and PDFs without a text layer: %(known)s",
    )


def memory_option(command: Parser) -> None:
    command.add_argument(
        "--memory",
        type=between(1, 10**6),
        default=MEMORY >> 20,
        metavar="MB",
        help="size of the postings held before they go to disk; the process needs about 2.5 times as much "
        f"(default: {MEMORY >> 20})",
    )


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    if options.documents.count("-") > 1:
        raise SpecError("standard input can be read only once")
    if options.system is not None:
        return of_system(options)
    Analyzer.parse(options.analyzer)  # before a large collection is looked through
    began = time.monotonic()
    documents = documents_of(options, options.output)
    refuse_places(options.output, options.documents, documents)
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
    return failures_of(documents)


def documents_of(options: argparse.Namespace, folder: str) -> Documents:
    """The documents that were named for the index in a folder; scanned pages are read now."""
    if options.documents.count("-") > 1:
        raise SpecError("standard input can be read only once")
    return read_scans(options.documents, folder, options.format, options.unit, options.ocr, Terminal())


def failures_of(documents: Documents) -> int:
    """The exit code: whether files of scanned pages could not be read, and how many, in a last line."""
    failures = documents.failures if isinstance(documents, ScanFiles) else ()
    if failures:
        note([pages_failed(len(failures), len(documents.files) if isinstance(documents, ScanFiles) else 0)])
    return FAILED if failures else 0


def of_system(options: argparse.Namespace) -> int:
    """What a system makes of the documents, kept in the folder."""
    usual = parser().parse_args([*options.documents, "-o", options.output])
    for name in ("analyzer", "positions", "texts", "memory"):
        if getattr(options, name) != getattr(usual, name):
            raise SpecError(f"--{name} cannot be combined with --system, which decides that itself")
    system = find_system(options.system)
    refuse(system)
    began = time.monotonic()
    documents = documents_of(options, options.output)
    refuse_places(options.output, options.documents, documents)
    system_folder = keep(system, documents, options.output, progress=Terminal())
    note(documents.notes)
    extent = summary_of_kept(system_folder, options.output)
    emit(f"{index_built(options.output, extent, time.monotonic() - began)}\n")
    return failures_of(documents)


def summary_of_kept(system_folder: Kept, folder: str) -> str:
    """Of which system it is, and how large."""
    size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    return system_size(str(system_folder.system), size)


def summary(index: Index) -> str:
    """How much was indexed, in one line."""
    manifest = index.manifest
    size = (index.folder / MANIFEST).stat().st_size + manifest.bytes
    return index_size(manifest.documents, manifest.terms, manifest.postings, size)
