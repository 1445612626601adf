"""Rebuild the page of an experiment, or write its figures and tables for a paper.

    adjudge report results
    adjudge report results --figures figures --tables tables
    adjudge report results --figures figures --pdf
    adjudge report results-may results-june results-july -m ndcg@10 -o history.html

RESULTS is a folder that adjudge run, confusion or demo wrote; it may have been moved. The page report.html is made
from the runs and judgments in it. --figures writes every chart as SVG, with --pdf also as PDF; --tables writes
every table as LaTeX (booktabs), Markdown and CSV.

Several folders, the oldest first, make a page over them: the history of a measure, what changed in plan, systems and
inputs from each to the next, and whether the systems of both are better or worse on the topics of both; --compare takes
two of them. It is written to history.html, or where -o says, and the same is printed as text.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..comparison.verdict import ALPHA
from ..core.errors import DataError, SpecError
from ..core.measure import measures
from ..experiment.completed_runs import CompletedRuns, lock_results
from ..experiment.running import conclude
from ..report.history_text import as_text
from ..report.result_files import result_files
from ..report.text_table import FORMS
from ..verbs.experiment_verbs import history, write_paper
from ._options import NO_VERDICT, Parser, coloured, coverage_option, digits_option, emit, note, share
from ._terminal import experiment_listener

HISTORY = "history.html"
"""The page over several folders, if no other file is named."""


def parser() -> Parser:
    command = Parser(prog="adjudge report", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("results", nargs="+", metavar="RESULTS", help="folder of an experiment; several: a history")
    command.add_argument("--figures", metavar="FOLDER", help="write the charts to FOLDER")
    command.add_argument("--pdf", action="store_true", help="write the charts as PDF too, beside SVG")
    command.add_argument("--tables", metavar="FOLDER", help="write the tables to FOLDER")
    several = command.add_argument_group("several folders")
    command.component(
        "-m", "--measure", of=[measures], to=several, default="", metavar="SPEC", help="measure (default: the main one)"
    )
    several.add_argument("--of-version", default="", metavar="NAME", help="version of the documents (default: clean)")
    several.add_argument("--compare", nargs=2, metavar="FOLDER", help="compare these two instead of each with the next")
    several.add_argument("--alpha", type=share, default=ALPHA, metavar="P", help=f"level of tests (default: {ALPHA})")
    coverage_option(command)
    several.add_argument("-f", "--format", choices=FORMS, default="table", help="format of the text (default: table)")
    several.add_argument("-o", "--output", metavar="FILE", help=f"the page over the folders (default: {HISTORY})")
    digits_option(command)
    return command


def show_history(options: argparse.Namespace) -> int:
    """The page over several folders, and the same as text; the exit code."""
    if options.figures or options.tables or options.pdf:
        raise SpecError("--figures, --tables and --pdf are of one folder, and several are given")
    result = history(
        options.results,
        options.measure,
        version=options.of_version,
        pair=options.compare or (),
        alpha=options.alpha,
        least_coverage=options.least_coverage,
        page=options.output or HISTORY,
    )
    note(result.notes)
    emit(as_text(result, options.format, options.digits, colour=coloured(None)))
    return NO_VERDICT if any(step.left_out for step in result.steps) else 0


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_args(arguments)
    if len(options.results) > 1:
        return show_history(options)
    for name in ("measure", "of_version", "compare", "output"):
        if getattr(options, name):
            raise SpecError(f"--{name.replace('_', '-')} is for several folders, and one is given")
    if options.pdf and not options.figures:
        raise SpecError("--pdf needs --figures FOLDER")
    with experiment_listener() as progress:
        results = CompletedRuns.load(options.results[0])
        with lock_results(results.folder):
            execution = conclude(results, result_files, progress, anew=True)
    if execution.findings is None:
        raise DataError(f"{options.results[0]}: no finished run to report on")
    note(execution.findings.notes)
    written = [execution.page, *write_paper(execution, options.figures, options.tables, pdf=options.pdf)]
    emit("".join(f"{path}\n" for path in written))
    return 0
