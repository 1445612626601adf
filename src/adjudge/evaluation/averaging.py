"""Averages over topics in other ways than the mean, of one measure or several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.arguments import listed
from ..core.average import TransformedMean, averages
from ..core.english import quantity
from ..core.errors import SpecError, UnknownNameError
from ..core.judged import Floats
from ..core.likes import Measures, ScoresLike
from ..core.note import Note
from ..core.result import Plottable
from ..core.scores import Scores
from ..formats.scores import read_scores
from .measuring import name_in

DEFAULT = ("mean", "log", "logit", "median", "worst")
"""What is averaged by when nothing is named."""


@dataclass(frozen=True, eq=False, repr=False)
class Averages(Plottable):
    """The figure of each system over the topics, by several averages; ``result["bm25", "ap", "gm"]`` is one."""

    systems: tuple[str, ...]
    measures: tuple[str, ...]
    averages: tuple[str, ...]
    figures: Floats
    """systems × measures × averages."""
    better: tuple[str, ...]
    """For each measure whether ``high`` or ``low`` values are good; empty if neither."""
    raw: bool = False
    """Return whether means on a transformed scale were left on it."""
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        return (
            f"Averages({quantity(len(self.systems), 'system')}, {', '.join(self.measures)}: {', '.join(self.averages)})"
        )

    def __getitem__(self, key: tuple[str, str, str]) -> float:
        """The figure of a system, by a measure and an average."""
        if not isinstance(key, tuple) or len(key) != 3:
            raise SpecError("averages are looked up by system, measure and average: result['bm25', 'ap', 'gm']")
        places = []
        for name, axis in zip(key, (self.systems, self.measures, self.averages), strict=True):
            if axis is self.averages and name not in axis and isinstance(name, str):
                name = str(averages.parse(name))  # noqa: PLW2901  gm is gm(floor=1e-05)
            if name not in axis:
                raise UnknownNameError(f"no {name!r} in these averages: there are {', '.join(axis[:20])}")
            places.append(axis.index(name))
        return float(self.figures[tuple(places)])

    def titles(self) -> list[str]:
        """The averages as a table names them: those left on a transformed scale are marked."""
        return [
            f"{spec} (raw)" if self.raw and isinstance(averages.parse(spec), TransformedMean) else spec
            for spec in self.averages
        ]


def average(
    scores: Scores, measures: Sequence[str], by: str | Sequence[str] = DEFAULT, *, raw: bool = False
) -> Averages:
    """The figures of all systems by each measure and each average."""
    specs = tuple(dict.fromkeys(str(averages.parse(spec)) for spec in listed(by, "by")))
    if not specs:
        raise SpecError("no average was named")
    figures = np.empty((len(scores.systems), len(measures), len(specs)))
    columns = {column.name: column for column in scores.columns}
    places = {name: m for m, name in enumerate(scores.measures)}
    for m, name in enumerate(measures):
        column = columns[name]
        for spec in specs if column.is_average else ():
            if spec != str(averages.parse(column.average)):
                what = f"{name} is an average already, {column.average} of {column.measure}"
                raise SpecError(f"{what}: average {column.measure} by {spec}")
        one = Scores(
            scores.values[:, :, places[name] : places[name] + 1], scores.systems, scores.topics, (columns[name],)
        )
        for a, spec in enumerate(specs):
            figures[:, m, a] = [row[name] for row in one.average(spec, raw=raw).values()]
    better = tuple(columns[name].better for name in measures)
    return Averages(scores.systems, tuple(measures), specs, figures, better, raw, scores.notes)


def scores_by(
    scores: ScoresLike, measures: Measures | None = None, *, source: str = "the scores"
) -> tuple[Scores, list[str]]:
    """Scores from what people have, and the measures that are meant: all that there are, unless some are named."""
    asked = [] if measures is None else listed(measures)
    known = read_scores(scores, measure=asked[0] if len(asked) == 1 else None)
    names = [name_in(known, source, name) for name in asked]
    return known, list(dict.fromkeys(names)) or list(known.measures)


def one_measure(names: Sequence[str], source: str = "the scores") -> str:
    """The only measure; an error that says which there are if there are several."""
    if len(names) == 1:
        return names[0]
    raise SpecError(f"{source} has several measures, say which with --measure (measure=): {', '.join(names)}")
