from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.average import Zeros
from ...core.judged import Floats


@dataclass(frozen=True)
class Add(Zeros):
    """Add a small number to every value, and take it away from the figure again.

    Formula: before: x + ε; after: figure − ε (equation 3 of the paper, the missing ε of its logarithm put in).

    Parameters: ``eps`` ε > 0 (1e-5). Figures made with different ε cannot be compared.

    Paper: Robertson, On GMAP and other transformations (CIKM 2006), section 4.1.

    Example: 0, 0.5, 5e-6 under log with ε = 1e-5 → 0.000412.
    """

    name: ClassVar[str] = "add"

    eps: float = 1e-5

    def before(self, values: Floats) -> Floats:
        return values + self.eps

    def after(self, figures: Floats) -> Floats:
        return np.maximum(figures - self.eps, 0.0)  # below 0 by rounding only
