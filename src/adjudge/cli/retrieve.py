"""Retrieve documents for a set of topics and write them as a run, to be evaluated or compared.

    adjudge retrieve fr94.index topics.txt -o bm25.run
    adjudge retrieve fr94.index topics.txt -o long.run.gz --field title --field description --name long
    adjudge retrieve fr94.index queries.tsv --weighting "dirichlet(mu=1000)" -k 100 | adjudge measure qrels.txt -

Topics are TREC's <top> or XML, lines of id, tab and text, JSON objects one per line, or the queries of the classic
collections (.I and .W, or NPL's with a slash), numbered 1, 2, 3 as their judgments are. The run is TREC lines, JSON or
Parquet, by the extension of the output, and complete or not there at all; without -o TREC lines go to standard output.
Topics that find nothing are left out with a note. If a system such as decipher prepared the index, it answers, with a
weighting of its own.

    adjudge retrieve pages.parquet topics.txt -o bm25.run --engine spark --master spark://head:7077

On a Spark cluster documents are searched and not an index: every worker indexes its part as --analyzer says. The run is
the same, line by line; if the output has a scheme (hdfs://…, s3a://…, file:///…) Spark writes it there as Parquet.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..core.energy import EnergyMeter
from ..core.errors import DataError, SpecError
from ..core.topic import FIELDS, queries_of
from ..formats.documents.layout import layouts
from ..formats.ir_metadata import describe_run, resources_of
from ..formats.runs import run_bytes
from ..formats.topics import read_topics
from ..formats.writing import unwritable
from ..index.building import DEFAULT
from ..text.analyzer import Analyzer
from ..text.token_filter import filters
from ..text.tokenizer import tokenizers
from ..weighting.scheme import weightings
from ._engine import engine_of, engine_options, on_cluster, refuse_read
from ._index import kept_of, searcher_of, searching_options
from ._options import Parser, emit, note, refuse_inputs
from ._runs import form_of, hits_option, refuse_folder, run_output
from ._terminal import Terminal

if TYPE_CHECKING:
    from ..cluster.session import SparkEngine
    from ..core.run import Run


NOTHING_FOUND = "no topic finds a document"


def parser() -> Parser:
    command = Parser(prog="adjudge retrieve", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument(
        "index", metavar="dir", help="index that adjudge index built; with --engine spark the documents themselves"
    )
    command.add_argument("topics", help="file of topics (- for standard input)")
    searching_options(command)
    hits_option(command)
    command.add_argument("--name", metavar="TAG", help="tag of the run (default: the weighting)")
    command.add_argument(
        "--field",
        action="append",
        choices=FIELDS,
        help="part of the topic that is the query, may be repeated (default: title)",
    )
    run_output(command)
    command.add_argument(
        "--metadata",
        action="store_true",
        help="write an ir_metadata header before the lines, which trec_eval 9 cannot read (default: lines alone)",
    )
    engine_options(command)
    command.component(
        "-a",
        "--analyzer",
        of=[tokenizers, filters],
        metavar="SPEC",
        help=f"analyzer of documents and topics, with --engine spark (default: {DEFAULT})",
    )
    command.component(
        "--layout", of=[layouts], metavar="LAYOUT", help="file format of the documents, with --engine spark"
    )
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    options.output = None if options.output == "-" else options.output
    engine = engine_of(options)
    form = form_of(options.format, options.output)
    if options.output is not None and engine is not None and into_table(options):
        form = "parquet"
    elif options.output is not None:
        refuse_inputs(options.output, [options.topics])
        refuse_folder(options.output)
    if engine is None:
        for given in ("analyzer", "layout"):
            if getattr(options, given) is not None:
                raise SpecError(f"--{given} needs --engine spark: an index has its own")
    if options.metadata and (form != "trec" or engine is not None):
        raise SpecError("--metadata is a header before TREC lines: leave out --format and --engine")
    made_by_system = kept_of(options) if engine is None else None
    searcher = searcher_of(options) if engine is None and made_by_system is None else None
    ranker = options.weighting if made_by_system is None else str(made_by_system.system)
    name = "".join(ranker.split()) if options.name is None else options.name
    topics = read_topics(options.topics)
    if form == "trec":  # before the work, not after it
        unwritable([name], "tag")
        unwritable((topic.id for topic in topics), "topic", first=True)
    queries = queries_of(topics, list(dict.fromkeys(options.field or ["title"])), options.topics)
    with EnergyMeter() as meter:
        if engine is not None:
            run = on_spark(engine, options, queries, name)
        elif made_by_system is not None:
            run = made_by_system.run(queries, options.k, name, progress=Terminal())
        elif searcher is not None:
            run = searcher.run(queries, options.k, name, progress=Terminal())
    if run is None:
        return 0
    if not len(run):
        raise DataError(NOTHING_FOUND)
    if options.metadata:
        topics_name = {"topics": os.path.basename(options.topics), "number of topics": len(queries)}
        described = describe_run(
            name,
            system=ranker,
            depth=options.k,
            analyzer="" if searcher is None else str(searcher.index.analyzer),
            data={"test collection": topics_name},
            resources=resources_of(meter),
        )
        run = replace(run, metadata=described)
    emit(run_bytes(run, form, metadata=options.metadata), options.output, [options.topics])
    return 0


def on_spark(engine: SparkEngine, options: argparse.Namespace, queries: dict[str, str], name: str) -> Run | None:
    """The run as a cluster makes it; None if Spark has written it where it belongs."""
    from pyspark.sql.functions import lit

    from ..cluster.document_tables import read_table
    from ..cluster.folders import Folder, has_scheme
    from ..cluster.retrieval import hits_table, retrieve

    weighting, analyzer = weightings.parse(options.weighting), options.analyzer or DEFAULT
    Analyzer.parse(analyzer)
    with on_cluster(engine) as cluster:
        target = None
        if options.output is not None and has_scheme(options.output):
            target = Folder(cluster, options.output)
            target.refuse_used()
        read = read_table(cluster, [options.index], options.layout)
        note(read.notes)
        if target is None:
            return retrieve(cluster, read, queries, weighting, analyzer=analyzer, k=options.k, name=name)
        table, asked = hits_table(cluster, read, queries, weighting, analyzer=analyzer, k=options.k)
        if not asked:
            raise DataError(NOTHING_FOUND)
        with cluster.work("search"):
            target.write(table.withColumn("tag", lit(name)))
    return None


def into_table(options: argparse.Namespace) -> bool:
    """Whether Spark writes the run; an error if it would replace documents, or be one of them the next time."""
    from ..cluster.folders import has_scheme

    if has_scheme(options.output):
        if options.format not in {None, "parquet"}:
            raise SpecError(f"{options.output}: Spark writes Parquet there and not {options.format}: give a plain path")
        return True
    refuse_read(options.output, [options.index])
    return False
