from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats
from ..core.spec import is_number, require
from ._user_models import UserModel


@dataclass(frozen=True)
class INST(UserModel):
    """INST: the reader hopes for a gain, and what he has gained so far makes him stop earlier.

    Formula: C(r) = ((r + T + T_r − 1) / (r + T + T_r))², T_r = T − Σ_(i≤r) g_i what is still missing.

    Parameters: ``T`` how much gain the reader hopes for, above 0 (1).

    No value: always defined. Ranks without a judged document gain nothing.

    Paper: Moffat, Bailey, Scholer & Thomas, INST: an adaptive metric for information retrieval evaluation (ADCS 2015).

    Example: gain 1 at rank 1, T = 1: C(1) = 1/4, C(2) = 4/9 and so on: W(1) = 0.6083.
    """

    name: ClassVar[str] = "inst"
    positional: ClassVar[str] = "T"

    T: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self, "T", is_number(self.T) and self.T > 0, "be above 0")

    def continuation(self, gain: Floats, cost: Floats) -> Floats:
        del cost
        missing = self.T - np.cumsum(gain, axis=1)
        rank = np.arange(1, gain.shape[1] + 1)
        return np.asarray(((rank + self.T + missing - 1) / (rank + self.T + missing)) ** 2)
