"""Options of the commands that degrade documents, and how a job is run and reported."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING

from ..core.document import Documents
from ..core.errors import DataError, SpecError
from ..core.machine import cores
from ..formats.documents import read_documents
from ..formats.documents.document_reading import DocumentFiles
from ..formats.documents.layout import layouts
from ..noise.degrader import Degrader
from ..noise.degrading import FORMATS, JobOutcome, degrade
from ..noise.pages.scanning import Scan
from ..noise.pages.typesetting import PageLayout
from ..storage.access import is_within
from ..words import degradation
from ..words.tasks import interrupted
from ._engine import engine_of, on_cluster
from ._options import Parser, between, emit, finite, note, split_names
from ._terminal import Terminal

if TYPE_CHECKING:
    from ..cluster.document_tables import Read
    from ..cluster.session import Cluster

NOTED = 5
"""So many kinds of notes are shown; the manifest has all."""
FAILED = 1
"""The exit code if all went on to the end and some pages could not be read."""


def documents_option(parser: Parser) -> None:
    parser.add_argument(
        "documents", nargs="+", metavar="docs", help="file, folder, pattern or tar of documents (- for standard input)"
    )
    layout_option(parser)


def layout_option(parser: Parser) -> None:
    parser.component(
        "--layout",
        of=[layouts],
        metavar="LAYOUT",
        help="file format of the documents: %(known)s (default: detected from the content)",
    )


def documents_of(options: argparse.Namespace) -> Documents:
    if options.documents.count("-") > 1:
        raise SpecError("standard input can be read only once")
    return read_documents(options.documents, options.layout)


def workers_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--workers",
        type=between(1, 256),
        default=cores(),
        metavar="N",
        help="number of processes (default: number of cores)",
    )


def job_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="DIR",
        help="folder for the output: new or empty, or that of the same job, which then goes on",
    )
    workers_option(parser)
    parser.set_defaults(workers=None)  # so that one can tell whether a number was given
    parser.add_argument(
        "--write",
        action="append",
        metavar="ENDING",
        help="files to write, as documents.ENDING: jsonl or trec, compressed as .gz or .zst "
        f"(default: {','.join(FORMATS)})",
    )
    parser.add_argument("--restart", action="store_true", help="start again, and discard what this job has written")


def page_options(parser: Parser) -> None:
    page, scan = PageLayout(), Scan()
    group = parser.add_argument_group("how pages look and are scanned")
    group.add_argument(
        "--font",
        default=page.font,
        metavar="NAME",
        help=f"font: termes, liberation, … or a file (default: {page.font})",
    )
    for name, default, says in (
        ("size", page.size, "size of the font in points"),
        ("leading", page.leading, "distance between lines, in multiples of the size"),
        ("margin", page.margin, "white margin, in multiples of the size"),
        ("skew", scan.skew, "largest angle by which a page may be turned, in degrees"),
        ("blur", scan.blur, "standard deviation of the blur, in dots"),
        ("noise-sd", scan.noise, "standard deviation of the grey noise, out of 255"),
        ("threshold", scan.threshold, "grey level below which a dot becomes ink, out of 255"),
    ):
        group.add_argument(
            f"--{name}", type=finite, default=default, metavar="X", help=f"{says} (default: {default:g})"
        )
    for name, dest, number, says in (
        ("dpi", "dpi", page.dpi, "resolution in dots per inch"),
        ("columns", "measure", page.measure, "characters per line"),
        ("lines", "lines", page.lines, "lines per page"),
    ):
        action = group.add_argument(
            f"--{name}",
            dest=dest,
            type=between(1, 10**6),
            default=number,
            metavar="N",
            help=f"{says} (default: {number})",
        )
        if name != dest:
            parser.old_spelling(action, f"--{dest}")
    group.add_argument(
        "--timeout", type=finite, default=60.0, metavar="S", help="seconds that a page may take (default: 60)"
    )
    group.add_argument(
        "--retries", type=between(0, 100), default=1, metavar="N", help="retries for a failing page (default: 1)"
    )


def layout_of(options: argparse.Namespace) -> PageLayout:
    return PageLayout(**{field.name: getattr(options, field.name) for field in fields(PageLayout)})


def scan_of(options: argparse.Namespace, factor: float = 1.0) -> Scan:
    return Scan(options.skew, options.blur, options.noise_sd, options.threshold, factor)


def refuse_local(options: argparse.Namespace) -> None:
    """An error if an option was given that a job on Spark has no use for."""
    for name, given in (("workers", options.workers), ("write", options.write), ("restart", options.restart)):
        if given:
            raise SpecError(f"--{name} needs --engine local: Spark has its own workers and always writes one new table")


def run_on(
    cluster: Cluster, options: argparse.Namespace, read: Read, degrader: Degrader, *, pages: bool, **sent: Sequence[str]
) -> int:
    """The same on Spark."""
    from ..cluster.noise_jobs import degrade_on

    done = degrade_on(cluster, read, degrader, options.output, **sent)
    outcome = replace(done.outcome, failed_pages=0)
    note(read.notes)
    note([f"{id_}: {why}" for id_, why in done.failures])
    if done.outcome.failed_pages:
        note([degradation.pages_not_read_of_table(done.outcome.failed_documents, options.output)])
    note(remarks(outcome))
    emit(f"{summary(options.output, done.outcome, pages=pages)}\n")
    return FAILED if done.outcome.failed_pages else 0


def run(options: argparse.Namespace, degrader: Degrader, *, pages: bool, documents: Documents | None = None) -> int:
    """Degrade documents as the options say, and report; exit code 0, or 1 if pages failed."""
    refuse_places(options.output, options.documents)
    engine = engine_of(options)
    if engine is not None:
        from ..cluster.document_tables import read_table
        from ..cluster.folders import Folder

        refuse_local(options)
        with on_cluster(engine) as cluster:
            Folder(cluster, options.output).refuse_used()  # before the documents are gone through
            read = read_table(cluster, options.documents, options.layout)
            return run_on(cluster, options, read, degrader, pages=pages)
    documents = documents_of(options) if documents is None else documents
    if isinstance(documents, DocumentFiles):
        refuse_places(options.output, [file.path for file in documents.files if file.handle is None], inside=True)
    terminal = Terminal()
    try:
        outcome = degrade(
            documents,
            degrader,
            options.output,
            workers=options.workers or cores(),
            formats=split_names(options.write) if options.write else FORMATS,
            progress=terminal,
            restart=options.restart,
        )
    except KeyboardInterrupt:
        note([interrupted(terminal.facts)])
        raise
    note(documents.notes)
    note(remarks(outcome))
    emit(f"{summary(options.output, outcome, pages=pages)}\n")
    return FAILED if outcome.failed_pages else 0


def summary(output: str, outcome: JobOutcome, *, pages: bool) -> str:
    """What came of a job, in one line."""
    return degradation.job_summary(
        output,
        outcome.documents,
        outcome.pages if pages else None,
        outcome.pages_per_second,
        outcome.failed_pages,
        outcome.kept,
        outcome.seconds,
    )


def remarks(outcome: JobOutcome) -> list[str]:
    """What a user should know besides."""
    lines = []
    if outcome.kept and outcome.seconds:
        lines.append(degradation.finished_before(outcome.kept))
    if outcome.dropped:
        lines.append(degradation.unfinished_record(outcome.dropped))
    if outcome.failed_pages:
        place = str(outcome.output / "failures.csv")
        lines.append(degradation.pages_not_read(outcome.failed_pages, outcome.failed_documents, place))
    lines += [degradation.repeated_remark(remark, times) for remark, times in list(outcome.notes.items())[:NOTED]]
    if len(outcome.notes) > NOTED:
        lines.append(degradation.more_remarks(len(outcome.notes) - NOTED, str(outcome.output / "manifest.json")))
    return lines


def refuse_places(target: str, sources: Sequence[str], *, inside: bool = False) -> None:
    """Output among the documents would be read as documents the next time, and the other way round."""
    for source in sources:
        if inside and is_within(source, target):
            raise DataError(f"{source}: input must not be inside the output folder {target}")
        if not inside and os.path.isdir(source) and is_within(target, source):
            raise DataError(f"{target}: output must not be inside the input folder {source}")
