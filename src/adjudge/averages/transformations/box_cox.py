from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.average import Transformation
from ...core.judged import Floats
from ...core.spec import is_number, require


@dataclass(frozen=True)
class BoxCoxTransform(Transformation):
    """Box-Cox: the powers with the logarithm in their midst, as one family without a gap.

    Formula: f(x) = ((x + ε)^λ − 1) / λ, and ln(x + ε) for λ = 0; back: (1 + λy)^(1/λ) − ε.

    Parameters: ``power`` λ from −20 to 20 (0); ``eps`` ε > 0 (1e-5); both are always written. λ = 1 gives the
    plain mean, 0 the geometric, −1 the harmonic.

    Domain: 0 and above.

    Paper: Box & Cox, An analysis of transformations (1964).

    Example: 0.25 and 1 with λ = 0.5: mean of −1 and 0 is −0.5, back 0.75² = 0.5625 but for ε.
    """

    name: ClassVar[str] = "box_cox"
    aliases: ClassVar[tuple[str, ...]] = ("boxcox",)
    positional: ClassVar[str] = "power"
    always: ClassVar[tuple[str, ...]] = ("power", "eps")
    low: ClassVar[float] = 0.0

    power: float = 0.0
    eps: float = 1e-5

    def __post_init__(self) -> None:
        require(self, "power", is_number(self.power) and abs(self.power) <= 20, "lie between -20 and 20")
        require(self, "eps", is_number(self.eps) and self.eps > 0, "be above 0")

    def forward(self, values: Floats) -> Floats:
        logs = np.log(values + self.eps)
        return logs if self.power == 0 else np.expm1(self.power * logs) / self.power

    def inverse(self, values: Floats) -> Floats:
        logs = values if self.power == 0 else np.log1p(self.power * values) / self.power
        return np.maximum(np.exp(logs) - self.eps, 0.0)
