from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from statistics import NormalDist
from typing import ClassVar, Self

import numpy as np

from ...core.average import Transformation
from ...core.judged import Floats
from .zscore import spread

BELOW = NormalDist().cdf
AT = NormalDist().inv_cdf


@dataclass(frozen=True)
class StandardTransform(Transformation):
    """Standardised scores: the share of systems that a value would beat on its topic, if they were normal.

    Formula: f(x) = Φ((x − m_t) / s_t), Φ the normal distribution function; between 0 and 1, 0.5 for the mean system.

    A figure stays on this scale, since topics have no common scale to go back to. It depends on which systems are
    compared.

    Paper: Webber, Moffat & Zobel, Score standardization for inter-collection comparison of retrieval systems
    (SIGIR 2008).

    Example: systems 0.2 and 0.4 on a topic: z = ±0.7071, standardised 0.2398 and 0.7602.
    """

    name: ClassVar[str] = "standard"
    reversible: ClassVar[bool] = False

    _spread: tuple[Floats, Floats] | None = field(default=None, repr=False, compare=False)

    def fit(self, values: Floats) -> Self:
        return replace(self, _spread=spread(np.atleast_2d(values)))

    def forward(self, values: Floats) -> Floats:
        mean, deviation = self._topics()
        return _each(BELOW, (values - mean) / deviation)

    def inverse(self, values: Floats) -> Floats:
        mean, deviation = self._topics()
        return _each(AT, values) * deviation + mean

    def _topics(self) -> tuple[Floats, Floats]:
        if self._spread is None:
            raise ValueError("standard is a function of the values it is fitted to")
        return self._spread


def _each(function: object, values: Floats) -> Floats:
    numbers = [math.nan if math.isnan(x) else function(x) for x in np.ravel(values).tolist()]  # type: ignore[operator]
    return np.array(numbers).reshape(np.shape(values))
