from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.average import Transformation
from ...core.judged import Floats


@dataclass(frozen=True)
class ArcsineTransform(Transformation):
    """The arcsine of the square root: evens out the variance of proportions, stretching both ends a little.

    Formula: f(x) = arcsin √x; back: sin² y.

    Domain: 0 to 1.

    Paper: Tague-Sutcliffe & Blustein, A statistical analysis of the TREC-3 data (1994), where it is applied to AP.

    Example: 0.25 → arcsin 0.5 = 0.5236.
    """

    name: ClassVar[str] = "arcsine"
    aliases: ClassVar[tuple[str, ...]] = ("arcsin",)
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0

    def forward(self, values: Floats) -> Floats:
        return np.arcsin(np.sqrt(values))

    def inverse(self, values: Floats) -> Floats:
        return np.sin(values) ** 2
