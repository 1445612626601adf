from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import numpy as np

from ...core.average import Transformation
from ...core.judged import Floats


def spread(values: Floats) -> tuple[Floats, Floats]:
    """Mean and standard deviation of each topic over the systems; a topic on which all agree has deviation 1."""
    n = np.maximum((~np.isnan(values)).sum(axis=0), 1)
    mean = np.nansum(values, axis=0) / n
    deviation = np.sqrt(np.nansum((values - mean) ** 2, axis=0) / np.maximum(n - 1, 1))
    return mean, np.where(deviation > 0, deviation, 1.0)


@dataclass(frozen=True)
class ZScoreTransform(Transformation):
    """The z-score: how many standard deviations above the mean system of its topic a value lies.

    Formula: f(x) = (x − m_t) / s_t, mean and standard deviation (n − 1) of the systems on topic t.

    Every topic has the same influence, easy or hard. A figure stays on the scale of z, since topics have no common
    scale to go back to. It depends on which systems are compared.

    Paper: Webber, Moffat & Zobel, Score standardization for inter-collection comparison of retrieval systems
    (SIGIR 2008).

    Example: systems 0.2 and 0.4 on a topic: m = 0.3, s = 0.1414, z = −0.7071 and 0.7071.
    """

    name: ClassVar[str] = "zscore"
    aliases: ClassVar[tuple[str, ...]] = ("z_score",)
    reversible: ClassVar[bool] = False

    _spread: tuple[Floats, Floats] | None = field(default=None, repr=False, compare=False)

    def fit(self, values: Floats) -> Self:
        return replace(self, _spread=spread(np.atleast_2d(values)))

    def forward(self, values: Floats) -> Floats:
        if self._spread is None:
            raise ValueError("zscore is a function of the values it is fitted to")
        mean, deviation = self._spread
        return (values - mean) / deviation

    def inverse(self, values: Floats) -> Floats:
        if self._spread is None:
            raise ValueError("zscore is a function of the values it is fitted to")
        mean, deviation = self._spread
        return values * deviation + mean
