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

from ..experiment.completed_runs import claim_folder
from ..verbs.experiment_verbs import demo_plan, write_example
from ._options import Parser, emit
from .run import execute, report_failures, show, workers_option


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
        emit("".join(f"{path}\n" for path in write_example(options.example)))
        return 0
    if options.force:
        claim_folder(options.output)
    execution = execute(demo_plan(ocr=options.ocr), options.output, options.workers)
    show(execution, "table")
    return report_failures(execution)
