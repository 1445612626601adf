"""Retrieval for a set of topics: the collection is counted, then every part of it is indexed and searched.

A first pass counts documents, tokens and how many documents have the terms of the queries. With these figures every
part gives its documents the scores that they have in the whole collection, by the same index and the same loops as on
one machine, and keeps the best k of each topic. The best of these are the best of all: the order, by score and then by
id, is total, so it does not matter how the collection is cut or which part answers first.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.errors import DataError, SpecError
from ..core.note import Note
from ..core.run import Run
from ..index.analyzed_batches import analyze_batches
from ..index.building import build
from ..index.query import Query
from ..index.searching import Searcher, why_nothing
from ..index.whole import Whole
from ..text.analyzer import Analyzer
from ..weighting.scheme import Clause, TermCounts, Totals, Weighting
from .arrow import Batches
from .document_tables import Read, Streamed
from .session import Cluster

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

CHARACTERS = 4_000_000
"""Of documents that are analyzed at a time."""
MEMORY = 64 << 20
"""Bytes of postings that a part holds before it writes them to disk."""
MOST_TERMS = 20_000_000
"""A weighting that depends on all terms needs them on every worker; more do not fit."""
MANY = 64
"""From so many parts on their answers are merged in two steps, so that no task sees those of all parts."""
PIECE = 1 << 16
COLUMNS = ("df", "cf", "documents", "tokens", "asked")
COUNTS = "term string, df long, cf long, documents long, tokens long, asked long"
HITS = "topic string, document string, score double"


def retrieve(
    cluster: Cluster,
    read: Read,
    topics: Mapping[str, str],
    weighting: Weighting,
    *,
    analyzer: str,
    k: int = 1000,
    name: str = "run",
) -> Run:
    """The best k documents for each topic, as :meth:`Searcher.run` finds them in an index of all documents."""
    table, queries = hits_table(cluster, read, topics, weighting, analyzer=analyzer, k=k)
    if not queries:
        return Run.empty(name)
    with cluster.work("search"):
        rows = table.toArrow()
    return _run(rows, list(queries), name)


def hits_table(
    cluster: Cluster,
    read: Read,
    topics: Mapping[str, str],
    weighting: Weighting,
    *,
    analyzer: str,
    k: int = 1000,
) -> tuple[DataFrame, dict[str, Query]]:
    """The same as a table (topic, document, score) that Spark has not made yet, and the queries that find something."""
    if k < 1:
        raise SpecError(f"k must be a whole number of at least 1, not {k}")
    parsed = Analyzer.parse(analyzer)
    queries = dict(zip(topics, Query.all_of(list(topics.values()), parsed), strict=True))
    with cluster.work("count"):
        whole = count_collection(read.frame, str(parsed), queries, weighting)
    asked = {}
    for topic, query in queries.items():
        columns = zip(query.terms, query.counts, query.boosts, strict=True)
        clauses = [Clause(whole.term(term, TermCounts(0, 0)), times, boost) for term, times, boost in columns]
        why = _nothing(query, clauses, weighting, whole.totals)
        if why is not None:
            cluster.progress.note(why.about(topic))
        else:
            asked[topic] = query
    if not asked:
        return cluster.spark.createDataFrame([], HITS), {}
    shared = cluster.spark.sparkContext.broadcast((asked, whole))
    with cluster.work("search"):
        hits = read.frame.mapInArrow(_Searched(str(parsed), weighting, k, shared), HITS)
        # Spark tells the number of parts; of those that it was asked to make, only when it has made them
        parts = cluster.engine.partitions or hits.rdd.getNumPartitions()
        return merge_best(hits, k, parts), asked


def _nothing(query: Query, clauses: list[Clause], weighting: Weighting, totals: Totals) -> Note | None:
    from ..weighting.scheme import Statistics

    statistics = Statistics(np.zeros(0, np.int64), np.zeros(0, np.int64), whole=totals)
    weighty = any(clause.term.df and weighting.query(statistics, clause) for clause in clauses)
    return None if weighty and weighting.query_norm(statistics, clauses) else why_nothing(query, clauses, weighting)


# -- the first pass ----------------------------------------------------------------------------------------------------


def count_collection(documents: DataFrame, analyzer: str, queries: Mapping[str, Query], weighting: Weighting) -> Whole:
    """The figures of a collection, and of the terms of queries in it; of all terms if the weighting needs them."""
    from pyspark.sql import functions as f

    wanted = frozenset(term for query in queries.values() for term in query.terms)
    rows = documents.mapInArrow(_Counted(analyzer, wanted, weighting.every_term), COUNTS)
    sums = [f.sum(name).alias(name) for name in COLUMNS]
    by_term = rows.groupBy("term").agg(*sums)
    if weighting.every_term:  # what only one document has is known there; the rest must be known everywhere
        by_term = by_term.where("term is null or df > 1 or asked > 0").limit(MOST_TERMS + 2)
    table = by_term.toArrow()
    if table.num_rows > MOST_TERMS:
        raise DataError(
            f"{weighting} depends on all terms of the collection, and more than {MOST_TERMS:,} do not fit: "
            "take another weighting"
        )
    columns = (table.column(name).to_pylist() for name in ("term", "df", "cf", "documents", "tokens"))
    terms: dict[str, TermCounts] = {}
    totals = Totals(0, 0, 0)
    for term, df, cf, number, tokens in zip(*columns, strict=True):
        if term is None:
            totals = Totals(number, tokens, df)
        else:
            terms[term] = TermCounts(df, cf)
    return Whole(totals, terms)


@dataclass(frozen=True)
class _Counted:
    """Counts the terms of a part; a row without a term has the part's own figures, different terms as df."""

    analyzer: str
    wanted: frozenset[str]
    every: bool

    def __call__(self, batches: Batches) -> Batches:
        import pyarrow as pa

        df, cf = Counter[str](), Counter[str]()
        documents = tokens = distinct = 0
        vocabularies: dict[tuple[int, int], list[str]] = {}
        for batch in analyze_batches(
            Streamed(batches), Analyzer.parse(self.analyzer), CHARACTERS, positions=False, texts=False
        ):
            documents += len(batch.ids)
            inverted, terms = batch.inverted, vocabularies.setdefault(batch.vocabulary, [])
            terms += batch.terms
            tokens += int(inverted.lengths.sum(dtype=np.int64))
            distinct += int(inverted.distinct.sum(dtype=np.int64))
            runs = inverted.runs
            columns = zip(runs.terms.tolist(), runs.df.tolist(), runs.cf.tolist(), strict=True)
            for number, in_documents, occurrences in columns:
                term = terms[number]
                if self.every or term in self.wanted:
                    df[term] += in_documents
                    cf[term] += occurrences
        schema = pa.schema([("term", pa.string()), *((name, pa.int64()) for name in COLUMNS)])
        yield pa.RecordBatch.from_pylist(
            [{"term": None, "df": distinct, "cf": 0, "documents": documents, "tokens": tokens, "asked": 0}], schema
        )
        names = list(df)
        for at in range(0, len(names), PIECE):
            own = names[at : at + PIECE]
            figures = (df[n] for n in own), (cf[n] for n in own), (int(n in self.wanted) for n in own)
            counts = [np.fromiter(column, np.int64, len(own)) for column in figures]
            zeros = np.zeros(len(own), np.int64)
            arrays = [own, counts[0], counts[1], zeros, zeros, counts[2]]
            yield pa.RecordBatch.from_pydict(dict(zip(schema.names, arrays, strict=True)), schema)


