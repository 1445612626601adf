from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.average import Transformation
from ...core.judged import Floats
from ...core.spec import is_number, require


@dataclass(frozen=True)
class PowerTransform(Transformation):
    """A power of the scale: above 1 the high end counts more, below 1 the low end, −1 is the harmonic mean.

    Formula: f(x) = (x + ε)^p, with a minus sign for p < 0 so that it rises; back: |y|^(1/p) − ε.

    Parameters: ``p`` from −20 to 20 but not 0 (0.5), for which log is the limit; ``eps`` ε ≥ 0 (1e-5), which keeps
    0 finite under negative powers; both are always written.

    Domain: 0 and above.

    Paper: Hardy, Littlewood & Pólya, Inequalities (1934), ch. 2, for power means; Robertson (CIKM 2006) for the use.

    Example: 0.25 and 1 with p = 0.5: mean of 0.5 and 1 is 0.75, squared 0.5625 but for ε.
    """

    name: ClassVar[str] = "power"
    positional: ClassVar[str] = "p"
    always: ClassVar[tuple[str, ...]] = ("p", "eps")
    low: ClassVar[float] = 0.0

    p: float = 0.5
    eps: float = 1e-5

    def __post_init__(self) -> None:
        require(
            self, "p", is_number(self.p) and 0 < abs(self.p) <= 20, "lie between -20 and 20 and not be 0 (that is log)"
        )
        fine = is_number(self.eps) and (self.eps > 0 or (self.eps == 0 and self.p > 0))
        require(self, "eps", fine, "be above 0, or 0 with a positive p")

    def forward(self, values: Floats) -> Floats:
        powers: Floats = (values + self.eps) ** float(self.p)
        return powers if self.p > 0 else -powers

    def inverse(self, values: Floats) -> Floats:
        return np.maximum(np.abs(values) ** (1.0 / self.p) - self.eps, 0.0)
