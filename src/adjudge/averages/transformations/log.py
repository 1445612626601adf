from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.average import Transformation, Zeros, zero_treatments
from ...core.judged import Floats
from ...core.spec import is_number, require


@dataclass(frozen=True)
class LogTransform(Transformation):
    """The natural logarithm: equal ratios count alike, so the low end of the scale counts more.

    Formula: f(x) = ln z(x), z the treatment of zeros. The mean of f is AL, brought back it is the geometric mean.

    Parameters: ``eps`` ε > 0 (1e-5) of the treatment; ``zeros`` which treatment: add (x + ε, taken away again; the
    paper's), floor (max(x, ε); trec_eval's), only (zeros become ε; TREC 2005). Figures with different ε or treatment
    cannot be compared, so both are always written.

    Domain: 0 and above.

    Paper: Robertson, On GMAP and other transformations (CIKM 2006), sections 2.2 and 4.1.

    Example: 0.25 and 1 → mean of ln 0.25001 and ln 1.00001, brought back 0.5 but for ε.
    """

    name: ClassVar[str] = "log"
    positional: ClassVar[str] = "eps"
    always: ClassVar[tuple[str, ...]] = ("eps", "zeros")
    low: ClassVar[float] = 0.0

    eps: float = 1e-5
    zeros: str = "add"

    def __post_init__(self) -> None:
        require(self, "eps", is_number(self.eps) and self.eps > 0, "be above 0")
        zero_treatments.get(self.zeros)

    @property
    def treatment(self) -> Zeros:
        return zero_treatments.get(self.zeros)(eps=self.eps)  # type: ignore[call-arg]

    def forward(self, values: Floats) -> Floats:
        return np.log(self.treatment.before(values))

    def inverse(self, values: Floats) -> Floats:
        return self.treatment.after(np.exp(values))
