"""What the commands that search an index have in common."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from ..core.errors import DataError
from ..index.index import Index
from ..index.searching import Searcher
from ..weighting import weightings


def searching_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-w", "--weighting", default="bm25", metavar="SPEC", help=f"one of {', '.join(weightings.names)} (bm25)"
    )


def searcher_of(options: argparse.Namespace) -> Searcher:
    """The index that was named, seen through the weighting; what is to be written must not lie in it."""
    weighting = weightings.parse(options.weighting)
    index = Index.open(options.index)
    if options.output is not None and within(options.output, options.index):
        raise DataError(f"{options.output}: lies in the index {options.index}, and nothing else may")
    return Searcher(index, weighting)


def within(path: str, folder: str) -> bool:
    """Whether a path is a folder or lies below it, whatever links lead there."""
    inner, outer = Path(os.path.realpath(path)), Path(os.path.realpath(folder))
    return inner == outer or outer in inner.parents
