"""Run a demonstration: all systems search Python's own documentation, clean and scanned, and are compared on a page.

    adjudge demo
    adjudge demo --output results --workers 1
    adjudge demo --ocr
    adjudge demo --example FOLDER

The documents are the docstrings of the installed standard library, and each of the 49 questions asks for one of them.
Every system answers on the clean text and on two degraded versions, with 5 % and 20 % of the characters wrong:
simulated by the error channels that adjudge brings along, or with --ocr printed, scanned and read by ocrad, which takes
longer. The folder gets what every experiment gets: the page report.html, tables, scores, test results, provenance and
all runs. Systems whose optional packages are not installed are left out with a note. With --example the small files
that the documentation uses are written to a folder, and nothing is run.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path

from ..core.errors import DataError
from ..experiment.completed_runs import claim_folder
from ..experiment.plan import USUAL_VERSIONS, AnalysisSettings, Noise, Plan
from ..formats.writing import write
from ._options import Parser, emit
from .run import execute, report_failures, show, workers_option

SCANNED: dict[str, str | Noise] = {
    "true": "",
    "5 %": Noise(engine="ocrad", factor=1.668),
    "20 %": Noise(engine="ocrad", factor=2.236),
}
"""Factors at which ocrad misreads so much of the Federal Register; the page tells how much it is here."""


def parser() -> Parser:
    command = Parser(prog="adjudge demo", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument(
        "-o", "--output", default="out", metavar="FOLDER", help="folder for the results (default: out)"
    )
    command.add_argument("--ocr", action="store_true", help="scan and read pages instead of simulating OCR errors")
    command.add_argument("--example", metavar="FOLDER", help="write the files of the examples to FOLDER and stop")
    workers_option(command)
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_args(arguments)
    if options.example:
        return write_example(Path(options.example))
    plan = Plan(
        collection="python-docs",
        title="Finding one page of Python's documentation, clean and scanned",
        systems=("all",),
        versions=SCANNED if options.ocr else USUAL_VERSIONS,
        analysis=AnalysisSettings(measures=("rr", "success@1", "success@10", "all")),
    )
    if options.force:
        claim_folder(options.output)
    execution = execute(plan, options.output, options.workers)
    show(execution, "table")
    return report_failures(execution)


def write_example(folder: Path) -> int:
    """The files of the examples; those that are there already stay as they are."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{folder}: cannot be made: {error.strerror}") from None
    with as_file(files("adjudge") / "example") as example:
        for source in sorted(example.iterdir()):
            target = folder / source.name
            if source.is_file() and not target.exists():
                write(target, source.read_bytes())
                emit(f"{target}\n")
    return 0
