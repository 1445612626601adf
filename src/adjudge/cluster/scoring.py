"""What workers do with the runs of an archive: judge and measure them, as one machine does."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..core import errors
from ..core.errors import AdjudgeError, DataError
from ..judging import columns, judged_run, measured
from .arrow import Batches
from .listing import run_column, run_of

if TYPE_CHECKING:
    import pyarrow as pa

HEADS = "given int, place int, name string, hopeless array<string>, notes array<string>, fault string"
ROWS = f"{HEADS}, topics array<string>, values binary, texts string"
LONG = "system string, topic string, measure string, value double"
HELD = 4_000_000
"""Bytes of results that go back to Spark at a time."""


class Opened(NamedTuple):
    """What was read by Spark, as an open file."""

    name: str
    content: bytes

    def read(self) -> bytes:
        return self.content


@dataclass(frozen=True)
class Work:
    """Judges and measures one run; the judgments are broadcast."""

    judgments: Any
    specs: tuple[str, ...]
    options: tuple[tuple[str, Any], ...]

    def row(self, given: int, place: int, source: Any, name: str | None = None) -> dict[str, Any]:
        """What came of a run, or why nothing did."""
        try:
            judged = judged_run(source, self.judgments.value, name, **dict(self.options))
            made = measured(judged, [component for _, component in columns(self.specs)])
        except AdjudgeError as error:
            return self.fault(given, place, name, error)
        texts = {spec: list(map(str, strings)) for spec, strings in made.texts.items()}
        return {
            "given": given,
            "place": place,
            "name": judged.name,
            "hopeless": list(made.hopeless),
            "notes": list(made.notes),
            "fault": None,
            "topics": list(made.topics),
            "values": np.ascontiguousarray(made.values, "<f8").tobytes(),
            "texts": json.dumps(texts),
        }

    @staticmethod
    def fault(given: int, place: int, name: str | None, error: AdjudgeError) -> dict[str, Any]:
        head: dict[str, Any] = {"given": given, "place": place, "name": name, "hopeless": [], "notes": []}
        kind = next(kind.__name__ for kind in type(error).__mro__ if getattr(errors, kind.__name__, None) is kind)
        return {**head, "fault": f"{kind}: {error}", "topics": [], "values": b"", "texts": "{}"}


def _batches(rows: Iterable[dict[str, Any]]) -> Batches:
    """Results as Arrow batches of bounded size."""
    import pyarrow as pa

    strings = pa.list_(pa.string())
    kinds = {"given": pa.int32(), "place": pa.int32(), "name": pa.string(), "hopeless": strings, "notes": strings}
    kinds |= {"fault": pa.string(), "topics": strings, "values": pa.binary(), "texts": pa.string()}
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

    work: Work
    places: Any

    def __call__(self, batches: Batches) -> Batches:
        return _batches(self._rows(batches))

    def _rows(self, batches: Batches) -> Iterator[dict[str, Any]]:
        for batch in batches:
            for path, content in zip(batch.column("path").to_pylist(), batch.column("content"), strict=True):
                for entry in self.places.value.get(path, ()):
                    yield self.work.row(entry.given, entry.place, Opened(entry.shown, content.as_py()))


@dataclass(frozen=True)
class OfTable:
    """Runs out of rows that are sorted by run; one run at a time is in memory."""

    work: Work
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

        if not name:
            return self.work.fault(self.given, 0, "", DataError(f"{self.path}: a row without the name of its run"))
        frame: Any = pl.from_arrow(pa.Table.from_batches(parts))
        try:
            run = run_of(frame.drop(self.run), f"{self.path}: run {name}", name)
        except AdjudgeError as error:
            return self.work.fault(self.given, 0, name, error)
        return self.work.row(self.given, 0, run, name)


@dataclass(frozen=True)
class Long:
    """A row for each system, topic and measure that has a value."""

    systems: Any
    measures: tuple[str, ...]

    def __call__(self, batches: Batches) -> Batches:
        import pyarrow as pa

        for batch in batches:
            for row in batch.to_pylist():
                system = self.systems.value[row["given"], row["place"], row["name"] or ""]
                values = np.frombuffer(row["values"], "<f8").reshape(-1, len(self.measures))
                topic, measure = np.nonzero(~np.isnan(values))
                made = {
                    "system": [system] * len(topic),
                    "topic": [row["topics"][t] for t in topic.tolist()],
                    "measure": [self.measures[m] for m in measure.tolist()],
                    "value": values[topic, measure],
                }
                kinds = [("system", pa.string()), ("topic", pa.string()), ("measure", pa.string())]
                yield pa.RecordBatch.from_pydict(made, schema=pa.schema([*kinds, ("value", pa.float64())]))
