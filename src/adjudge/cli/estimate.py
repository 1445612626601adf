"""Estimate mean measures from few judgments, with intervals; a machine judge may make them more precise.

    adjudge estimate sampled.txt runs/* -m ap -m ndcg@10 -m xinfap
    adjudge estimate sampled.txt runs/* -m p@10 --machine model.qrels
    adjudge estimate sampled.txt runs/* -m ap --whole whole.qrels
    adjudge estimate people.qrels runs/* -m ndcg@10 --machine model.qrels

Judgments in five columns are a random sample of the pool (adjudge pool export writes them): estimated is the mean
over these topics as if all of the pool had been judged. With --whole, topics that were drawn at random and judged whole
correct what the sample says, so that ap, ndcg and recall are unbiased (adjudge pool --whole-topics; adjudge pool export
--whole). Plain judgments with --machine are those of some topics,
chosen at random: estimated is the mean over all topics that the machine judged, as if people had judged them. The
figure of the machine is corrected by its mean difference from people, and stands beside that of people alone and of
the machine alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..core.measure import measures
from ..report.pool_tables import estimates_text
from ._options import Parser, coloured, emit, format_of, grade_option, level_option, split_names
from ._terminal import Terminal


def parser() -> Parser:
    command = Parser(prog="adjudge estimate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("qrels", help="judgments of a sample in five columns, or of some topics")
    command.add_argument("runs", nargs="+", metavar="run", help="runs to measure")
    command.component(
        "-m",
        "--measure",
        of=[measures],
        action="append",
        metavar="SPEC",
        help="measure, may be repeated (default: ap, ndcg@10, p@10)",
    )
    command.add_argument("--machine", metavar="QRELS", help="judgments of a machine, of the pool or of all topics")
    command.add_argument("--whole", metavar="QRELS", help="beside a sample, judgments of topics judged whole")
    level_option(command)
    grade_option(command.add_argument_group("judging"))
    command.output()
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    from ..comparison.sampled_estimates import DEFAULT
    from ..verbs.estimate_verbs import estimate

    form = format_of(options.format, options.output, "table")
    result = estimate(
        options.qrels,
        options.runs,
        split_names(options.measure) if options.measure else DEFAULT,
        machine=options.machine,
        whole=options.whole,
        level=options.level,
        confidence=options.confidence,
        progress=Terminal(),
    )
    text = estimates_text(result, form, colour=coloured(options.output))
    emit(
        text, options.output, [each for each in (options.qrels, options.machine, options.whole) if each] + options.runs
    )
    return 0
