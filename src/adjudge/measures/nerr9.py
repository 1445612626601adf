from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats
from ._user_models import UserModel, until


@dataclass(frozen=True)
class NERR9(UserModel):
    """Nearly ERR, equation 9: as equation 8, and the chance to go on grows with the rank.

    Formula: C(r) = r / (r + 1) · (1 − g_r) for r < k, else 0.

    Parameters: ``k`` the cutoff, required.

    No value: always defined. Ranks without a judged document gain nothing.

    Paper: Azzopardi, Mackenzie & Moffat, ERR is not C/W/L (ICTIR 2021), equation 9.

    Example: gains 0, 1, k = 10: W(1) = 2/3 and W(2) = 1/3, eu 0.3333.
    """

    name: ClassVar[str] = "nerr9"

    k: int

    def continuation(self, gain: Floats, cost: Floats) -> Floats:
        del cost
        rank = np.arange(1, gain.shape[1] + 1)
        return until(rank / (rank + 1.0) * (1.0 - gain), self.k)
