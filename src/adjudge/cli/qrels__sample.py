"""Draw a random share of the judgments of each topic; the others stay as documents that nobody judged.

    adjudge qrels sample qrels.txt --share 0.1 -o sampled.txt
    adjudge qrels sample qrels.txt --share 0.2 --form qrels -o qrels-sampled.txt --seed 3
    adjudge qrels sample qrels.txt --share 0.2 -o sampled.txt --whole-topics 10 --whole whole.qrels

Five columns with the stratum (sample_eval) or the probability (statap), or TREC's four with -1 for documents that were
not drawn (qrels), as infAP wants it. adjudge estimate estimates measures from it. --whole-topics keeps some topics,
drawn at random, whole in a file of their own: they make estimates of ap, ndcg and recall unbiased (adjudge estimate
--whole).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ._options import Parser, between, emit, refuse_inputs, seed_option, share


def parser() -> Parser:
    command = Parser(
        prog="adjudge qrels sample", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("qrels", help="judgments")
    command.add_argument("--share", type=share, default=0.1, metavar="SHARE", help="share of each topic (default: 0.1)")
    command.add_argument(
        "--form",
        choices=("sample_eval", "statap", "qrels"),
        default="sample_eval",
        help="columns of the file (default: sample_eval)",
    )
    command.add_argument(
        "--whole-topics", type=between(2, 10**9), default=0, metavar="N", help="topics to keep whole in another file"
    )
    command.add_argument("--whole", metavar="FILE", help="the file of the topics that are kept whole")
    command.add_argument("-o", "--output", metavar="FILE", help="write to FILE (default: standard output)")
    seed_option(command)
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    from ..formats.sampled_qrels import sampled_text
    from ..verbs.file_verbs import qrels_sample

    for path in filter(None, (options.output, options.whole)):
        refuse_inputs(path, [options.qrels])
    sample = qrels_sample(
        options.qrels,
        options.output,
        share=options.share,
        seed=options.seed,
        form=options.form,
        whole_topics=options.whole_topics,
        whole=options.whole,
    )
    if options.output is None:
        plain = (f"{topic} 0 {document} {grade}\n" for topic, document, grade in sample.rows())
        emit("".join(plain) if options.form == "qrels" else sampled_text(sample, options.form))
    return 0
