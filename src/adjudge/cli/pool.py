"""Pool runs: choose the documents that are to be judged for each topic, and the order in which they are.

    adjudge pool runs/* -o project --topics topics.txt --documents docs.index
    adjudge pool runs/* -o project --pooling "stratified(depths=[10, 100], shares=[1, 0.1])" --seed 7
    adjudge pool runs/* -o project --pooling "uniform@100(share=0.2)" --whole-topics 10
    adjudge pool runs/* -o project --pooling fused@50 --priority move_to_front --budget 2000
    adjudge pool late/* -o project --join
    adjudge pool -o project --join --budget 3000

The project is a folder with pool.json, which says what the pool was made of, and the pool itself. A pooled document
that the collection does not have is an error, and so is a run of other topics. Runs that join later change no
judgment, and are pooled as the others were; a budget or an order that is given with --join is that of the pool from
then on. With --whole-topics, some topics, drawn at random, are judged whole beside the sample of all topics: they make
estimates of ap, ndcg and recall unbiased (adjudge pool export --whole, adjudge estimate --whole). Budgets are of the
sample. adjudge pool next says what is to be judged; adjudge poolings and adjudge priorities explain the ways of doing
it.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..core.errors import SpecError
from ..pools.pooling import poolings
from ..pools.priority import priorities
from ..words.pool_summaries import pool_summary
from ._options import Parser, between, emit, seed_option
from ._terminal import Terminal


def parser() -> Parser:
    command = Parser(prog="adjudge pool", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("runs", nargs="*", metavar="run", help="runs, as FILE or NAME=FILE")
    command.add_argument("-o", "--output", required=True, metavar="PROJECT", help="folder of the project")
    command.component("--pooling", of=[poolings], default=None, metavar="SPEC", help="%(known)s (default: depth@100)")
    command.add_argument("--topics", metavar="FILE", help="topics that count (default: those of the runs)")
    command.add_argument("--documents", metavar="PATH", help="index or documents: all pooled documents must be there")
    command.component(
        "--priority",
        of=[priorities],
        default="",
        metavar="SPEC",
        help="order of judging: %(known)s (default: max_mean; random_order for samples)",
    )
    command.add_argument(
        "--topic-budget", type=between(1, 10**9), metavar="N", help="documents to judge per topic (default: all)"
    )
    command.add_argument("--budget", type=between(1, 10**9), metavar="N", help="documents to judge in all")
    command.add_argument(
        "--whole-topics", type=between(0, 10**9), metavar="N", help="topics to judge whole beside a sample (default: 0)"
    )
    command.add_argument("--join", action="store_true", help="add the runs to the pool of the project")
    command.add_argument(
        "--unknown",
        choices=("refuse", "drop"),
        default="refuse",
        help="what to do with documents that the collection does not have (default: refuse)",
    )
    seed_option(command)
    command.set_defaults(seed=None)
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    if not options.runs and not options.join:
        raise SpecError("a pool takes at least one run")
    from ..verbs.pool_verbs import pool

    made = pool(
        options.runs,
        options.output,
        pooling=options.pooling,
        topics=options.topics,
        documents=options.documents,
        priority=options.priority,
        topic_budget=options.topic_budget,
        budget=options.budget,
        seed=options.seed,
        whole_topics=options.whole_topics,
        join=options.join,
        unknown=options.unknown,
        progress=Terminal(),
    )
    emit(pool_summary(made, options.output) + "\n")
    return 0
