from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.average import Zeros
from ...core.judged import Floats


@dataclass(frozen=True)
class Only(Zeros):
    """Replace zeros by a small number, and nothing else, as the TREC 2005 Robust track did.

    Formula: before: ε where x = 0, else x; after: the figure itself. Not monotone: values between 0 and ε end up
    below a zero.

    Parameters: ``eps`` ε > 0 (1e-5). Figures made with different ε cannot be compared.

    Paper: Robertson, On GMAP and other transformations (CIKM 2006), section 4.1.

    Example: 0, 0.5, 5e-6 under log with ε = 1e-5 → 0.000292.
    """

    name: ClassVar[str] = "only"

    eps: float = 1e-5

    def before(self, values: Floats) -> Floats:
        return np.where(values == 0, self.eps, values)
