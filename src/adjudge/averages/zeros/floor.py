from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.average import Zeros
from ...core.judged import Floats


@dataclass(frozen=True)
class Floor(Zeros):
    """Raise every value below a small number to it, as trec_eval does.

    Formula: before: max(x, ε); after: the figure itself. It changes values between 0 and ε too.

    Parameters: ``eps`` ε > 0 (1e-5). Figures made with different ε cannot be compared.

    Paper: Robertson, On GMAP and other transformations (CIKM 2006), section 4.1.

    Example: 0, 0.5, 5e-6 under log with ε = 1e-5 → 0.000368.
    """

    name: ClassVar[str] = "floor"

    eps: float = 1e-5

    def before(self, values: Floats) -> Floats:
        return np.maximum(values, self.eps)
