"""Evaluate runs against relevance judgments: many runs, any measures, one table.

    adjudge measure qrels.txt bm25.run dense.run -m ap -m ndcg@10
    adjudge measure qrels.txt runs/* -m official --format csv --output scores.csv
    zcat run.gz | adjudge measure qrels.txt - --per-topic --format json
    adjudge measure qrels.txt 'archive/*/*.gz' --engine spark --master spark://host:7077 -o scores.csv
    adjudge measure qrels.txt hdfs://host/runs.parquet --engine spark --master yarn -o hdfs://host/scores.parquet

Files may be TREC lines, JSON, Parquet, CSV or TSV with a header, compressed with gzip, xz, zstd or bzip2; the format is
detected from the content, not from the extension. `adjudge measures` lists the measures. A judged topic that a run
leaves out is skipped for that run, as trec_eval does it, and a note says so; with --complete it scores 0.

With --engine spark runs may also be folders, patterns, and Parquet tables of many runs with a column run, system or tag
(or folders run=NAME), wherever Spark reads. An output that names its file system, as hdfs://… and file:/… do, becomes a
Parquet table (system, topic, measure, value) that Spark writes; any other is the same file as without Spark.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..core.errors import SpecError
from ..core.measure import measures
from ..evaluation.measuring import measure
from ..evaluation.score_columns import DEFAULT
from ..report.score_table import FORMATS, as_bytes, as_text
from ..words.summaries import systems_measured
from . import BAD_INPUT
from ._engine import engine_of, engine_options, on_cluster, refuse_read
from ._options import (
    Parser,
    coloured,
    digits_option,
    emit,
    format_of,
    judging_of,
    judging_options,
    measure_names,
    names_option,
    note,
)
from ._terminal import Terminal

if TYPE_CHECKING:
    from ..cluster.session import SparkEngine
    from ..core.scores import Scores


def parser() -> Parser:
    command = Parser(prog="adjudge measure", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("qrels", help="relevance judgments (- for standard input)")
    command.add_argument("runs", nargs="+", metavar="run", help="run to evaluate (- for standard input)")
    command.component(
        "-m",
        "--measure",
        of=[measures],
        action="append",
        metavar="SPEC",
        help=f"measure, may be repeated (default: {', '.join(DEFAULT)})",
    )
    command.add_argument("-q", "--per-topic", action="store_true", help="show every topic, not only the averages")
    command.output(FORMATS)
    names_option(command)
    digits_option(command)
    judging_options(command)
    engine_options(command)
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    if [options.qrels, *options.runs].count("-") > 1:
        raise SpecError("standard input can be read only once")
    engine = engine_of(options)
    if engine is not None and options.output is not None:
        from ..cluster.folders import has_scheme

        if has_scheme(options.output):
            return _into_table(engine, options)
    form = format_of(options.format, options.output, "table", FORMATS)
    if form == "parquet" and options.output is None:
        raise SpecError("parquet cannot be shown on the screen: give --output FILE")
    whose = options.names
    wanted = measure_names(options.measure or DEFAULT, whose)
    inputs = [options.qrels, *options.runs]
    if engine is not None and options.output is not None:
        refuse_read(options.output, inputs)
    if engine is None:
        judging = judging_of(options)
        scores = measure(
            options.qrels, options.runs, wanted, progress=Terminal(), judging=judging, names=whose, on_error="note"
        )
    else:
        from ..cluster.archive import measure_on

        with on_cluster(engine) as cluster:
            scores = measure_on(cluster, options.qrels, options.runs, wanted, judging=judging_of(options), names=whose)
    if form == "parquet":
        note(scores.notes)
        emit(as_bytes(scores, per_topic=options.per_topic), options.output, inputs)
        return _code(scores)
    return _show(scores, form, options)


def _show(scores: Scores, form: str, options: argparse.Namespace) -> int:
    note(scores.notes)
    colour = coloured(options.output)
    text = as_text(scores, form, per_topic=options.per_topic, digits=options.digits, colour=colour)
    emit(text, options.output, [options.qrels, *options.runs])
    return _code(scores)


def _code(scores: Scores) -> int:
    """The exit code: of bad input if runs were left out because they cannot be read."""
    return BAD_INPUT if any(each.kind == "run_left_out" for each in scores.notes) else 0


def _into_table(engine: SparkEngine, options: argparse.Namespace) -> int:
    """Scores that Spark writes and this process never has."""
    from ..cluster.archive import write_scores_on

    if options.format not in {None, "parquet"}:
        raise SpecError(f"{options.output}: Spark writes Parquet there and not {options.format}: give a plain path")
    whose = options.names
    wanted = measure_names(options.measure or DEFAULT, whose)
    with on_cluster(engine) as cluster:
        systems, notes = write_scores_on(
            cluster, options.qrels, options.runs, options.output, wanted, judging_of(options), names=whose
        )
    note(notes)
    emit(f"{systems_measured(options.output, systems)}\n")
    return 0
