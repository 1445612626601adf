"""Degrading and correcting documents on many machines, by the same worker processes as on one.

Every part of the documents has a crew of one beside it: a document that kills its process or hangs is tried again and
then left empty and reported, and the job goes on. The result is a Parquet table, a row for each document, with
``_manifest.json`` beside its parts.
"""

from __future__ import annotations

import json
import shutil
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..core.document import Document, InMemory
from ..formats.documents.produced import NOISE_JOB
from ..noise.crew import Crew
from ..noise.degrader import Degraded, Degrader
from ..noise.degrading import JobOutcome
from .arrow import CHARACTERS, Batches
from .arrow import ROWS as MOST
from .document_tables import Read, Streamed
from .folders import Folder, escape_pattern
from .session import Cluster

SCHEMA = "id string, text string, pages int, failures array<string>, notes map<string, bigint>"
MANIFEST = "_manifest.json"
SHOWN = 5
"""So many documents with failures are named; the table has all."""


@dataclass(frozen=True)
class Spread:
    """What came of a job, and the first documents, by their ids, of which pages could not be read."""

    outcome: JobOutcome
    failures: tuple[tuple[str, str], ...] = ()


def degrade_on(cluster: Cluster, read: Read, degrader: Degrader, output: str, *, folders: Sequence[str] = ()) -> Spread:
    """Degrade all documents into a Parquet table (id, text, pages, failures, notes), there whole or not at all.

    Texts are those that :func:`adjudge.noise.degrading.degrade` writes. ``folders`` names fields of the degrader that
    are paths of folders: they are sent to every worker.
    """
    began = time.monotonic()
    target = Folder(cluster, output)
    target.refuse_used()
    sent = {field: _send(cluster, getattr(degrader, field)) for field in folders}
    shared = cluster.spark.sparkContext.broadcast(degrader)
    with cluster.work(degrader.task):
        target.write(read.frame.mapInArrow(_Degraded(shared, tuple(sent.items())), SCHEMA))
    with cluster.work("count"):
        counts, notes, failures = _count(cluster, output)
    seconds = time.monotonic() - began
    target.put(MANIFEST, _manifest(read, degrader, counts, notes, seconds))
    outcome = JobOutcome(
        Path(output),
        counts["documents"],
        counts["pages"],
        counts["failed_pages"],
        counts["failed_documents"],
        seconds,
        counts["pages"] / seconds,
        notes=notes,
    )
    return Spread(outcome, failures)


def _send(cluster: Cluster, folder: str) -> str:
    """Send a folder to the workers; its name there. A zip is unpacked by Java itself, whatever the workers have.

    It stays as long as the session does: an executor that comes later, in place of one that was lost, asks for it too.
    """
    name = f"adjudge-{uuid.uuid4().hex}"
    with cluster.work("send"):
        cluster.spark.sparkContext.addArchive(shutil.make_archive(str(cluster.log.parent / name), "zip", folder))
    return f"{name}.zip"


def _count(cluster: Cluster, output: str) -> tuple[dict[str, int], dict[str, int], tuple[tuple[str, str], ...]]:
    """What the table says of the job: counts, notes and the first failures."""
    from pyspark.sql import functions as f

    table = cluster.spark.read.schema(SCHEMA).parquet(escape_pattern(output))
    failed = f.size("failures")
    row: Any = table.agg(
        f.count("id").alias("documents"),
        f.sum("pages").alias("pages"),
        f.sum(failed).alias("failed_pages"),
        f.sum((failed > 0).cast("int")).alias("failed_documents"),
        f.sum((f.col("text") == "").cast("int")).alias("empty_documents"),
        f.sum(f.length("text")).alias("characters"),
    ).first()
    notes = table.select(f.explode("notes").alias("what", "times")).groupBy("what").agg(f.sum("times").alias("times"))
    notes_by_text = {record.what: int(record.times) for record in notes.orderBy(f.desc("times"), "what").collect()}
    first = table.where(failed > 0).select("id", "failures").orderBy("id").limit(SHOWN).collect()
    failures = tuple((record.id, why) for record in first for why in record.failures)
    return {name: int(value or 0) for name, value in row.asDict().items()}, notes_by_text, failures[:SHOWN]


def _manifest(read: Read, degrader: Degrader, counts: dict[str, int], notes: dict[str, int], seconds: float) -> bytes:
    from .. import __version__

    manifest = {
        "kind": NOISE_JOB.name,
        "engine": "spark",
        "settings": degrader.settings,
        "source": {"documents": read.documents, "characters": read.characters},
        "adjudge": __version__,
        **counts,
        "notes": notes,
        "seconds": round(seconds, 3),
    }
    return (json.dumps(manifest, indent=1, ensure_ascii=True) + "\n").encode()


@dataclass(frozen=True)
class _Degraded:
    """Degrades the documents of a part, one after the other, in a process beside it."""

    degrader: Any
    folders: tuple[tuple[str, str], ...]

    def __call__(self, batches: Batches) -> Batches:
        from pyspark import SparkFiles

        degrader = self.degrader.value
        if self.folders:
            degrader = replace(degrader, **{field: SparkFiles.get(name) for field, name in self.folders})
        return _table(self._degrade(degrader, batches))

    @staticmethod
    def _degrade(degrader: Degrader, batches: Batches) -> Iterator[Degraded]:
        with Crew(degrader, 1) as crew:
            for done in crew.all(enumerate(Streamed(batches)), 2):
                yield done.result


def _table(results: Iterable[Degraded]) -> Batches:
    """Rows of bounded batches; white space around a text is not kept, as in files."""
    import pyarrow as pa

    kinds = {"id": pa.string(), "text": pa.string(), "pages": pa.int32(), "failures": pa.list_(pa.string())}
    schema = pa.schema([*kinds.items(), ("notes", pa.map_(pa.string(), pa.int64()))])
    some: list[dict[str, Any]] = []
    held = 0
    for result in results:
        notes = [(str(note), times) for note, times in result.notes.items()]
        row = {"text": result.text.strip(), "notes": notes, "failures": list(result.failures)}
        some.append(result._asdict() | row)
        held += len(result.text)
        if len(some) >= MOST or held >= CHARACTERS:
            yield pa.RecordBatch.from_pylist(some, schema=schema)
            some, held = [], 0
    if some:
        yield pa.RecordBatch.from_pylist(some, schema=schema)


def sample_on(cluster: Cluster, read: Read, rank: Callable[[str], int], size: int, piece: int) -> InMemory:
    """The documents with a text whose ids rank lowest, by a number below 2**64, and a piece of each text."""
    from pyspark.sql import functions as f

    with cluster.work("sample"):
        ranked = read.frame.mapInArrow(_Ranked(rank), "rank string, id string")
        ids = [row.id for row in ranked.orderBy("rank", "id").limit(size).collect()]
        chosen = read.frame.where(f.col("id").isin(ids))
        rows = chosen.select("id", f.substring("text", 1, piece).alias("text")).collect()
    return InMemory(Document(row.id, row.text) for row in sorted(rows, key=lambda row: row.id))


@dataclass(frozen=True)
class _Ranked:
    rank: Callable[[str], int]

    def __call__(self, batches: Batches) -> Batches:
        import pyarrow as pa

        for batch in batches:
            ids, texts = (batch.column(name).to_pylist() for name in ("id", "text"))
            with_text = [id_ for id_, text in zip(ids, texts, strict=True) if text.strip()]
            ranks = pa.array([f"{self.rank(id_):016x}" for id_ in with_text], pa.string())
            yield pa.RecordBatch.from_pydict({"rank": ranks, "id": pa.array(with_text, pa.string())})
