"""Show what judgments lack: unjudged documents, what a run would lose had it not been pooled, ranks that could be.

    adjudge pool gaps qrels.txt runs/*
    adjudge pool gaps qrels.txt runs/* -m "rbp(p=0.8)" --depth 50
    adjudge pool gaps qrels.txt runs/* --group "upenn=upenn-*" --group "waterloo=uw*"

For each run: the share of its first documents that nobody judged; the judged documents that no other run (or group) has
down to the depth of the pool, how many of them are relevant, and its value and rank if they had not been judged. By rbp
and the C/W/L measures (cwl_rbp, insq, inst …) also how high the value could be if all that nobody judged were relevant,
and between which ranks the run can lie.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..core.errors import SpecError
from ..core.measure import measures
from ..report.pool_tables import gaps_text
from ._options import Parser, between, coloured, digits_option, emit, format_of, grade_option
from ._terminal import Terminal


def parser() -> Parser:
    command = Parser(
        prog="adjudge pool gaps", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("qrels", help="judgments")
    command.add_argument("runs", nargs="+", metavar="run", help="two or more runs")
    command.component(
        "-m", "--measure", of=[measures], default="ap", metavar="SPEC", help="measure to rank runs by (default: ap)"
    )
    command.add_argument(
        "--depth", type=between(1, 10**9), default=100, metavar="N", help="depth of the pool (default: 100)"
    )
    command.add_argument(
        "--at",
        type=between(1, 10**9),
        action="append",
        metavar="K",
        help="show unjudged documents among the first K, may be repeated (default: 10 and 100)",
    )
    command.add_argument(
        "--group", action="append", default=[], metavar="NAME=PATTERN", help="runs to leave out together"
    )
    grade_option(command.add_argument_group("judging"))
    digits_option(command)
    command.output()
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    from ..comparison.pool_gaps import DEPTHS
    from ..verbs.estimate_verbs import pool_gaps

    groups = {}
    for given in options.group:
        name, sign, pattern = given.partition("=")
        if not (name and sign and pattern):
            raise SpecError(f"--group takes NAME=PATTERN, not {given!r}")
        groups[name] = pattern
    form = format_of(options.format, options.output, "table")
    result = pool_gaps(
        options.qrels,
        options.runs,
        options.measure,
        depth=options.depth,
        depths=tuple(dict.fromkeys(options.at or DEPTHS)),
        groups=groups or None,
        level=options.level,
        progress=Terminal(),
    )
    emit(gaps_text(result, form, options.digits, colour=coloured(options.output)), options.output, options.runs)
    return 0
