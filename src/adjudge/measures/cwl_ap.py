from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats
from ._user_models import UserModel


@dataclass(frozen=True)
class CWLAP(UserModel):
    """Average precision as a user model: the reader knows what is to come, and stops at a document that gains.

    Formula: C(r) = Σ_{i>r} g_i / i / Σ_{i≥r} g_i / i; the expected utility of gains 0 and 1 is the mean of the
    precisions at the relevant documents retrieved.

    No value: always defined. Ranks without a judged document gain nothing.

    Paper: Moffat, Thomas & Scholer, Users versus models (CIKM 2013); Robertson, A new interpretation of average
    precision (SIGIR 2008).

    Example: gains 1, 0, 1: (1 + 2/3) / 2 = 0.8333.
    """

    name: ClassVar[str] = "cwl_ap"
    bounded: ClassVar[bool] = False  # one more relevant document far down lowers the mean precision of those found

    def continuation(self, gain: Floats, cost: Floats) -> Floats:
        del cost
        share = gain / np.arange(1, gain.shape[1] + 1)
        ahead = np.cumsum(share[:, ::-1], axis=1)[:, ::-1]
        go_on = np.zeros_like(gain)
        np.divide(ahead[:, 1:], ahead[:, :-1], out=go_on[:, :-1], where=ahead[:, 1:] > 0)
        return go_on
