"""What workers do with the runs of an archive: judge and measure them, as one machine does."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..core.errors import AdjudgeError, DataError
from ..core.judging import Judging
from ..core.measure import measures
from ..core.note import Note
from ..core.strings import decode, encode
from ..evaluation.measuring import judged_run, measure_run
from .arrow import Batches, utf_8
from .listing import Entry, run_column, run_of, runs_in
from .spark_errors import Fault

if TYPE_CHECKING:
    import pyarrow as pa

HEADS = (
    "given int, place int, name binary, without_relevant array<binary>, notes array<string>, "
    "fault string, message string"
)
ROWS = f"{HEADS}, topics array<binary>, values binary, texts string"
"""Names are bytes: those of old runs need not be UTF-8."""
LONG = "system string, topic string, measure string, value double"
HELD = 4_000_000
"""Bytes of results that go back to Spark at a time."""


class Opened(NamedTuple):
    """What was read by Spark, as an open file."""

    name: str
    content: bytes

    def read(self) -> bytes:
        return self.content


class RunOutcome(NamedTuple):
    """A row as it comes back to the driver."""

    given: int
    place: int
    name: str
    without_relevant: tuple[str, ...]
    notes: tuple[Note, ...]
    fault: str | None
    message: str | None
    topics: tuple[str, ...] = ()
    values: bytes = b""
    texts: str = "{}"

    @property
    def failure(self) -> Fault | None:
        """Why the run could not be measured."""
        return None if self.fault is None else Fault(self.fault, self.message or "")

    @classmethod
    def of(cls, row: Any) -> RunOutcome:
        given = row.asDict()
        for column in ("without_relevant", "topics"):
            if column in given:
                given[column] = tuple(map(decode, map(bytes, given[column])))
        given["notes"] = tuple(Note.from_json(json.loads(note)) for note in given["notes"])
        return cls(**given | {"name": decode(bytes(row.name or b""))})


@dataclass(frozen=True)
class ScoringWork:
    """Judges and measures one run; the judgments are broadcast."""

    judgments: Any
    specs: tuple[str, ...]
    judging: Judging

    def row(self, given: int, place: int, source: Any, name: str | None = None) -> dict[str, Any]:
        """What came of a run, or why nothing did."""
        try:
            judged = judged_run(source, self.judgments.value, name, self.judging)
            figures = measure_run(judged, [measures.parse(spec) for spec in self.specs])
        except AdjudgeError as error:
            return self.fault(given, place, name, error)
        texts = {spec: list(map(str, strings)) for spec, strings in figures.texts.items()}
        return {
            "given": given,
            "place": place,
            "name": encode(judged.name),
            "without_relevant": list(map(encode, figures.without_relevant)),
            "notes": [json.dumps(note.to_json()) for note in figures.notes],
            "fault": None,
            "message": None,
            "topics": list(map(encode, figures.topics)),
            "values": np.ascontiguousarray(figures.values, "<f8").tobytes(),
            "texts": json.dumps(texts),
        }

    def part(self, given: int, place: int, path: str, name: str | None, frame: Any) -> dict[str, Any]:
        """The same of a run that is a part of a table."""
        if not name:
            return self.fault(given, place, "", DataError(f"{path}: a row without the name of its run"))
        try:
            chunks = self.judging.collapse is not None
            run = run_of(frame, f"{path}: run {name}", name, chunks=chunks)
        except AdjudgeError as error:
            return self.fault(given, place, name, error)
        return self.row(given, place, run, name)

    @staticmethod
    def fault(given: int, place: int, name: str | None, error: AdjudgeError) -> dict[str, Any]:
        named = encode(name or "")
        head: dict[str, Any] = {"given": given, "place": place, "name": named, "without_relevant": [], "notes": []}
        kind, message = Fault.of(error)
        return {**head, "fault": kind, "message": message, "topics": [], "values": b"", "texts": "{}"}


def _batches(rows: Iterable[dict[str, Any]]) -> Batches:
    """Results as Arrow batches of bounded size."""
    import pyarrow as pa

    names = pa.list_(pa.binary())
    kinds = {"given": pa.int32(), "place": pa.int32(), "name": pa.binary(), "without_relevant": names}
    kinds |= {
        "notes": pa.list_(pa.string()),
        "fault": pa.string(),
        "message": pa.string(),
        "topics": names,
        "values": pa.binary(),
        "texts": pa.string(),
    }
    some: list[dict[str, Any]] = []
    held = 0
    for row in rows:
        some.append(row)
        held += 1000 + 2 * len(row["values"]) + len(row["texts"])
        if held > HELD:
            yield pa.RecordBatch.from_pylist(some, schema=pa.schema(list(kinds.items())))
            some, held = [], 0
    if some:
        yield pa.RecordBatch.from_pylist(some, schema=pa.schema(list(kinds.items())))


@dataclass(frozen=True)
class OfFiles:
    """Runs out of files; a file that was given twice is two runs."""

    work: ScoringWork
    places: Any

    def __call__(self, batches: Batches) -> Batches:
        return _batches(self._rows(batches))

    def _rows(self, batches: Batches) -> Iterator[dict[str, Any]]:
        for batch in batches:
            for path, content in zip(batch.column("path").to_pylist(), batch.column("content"), strict=True):
                for entry in self.places.value.get(path, ()):
                    yield from self._of(entry, content.as_py())

    def _of(self, entry: Entry, content: bytes) -> Iterator[dict[str, Any]]:
        many = runs_in(content)
        if not many:
            yield self.work.row(entry.given, entry.place, Opened(entry.shown, content), entry.name)
        for name, frame in many:
            yield self.work.part(entry.given, entry.place, entry.shown, name, frame)


@dataclass(frozen=True)
class OfTable:
    """Runs out of rows that are sorted by run; one run at a time is in memory."""

    work: ScoringWork
    given: int
    path: str
    run: str

    def __call__(self, batches: Batches) -> Batches:
        return _batches(self._rows(batches))

    def _rows(self, batches: Batches) -> Iterator[dict[str, Any]]:
        for name, parts in run_column(batches, self.run):
            yield self._row(name, parts)

    def _row(self, name: str | None, parts: list[pa.RecordBatch]) -> dict[str, Any]:
        import polars as pl
        import pyarrow as pa

        frame: Any = pl.from_arrow(pa.Table.from_batches(parts))
        return self.work.part(self.given, 0, self.path, name, frame.drop(self.run))


@dataclass(frozen=True)
class Long:
    """A row for each system, topic and measure that has a value."""

    systems: Any
    measures: tuple[str, ...]

    def __call__(self, batches: Batches) -> Batches:
        import pyarrow as pa

        for batch in batches:
            for row in batch.to_pylist():
                system = self.systems.value[row["given"], row["place"], decode(row["name"])]
                topics = [decode(topic) for topic in row["topics"]]
                for name in (system, *topics):
                    if not utf_8(name):
                        raise DataError(
                            f"{name!r} is not UTF-8, and no other name fits into a table: give a plain path"
                        )
                values = np.frombuffer(row["values"], "<f8").reshape(-1, len(self.measures))
                topic, measure = np.nonzero(~np.isnan(values))
                columns = {
                    "system": [system] * len(topic),
                    "topic": [topics[t] for t in topic.tolist()],
                    "measure": [self.measures[m] for m in measure.tolist()],
                    "value": values[topic, measure],
                }
                kinds = [("system", pa.string()), ("topic", pa.string()), ("measure", pa.string())]
                yield pa.RecordBatch.from_pydict(columns, schema=pa.schema([*kinds, ("value", pa.float64())]))
