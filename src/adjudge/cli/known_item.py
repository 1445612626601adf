"""Known-item search: who finds more of the sought documents, for how much reading, and who dominates whom.

    adjudge known-item qrels.txt clean.run scanned.run
    adjudge known-item qrels.txt runs/* --length 1000 --value 100 --value 5000
    adjudge known-item qrels.txt runs/* --axis rank --curves curves.csv

Every judged topic has one relevant document. Its finding is worth v, reading a document costs c; a list is read down to
the item, or to its end. Shown are the mean reciprocal rank, what is found and what is read; whose operating
characteristic lies above whose, reading all lists in parallel; and which system is worth most for which v/c. Intervals
and shares come from a bootstrap over the questions.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from ..comparison.known_item.characteristic import AXES, Effort
from ..comparison.known_item.ranks import LONGEST, KnownItem, known_item
from ..comparison.known_item.study import Study, study_items
from ..core.errors import SpecError
from ..report.known_item_data import as_json, curves_text
from ..report.known_item_text import as_text
from ..report.text_table import FORMS
from ._options import (
    Parser,
    between,
    coloured,
    emit,
    finite,
    format_of,
    judging_of,
    note,
    refuse_inputs,
    seed_option,
    version_option,
)
from ._terminal import Terminal


def parser() -> Parser:
    command = Parser(
        prog="adjudge known-item", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("qrels", help="relevance judgments, one relevant document a topic, - for standard input")
    command.add_argument("runs", nargs="+", metavar="run", help="a run, - for standard input")
    command.add_argument("--axis", choices=AXES, default="work", help="what curves are compared over (work)")
    command.add_argument(
        "--prior", action="store_true", help="a find costs the rounds before it, not the one it is made in"
    )
    command.add_argument(
        "--value",
        dest="ratios",
        type=ratio,
        action="append",
        default=[],
        metavar="X",
        help="show values in units of c for v/c = X, may be repeated",
    )
    command.add_argument(
        "--samples", type=between(0, 10**7), default=1000, metavar="N", help="of the bootstrap, 0 for none (1000)"
    )
    seed_option(command)
    command.add_argument("--pairs", type=between(0, 10**9), default=20, metavar="N", help="show so many pairs (20)")
    command.add_argument("--curves", metavar="FILE", help="write the points of the curves there, .csv or .json")
    command.add_argument(
        "-f", "--format", choices=FORMS, help="by default a table, or what the ending of --output says"
    )
    command.add_argument("-o", "--output", metavar="FILE", help="write there, replacing the file in one step")
    group = command.add_argument_group("how runs are judged")
    group.add_argument("-l", "--level", type=int, default=1, metavar="GRADE", help="lowest grade that is relevant (1)")
    group.add_argument(
        "-M", "--depth", type=between(1, LONGEST), default=1000, metavar="N", help="lists are cut there (1000)"
    )
    group.add_argument(
        "--length", type=between(1, LONGEST), metavar="N", help="what a miss costs (the length of the list)"
    )
    group.add_argument(
        "--any-target", action="store_true", help="allow several relevant documents: the one ranked best counts"
    )
    version_option(group)
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    inputs = [options.qrels, *options.runs]
    if inputs.count("-") > 1:
        raise SpecError("standard input can be read only once")
    curves_form = os.path.splitext(options.curves or "")[1].lower().removeprefix(".")
    if options.curves is not None:
        if curves_form not in {"csv", "json"}:
            raise SpecError(f"--curves {options.curves}: must end in .csv or .json")
        if options.output is not None and os.path.realpath(options.curves) == os.path.realpath(options.output):
            raise SpecError(f"{options.curves}: --curves and --output are the same file")
    for path in filter(None, (options.curves, options.output)):
        refuse_inputs(path, inputs)
    form = format_of(options.format, options.output, "table")
    item = known_item(
        options.qrels,
        options.runs,
        length=options.length,
        any_target=options.any_target,
        judging=judging_of(options, "level", "depth", "trec_version"),
        progress=Terminal(),
    )
    note(item.notes)
    study = study_of(item, options)
    if options.curves is not None:
        emit(curves_text(study, curves_form), options.curves, inputs)
    colour = coloured(options.output)
    text = as_json(study) if form == "json" else as_text(study, form, options.pairs, colour=colour)
    emit(text, options.output, inputs)
    return 0


def study_of(item: KnownItem, options: argparse.Namespace) -> Study:
    effort: Effort = "prior" if options.prior else "inclusive"
    return study_items(
        item,
        axis=options.axis,
        effort=effort,
        ratios=options.ratios,
        samples=options.samples,
        seed=options.seed,
        progress=Terminal(),
    )


def ratio(text: str) -> float:
    number = finite(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"must be a number of at least 0, not {text!r}")
    return number
