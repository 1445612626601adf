"""Measure discriminative power: how many pairs of systems a measure can distinguish, and what difference that takes.

    adjudge discriminative-power qrels.txt runs/* -m ap -m ndcg@10 -m p@10 -m rr
    adjudge discriminative-power scores.csv --samples 10000
    adjudge discriminative-power scores.csv --test tukey --alpha 0.01

Every pair of systems is tested under each measure, on the same samples of topics. The share of pairs that differ
significantly is the discriminative power of a measure; the required difference is the largest that lay at the edge of
significance for any pair. The p-values are not corrected: measures are compared here, not systems. JSON has the whole
curve of p for plotting.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

from ..comparison.paired import paired_tests
from ..comparison.reliability.discriminative_power import discriminative_power
from ..core.errors import SpecError
from ..core.measure import measures
from ..report.reliability import power_json, power_text
from ._options import (
    Parser,
    between,
    coloured,
    coverage_option,
    digits_option,
    emit,
    format_of,
    judging_options,
    seed_option,
    share,
)
from ._terminal import Terminal
from .average import note_left_out, scores_of_measures


def parser() -> Parser:
    command = Parser(
        prog="adjudge discriminative-power", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("files", nargs="+", metavar="file", help="table of scores, or judgments and runs")
    command.component(
        "-m",
        "--measure",
        of=[measures],
        action="append",
        metavar="SPEC",
        help="measure, may be repeated (default: ap; of a table of scores, all its measures)",
    )
    command.add_argument(
        "--alpha", type=share, default=0.05, metavar="A", help="significance level of the tests (default: 0.05)"
    )
    command.add_argument(
        "--samples",
        type=between(1, 10**5),
        metavar="N",
        help="number of bootstrap samples of the topics (default: 1000)",
    )
    command.component(
        "-t",
        "--test",
        of=[paired_tests],
        metavar="SPEC",
        help="paired test: %(known)s (default: bootstrap)",
    )
    seed_option(command)
    command.output()
    digits_option(command)
    coverage_option(command)
    judging_options(command)
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    if options.test and options.samples:
        raise SpecError("--samples belongs to the bootstrap: write tukey(samples=1000) for another test")
    scores, names = scores_of_measures(options.files, options.measure or [], options)
    code = note_left_out(scores, options.least_coverage)
    powers = discriminative_power(
        scores,
        names,
        alpha=options.alpha,
        test=options.test or f"bootstrap(samples={options.samples or 1000})",
        least_coverage=options.least_coverage,
        rng=np.random.default_rng(options.seed),
        progress=Terminal(),
    )
    form = format_of(options.format, options.output, "table")
    colour = coloured(options.output)
    text = power_json(powers) if form == "json" else power_text(powers, form, options.digits, colour=colour)
    emit(text, options.output, options.files)
    return code
