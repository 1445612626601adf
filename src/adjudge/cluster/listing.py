"""What an archive of runs is made of: files in the order in which one machine would take them, and tables."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from ..core.collapse import ChunkRun
from ..core.errors import DataError
from ..core.run import Run
from ..formats.documents.layouts.parquet import MAGIC
from ..formats.nested import SCORE, from_frame
from ..formats.raw_file import DOCUMENT, TOPIC, fold_word
from ..formats.source import NamedPath, Source
from .arrow import Batches
from .folders import Folder, binary, escape_pattern, fixed_part, has_scheme, is_pattern, names_of
from .session import Cluster
from .spark_errors import Fault

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

RUN = ("run", "system", "tag", "runid")
"""Names of the column that says which run a row is of."""
HIDDEN = ("_", ".")
TYPES = "spark.sql.sources.partitionColumnTypeInference.enabled"


class Entry(NamedTuple):
    """A file: where it stands in the archive, how Spark names it and how the user does; or why it is none."""

    given: int
    place: int
    path: str
    shown: str
    fault: Fault | None = None
    name: str | None = None
    """The name of its run, if the user gave one."""


class ListedTable(NamedTuple):
    """A table of many runs."""

    given: int
    path: str
    frame: DataFrame
    run: str
    """The column with the name of the run."""
    keys: tuple[str, ...]
    """Those with topic and document, in this order."""


def list_paths(cluster: Cluster, runs: Sequence[str]) -> list[Entry | ListedTable]:
    """All files and tables behind paths as Spark sees them, in the order given; those of a folder by their names."""
    here = Folder(cluster, ".").qualified
    entries: list[Entry | ListedTable] = []
    for given, path in enumerate(runs):
        if path == "-":
            raise DataError("standard input cannot be read by the engine spark: put the run into a file")
        plain = here.startswith("file:") and not has_scheme(path)
        if plain and os.path.isfile(path):
            entries.append(_file(given, path, f"file:{os.path.abspath(path)}"))
        elif is_pattern(cluster, path):
            entries += _many(cluster, given, path, fixed_part(path))
        else:
            folder = Folder(cluster, path)
            try:
                inside = folder.is_folder()
            except DataError as error:  # reported at its place, as a file that cannot be read is
                entries.append(Entry(given, 0, path, path, Fault.of(error)))
                continue
            entries += _many(cluster, given, path, path) if inside else [_file(given, path, folder.qualified)]
    return [_named(entry, runs[entry.given]) for entry in entries]


def _named(entry: Entry | ListedTable, path: str) -> Entry | ListedTable:
    """A file with the name that its run is to have: that of NAME=FILE, or the file's own in a folder or pattern."""
    if not isinstance(path, NamedPath) or isinstance(entry, ListedTable):
        return entry
    return entry._replace(name=path.run_name if entry.shown == path else Source(entry.shown, b"").stem)


def _file(given: int, shown: str, path: str) -> Entry:
    hidden = os.path.basename(path).startswith(HIDDEN)
    why = DataError(f"{shown}: Spark passes over files whose names begin with _ or .: give it another name")
    return Entry(given, 0, path, shown, Fault.of(why) if hidden else None)


def _many(cluster: Cluster, given: int, path: str, root: str) -> list[Entry | ListedTable]:
    """The files of a folder or pattern, or the one table that they are."""
    literal = escape_pattern(path) if root == path else path
    paths = names_of(binary(cluster, [literal]))
    if not paths:
        raise DataError(f"{path}: no file there")
    if all(name.lower().endswith(".parquet") for name in paths):
        table = _table(cluster, given, path, literal, root)
        if table is not None:
            return [table]
    start = Folder(cluster, root).qualified.rstrip("/")
    entries: list[Entry | ListedTable] = []
    for place, name in enumerate(paths):
        inner = name.removeprefix(f"{start}/")
        known = name.startswith(f"{start}/") and not has_scheme(path)
        shown = inner if root == "." else os.path.join(root, inner)
        entries.append(Entry(given, place, name, shown if known else name))
    return entries


def _table(cluster: Cluster, given: int, path: str, literal: str, root: str) -> ListedTable | None:
    """A Parquet table with a column for the run; None if there is none, so that each file is a run."""
    import polars as pl

    former = cluster.spark.conf.get(TYPES, "true")
    cluster.spark.conf.set(TYPES, "false")  # a run that is named 007 is not 7
    try:
        frame = cluster.spark.read.option("basePath", Folder(cluster, root).qualified).parquet(literal)
    finally:
        cluster.spark.conf.set(TYPES, str(former))
    names = {fold_word(name): name for name in frame.columns}
    run = next((names[name] for name in RUN if name in names), None)
    if run is None:
        return None
    known = [names[name] for name in (*TOPIC, *DOCUMENT, *SCORE) if name in names and names[name] != run]
    from_frame(pl.DataFrame({name: [] for name in known}), False, path)  # an error if one is lacking
    keys = tuple(names[name] for name in (*TOPIC, *DOCUMENT) if name in names)
    wanted = frame.selectExpr(f"cast(`{run}` as string) as `{run}`", *(f"`{name}`" for name in known))
    return ListedTable(given, path, wanted, run, keys)


def run_of(frame: Any, place: str, name: str, *, chunks: bool = False) -> Run:
    """A run out of a frame. Rows of a table that Spark reads have no numbers, so errors do not name them."""
    topics, documents, scores, *_ = from_frame(frame, False, place, ordered=False)
    if not len(topics):
        raise DataError(f"{place}: empty: a run has at least one line")
    return (ChunkRun if chunks else Run).of_columns(topics, documents, scores, place, name=name)


def runs_in(content: bytes) -> list[tuple[str | None, Any]]:
    """The runs of a Parquet file whose rows are of several, by their names; nothing if it is a run or no such file."""
    import io

    import polars as pl

    if not content.startswith(MAGIC):
        return []
    try:
        frame = pl.read_parquet(io.BytesIO(content))
        names = {fold_word(name): name for name in frame.columns}
        run = next((names[name] for name in RUN if name in names), None)
        if run is None or frame[run].n_unique() < 2:
            return []
        parts = frame.cast({run: pl.String}).partition_by(run, include_key=False, as_dict=True)
    except (Exception, pl.exceptions.PanicException):
        return []  # whoever reads it as one run says what is wrong
    return sorted(((name, part) for (name,), part in parts.items()), key=lambda pair: pair[0] or "")


def run_column(batches: Batches, run: str) -> Iterator[tuple[str | None, list[pa.RecordBatch]]]:
    """The rows of one run after the other, out of batches that are sorted by run."""
    now: str | None = None
    parts: list[pa.RecordBatch] = []
    for batch in batches:
        at = 0
        for name, rows in groupby(batch.column(run).to_pylist()):
            length = sum(1 for _ in rows)
            if parts and name != now:
                yield now, parts
                parts = []
            now = name
            parts.append(batch.slice(at, length))
            at += length
    if parts:
        yield now, parts


def load_contents(cluster: Cluster, entries: Sequence[Entry | ListedTable]) -> DataFrame:
    """The contents of files (path, content), each once."""
    paths = dict.fromkeys(entry.path for entry in entries if isinstance(entry, Entry) and not entry.fault)
    return cluster.spread(binary(cluster, [escape_pattern(path) for path in paths]).select("path", "content"))
