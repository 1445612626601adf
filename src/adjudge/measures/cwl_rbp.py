from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats
from ..core.spec import is_number, require
from ._user_models import UserModel


@dataclass(frozen=True)
class CWLRBP(UserModel):
    """Rank-biased precision as a user model: the reader goes on with probability p.

    Formula: C(r) = p; the weights add up to 1 over the ranks that are looked at, so the figure is rbp's but for
    p^depth.

    Parameters: ``p`` persistence, 0 < p < 1 (0.9).

    No value: always defined. Ranks without a judged document gain nothing.

    Paper: Moffat & Zobel, Rank-biased precision for measurement of retrieval effectiveness (TOIS 2008).

    Example: gains 1, 0, 1, p = 0.5: eu 0.625, ed 2.
    """

    name: ClassVar[str] = "cwl_rbp"
    positional: ClassVar[str] = "p"

    p: float = 0.9

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self, "p", is_number(self.p) and 0 < self.p < 1, "lie between 0 and 1")

    def continuation(self, gain: Floats, cost: Floats) -> Floats:
        del cost
        return np.full(gain.shape, float(self.p))
