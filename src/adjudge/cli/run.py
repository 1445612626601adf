"""Carry out a plan: run systems, measure and compare them, and write a page that shows what was found.

    adjudge run plan.toml -o results
    adjudge run plan.toml -o results --workers 2 --format md

A plan is TOML and names topics, judgments, versions of the documents and systems, or a folder of runs made elsewhere:

    title = "Is the new ranker better?"
    judgments = "qrels.txt"
    topics = "topics.tsv"              # optional: the page then shows the questions
    runs = "runs/"                     # a folder of run files
    measures = ["ndcg@10", "ap"]       # the first one decides
    baselines = ["bm25"]

RESULTS gets report.html, results.txt (.md, .tex, .csv), scores.parquet, verdicts.json, provenance.json and all runs.
Given again, the command does only what is not done: a kill costs the cells under way, a changed parameter makes anew
just what depends on it. docs/experiments.md explains every setting.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..core.machine import cores
from ..experiment.plan import Plan
from ..experiment.running import Execution, conduct
from ..report.result_files import result_files
from ..report.text_table import FORMS
from ..words.summaries import page_written
from ._options import Parser, between, emit
from ._terminal import experiment_listener


def parser() -> Parser:
    command = Parser(prog="adjudge run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("plan", metavar="PLAN.toml")
    command.add_argument("-o", "--output", metavar="RESULTS", required=True, help="the folder for results")
    workers_option(command)
    command.add_argument("-f", "--format", choices=FORMS, default="table", help="of what is printed (table)")
    return command


def workers_option(parser: argparse.ArgumentParser) -> None:
    says = "systems at a time, if memory allows (as many as there are cores); 0: in this process, for debuggers"
    parser.add_argument("--workers", type=between(0, 256), default=cores(), metavar="N", help=says)


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_args(arguments)
    plan = Plan.read(options.plan)
    show(execute(plan, options.output, options.workers), options.format)
    return 0


def execute(plan: Plan, folder: str, workers: int) -> Execution:
    with experiment_listener() as progress:
        return conduct(plan, folder, result_files, workers=workers, progress=progress)


def show(execution: Execution, form: str) -> None:
    emit(execution.text(form))
    if form in {"table", "md"}:
        emit(f"\n{page_written(str(execution.page), before=execution.findings is None)}\n")
