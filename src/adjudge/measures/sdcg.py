from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats
from ._user_models import UserModel, by_rank, until


@dataclass(frozen=True)
class SDCG(UserModel):
    """Scaled DCG: discounted cumulative gain as a share of k documents of full gain.

    Formula: C(r) = log2(r + 1) / log2(r + 2) for r < k, else 0, so W(r) ~ 1 / log2(r + 1).

    Parameters: ``k`` the cutoff, required.

    No value: always defined. Ranks without a judged document gain nothing.

    Paper: Järvelin & Kekäläinen, Cumulated gain-based evaluation of IR techniques (TOIS 2002), scaled as in Moffat,
    Thomas & Scholer, Users versus models (CIKM 2013).

    Example: gains 0, 1, k = 2: 0.6309 / (1 + 0.6309) = 0.3869.
    """

    name: ClassVar[str] = "sdcg"

    k: int

    def continuation(self, gain: Floats, cost: Floats) -> Floats:
        del cost
        return until(by_rank(lambda rank: np.log2(rank + 1) / np.log2(rank + 2), gain.shape), self.k)
