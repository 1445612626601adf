"""Does the conclusion depend on the scale? Tries many transformations and says which pairs of systems change places.

    adjudge sensitivity qrels.txt runs/* --measure ap
    adjudge sensitivity scores.csv --pairs 20
    adjudge sensitivity scores.csv --halves 0.05

Powers from -1 to 2, logarithms and log-odds over a range of epsilon, arcsine, ranks and standardised scores: each is a
scale on which the measure is as good a measure as before. Pairs that keep their order under all of them do not depend
on the scale. For a pair that changes places the parameter where it does is found by bisection.
"""

from __future__ import annotations

import argparse
import json
import math
import re
from collections.abc import Sequence

import numpy as np

from ..comparison.halves import halves
from ..comparison.sensitivity import Row, Sensitivity, sensitivity
from ..core.average import averages
from ..report.table import FORMS, Table, rounded
from ._options import Parser, between, coloured, emit, format_of, judging_options
from .average import scores_of

SENTENCES = 5
SHOWN = 4
"""Systems named in the order under a transformation; CSV and JSON name all."""
HALVES = ("mean", "log", "logit", "power(p=0.5)", "median", "worst")


def parser() -> Parser:
    made = Parser(prog="adjudge sensitivity", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("files", nargs="+", metavar="file", help="scores, or judgments and runs")
    made.add_argument("-m", "--measure", metavar="SPEC", help="what is averaged (ap; with scores: their only measure)")
    made.add_argument(
        "--pairs", type=between(0, 10**9), default=10, metavar="N", help="show so many pairs that change places (10)"
    )
    made.add_argument(
        "--steps",
        type=between(4, 200),
        default=20,
        metavar="N",
        help="steps of a power to the unit, 4 to 200 (20)",
    )
    made.add_argument(
        "--halves", type=finite, metavar="BOOST", help="instead: boost the low or high half of the topics"
    )
    made.add_argument("-f", "--format", choices=FORMS, help="by default a table, or what the ending of --output says")
    made.add_argument("-o", "--output", metavar="FILE", help="write there, replacing the file in one step")
    judging_options(made)
    return made


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    scores, name = scores_of(options)
    colour = coloured(options.output)
    form = format_of(options.format, options.output, "table")
    if options.halves is not None:
        chosen = [averages.parse(spec) for spec in HALVES]
        exact: list[list[object]] = []
        for system in scores.systems:
            values = scores[system, :, name]
            exact += [
                [system, row.average, row.before, row.all, row.low, row.high]
                for row in halves(values[~np.isnan(values)], options.halves, chosen)
            ]
        rows = [[str(cell) if isinstance(cell, str) else shown(cell) for cell in row] for row in exact]
        header = ["system", f"average of {name}", "before", f"all +{options.halves:g}", "lower half", "upper half"]
        emit(Table(header, rows, 2, exact=exact).form(form, colour=colour), options.output, options.files)
        return 0
    result = sensitivity(scores, name, steps=options.steps)
    text = as_json(result) if form == "json" else as_text(result, form, options.pairs, colour=colour)
    emit(text, options.output, options.files)
    return 0


def shown(figure: object) -> str:
    return rounded(figure, 4) if isinstance(figure, float) else str(figure)


def finite(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise argparse.ArgumentTypeError(f"must be a number, not {text!r}")
    return number


def is_round(row: Row) -> bool:
    """Parameters that a person would choose: quarters of a power, powers of ten for epsilon. CSV and JSON have all."""
    power = re.search(r"power=([-\d.e]+)", row.transformation)
    eps = re.search(r"eps=([-\d.e]+)", row.transformation)
    if power:
        return float(power[1]) * 4 % 1 == 0
    return eps is None or math.log10(float(eps[1])) % 1 == 0


def as_text(result: Sensitivity, form: str, pairs: int, *, colour: bool) -> str:
    rows = []
    for row in result.rows if form == "csv" else filter(is_round, result.rows):
        places = [f"{result.systems[s]} {rounded(float(row.figures[s]), 4)}" for s in row.order]
        kept = places if form == "csv" else places[:SHOWN]
        best = ", ".join(kept) + (", …" if len(kept) < len(places) else "")
        rows.append([row.transformation, str(row.swapped), best])
    table = Table([f"{result.measure} under", "pairs turned", "order"], rows, 3)
    if form == "csv":
        return table.csv()
    swaps = [
        [s.leader, s.other, f"{s.difference:.4f}", s.family, bound(s.parameter, s.at), bound("", s.until)]
        for s in result.swaps[:pairs]
    ]
    pages = [table.form(form, colour=colour)]
    if swaps:
        header = ["ahead on the mean", "then ahead", "difference", "under", "from", "to"]
        pages.append(Table(header, swaps, 2).form(form, colour=colour))
        told = {(s.leader, s.other): s for s in reversed(result.swaps[:pairs])}  # one sentence a pair, its first swap
        pages.append("".join(f"{s.sentence()}\n" for s in list(told.values())[::-1][:SENTENCES]))
        hidden = len(result.swaps) - len(swaps)
        if hidden > 0:
            pages.append(f"{hidden} more changes of places: --pairs {len(result.swaps)} or --format json\n")
    pages += [f"Not tried: {reason}.\n" for reason in result.skipped]
    return "\n".join([*pages, result.conclusion() + "\n"])


def bound(parameter: str, value: float) -> str:
    return "" if math.isnan(value) else f"{parameter} {value:.3g}".strip()


def as_json(result: Sensitivity) -> str:
    data = {
        "measure": result.measure,
        "topics": result.topics,
        "means": dict(zip(result.systems, result.means.tolist(), strict=True)),
        "transformations": [
            {
                "transformation": row.transformation,
                "pairs_turned": row.swapped,
                "order": [result.systems[i] for i in row.order],
                "figures": dict(zip(result.systems, row.figures.tolist(), strict=True)),
            }
            for row in result.rows
        ],
        "swaps": [
            {
                "leader": s.leader,
                "other": s.other,
                "difference": s.difference,
                "family": s.family,
                "parameter": s.parameter or None,
                "at": None if math.isnan(s.at) else s.at,
                "until": None if math.isnan(s.until) else s.until,
                "sentence": s.sentence(),
            }
            for s in result.swaps
        ],
        "pairs": result.pairs,
        "stable": result.stable,
        "skipped": list(result.skipped),
        "conclusion": result.conclusion(),
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"
