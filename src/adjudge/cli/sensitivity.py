"""Check whether conclusions depend on the scale: tries about 150 transformations and shows which pairs change places.

    adjudge sensitivity qrels.txt runs/* --measure ap
    adjudge sensitivity scores.csv --pairs 20
    adjudge sensitivity scores.csv --halves 0.05 --histogram values.svg

Powers from -1 to 2, logarithms and log-odds over a range of epsilon, arcsine, ranks and standardised scores: each is a
scale on which the measure is as good a measure as before. Pairs that keep their order under all of them do not depend
on the scale. For a pair that changes places the parameter where it does is found by bisection.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..comparison.scale.halves import boost_halves
from ..comparison.scale.sensitivity import sensitivity
from ..core.measure import measures
from ..report.figures import histogram_figure
from ..report.sensitivity_text import as_json, as_text, halves_table
from ._options import (
    Parser,
    between,
    coloured,
    coverage_option,
    emit,
    finite,
    format_of,
    judging_options,
    refuse_inputs,
)
from .average import note_left_out, scores_of


def parser() -> Parser:
    command = Parser(
        prog="adjudge sensitivity", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
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
        "--pairs",
        type=between(0, 10**9),
        default=10,
        metavar="N",
        help="number of pairs that change places to show (default: 10)",
    )
    command.add_argument(
        "--steps",
        type=between(4, 200),
        default=20,
        metavar="N",
        help="steps of the exponent per unit, 4 to 200 (default: 20)",
    )
    command.add_argument(
        "--halves", type=finite, metavar="BOOST", help="boost the low or high half of the topics instead, by BOOST"
    )
    command.add_argument(
        "--histogram", metavar="FILE", help="draw how the values of each system lie over the topics (.svg, .pdf, .png)"
    )
    command.output()
    coverage_option(command)
    judging_options(command)
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    scores, name = scores_of(options)
    colour = coloured(options.output)
    form = format_of(options.format, options.output, "table")
    if options.histogram is not None:
        refuse_inputs(options.histogram, options.files)
        values = scores.values[:, :, scores.measures.index(name)]
        histogram_figure(scores.systems, values, measure=name).save(options.histogram)
    if options.halves is not None:
        table = halves_table(boost_halves(scores, name, options.halves))
        emit(table.form(form, colour=colour), options.output, options.files)
        return 0
    code = note_left_out(scores, options.least_coverage)
    result = sensitivity(scores, name, steps=options.steps, least_coverage=options.least_coverage)
    text = as_json(result) if form == "json" else as_text(result, form, options.pairs, colour=colour)
    emit(text, options.output, options.files)
    return code
