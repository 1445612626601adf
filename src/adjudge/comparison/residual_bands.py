"""How far documents that nobody judged could raise a figure, and which ranks that leaves to each system.

Measures whose weights add up to one, rbp and the C/W/L measures, have a residual: what all unjudged documents, and the
ranks behind the end of a list, would add if they had full gain. A figure and its residual make a band.

Paper: Moffat, Zobel, Rank-biased precision for measurement of retrieval effectiveness (TOIS 2008).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.judged import Floats
from ..core.judging import USUAL, Judging
from ..core.measure import Measure, measures

Ints = npt.NDArray[np.int64]
ROUNDING = 1e-12
"""Figures that differ by less are the same."""


@dataclass(frozen=True)
class SystemBand:
    """A system with its figure, the figure that it could reach, and the ranks that it could have."""

    system: str
    value: float
    """The mean of the measure; unjudged documents gain nothing."""
    high: float
    """The mean if all that nobody judged had full gain."""
    rank: int
    best_rank: int
    worst_rank: int

    @property
    def residual(self) -> float:
        """What unjudged documents could add."""
        return self.high - self.value

    @property
    def sure(self) -> bool:
        """Whether unjudged documents leave the system one rank only."""
        return self.best_rank == self.worst_rank


@dataclass(frozen=True)
class ResidualBands:
    """The bands of all systems by one measure, the best figure first."""

    measure: str
    rows: tuple[SystemBand, ...]

    @property
    def sure(self) -> int:
        """Systems whose rank no further judgment can change."""
        return sum(row.sure for row in self.rows)

    @property
    def contenders(self) -> tuple[str, ...]:
        """Systems that could be first."""
        return tuple(row.system for row in self.rows if row.best_rank == 1)


class PossibleRanks(NamedTuple):
    """The rank of each system, and the best and the worst that it could have."""

    rank: Ints
    best: Ints
    worst: Ints


def residual_of(component: Any, judging: Judging = USUAL) -> Measure | None:
    """The measure that says how much higher this one could be; None if there is none.

    There is none where unjudged documents are passed over, for rbp without a bound (``scaled=false``), for rbp of the
    head of a list (``cutoff``), whose residual is not that of the whole list, and for cwl_ap, which a further relevant
    document can lower.
    """
    if judging.judged_only or getattr(component, "judged_only", False):
        return None
    if component.name == "rbp":
        if not component.scaled or component.cutoff is not None:
            return None
        return measures.parse(f"rbp_residual(p={component.p!r})")
    if getattr(component, "bounded", False) and not component.residual and component.figure == "eu":
        found: Measure = replace(component, residual=True)
        return found
    return None


def possible_ranks(values: Floats, highs: Floats) -> PossibleRanks:
    """Ranks by figures of which high ones are good, each of which may lie anywhere between its value and its high.

    Every figure may move by itself, although a document that two systems share would raise both: no judgment leads out
    of these ranges, and not every rank in them may be in reach.
    """
    above = values[None, :] > values[:, None] + ROUNDING
    surely = values[None, :] > highs[:, None] + ROUNDING
    perhaps = highs[None, :] > values[:, None] + ROUNDING
    np.fill_diagonal(perhaps, False)
    return PossibleRanks(*(np.asarray(1 + each.sum(axis=1), np.int64) for each in (above, surely, perhaps)))


def bands_of(measure: str, systems: Sequence[str], values: Floats, residuals: Floats) -> ResidualBands | None:
    """The bands of systems from values and residuals, systems × topics; None if no system has a value on every topic.

    A system that lacks a value on some topic has no band, and is not counted in the ranks of others.
    """
    means, highs = values.mean(axis=1), values.mean(axis=1) + np.maximum(residuals.mean(axis=1), 0.0)
    known = np.flatnonzero(np.isfinite(highs))
    if not len(known):
        return None
    ranks = possible_ranks(means[known], highs[known])
    rows = [
        SystemBand(systems[s], float(means[s]), float(highs[s]), *(int(own[place]) for own in ranks))
        for place, s in enumerate(known.tolist())
    ]
    return ResidualBands(measure, tuple(sorted(rows, key=lambda row: row.rank)))
