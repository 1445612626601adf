"""C-value on a cluster: level by level from the longest candidates to the shortest, without one place that has all.

At each level the candidates of one length are final; those that are accepted hand on, to everything within them, what
raises its t and c. That is added up by name, and what is no candidate itself is dropped.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..terms.cvalue import Floats, inner, values_of
from ..terms.tagged_corpus import TermVocabulary
from .arrow import Batches
from .candidate_passes import ROWS, join_words

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

NAMES = ("class", "size", "frequency", "nested", "longer")
STATE = "class string, size int, frequency bigint, nested bigint, longer bigint"
VALUED = "class string, size int, frequency bigint, c_value double"


def value_candidates(candidates: DataFrame, sizes: Iterable[int], shortest: int, least: float) -> DataFrame:
    """Candidates (class, size, frequency) with their C-values; ``sizes`` are those that occur, or more."""
    from pyspark.sql import functions as f

    state = candidates.select(
        "class", "size", "frequency", *(f.lit(0).cast("bigint").alias(name) for name in NAMES[3:])
    )
    for size in sorted(set(sizes) - {shortest}, reverse=True):
        # One chain of steps: a table that is used twice at every level would make a plan that doubles every time.
        handed = state.mapInArrow(Level(size, shortest, least), STATE).groupBy("class", "size")
        state = handed.agg(*(f.sum(name).alias(name) for name in NAMES[2:])).where("frequency > 0")
    return state.mapInArrow(Values(shortest), VALUED)


@dataclass(frozen=True)
class Values:
    """The values of candidates, whose f, t and c are final."""

    shortest: int

    def __call__(self, batches: Batches) -> Batches:
        import pyarrow as pa

        for batch in batches:
            columns = [batch.column(name) for name in NAMES[:3]]
            yield pa.RecordBatch.from_arrays(
                [*columns, pa.array(self.of(batch), pa.float64())], [*NAMES[:3], "c_value"]
            )

    def of(self, batch: pa.RecordBatch) -> Floats:
        """By the number of words."""
        sizes, *columns = (batch.column(name).to_numpy() for name in NAMES[1:])
        values = np.zeros(len(sizes))
        for size in np.unique(sizes).tolist():
            own = sizes == size
            given = [column[own].astype(np.float64) for column in columns]
            values[own] = values_of(size, *given, single_words=self.shortest == 1)
        return values


@dataclass(frozen=True)
class Level:
    """Candidates as they come, and what those of one length hand on."""

    size: int
    shortest: int
    least: float

    def __call__(self, batches: Batches) -> Batches:
        import pyarrow as pa
        import pyarrow.compute as pc

        for batch in batches:
            yield pa.RecordBatch.from_arrays(batch.columns, list(NAMES))  # without what Spark says of its columns
            own = batch.filter(pc.equal(batch.column("size"), self.size))
            own = own.filter(pa.array(Values(self.shortest).of(own) >= self.least))
            if own.num_rows:
                yield from self._hand_on(own)

    def _hand_on(self, accepted: pa.RecordBatch) -> Batches:
        import pyarrow as pa

        vocabulary = TermVocabulary()
        words = [[vocabulary.key(word) for word in name.split(" ")] for name in accepted.column("class").to_pylist()]
        frequency, nested = (accepted.column(name).to_numpy().astype(np.float64) for name in ("frequency", "nested"))
        rows, *raised = inner(
            np.array(words, np.int32), self.size, frequency - nested, vocabulary.singular, self.shortest
        )
        names = pa.array(list(vocabulary.keys), pa.string())
        for begin in range(0, len(rows), ROWS):
            some = slice(begin, begin + ROWS)
            sizes = pa.array((rows[some] >= 0).sum(axis=1), pa.int32())
            t, c = (pa.array(column[some].astype(np.int64), pa.int64()) for column in raised)
            zero = pa.array(np.zeros(len(sizes), np.int64), pa.int64())
            yield pa.RecordBatch.from_arrays([join_words(rows[some], names), sizes, zero, t, c], list(NAMES))
