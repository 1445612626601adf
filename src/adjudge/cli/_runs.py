"""Options and checks of the commands that write a run."""

from __future__ import annotations

import os

from ..core.errors import DataError, SpecError
from ..formats.source import NamedPath, Source
from ..formats.writing import format_by_ending
from ._options import Parser, between

KINDS = ("trec", "json", "parquet")


def run_argument(given: str) -> str:
    """A file, with the name that its run is to have: ``NAME=FILE``, or the file's own without its endings.

    >>> run_argument("mine=runs/a.run.gz").run_name, run_argument("runs/a.run.gz").run_name
    ('mine', 'a')
    """
    if given == "-" or isinstance(given, NamedPath):
        return given
    name, sign, path = given.partition("=")
    if not sign or os.path.exists(given):
        return NamedPath(given, Source(given, b"").stem)
    if not name or any(letter.isspace() or letter < " " for letter in name):
        raise SpecError(f"{given}: NAME=FILE needs a name without blanks, not {name!r}")
    if not path:
        raise SpecError(f"{given}: NAME=FILE needs a file after the sign")
    return path if path == "-" else NamedPath(path, name)


def hits_option(command: Parser) -> None:
    """The option that says how many documents of a topic a run has."""
    command.add_argument(
        "-k",
        "--hits",
        dest="k",
        type=between(1, 10**9),
        default=1000,
        metavar="N",
        help="number of documents to retrieve per topic (default: 1000)",
    )


def run_output(command: Parser) -> None:
    """The options that say where a run goes, and how it is written."""
    command.add_argument(
        "-f", "--format", choices=KINDS, help="output format (default: from the extension of FILE, else trec)"
    )
    command.add_argument(
        "-o", "--output", metavar="FILE", help="write to FILE, replaced atomically (default: -, standard output)"
    )


def form_of(given: str | None, path: str | None) -> str:
    """trec, json or parquet: as asked for, else by the ending, before that of a compressor."""
    kind = "text" if path is None else format_by_ending(path)
    form = given or ("trec" if kind == "text" else kind)
    if form == "parquet" and path is None:
        raise SpecError("parquet cannot be written to standard output: give --output FILE")
    return form


def refuse_folder(path: str) -> None:
    """An error if a file cannot be made there: better now than after the work."""
    target = os.path.realpath(path)
    folder = os.path.dirname(target)
    if os.path.isdir(target):
        raise DataError(f"{path}: cannot be written: it is a folder")
    if os.path.exists(target) and not os.path.isfile(target):
        return  # a device or a pipe, into which is written
    if not os.path.isdir(folder):
        raise DataError(f"{path}: cannot be written: there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise DataError(f"{path}: cannot be written: {folder} is not writable")
