"""Scoring an archive of runs: thousands of files, or Parquet tables with the name of the run in a column.

Every run is read, judged and measured by the same functions as on one machine, with the judgments on every worker
(archive_workers.py). What is wrong with a file comes back as a row, so bad files are reported together and in the
order of the archive, and not the one that a worker met first.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.errors import DataError, MissingFileError, SpecError
from ..core.judging import USUAL, Judging
from ..core.measure import TextMeasure
from ..core.note import Note
from ..core.qrels import Qrels
from ..core.scores import Column, Scores
from ..evaluation.measuring import Measured, assemble, refusal
from ..evaluation.score_columns import DEFAULT, columns, distinct_names
from ..evaluation.score_notes import all_notes
from ..formats.qrels import read_qrels
from .archive_workers import LONG, ROWS, Long, OfFiles, OfTable, Opened, RunOutcome, ScoringWork
from .folders import Folder, escape_pattern, has_scheme
from .listing import Entry, ListedTable, list_paths, load_contents
from .session import Cluster
from .spark_errors import Fault

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def measure_on(
    cluster: Cluster,
    qrels: Any,
    runs: Sequence[str],
    measures: Sequence[str] | str = DEFAULT,
    judging: Judging = USUAL,
    *,
    names: str | None = None,
) -> Scores:
    """Judge and measure an archive of runs; the same scores as :func:`adjudge.measure` gives.

    ``runs`` are paths as Spark sees them: files in any form that one machine reads, folders of them, patterns, and
    Parquet tables with a column run, system or tag. ``judging`` and ``names`` are as for ``adjudge.measure``.
    """
    archive = _Archive(cluster, qrels, runs, measures, judging, names)
    with cluster.work("judge"):
        rows = [RunOutcome.of(row) for row in archive.results().collect()]
    systems, order = archive.named(rows)
    results = [_measure(rows[i], len(archive.wanted)) for i in order]
    return assemble(archive.judgments, systems, results, archive.wanted)


def write_scores_on(
    cluster: Cluster,
    qrels: Any,
    runs: Sequence[str],
    output: str,
    measures: Sequence[str] | str = DEFAULT,
    judging: Judging = USUAL,
    *,
    names: str | None = None,
) -> tuple[int, tuple[Note, ...]]:
    """The same as a Parquet table (system, topic, measure, value) that Spark writes: how many systems, and notes."""
    from pyspark import StorageLevel

    archive = _Archive(cluster, qrels, runs, measures, judging, names)
    for (column, _), component in zip(archive.columns, archive.components, strict=True):
        if isinstance(component, TextMeasure):
            raise SpecError(f"{column.name} is text, and a table of values holds numbers: leave it out")
    target = Folder(cluster, output)
    target.refuse_used()
    with cluster.work("judge"):
        results = archive.results().persist(StorageLevel.DISK_ONLY)
    try:
        with cluster.work("judge"):
            chosen = results.select("given", "place", "name", "without_relevant", "notes", "fault", "message")
            heads = [RunOutcome.of(row) for row in chosen.collect()]
        systems, order = archive.named(heads)
        called = {_key(heads[i]): system for system, i in zip(systems, order, strict=True)}
        shared = cluster.spark.sparkContext.broadcast(called)
        specs = tuple(column.name for column in archive.wanted)
        with cluster.work("write"):
            target.write(results.mapInArrow(Long(shared, specs), LONG))
    finally:
        results.unpersist()
    ordered = [heads[i] for i in order]
    notes = all_notes(
        archive.judgments.repeated, archive.wanted, [r.without_relevant for r in ordered], [r.notes for r in ordered]
    )
    return len(systems), tuple(notes)


class _Archive:
    """What is to be measured, and where it lies."""

    def __init__(
        self,
        cluster: Cluster,
        qrels: Any,
        runs: Sequence[str],
        measures: Sequence[str] | str,
        judging: Judging,
        names: str | None,
    ) -> None:
        if not runs:
            raise SpecError("no run to measure")
        self.cluster = cluster
        self.columns = columns(measures, names)
        self.judgments = _judgments(cluster, qrels)
        _ = self.judgments.index  # made once, before it is sent round
        self.specs = tuple(str(component) for _, component in self.columns)
        with cluster.work("list_files"):
            self.found = list_paths(cluster, runs)
        self.entries = [entry for entry in self.found if isinstance(entry, Entry)]
        self.work = ScoringWork(cluster.spark.sparkContext.broadcast(self.judgments), self.specs, judging)

    @property
    def wanted(self) -> list[Column]:
        return [column for column, _ in self.columns]

    @property
    def components(self) -> list[Any]:
        return [component for _, component in self.columns]

    def results(self) -> DataFrame:
        """A row for each run; Spark has not made them yet."""
        parts = []
        sound = [entry for entry in self.entries if not entry.fault]
        if sound:
            places: dict[str, list[Entry]] = {}
            for entry in sound:
                places.setdefault(entry.path, []).append(entry)
            shared = self.cluster.spark.sparkContext.broadcast(places)
            parts.append(load_contents(self.cluster, self.found).mapInArrow(OfFiles(self.work, shared), ROWS))
        parts += [self._of_table(item) for item in self.found if isinstance(item, ListedTable)]
        if not parts:
            return self.cluster.spark.createDataFrame([], ROWS)
        table = parts[0]
        for part in parts[1:]:
            table = table.unionAll(part)
        return table

    def _of_table(self, table: ListedTable) -> DataFrame:
        """Rows of one run after the other, whatever the order in which they were written."""
        number, by = self.cluster.engine.partitions, f"`{table.run}`"
        spread = table.frame.repartition(by) if number is None else table.frame.repartition(number, by)
        ordered = spread.sortWithinPartitions(by, *(f"`{name}`" for name in table.keys))
        return ordered.mapInArrow(OfTable(self.work, table.given, table.path, table.run), ROWS)

    def named(self, rows: Sequence[RunOutcome]) -> tuple[list[str], list[int]]:
        """The systems in the order of the archive, and their rows; faults are raised as one error, in that order."""
        order = sorted(range(len(rows)), key=lambda i: _key(rows[i]))
        faults = [(_key(rows[i]), fault) for i in order if (fault := rows[i].failure)]
        without_row = 0
        there = {(row.given, row.place) for row in rows}
        for item in self.entries:
            if item.fault or (item.given, item.place) not in there:  # Spark makes no row of an empty file
                fault = item.fault or Fault.of(DataError(f"{item.shown}: empty"))
                faults.append(((item.given, item.place, ""), fault))
                without_row += 1
        if faults:
            raise refusal([fault.error() for _, fault in sorted(faults)], len(rows) + without_row)
        if not rows:
            raise DataError("no run to measure: the tables are empty")
        shown = {(entry.given, entry.place): entry.shown for entry in self.entries}
        tables = {item.given: item for item in self.found if isinstance(item, ListedTable)}
        names, sources = [rows[i].name for i in order], []
        for i in order:
            given, place, name = _key(rows[i])
            table = tables.get(given)
            sources.append(shown[given, place] if table is None else f"{table.path}/{table.run}={name}")
        return distinct_names(names, sources), order


def _key(row: RunOutcome) -> tuple[int, int, str]:
    return row.given, row.place, row.name


def _judgments(cluster: Cluster, qrels: Any) -> Qrels:
    if not isinstance(qrels, str) or not has_scheme(qrels):
        return read_qrels(qrels)
    with cluster.work("read_judgments"):
        row: Any = cluster.spark.read.format("binaryFile").load(escape_pattern(qrels)).select("content").first()
    if row is None:
        raise MissingFileError(f"{qrels}: no such file", str(qrels))
    return read_qrels(Opened(qrels, bytes(row.content)))


def _measure(row: RunOutcome, measures: int) -> Measured:
    values = np.frombuffer(row.values, "<f8").reshape(-1, measures)
    texts = {spec: np.array(strings, object) for spec, strings in json.loads(row.texts).items()}
    return Measured(row.topics, values, texts, row.without_relevant, row.notes)
