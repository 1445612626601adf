"""Merge sets of judgments into one; where they contradict each other, --conflict says which grade counts.

    adjudge qrels merge round1.txt round2.txt -o both.txt
    adjudge qrels merge a.txt b.txt --conflict highest -o both.txt

Without --conflict a contradiction is an error that names the first one and their number. With it every contradiction is
reported on standard error.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..evaluation.judgment_sets import RULES
from ..words.pool_summaries import conflict_line, conflicts_decided
from ._options import Parser, emit, note, refuse_inputs


def parser() -> Parser:
    command = Parser(
        prog="adjudge qrels merge", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("qrels", nargs="+", help="two or more sets of judgments")
    command.add_argument("--conflict", choices=RULES, default="refuse", help="grade that counts (default: refuse)")
    command.add_argument("-o", "--output", metavar="FILE", help="write to FILE (default: standard output)")
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    from ..verbs.file_verbs import qrels_merge

    if options.output is not None:
        refuse_inputs(options.output, options.qrels)
    merged = qrels_merge(options.qrels, options.output, conflict=options.conflict)
    note([conflict_line(conflict) for conflict in merged.conflicts])
    if merged.conflicts:
        note([conflicts_decided(len(merged.conflicts), options.conflict)])
    if options.output is None:
        emit("".join(f"{topic} 0 {document} {grade}\n" for topic, document, grade in merged.qrels.rows()))
    return 0