# -- the second pass ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Searched:
    """Indexes a part and searches it for all topics."""

    analyzer: str
    weighting: Weighting
    k: int
    shared: Any

    def __call__(self, batches: Batches) -> Batches:
        first = next(batches, None)
        if first is None or not first.num_rows:
            first = next((batch for batch in batches if batch.num_rows), None)
        if first is None:
            return
        queries, whole = self.shared.value
        with tempfile.TemporaryDirectory(prefix="adjudge-part-", dir=scratch()) as folder:
            documents = Streamed(_again(first, batches))
            index = build(
                documents, os.path.join(folder, "index"), analyzer=self.analyzer, memory=MEMORY, batch=CHARACTERS
            )
            searcher = Searcher(index, self.weighting, whole=whole)
            names = list(queries)
            for start in range(0, len(names), MANY):
                some = names[start : start + MANY]
                for topic, hits in zip(some, searcher.search([queries[n] for n in some], self.k), strict=True):
                    if len(hits):
                        yield _batch(topic, list(hits.ids), hits.scores)


def scratch() -> str | None:
    """Where a worker's temporary files go: Spark removes these folders even if the worker was killed."""
    places = os.environ.get("SPARK_LOCAL_DIRS", "").split(",")
    return next((place for place in places if place and os.path.isdir(place)), None)


def _again(first: pa.RecordBatch, rest: Batches) -> Iterator[pa.RecordBatch]:
    yield first
    yield from rest


def _batch(topic: str, documents: list[str], scores: Any) -> pa.RecordBatch:
    import pyarrow as pa

    return pa.RecordBatch.from_pydict({"topic": [topic] * len(documents), "document": documents, "score": scores})


def merge_best(hits: DataFrame, k: int, parts: int) -> DataFrame:
    """The best k of each topic, out of those of all parts."""
    from pyspark.sql import functions as f

    best = _best(k)
    if parts > MANY:
        hits = hits.withColumn("bucket", f.spark_partition_id() % MANY)
        hits = hits.groupBy("topic", "bucket").applyInArrow(best, HITS)
    return hits.groupBy("topic").applyInArrow(best, HITS)


def _best(k: int) -> Callable[[pa.Table], pa.Table]:
    """The best k of a topic, the best first; equal scores by the bytes of the ids, the last first."""

    def of(table: pa.Table) -> pa.Table:
        import pyarrow.compute as pc

        own = table.select(["topic", "document", "score"])
        order = pc.sort_indices(own, sort_keys=[("score", "descending"), ("document", "descending")])
        return own.take(order[:k])

    return of


def _run(table: pa.Table, topics: list[str], name: str) -> Run:
    """Answers in the order of the topics as they were given, the best document first."""
    import polars as pl

    place = pl.DataFrame({"topic": topics, "place": range(len(topics))})
    frame: Any = pl.from_arrow(table)
    frame = frame.join(place, on="topic").sort(["place", "score", "document"], descending=[False, True, True])
    topic, document = (frame[column].to_list() for column in ("topic", "document"))
    return Run.of_columns(topic, document, frame["score"].to_numpy(), name, name=name)
