from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats
from ._user_models import UserModel, until


@dataclass(frozen=True)
class CWLPrecision(UserModel):
    """Precision at k as a user model: the reader looks at k documents, whatever they are.

    Formula: C(r) = 1 for r < k, else 0; the expected utility is precision at k of graded gains, its total k times that.

    Parameters: ``k`` the cutoff, required.

    No value: always defined. Ranks without a judged document gain nothing.

    Paper: Moffat, Thomas & Scholer, Users versus models (CIKM 2013).

    Example: gains 1, 0, k = 2: eu 0.5, etu 1, ed 2.
    """

    name: ClassVar[str] = "cwl_p"

    k: int

    def continuation(self, gain: Floats, cost: Floats) -> Floats:
        del cost
        return until(np.ones(gain.shape), self.k)
