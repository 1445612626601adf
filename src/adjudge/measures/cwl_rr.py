from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats
from ._user_models import UserModel


@dataclass(frozen=True)
class CWLRR(UserModel):
    """Reciprocal rank as a user model: the reader goes on until the first document that gains something.

    Formula: C(r) = 1 until a gain is above 0, then 0; the expected utility is that gain over its rank.

    No value: always defined. Ranks without a judged document gain nothing.

    Paper: Moffat, Thomas & Scholer, Users versus models (CIKM 2013).

    Example: gains 0, 0, 0, 1: eu 0.25, etu 1, ed 4.
    """

    name: ClassVar[str] = "cwl_rr"

    def continuation(self, gain: Floats, cost: Floats) -> Floats:
        del cost
        return np.asarray(np.cumsum(gain, axis=1) == 0, float)
