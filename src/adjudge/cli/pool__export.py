"""Export the judgments of a pool with strata and probabilities, for estimates from a sample.

    adjudge pool export project -o sampled.txt
    adjudge pool export project judged.txt -o sampled.txt
    adjudge pool export project judged.txt --form statap -o prels.txt
    adjudge pool export project judged.txt --form qrels -o qrels.txt
    adjudge pool export project -o sampled.txt --whole whole.qrels

Without QRELS the judgments are those of the desk (adjudge pool serve); a pair on which people differ counts as not
judged until somebody settles it. If not all is judged and the order of judging is another than random_order, what is
judged is not a random sample, and only plain qrels are written.

Of a pool with topics that are judged whole (adjudge pool --whole-topics), --whole writes these, as plain qrels, when
all their pairs have a grade. The sample has of them what it has of any topic: adjudge estimate takes both files.

sample_eval: topic, 0, document, stratum, grade, as sample_eval reads it for xinfAP, with -1 for documents that were not
drawn. statap: topic, document, grade, stratum, probability. qrels: TREC's four columns, -1 for documents that were not
judged, as infAP wants it.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ._options import Parser, emit, refuse_inputs
from ._terminal import Terminal


def parser() -> Parser:
    command = Parser(
        prog="adjudge pool export", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("project", metavar="PROJECT", help="folder of the project")
    command.add_argument("qrels", nargs="?", metavar="QRELS", help="judgments (default: those of the desk)")
    command.add_argument("--store", metavar="URL", help="database of the desk (default: PROJECT/store.sqlite)")
    command.add_argument(
        "--form",
        choices=("sample_eval", "statap", "qrels"),
        default="sample_eval",
        help="columns of the file (default: sample_eval)",
    )
    command.add_argument(
        "--as-sample",
        action="store_true",
        help="take what is judged for a random sample, whatever the order of the pool",
    )
    command.add_argument("--whole", metavar="FILE", help="write the topics that are judged whole to FILE")
    command.add_argument("-o", "--output", metavar="FILE", help="write to FILE (default: standard output)")
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    from ..formats.qrels import qrels_text
    from ..formats.sampled_qrels import sampled_text
    from ..verbs.pool_export_verbs import pool_export

    for path in filter(None, (options.output, options.whole)):
        refuse_inputs(path, [options.qrels] if options.qrels else [])
    sample = pool_export(
        options.project,
        options.qrels,
        options.output,
        form=options.form,
        as_sample=options.as_sample,
        whole=options.whole,
        store=options.store,
        progress=Terminal(),
    )
    if options.output is None:
        emit(qrels_text(sample) if options.form == "qrels" else sampled_text(sample, options.form))
    return 0
