"""Evaluate known-item search: who finds more of the sought documents, for how much reading, and who dominates whom.

    adjudge known-item qrels.txt clean.run scanned.run
    adjudge known-item qrels.txt runs/* --length 1000 --value 100 --value 5000
    adjudge known-item qrels.txt runs/* --axis rank --curves curves.csv
    adjudge known-item qrels.txt runs/* --figures figures --group GMU=gmu961,gmu962

Every judged topic has one relevant document. Finding it is worth v, reading a document costs c; a list is read down to
the item, or to its end. Shown are the mean reciprocal rank, what is found and what is read; which operating
characteristics lie above which, reading all lists in parallel; and which system is worth most for which v/c. Intervals
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
from ..formats.writing import make_folder
from ..report.known_item_data import as_json, curves_text
from ..report.known_item_text import as_text
from ..report.track_figures import paper_figures
from ._options import (
    Parser,
    between,
    collapse_options,
    coloured,
    emit,
    finite,
    format_of,
    grade_option,
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
    command.add_argument("qrels", help="judgments with one relevant document per topic (- for standard input)")
    command.add_argument("runs", nargs="+", metavar="run", help="run to evaluate (- for standard input)")
    command.add_argument(
        "--axis", choices=AXES, default="work", help="horizontal axis on which curves are compared (default: work)"
    )
    command.add_argument(
        "--prior", action="store_true", help="charge a find with the rounds before it, not with its own round"
    )
    command.add_argument(
        "--value",
        dest="ratios",
        type=ratio,
        action="append",
        default=[],
        metavar="X",
        help="show what systems are worth, in units of c, for v/c = X; may be repeated",
    )
    command.add_argument(
        "--samples",
        type=between(0, 10**7),
        default=1000,
        metavar="N",
        help="number of bootstrap samples, 0 for none (default: 1000)",
    )
    seed_option(command)
    command.add_argument(
        "--pairs", type=between(0, 10**9), default=20, metavar="N", help="number of pairs to show (default: 20)"
    )
    command.add_argument("--curves", metavar="FILE", help="write the points of the curves to FILE, .csv or .json")
    command.add_argument(
        "--figures",
        metavar="FOLDER",
        help="draw figures 1 to 3 of the Confusion Track's paper: by rank, by work, the better system of each group",
    )
    command.add_argument(
        "--group",
        dest="groups",
        type=group_of,
        action="append",
        default=[],
        metavar="NAME=RUN,RUN",
        help="a group of systems for the third figure, may be repeated (default: systems of one kind)",
    )
    command.output()
    group = command.add_argument_group("how runs are evaluated")
    grade_option(group)
    group.add_argument(
        "-M",
        "--depth",
        type=between(1, LONGEST),
        default=1000,
        metavar="N",
        help="evaluate the first N documents per topic (default: 1000)",
    )
    group.add_argument(
        "--length",
        type=between(1, LONGEST),
        metavar="N",
        help="number of documents that a miss costs (default: the length of the list)",
    )
    group.add_argument(
        "--any-target",
        action="store_true",
        help="allow several relevant documents per topic; the one ranked best counts",
    )
    version_option(group)
    collapse_options(group)
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
    if options.groups and not options.figures:
        raise SpecError("--group needs --figures FOLDER")
    form = format_of(options.format, options.output, "table")
    item = known_item(
        options.qrels,
        options.runs,
        length=options.length,
        any_target=options.any_target,
        judging=judging_of(options, "level", "depth", "trec_version", "collapse"),
        progress=Terminal(),
    )
    note(item.notes)
    study = study_of(item, options)
    if options.curves is not None:
        emit(curves_text(study, curves_form), options.curves, inputs)
    if options.figures is not None:
        draw(study, options.figures, options.groups)
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


def draw(study: Study, folder: str, groups: Sequence[tuple[str, list[str]]]) -> None:
    """The figures of the paper as files of a folder, which is made if it is not there."""
    names = [name for name, _ in groups]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise SpecError(f"--group {twice}: given twice")
    figures = paper_figures(study, dict(groups) if groups else None)
    place = make_folder(folder)
    for name, figure in figures.items():
        figure.save(place / f"{name}.svg")


def group_of(text: str) -> tuple[str, list[str]]:
    name, sign, members = text.partition("=")
    systems = members.split(",")
    if not (name and sign and all(systems)):
        raise argparse.ArgumentTypeError(f"must be NAME=RUN,RUN, not {text!r}")
    return name, systems


def ratio(text: str) -> float:
    number = finite(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"must be a number of at least 0, not {text!r}")
    return number
