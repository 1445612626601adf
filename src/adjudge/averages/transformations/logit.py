from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.average import Transformation
from ...core.judged import Floats
from ...core.spec import is_number, require


@dataclass(frozen=True)
class LogitTransform(Transformation):
    """The log-odds: both ends of a scale from 0 to 1 are stretched.

    Formula: f(x) = ln((x + ε) / (1 − x + ε)); back: (e^y (1 + ε) − ε) / (1 + e^y).

    Parameters: ``eps`` ε > 0 (1e-5), which keeps 0 and 1 finite; always written.

    Domain: 0 to 1.

    Paper: Robertson, On GMAP and other transformations (CIKM 2006), section 4.2.

    Example: 0.9 → ln(0.90001 / 0.10001) = 2.1971.
    """

    name: ClassVar[str] = "logit"
    positional: ClassVar[str] = "eps"
    always: ClassVar[tuple[str, ...]] = ("eps",)
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0

    eps: float = 1e-5

    def __post_init__(self) -> None:
        require(self, "eps", is_number(self.eps) and self.eps > 0, "be above 0")

    def forward(self, values: Floats) -> Floats:
        return np.log((values + self.eps) / (1.0 - values + self.eps))

    def inverse(self, values: Floats) -> Floats:
        odds = np.exp(values)
        return (odds * (1.0 + self.eps) - self.eps) / (1.0 + odds)
