"""Estimate how often other topics would reverse two systems: swap rates by number of topics and size of the difference.

    adjudge swap-rate qrels.txt runs/* --measure ap
    adjudge swap-rate scores.csv --size 10 --size 20 --trials 5000
    adjudge swap-rate scores.csv --rate 0.01 --format json

One file is a table of scores, two or more are judgments and runs. Two disjoint sets of topics are drawn many times; a
swap is when the second orders two systems the other way than the first. At most half the topics can be in a set; the
rates with all of them are extrapolated along a·exp(−b·topics) and marked as such.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

from ..comparison.reliability.swap_rate import swap_rate
from ..core.measure import measures
from ..report.reliability import swap_json, swap_text
from ._options import (
    Parser,
    between,
    coloured,
    coverage_option,
    emit,
    finite,
    format_of,
    judging_options,
    seed_option,
    share,
)
from ._terminal import Terminal
from .average import note_left_out, scores_of


def parser() -> Parser:
    command = Parser(
        prog="adjudge swap-rate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("files", nargs="+", metavar="file", help="table of scores, or judgments and runs")
    command.component(
        "-m",
        "--measure",
        of=[measures],
        metavar="SPEC",
        help="measure to average (default: ap; of a table of scores, its only measure)",
    )
    command.add_argument(
        "--size",
        type=between(1, 10**9),
        action="append",
        metavar="N",
        help="number of topics in a set, may be repeated (default: 1, 5, 10 … and half of all)",
    )
    command.add_argument(
        "--trials",
        type=between(1, 10**9),
        default=1000,
        metavar="N",
        help="number of pairs of topic sets drawn per size (default: 1000)",
    )
    command.add_argument(
        "--width", type=finite, default=0.01, metavar="W", help="width of a bin of differences (default: 0.01)"
    )
    command.add_argument(
        "--bins",
        type=between(2, 10**4),
        default=21,
        metavar="N",
        help="number of bins, the last one open-ended (default: 21)",
    )
    command.add_argument(
        "--rate", type=share, default=0.05, metavar="R", help="largest acceptable swap rate (default: 0.05)"
    )
    seed_option(command)
    command.output()
    coverage_option(command)
    judging_options(command)
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    scores, name = scores_of(options)
    code = note_left_out(scores, options.least_coverage)
    result = swap_rate(
        scores,
        name,
        sizes=options.size,
        trials=options.trials,
        width=options.width,
        bins=options.bins,
        least_coverage=options.least_coverage,
        rng=np.random.default_rng(options.seed),
        progress=Terminal(),
    )
    form = format_of(options.format, options.output, "table")
    colour = coloured(options.output)
    text = swap_json(result, options.rate) if form == "json" else swap_text(result, form, options.rate, colour=colour)
    emit(text, options.output, options.files)
    return code
