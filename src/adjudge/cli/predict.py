"""Predict before retrieval which system will do well: query performance predictors against reciprocal ranks.

    adjudge predict fr94.index topics.txt qrels.txt gmu961.run ETHFR94N.run
    adjudge predict fr94.index topics.txt qrels.txt runs/* -p scs -p "scq(by=max)" --permutations 100000
    adjudge predict fr94.index topics.txt qrels.txt runs/* -f json -o predictions.json

Predictors see the index and the text of the question: how long it is, how rare its words are, how it is spread over the
documents that it finds; only wig and nqc have to search for that. Each is correlated with the reciprocal rank of every
system and the difference of every two, and tried as a rule that chooses one of two systems for a question, learned from
the other questions. Every judged topic has one relevant document. Use the index of the documents that the runs
searched. There are many comparisons and mostly few questions: rely on the corrected p only.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

from ..comparison.known_item.prediction import keep_asked, predict
from ..core.errors import DataError, SpecError
from ..core.topic import FIELDS, queries_of
from ..formats.topics import read_topics
from ..index.index import Index
from ..index.predictor import DEFAULT, QueryTerms, predictors
from ..report.prediction_table import as_json, as_text
from ..storage.access import is_within
from ._options import (
    Parser,
    between,
    coloured,
    emit,
    format_of,
    level_option,
    note,
    refuse_inputs,
    seed_option,
    split_names,
)
from ._terminal import Terminal
from .complementarity import known_item_options, rank_known_items


def parser() -> Parser:
    command = Parser(prog="adjudge predict", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("index", metavar="dir", help="index that adjudge index built")
    command.add_argument("topics", help="file of topics (- for standard input)")
    command.add_argument("qrels", help="judgments with one relevant document per topic (- for standard input)")
    command.add_argument("runs", nargs="+", metavar="run", help="run to evaluate (- for standard input)")
    command.component(
        "-p",
        "--predictor",
        dest="predictors",
        of=[predictors],
        action="append",
        metavar="SPEC",
        help=f"predictor, may be repeated (default: {', '.join(DEFAULT)})",
    )
    command.add_argument(
        "--field",
        action="append",
        choices=FIELDS,
        help="part of the topic that is the query, may be repeated (default: title)",
    )
    command.add_argument(
        "--permutations",
        type=between(0, 10**7),
        default=20_000,
        metavar="N",
        help="number of permutations for p, 0 for none (default: 20000)",
    )
    command.add_argument(
        "--samples",
        type=between(0, 10**6),
        default=1000,
        metavar="N",
        help="number of bootstrap samples for intervals, 0 for none (default: 1000)",
    )
    level_option(command)
    seed_option(command)
    command.add_argument(
        "--rows",
        type=between(0, 10**9),
        default=10,
        metavar="N",
        help="number of rows to show of each table (default: 10)",
    )
    command.output()
    known_item_options(command)
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    inputs = [options.topics, options.qrels, *options.runs]
    if inputs.count("-") > 1:
        raise SpecError("standard input can be read only once")
    wanted = {
        str(component): component for component in map(predictors.parse, split_names(options.predictors or DEFAULT))
    }
    if not wanted:
        raise SpecError("no predictor was named")
    form = format_of(options.format, options.output, "table")
    if options.output is not None:
        refuse_inputs(options.output, inputs)
        if is_within(options.output, options.index):
            raise DataError(f"{options.output}: output must not be inside the index folder {options.index}")
    index = Index.open(options.index)
    queries = queries_of(read_topics(options.topics), list(dict.fromkeys(options.field or ["title"])), options.topics)
    item = keep_asked(rank_known_items(options), queries, options.topics)
    note(item.notes)
    seen = QueryTerms.of([queries[question] for question in item.questions], index)
    values = {name: predictor(seen) for name, predictor in wanted.items()}
    rng = np.random.default_rng(options.seed)
    result = predict(
        item,
        values,
        rng,
        permutations=options.permutations,
        samples=options.samples,
        confidence=options.confidence,
        progress=Terminal(),
    )
    note(result.notes)
    colour = coloured(options.output)
    text = as_json(result) if form == "json" else as_text(result, form, options.rows, colour=colour)
    emit(text, options.output, inputs)
    return 0
