"""Rank systems without judgments: random documents of the pool are taken as relevant, many times.

    adjudge pseudo-judgments runs/*
    adjudge pseudo-judgments runs/* --qrels qrels.txt --measure ndcg@10
    adjudge pseudo-judgments runs/* --depth 50 --share 0.1 --sd 0.05 --distinct

The pool of a topic is what any run has among its first --depth documents. In each trial a share of it is drawn, a
document being as many times as likely as there are runs that have it (--distinct: all alike). Real judgments give the
share and its standard deviation, and show how far the ranking is right: systems that find what no other finds come out
too low.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

from ..comparison.reliability.pseudo_judgments import SD, SHARE, pseudo_judgments
from ..core.errors import SpecError
from ..core.measure import measures
from ..report.reliability import pseudo_json, pseudo_text
from ._options import (
    Parser,
    between,
    coloured,
    digits_option,
    emit,
    finite,
    format_of,
    grade_option,
    judging_of,
    measure_names,
    note,
    seed_option,
    version_option,
)
from ._terminal import Terminal


def parser() -> Parser:
    command = Parser(
        prog="adjudge pseudo-judgments", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("runs", nargs="+", metavar="run", help="two or more runs (- for standard input)")
    command.add_argument(
        "--qrels", metavar="FILE", help="real judgments, to learn the share from and to compare the ranking with"
    )
    command.component("-m", "--measure", of=[measures], default="ap", metavar="SPEC", help="measure (default: ap)")
    command.add_argument(
        "--depth",
        type=between(1, 10**9),
        default=100,
        metavar="N",
        help="number of documents per run and topic that make the pool (default: 100)",
    )
    command.add_argument(
        "--trials", type=between(1, 10**9), default=50, metavar="N", help="number of random judgments (default: 50)"
    )
    command.add_argument(
        "--share",
        type=finite,
        metavar="P",
        help=f"share of the pool that is relevant (default: as in --qrels, else {SHARE:g})",
    )
    command.add_argument(
        "--sd",
        type=finite,
        metavar="S",
        help=f"standard deviation of that share across topics (default: as in --qrels, else {SD:g})",
    )
    command.add_argument(
        "--distinct",
        action="store_true",
        help="draw all documents with the same probability, however many runs have them",
    )
    seed_option(command)
    command.output()
    digits_option(command)
    group = command.add_argument_group("how runs are evaluated")
    grade_option(group)
    group.add_argument("-J", "--judged-only", action="store_true", help="ignore documents that nobody judged")
    group.add_argument(
        "-c", "--complete", action="store_true", help="score 0 on topics that a run leaves out (default: skip)"
    )
    group.add_argument(
        "-N", "--collection-size", type=int, default=0, metavar="N", help="number of documents in the collection"
    )
    version_option(group)
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    inputs = [*options.runs, *([options.qrels] if options.qrels is not None else [])]
    if inputs.count("-") > 1:
        raise SpecError("standard input can be read only once")
    wanted = measure_names([options.measure])
    if len(wanted) > 1:
        raise SpecError("give one measure at a time")
    result = pseudo_judgments(
        options.runs,
        wanted[0],
        depth=options.depth,
        trials=options.trials,
        share=options.share,
        sd=options.sd,
        like=options.qrels,
        duplicates=not options.distinct,
        judging=judging_of(options, "level", "judged_only", "complete", "trec_version", "collection_size"),
        rng=np.random.default_rng(options.seed),
        progress=Terminal(),
    )
    note(result.notes)
    form = format_of(options.format, options.output, "table")
    colour = coloured(options.output)
    text = pseudo_json(result) if form == "json" else pseudo_text(result, form, options.digits, colour=colour)
    emit(text, options.output, inputs)
    return 0
