"""Tune the parameters of a system and report what that gains on topics it was not tuned on.

    adjudge tune plan.toml
    adjudge tune plan.toml -o results --workers 2 --open

A plan is as for adjudge run, with one version of the documents and a table that says what is tuned:

    documents = "documents.jsonl"
    topics = "topics.tsv"
    judgments = "qrels.txt"
    measures = ["ap", "ndcg@10"]       # what is reported

    [tune]
    system = "bm25"                    # or { python = "rankers:search" }, or a label of [systems]
    train = ["ap", "ndcg@10"]          # what settings are chosen by
    folds = 5
    [tune.parameters]
    k1 = [0.6, 0.9, 1.2, 1.6]
    b = { low = 0.0, high = 1.0, steps = 5 }

Every setting is run once over all topics. For each fold of the topics the setting is taken that is best on the others,
so the figures are those of topics on which nothing was chosen. Beside them stands what would have been claimed without
the split. search = "random" or "sequential" (with optuna) looks at trials = 50 settings instead of all. Run it again
and only the missing settings are run. docs/tuning.md explains every setting.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..core.errors import SpecError
from ..experiment.completed_runs import claim_folder
from ..experiment.plan import Plan
from ..experiment.tuning import conduct_tuning
from ..report.result_files import result_files
from ..report.text_table import FORMS, json_text
from ..report.tuning_table import as_text
from ..words.summaries import page_written
from ._options import Parser, emit
from ._terminal import experiment_listener
from .run import default_folder, open_page, report_failures, workers_option


def parser() -> Parser:
    command = Parser(prog="adjudge tune", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("plan", metavar="PLAN.toml", help="plan of the experiment, with a table [tune]")
    command.add_argument(
        "-o", "--output", metavar="RESULTS", help="folder for the results (default: results/ and the name of the plan)"
    )
    command.add_argument("--open", action="store_true", help="open the page in a browser when it is written")
    workers_option(command)
    command.add_argument(
        "-f", "--format", choices=FORMS, default="table", help="format of the printed tables (default: table)"
    )
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_args(arguments)
    plan = Plan.read(options.plan)
    if plan.tune is None:
        raise SpecError(f"{options.plan}: has no table [tune], so there is nothing to tune")
    folder = options.output or str(default_folder(options.plan))
    if options.force:
        claim_folder(folder)
    with experiment_listener() as progress:
        execution = conduct_tuning(plan, folder, result_files, workers=options.workers, progress=progress)
    tuning = execution.tuning
    emit(json_text(tuning.to_dict()) if options.format == "json" else as_text(tuning, options.format))
    if options.format in {"table", "md"}:
        emit(f"\n{page_written(str(execution.page), before=execution.findings is None)}\n")
    if options.open:
        open_page(execution.page)
    return report_failures(execution)
