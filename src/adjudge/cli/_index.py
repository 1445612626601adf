"""Options and checks of the commands that search an index."""

from __future__ import annotations

import argparse

from ..core.errors import DataError, SpecError
from ..index.index import Index
from ..index.searching import Searcher
from ..storage.access import is_within
from ..systems.parts.kept import Kept, is_kept, open_kept
from ..weighting.scheme import weightings
from ._options import Parser

WEIGHTING = "bm25"


def searching_options(parser: Parser) -> None:
    parser.component(
        "-w",
        "--weighting",
        of=[weightings],
        default=WEIGHTING,
        metavar="SPEC",
        help="retrieval model: %(known)s (default: bm25)",
    )


def searcher_of(options: argparse.Namespace) -> Searcher:
    """The index that was named, seen through the weighting; what is to be written must not lie in it."""
    weighting = weightings.parse(options.weighting)
    index = Index.open(options.index)
    _refuse_output(options)
    return Searcher(index, weighting)


def kept_of(options: argparse.Namespace) -> Kept | None:
    """The system whose folder was named; None if it is an index."""
    if not is_kept(options.index):
        return None
    system_folder = open_kept(options.index)
    if options.weighting != WEIGHTING:
        raise SpecError(f"{options.index}: {system_folder.system} has a weighting of its own: leave --weighting out")
    _refuse_output(options)
    return system_folder


def _refuse_output(options: argparse.Namespace) -> None:
    if options.output is not None and is_within(options.output, options.index):
        raise DataError(f"{options.output}: output must not be inside the index folder {options.index}")
