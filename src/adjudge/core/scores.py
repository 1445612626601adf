"""Scores: what the measures say of every system on every topic."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .average import Average, TransformedMean, averages
from .columns import read_only
from .coverage import Coverage
from .errors import DataError, MissingExtraError, SpecError, UnknownNameError, did_you_mean
from .judged import Floats
from .note import Note
from .result import Plottable, framed

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas
    import polars


class Column(NamedTuple):
    """One measure in a table of scores."""

    name: str
    """As it was asked for: ``ap``, ``ndcg@10``, ``gm_map``."""
    measure: str
    """The spec of the measure that gave the values."""
    average: str = "mean"
    """How the figure over the topics is made."""
    better: str = "high"

    @property
    def is_average(self) -> bool:
        """Whether its name stands for one way of averaging, as gm_map does, so that no other figure may have it."""
        return self.average not in {"mean", "sum"}


@dataclass(frozen=True, eq=False, repr=False)
class Scores(Plottable):
    """systems × topics × measures in one array; NaN where a system has no value for a topic.

    >>> scores["bm25", "301", "ap"]      # doctest: +SKIP
    >>> scores["bm25", :, "ap"]          # doctest: +SKIP
    """

    values: Floats
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    columns: tuple[Column, ...]
    texts: Mapping[str, npt.NDArray[np.str_]] = field(default_factory=dict)
    """Measures that describe rather than count (relstring): systems × topics strings."""
    notes: tuple[Note, ...] = ()
    """What a reader of the figures should know: topics left out, judgments repeated."""
    coverage: tuple[Coverage, ...] = ()
    """What the judgments cover of each system's run; empty where the scores come from no runs."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", read_only(self.values))

    def __repr__(self) -> str:
        shown = ", ".join(self.measures[:6]) + (", …" if len(self.columns) > 6 else "")
        return f"Scores({len(self.systems):,} systems × {len(self.topics):,} topics × {len(self.columns)}: {shown})"

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @cached_property
    def _places(self) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
        s, t, m = ({name: i for i, name in enumerate(axis)} for axis in (self.systems, self.topics, self.measures))
        return s, t, m

    def _place(self, axis: int, name: Any) -> Any:
        known = self._places[axis]
        if isinstance(name, slice):
            return name
        if name not in known:
            kind = ("system", "topic", "measure")[axis]
            raise UnknownNameError(f"no {kind} {name!r} in these scores{did_you_mean(str(name), list(known))}")
        return known[name]

    def __getitem__(self, key: tuple[Any, Any, Any]) -> Any:
        """``scores[system, topic, measure]``; a colon takes a whole axis."""
        if not isinstance(key, tuple) or len(key) != 3:
            raise SpecError("scores are looked up by system, topic and measure: scores['bm25', '301', 'ap']")
        for column in self.columns if self.texts else ():
            if key[2] == column.name and column.measure in self.texts:
                raise SpecError(f"{column.name} is text, not a number: scores.texts[{column.measure!r}]")
        values = self.values[tuple(self._place(axis, name) for axis, name in enumerate(key))]
        return float(values) if np.ndim(values) == 0 else values

    def row(self, system: int, topic: int) -> list[float]:
        """The values of a system on a topic, both by their numbers."""
        row: list[float] = self.values[system, topic].tolist()
        return row

    def of_systems(self, names: Sequence[str]) -> Scores:
        """The scores of some of the systems, in the order in which they are named."""
        rows = [self._place(0, name) for name in names]
        coverage = tuple(self.coverage[row] for row in rows) if self.coverage else ()
        texts = {spec: strings[rows] for spec, strings in self.texts.items()}
        return replace(self, values=self.values[rows], systems=tuple(names), texts=texts, coverage=coverage)

    def of_measures(self, names: Sequence[str]) -> Scores:
        """The scores by some of the measures, in the order in which they are named."""
        places = [self._place(2, name) for name in names]
        columns = tuple(self.columns[place] for place in places)
        texts = {spec: texts for spec, texts in self.texts.items() if spec in {column.measure for column in columns}}
        return replace(self, values=self.values[:, :, places], columns=columns, texts=texts)

    def average(self, by: str | None = None, *, raw: bool = False) -> dict[str, dict[str, float]]:
        """{system: {measure: figure}} under an average or transformation; without one, each measure's own.

        ``mean``, ``median``, ``gm``, ``log(eps=1e-5)``, ``logit``, ``power(p=-1)``, ``worst(share=0.25)`` and so on. A
        mean on a transformed scale is brought back to the original one unless ``raw``.
        """
        return self._figures([by or column.average for column in self.columns], raw=raw)

    def _figures(self, by: Sequence[str], *, raw: bool = False) -> dict[str, dict[str, float]]:
        figures = np.full((len(self.systems), len(self.columns)), np.nan)
        for m, (column, spec) in enumerate(zip(self.columns, by, strict=True)):
            average = averages.parse(spec)
            if raw and isinstance(average, TransformedMean):
                average = TransformedMean(average.transformation, raw=True)
            values = self.values[:, :, m]
            self._refuse(average, values, column)
            figures[:, m] = average(values)
        return {
            system: dict(zip(self.measures, row, strict=True))
            for system, row in zip(self.systems, figures.tolist(), strict=True)
        }

    def _refuse(self, average: Average, values: Floats, column: Column) -> None:
        wrong = np.argwhere(average.outside(values))
        if len(wrong):
            s, t = wrong[0].tolist()
            where = f"{column.name} of {self.systems[s]} on topic {self.topics[t]}"
            raise DataError(f"values under {average} must {average.domain()}: {where} is {values[s, t]:g}")

    def mean(self) -> dict[str, dict[str, float]]:
        """{system: {measure: arithmetic mean over its topics}}; what is an average itself, as gm_map, stays it."""
        return self._figures([column.average if column.is_average else "mean" for column in self.columns])

    def summary(self) -> dict[str, dict[str, float]]:
        """{system: {measure: figure}} as trec_eval prints it: sums of counts, gm_map geometric, means of the rest."""
        return self.average()

    def per_topic(self, system: str) -> dict[str, dict[str, float]]:
        """{topic: {measure: value}} of one system, topics without a value left out."""
        block = self.values[self._place(0, system)]
        return {
            topic: dict(zip(self.measures, row, strict=True))
            for topic, row in zip(self.topics, block.tolist(), strict=True)
            if not all(math.isnan(value) for value in row)
        }

    def __eq__(self, other: object) -> bool:
        """The same systems, topics, measures and values."""
        if not isinstance(other, Scores):
            return NotImplemented
        same = (self.systems, self.topics, self.columns) == (other.systems, other.topics, other.columns)
        return same and np.array_equal(self.values, other.values, equal_nan=True)

    __hash__ = None  # type: ignore[assignment]

    def _long(self) -> dict[str, Sequence[Any]]:
        for column in self.columns:
            if column.measure in self.texts:
                raise SpecError(f"{column.name} is text, and a frame of values holds numbers: leave it out")
        s, t, m = self.values.shape
        return {
            "system": np.repeat(np.array(self.systems, object), t * m).tolist(),
            "topic": np.tile(np.repeat(np.array(self.topics, object), m), s).tolist(),
            "measure": np.tile(np.array(self.measures, object), s * t).tolist(),
            "value": self.values.reshape(-1),
        }

    def to_polars(self) -> polars.DataFrame:
        """One row for each system, topic and measure that has a value."""
        import polars as pl

        schema = {"system": pl.String, "topic": pl.String, "measure": pl.String, "value": pl.Float64}
        frame = framed(lambda columns: pl.DataFrame(columns, schema=schema), self._long())
        return frame.filter(pl.col("value").is_not_nan())

    def to_pandas(self) -> pandas.DataFrame:
        """The same as a pandas frame."""
        try:
            import pandas as pd
        except ImportError:
            raise MissingExtraError("to_pandas needs pandas: pip install 'adjudge[pandas]'") from None
        frame: pandas.DataFrame = framed(pd.DataFrame, self._long())
        return frame.dropna(subset=["value"]).reset_index(drop=True)

    def to_dict(self) -> dict[str, dict[str, dict[str, float]]]:
        """{system: {topic: {measure: value}}}, topics without a value left out; :func:`read_scores` takes it back."""
        return {system: self.per_topic(system) for system in self.systems}
