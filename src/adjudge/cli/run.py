"""Run an experiment from a plan: run systems, evaluate and compare them, and write a page with the results.

    adjudge run plan.toml
    adjudge run plan.toml -o results --workers 2 --format md --open

A plan is TOML and names topics, judgments, versions of the documents and systems, or a folder of runs made elsewhere:

    title = "Is the new ranker better?"
    judgments = "qrels.txt"
    topics = "topics.tsv"              # optional: the page then shows the questions
    runs = "runs/"                     # a folder of run files
    measures = ["ndcg@10", "ap"]       # the first one decides
    baselines = ["bm25"]

Systems of your own take part as code or as a command (docs/own-systems.md):

    documents = "documents.jsonl"
    [systems]
    bm25 = "bm25"
    mine = { python = "rankers:search" }
    theirs = { command = "their-search {topics} {run}" }

RESULTS gets report.html, results.txt (.md, .tex, .csv), scores.parquet, verdicts.json, provenance.json and all runs.
Run the command again and only the missing work is done: if it is interrupted, only unfinished runs are lost, and a
changed parameter repeats just what depends on it. A system that fails is named in a line, the exit code is 2, and the
page shows the others. docs/experiments.md explains every setting.

Exit code 3: a run answers none of the judged topics (or less than least_coverage of them) and has no verdict.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from ..core.errors import SpecError
from ..core.machine import cores
from ..core.visible import spell_out
from ..experiment.completed_runs import claim_folder
from ..experiment.plan import Plan
from ..experiment.running import Execution, conduct
from ..report.result_files import result_files
from ..report.text_table import FORMS
from ..words.summaries import page_written
from ._options import NO_VERDICT, Parser, between, emit
from ._terminal import experiment_listener


def parser() -> Parser:
    command = Parser(prog="adjudge run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("plan", metavar="PLAN.toml", help="plan of the experiment")
    command.add_argument(
        "-o", "--output", metavar="RESULTS", help="folder for the results (default: results/ and the name of the plan)"
    )
    command.add_argument("--open", action="store_true", help="open the page in a browser when it is written")
    workers_option(command)
    command.add_argument(
        "-f", "--format", choices=FORMS, default="table", help="format of the printed tables (default: table)"
    )
    return command


def workers_option(parser: argparse.ArgumentParser) -> None:
    says = (
        "number of systems to run at a time, if memory allows; 0 runs them in this process (default: number of cores)"
    )
    parser.add_argument(
        "--force", action="store_true", help="overwrite files in the output folder that adjudge has not written"
    )
    parser.add_argument("--workers", type=between(0, 256), default=cores(), metavar="N", help=says)


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_args(arguments)
    plan = Plan.read(options.plan)
    if plan.tune is not None:
        raise SpecError(f"{options.plan}: has a table [tune]: adjudge tune {options.plan}")
    folder = options.output or str(default_folder(options.plan))
    if options.force:
        claim_folder(folder)
    execution = execute(plan, folder, options.workers)
    show(execution, options.format)
    if options.open:
        open_page(execution.page)
    return report_failures(execution) or (NO_VERDICT if execution.left_out else 0)


def default_folder(plan: str) -> Path:
    """Where results go if nobody says: results/, and the name of the plan."""
    return Path("results") / (Path(plan).stem or "plan")


def open_page(page: Path) -> None:
    import webbrowser

    webbrowser.open(page.resolve().as_uri())


def report_failures(execution: Execution) -> int:
    """Name the systems that failed, a line each; the exit code."""
    for failure in execution.failures:
        print(f"adjudge: {spell_out(str(failure))}", file=sys.stderr)
    return 2 if execution.failures else 0


def execute(plan: Plan, folder: str, workers: int) -> Execution:
    with experiment_listener() as progress:
        return conduct(plan, folder, result_files, workers=workers, progress=progress)


def show(execution: Execution, form: str) -> None:
    emit(execution.text(form))
    if form in {"table", "md"}:
        emit(f"\n{page_written(str(execution.page), before=execution.findings is None)}\n")
