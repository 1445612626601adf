"""Boost technical terms in documents or queries: each becomes one token, and the texts are generated anew.

    adjudge terms apply articles/ terms.parquet -o delta.jsonl.zst
    adjudge terms apply fr94/ terms.csv -o delta.sgml.gz --boost 3
    adjudge terms apply topics.jsonl terms.parquet --queries -o delta-topics.jsonl
    adjudge terms apply hdfs://host/pages terms.parquet -o hdfs://host/delta --engine spark --master yarn

The frequency of a term's words goes to the term: from "a Riemannian manifold" remain a and riemannian_manifold. Then
every text is written from its term vector, for any search engine whose tokenizer keeps underscores: words as often as
they occur, a term that often times --boost, rounded to a whole number and at least once. --emission plus_one writes
every token once more than it occurs, as the paper's Table 4 shows; double_all writes all twice, for comparison.
--policy all uses terms within terms too. With --queries the file has topics; a topic's query is its sentences, prelude
and micro-topic, or its title. The extension of FILE decides what is written, .jsonl, .ndjson, .trec or .sgml,
compressed as .gz, .zst or not; without FILE it goes to standard output. With --engine spark it is a folder with a
Parquet table of id and text, in no order; all terms must fit into the memory of every worker.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..core.document import Document
from ..core.errors import ConflictError, DataError, SpecError
from ..core.topic import Topic
from ..formats.documents import read_documents
from ..formats.documents.document_writing import DocumentWriter, endings, jsonl_document, trec_document
from ..formats.topics import read_topics, topics_text, write_topics
from ..terms.attribution import EMISSIONS, Attribution, DeltaDocuments, Emission, attribution_of, terms_absent
from ..terms.matching import POLICIES
from ..words import summaries
from ._engine import engine_of, engine_options, on_cluster
from ._noise import layout_option
from ._options import Parser, between, emit, finite, note
from ._terminal import Terminal
from .terms import refuse_output, refuse_table

if TYPE_CHECKING:
    from ..cluster.session import SparkEngine

FORMS = {"jsonl": (".jsonl", ".ndjson"), "sgml": (".sgml", ".trec")}


def parser() -> Parser:
    command = Parser(
        prog="adjudge terms apply", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("documents", nargs="+", metavar="docs", help="documents, or one file of topics with --queries")
    command.add_argument("terms", help="file of terms that adjudge terms wrote")
    command.add_argument("-o", "--output", metavar="FILE", help="write to FILE (replaced atomically)")
    action = command.add_argument(
        "-f",
        "--format",
        dest="form",
        choices=sorted(FORMS),
        help="output format (default: from the extension of FILE, else jsonl)",
    )
    command.old_spelling(action, "--form")
    command.add_argument(
        "--boost", type=finite, default=2.0, metavar="X", help="how often a term is written per occurrence (default: 2)"
    )
    command.add_argument(
        "--emission", choices=EMISSIONS, default="text", help="how texts are generated (default: text)"
    )
    command.add_argument(
        "--policy", choices=POLICIES, default="longest", help="which of overlapping terms are used (default: longest)"
    )
    command.add_argument(
        "--surface", action="store_true", help="write terms as the text has them, not as their class in lower case"
    )
    command.add_argument("--keep-words", action="store_true", help="keep the words of a term beside it")
    command.add_argument("--most", type=between(1, 10**9), metavar="N", help="use the N best terms only (default: all)")
    command.add_argument("--queries", action="store_true", help="read topics, not documents")
    layout_option(command)
    engine_options(command)
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    emission = Emission(options.emission, options.boost, options.policy, options.surface, options.keep_words)
    engine = engine_of(options)
    if engine is not None:
        return on_spark(engine, options, emission)
    form = form_of(options)
    if options.output is not None:
        refuse_output(options.output, [*options.documents, options.terms])
    if [*options.documents, options.terms].count("-") > 1:
        raise SpecError("standard input can be read only once")
    attribution = attribution_of(options.terms, options.most, emission)
    if options.queries:
        return queries(options, attribution, form)
    documents = read_documents(options.documents, options.layout)
    delta = DeltaDocuments(documents, attribution)
    number, seen = 0, set[str]()
    applying = Terminal().work("apply_terms", total=documents.size, unit="bytes")
    with applying as step, Sink(options.output, form) as sink:
        for document in delta:
            if document.id in seen:
                raise ConflictError(f"document {document.id} occurs twice")
            seen.add(document.id)
            sink.add(document)
            number += 1
            step.reach(documents.read, documents=number)
        if not delta.occurrences:
            raise DataError(f"{options.terms}: {terms_absent(attribution.terms)}")
    note([*documents.notes, summaries.terms_applied(delta.occurrences, number)])
    return 0


def on_spark(engine: SparkEngine, options: argparse.Namespace, emission: Emission) -> int:
    """Documents that Spark writes."""
    from ..cluster.delta_tables import write_delta_on
    from ..cluster.document_tables import read_table
    from ..cluster.folders import Folder
    from ..cluster.term_tables import read_terms_on

    if options.queries:
        raise SpecError("--queries needs --engine local")
    if options.form is not None:
        raise SpecError("--format needs --engine local: Spark writes a Parquet table of id and text")
    if options.output is None:
        raise SpecError("--engine spark writes a table of documents: give --output FOLDER")
    refuse_table(options.output, [*options.documents, options.terms])
    with on_cluster(engine) as cluster:
        Folder(cluster, options.output).refuse_used()
        terms = read_terms_on(cluster, options.terms)
        used = attribution_of(options.terms, options.most, emission, terms).terms
        read = read_table(cluster, options.documents, options.layout)
        written = write_delta_on(cluster, read, used, emission, options.output, source=options.terms)
    note([*read.notes, summaries.terms_applied(written, read.documents)])
    return 0


def form_of(options: argparse.Namespace) -> str:
    """jsonl or sgml, by the ending of the output or by --form."""
    if options.output is None:
        return options.form or "jsonl"
    kind, _ = endings(options.output)
    form = next((name for name, known in FORMS.items() if kind in known), None)
    if form is None:
        raise SpecError(f"{options.output}: documents and queries are written as .jsonl, .ndjson, .sgml or .trec here")
    if options.form not in {None, form}:
        raise SpecError(
            f"{options.output}: --format {options.form} needs the extension {' or '.join(FORMS[options.form])}"
        )
    return form


class Sink:
    """Documents into a file, or to standard output as they come."""

    def __init__(self, path: str | None, form: str) -> None:
        self.writer = None if path is None else DocumentWriter(path)
        self.written: Callable[[Document], str] = trec_document if form == "sgml" else jsonl_document

    def add(self, document: Document) -> None:
        if self.writer is not None:
            self.writer.add(document)
        else:
            emit(self.written(document).encode("utf-8", "replace"))

    def __enter__(self) -> Sink:
        if self.writer is not None:
            self.writer.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        if self.writer is not None:
            self.writer.__exit__(*error)  # type: ignore[arg-type]


def queries(options: argparse.Namespace, attribution: Attribution, form: str) -> int:
    """Topics with their queries generated anew."""
    if len(options.documents) != 1:
        raise SpecError("--queries takes one file of topics")
    topics = read_topics(options.documents[0])
    texts = {topic.id: topic.query for topic in topics}
    if not any(texts.values()):
        raise DataError(f"{options.documents[0]}: no topic has a sentence or a title")
    term_queries = attribution.queries(texts)
    if not any(attribution.terms_in(text) for text in texts.values()):
        note([summaries.terms_absent_from_topics(len(attribution.terms))])
    empty = [topic for topic, text in term_queries.items() if not text]
    if empty:
        note([summaries.topics_without_words(empty)])
    generated = [Topic(name, text) for name, text in term_queries.items()]
    if options.output is None:
        emit(topics_text(generated, form).encode("utf-8", "replace"))
    else:
        write_topics(generated, options.output, form)
    return 0
