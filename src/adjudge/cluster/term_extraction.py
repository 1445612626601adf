"""Technical terms on a cluster: the same terms as on one machine, out of a corpus that need not fit one.

documents ─ tagged, counted (candidate_passes.py) ─ added up by Spark ─ C-value by levels (cvalue_levels.py) ─▶ Found

Candidates stay on the cluster. The terms come to the driver if they are to go into a file of its own, or if NC-values
are asked for: then every worker has all terms in memory, as it does when they are looked for in documents
(delta_tables.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..terms.extraction import SAFE, Extraction, NoTermError, TermSettings, nothing
from ..terms.ncvalue import with_contexts
from ..terms.tagged_corpus import CorpusCounts
from ..terms.terms import Terms
from ..terms.word_columns import TOKENIZER
from .candidate_passes import (
    COUNTED,
    PAIRS,
    SUMS,
    TAGGED,
    WORDS,
    Contexts,
    Counting,
    Known,
    Nouns,
    Sums,
    Tagging,
)
from .cvalue_levels import value_candidates
from .document_tables import Read
from .folders import Folder
from .session import Cluster
from .term_tables import broadcasting, collect_terms, distribute_terms, order

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, eq=False)
class SparkTerms:
    """Terms as a table of Spark, and what they come from."""

    cluster: Cluster
    by_c_value: DataFrame
    """The terms before NC-values were known."""
    number: int
    counts: CorpusCounts
    candidates: int
    least: int
    stopped: frozenset[str]
    kept: tuple[DataFrame, ...]
    """What lies on the disks of the workers until it is released."""
    here: Terms | None = None
    """The terms, if they had to come to the driver."""

    @property
    def table(self) -> DataFrame:
        """The terms in no order: class, frequency, c_value, nc_value, forms."""
        return self.by_c_value if self.here is None else distribute_terms(self.cluster, self.here)

    def terms(self, most: int | None = None) -> Terms:
        """The best terms, or all, on this machine, in the order of their rank."""
        if self.here is not None:
            return self.here if most is None else self.here[:most]
        with self.cluster.work("extract_terms"):
            return collect_terms(self.by_c_value, most)

    def extraction(self) -> Extraction:
        """The same as on one machine, with all terms in its memory."""
        return Extraction(self.terms(), self.counts, self.candidates, self.least, self.stopped)

    def write(self, path: str) -> None:
        """The terms as a Parquet table where Spark writes, the best first; a table that is there is not overwritten."""
        with self.cluster.work("write_terms"):
            Folder(self.cluster, path).write(self.table.orderBy(*order()))

    def release(self) -> None:
        """Free the disks of the workers."""
        for table in self.kept:
            table.unpersist()


def extract_on(cluster: Cluster, read: Read, settings: TermSettings | None = None) -> SparkTerms:
    """The technical terms of documents: those that :func:`adjudge.terms.extraction.extract` finds, to the last digit.

    A corpus without a term is an error. With NC-values all terms must fit into the memory of the driver and of every
    worker; without them nothing but what :meth:`Found.terms` is asked for comes to the driver.
    """
    settings = settings or TermSettings()
    settings.parse_tagger().version()  # what is missing is reported before the work
    tables: list[DataFrame] = []
    try:
        return _extract(cluster, read, settings, tables)
    except BaseException:
        for table in tables:
            table.unpersist()
        raise


def _extract(cluster: Cluster, read: Read, settings: TermSettings, tables: list[DataFrame]) -> SparkTerms:
    from pyspark import StorageLevel
    from pyspark.sql import functions as f

    def keep(table: DataFrame) -> DataFrame:
        tables.append(table.persist(StorageLevel.DISK_ONLY))
        return tables[-1]

    source, fresh = read.frame, True
    if settings.frequent or settings.nc:  # several passes: what is tagged once is not tagged again
        with cluster.work("tag"):
            source, fresh = keep(source.mapInArrow(Tagging(settings, True), TAGGED)), False
    stopped = _stop_words(cluster, source, settings, fresh)
    least = settings.least(read.characters)
    with cluster.work("count"):
        emitted = source.mapInArrow(Counting(settings, fresh, stopped), COUNTED)
        forms = keep(emitted.groupBy("class", "form", "size").agg(f.sum("frequency").alias("frequency")))
        tokens: Any = forms.where("class is null").agg(f.sum("frequency")).first()
    counts = CorpusCounts(read.documents, int(tokens[0] or 0), read.characters)
    forms = forms.where("class is not null")
    with cluster.work("c_values"):
        classes = (
            forms.groupBy("class", "size").agg(f.sum("frequency").alias("frequency")).where(f"frequency >= {least}")
        )
        sizes: Iterable[int] = range(settings.shortest, settings.longest + 1)
        if settings.merge_dashes:  # a word with dashes is several, so classes may be longer
            sizes = sorted(row["size"] for row in classes.select("size").distinct().collect())
        values = keep(value_candidates(classes, sizes, settings.shortest, settings.min_c))
        fits = accepted = f.col("c_value") >= f.lit(float(settings.min_c))
        if settings.longest > SAFE:  # words of 40 characters each would not fit into one token
            fits &= f.length("class") <= TOKENIZER.longest
        row: Any = values.agg(
            f.count("*").alias("candidates"),
            f.count_if(accepted).alias("accepted"),
            f.count_if(fits).alias("terms"),
        ).first()
    if not row.accepted:
        raise NoTermError(nothing(counts, row.candidates, least, settings))
    terms = SparkTerms(
        cluster,
        _table(values.where(fits), forms),
        row.terms,
        counts,
        row.candidates,
        least,
        stopped,
        tuple(tables),
    )
    if not settings.nc:
        return terms
    with cluster.work("contexts"):
        ranked = collect_terms(_table(values.where(accepted), forms))
        here = _with_nc(cluster, source, settings, stopped, ranked)
    return replace(terms, here=here)


def _stop_words(cluster: Cluster, source: DataFrame, settings: TermSettings, fresh: bool) -> frozenset[str]:
    """The words of the list and the most frequent nouns and adjectives, in lower case."""
    from pyspark.sql import functions as f

    listed = settings.rules().listed_words
    if not settings.frequent:
        return listed
    with cluster.work("stop_words"):
        counts = (
            source.mapInArrow(Nouns(settings, fresh), WORDS).groupBy("word").agg(f.sum("frequency").alias("number"))
        )
        return listed | {
            row.word for row in counts.orderBy(f.desc("number"), "word").limit(settings.frequent).collect()
        }


def _table(classes: DataFrame, forms: DataFrame) -> DataFrame:
    """Classes with their forms, the most frequent first."""
    from pyspark.sql import functions as f

    own = forms.select("class", "form", f.col("frequency").alias("times"))
    listed = f.sort_array(f.collect_list(f.struct((-f.col("times")).alias("order"), "form", "times")))
    rows = classes.join(own, "class").groupBy("class", "frequency", "c_value").agg(listed.alias("listed"))
    written = f.transform("listed", lambda each: f.struct(each["form"].alias("form"), each["times"].alias("frequency")))
    return rows.select(
        "class", "frequency", "c_value", f.lit(None).cast("double").alias("nc_value"), written.alias("forms")
    )


def _with_nc(
    cluster: Cluster, source: DataFrame, settings: TermSettings, stopped: frozenset[str], terms: Terms
) -> Terms:
    """Terms with NC-values, ranked by them; they come ranked by C-value."""
    from pyspark.sql import functions as f

    best = terms[: settings.nc_top]
    with broadcasting(cluster, _known(best)) as known:
        pairs = source.mapInArrow(Contexts(settings, False, stopped, known), PAIRS).distinct()
        weights = {row.word: row.number for row in pairs.groupBy("word").agg(f.count("*").alias("number")).collect()}
    with broadcasting(cluster, _known(terms)) as known, broadcasting(cluster, weights) as heavy:
        totals = source.mapInArrow(Sums(settings, False, stopped, known, heavy), SUMS)
        rows = totals.groupBy("class").agg(f.sum("total").alias("total")).toArrow()
    sums = np.zeros(len(terms))
    sums[rows.column("class").to_numpy()] = rows.column("total").to_numpy()
    nc = with_contexts(terms.c_values, sums, len(best))
    scored = replace(terms, nc_values=nc)
    order = sorted(range(len(terms)), key=lambda i: (-nc[i], -int(terms.frequencies[i]), terms.names[i]))
    if settings.longest > SAFE:
        order = [i for i in order if len(terms.names[i]) <= TOKENIZER.longest]
    return scored.take(np.array(order, np.int64))


def _known(terms: Terms) -> Known:
    return Known(terms.forms, np.repeat(np.arange(len(terms)), np.diff(terms.offsets)), len(terms))
