"""Show whether systems find different known items, and what choosing the best of them for each question would give.

    adjudge complementarity qrels.txt gmu961.run ETHFR94N.run
    adjudge complementarity qrels.txt runs/* --rank 1
    adjudge complementarity qrels.txt runs/* -f json -o complementarity.json

Every judged topic has one relevant document, which counts as found if it is ranked high enough. Shown are the items
that one system finds and another does not, those found by all, by one and by none, how alike the reciprocal ranks of
systems are, and the mean reciprocal rank of an oracle that knows the best system for each question, beside what such
an oracle would reach by luck alone. JSON has it question by question.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..comparison.known_item.complementarity import Complementarity
from ..comparison.known_item.ranks import LONGEST, KnownItem, known_item
from ..core.errors import SpecError
from ..report.complementarity_table import as_json, as_text
from ._options import (
    Parser,
    between,
    collapse_options,
    coloured,
    emit,
    format_of,
    grade_option,
    judging_of,
    note,
    refuse_inputs,
    version_option,
)
from ._terminal import Terminal


def parser() -> Parser:
    command = Parser(
        prog="adjudge complementarity", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("qrels", help="judgments with one relevant document per topic (- for standard input)")
    command.add_argument("runs", nargs="+", metavar="run", help="two or more runs (- for standard input)")
    action = command.add_argument(
        "-r",
        "--rank",
        dest="within",
        type=between(1, LONGEST),
        default=10,
        metavar="N",
        help="last rank at which an item counts as found (default: 10)",
    )
    command.old_spelling(action, "--within")
    command.output()
    known_item_options(command)
    return command


def known_item_options(command: Parser) -> None:
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
        "--any-target",
        action="store_true",
        help="allow several relevant documents per topic; the one ranked best counts",
    )
    version_option(group)
    collapse_options(group)


def rank_known_items(options: argparse.Namespace) -> KnownItem:
    """The ranks of the items in all runs."""
    if [options.qrels, *options.runs].count("-") > 1:
        raise SpecError("standard input can be read only once")
    return known_item(
        options.qrels,
        options.runs,
        length=options.depth,  # what a miss costs plays no part here
        any_target=options.any_target,
        judging=judging_of(options, "level", "depth", "trec_version", "collapse"),
        progress=Terminal(),
    )


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    inputs = [options.qrels, *options.runs]
    if options.output is not None:
        refuse_inputs(options.output, inputs)
    form = format_of(options.format, options.output, "table")
    item = rank_known_items(options)
    note(item.notes)
    result = Complementarity(item, options.within)
    colour = coloured(options.output)
    emit(as_json(result) if form == "json" else as_text(result, form, colour=colour), options.output, inputs)
    return 0
