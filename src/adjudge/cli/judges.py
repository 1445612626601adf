"""Compare judges: agreement, kappa and alpha of several sets of judgments, and systems ranked under each of them.

    adjudge judges people.qrels model.qrels
    adjudge judges people.qrels crowd.qrels model.qrels -f json
    adjudge judges people.qrels model.qrels runs/* -m ndcg@10
    adjudge judges judgments/by/*.qrels runs/* --common

Files with the columns of a run (topic, Q0, document, rank, score, tag) are runs, all others are judgments; --runs names
runs that are written otherwise. Works on any judgments: of people, a crowd, a language model, or one judge twice.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

import numpy as np

from ..comparison.judge_agreement import compare_judges
from ..core.errors import ConflictError
from ..core.measure import measures
from ..formats.runs import has_run_lines
from ..report.judges_table import as_text
from ._options import (
    Parser,
    between,
    coloured,
    digits_option,
    emit,
    format_of,
    judging_of,
    judging_options,
    seed_option,
)


def parser() -> Parser:
    command = Parser(prog="adjudge judges", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("judgments", nargs="+", metavar="file", help="judgments of each judge, then runs")
    command.add_argument("--runs", nargs="+", default=[], metavar="RUN", help="runs to rank under each judge")
    command.component(
        "-m", "--measure", of=[measures], default="ap", metavar="SPEC", help="measure to rank runs by (default: ap)"
    )
    command.add_argument(
        "--group",
        action="append",
        default=[],
        metavar="PATTERN",
        help="runs that a judge may favour, such as 'llm-*', may be repeated; their gain against the others is tested",
    )
    command.add_argument(
        "--common",
        action="store_true",
        help="rank runs by the documents that both judges of a pair judged, so that only grades differ",
    )
    command.add_argument(
        "--samples",
        type=between(1, 10**6),
        default=1000,
        metavar="N",
        help="number of topic samples for intervals (default: 1000)",
    )
    seed_option(command)
    command.output()
    digits_option(command)
    judging_options(command)
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    runs = [*(file for file in options.judgments if has_run_lines(file)), *options.runs]
    judges: dict[str, str] = {}
    for file in options.judgments:
        if file in runs:
            continue
        name = judge_name(file, list(judges))
        if file in judges.values():
            raise ConflictError(f"{file}: is given twice")
        judges[name] = file
    result = compare_judges(
        judges,
        runs or None,
        options.measure,
        group=options.group,
        common=options.common,
        judging=judging_of(options),
        samples=options.samples,
        rng=np.random.default_rng(options.seed),
    )
    form = format_of(options.format, options.output, "table")
    text = as_text(result, form, options.digits, colour=coloured(options.output))
    emit(text, options.output, options.judgments)
    return 0


def judge_name(file: str, others: Sequence[str]) -> str:
    """The name of a file without folder and ending; with them if another one is called the same."""
    name = os.path.splitext(os.path.basename(file))[0]
    return file if name in others else name
