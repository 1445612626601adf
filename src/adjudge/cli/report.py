"""Rebuild the page of an experiment, or write its figures and tables for a paper.

    adjudge report results
    adjudge report results --figures figures --tables tables
    adjudge report results --figures figures --pdf

RESULTS is a folder that adjudge run, confusion or demo wrote; it may have been moved. The page report.html is made
from the runs and judgments in it. --figures writes every chart as SVG, with --pdf also as PDF; --tables writes
every table as LaTeX (booktabs), Markdown and CSV.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..core.errors import DataError, SpecError
from ..experiment.completed_runs import CompletedRuns, lock_results
from ..experiment.running import conclude
from ..report.result_files import result_files
from ..verbs.experiment_verbs import write_paper
from ._options import Parser, emit, note
from ._terminal import experiment_listener


def parser() -> Parser:
    command = Parser(prog="adjudge report", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("results", metavar="RESULTS", help="folder of an experiment")
    command.add_argument("--figures", metavar="FOLDER", help="write the charts to FOLDER")
    command.add_argument("--pdf", action="store_true", help="write the charts as PDF too, beside SVG")
    command.add_argument("--tables", metavar="FOLDER", help="write the tables to FOLDER")
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_args(arguments)
    if options.pdf and not options.figures:
        raise SpecError("--pdf needs --figures FOLDER")
    with experiment_listener() as progress:
        results = CompletedRuns.load(options.results)
        with lock_results(results.folder):
            execution = conclude(results, result_files, progress, anew=True)
    if execution.findings is None:
        raise DataError(f"{options.results}: no finished run to report on")
    note(execution.findings.notes)
    written = [execution.page, *write_paper(execution, options.figures, options.tables, pdf=options.pdf)]
    emit("".join(f"{path}\n" for path in written))
    return 0
