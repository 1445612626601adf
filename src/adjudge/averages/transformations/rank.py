from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import numpy as np

from ...core.average import Transformation
from ...core.judged import Floats


@dataclass(frozen=True)
class RankTransform(Transformation):
    """The ordinal scale: every value becomes its place among all values, of all systems and topics.

    Formula: f(x) = (values below x + half of those equal to x) / n; back: the value at that place, interpolated.

    It keeps nothing of a value but its order; the same function for all topics, so it is a transformation of the scale
    and not of each topic (standard is that).

    Paper: Conover & Iman, Rank transformations as a bridge between parametric and nonparametric statistics (1981).

    Example: among 0.1, 0.2, 0.2, 0.9 the value 0.2 becomes (1 + 1) / 4 = 0.5.
    """

    name: ClassVar[str] = "rank"

    _known: Floats | None = field(default=None, repr=False, compare=False)

    def fit(self, values: Floats) -> Self:
        return replace(self, _known=np.sort(values[~np.isnan(values)]))

    def _steps(self) -> tuple[Floats, Floats]:
        if self._known is None:
            raise ValueError("rank is a function of the values it is fitted to")
        if not len(self._known):
            return np.array([np.nan]), np.array([np.nan])
        distinct, counts = np.unique(self._known, return_counts=True)
        return distinct, (np.cumsum(counts) - counts / 2) / len(self._known)

    def forward(self, values: Floats) -> Floats:
        distinct, places = self._steps()
        return np.interp(values, distinct, places)

    def inverse(self, values: Floats) -> Floats:
        distinct, places = self._steps()
        return np.interp(values, places, distinct)
