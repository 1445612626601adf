from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats
from ..core.spec import is_number, require
from ._user_models import UserModel


@dataclass(frozen=True)
class IFT(UserModel):
    """Information foraging: the reader stops when his goal is near, or when the rate of gain is poor.

    Formula: C(r) = C1 · C2, C1 = 1 − 1 / (1 + b1 e^((T − y) R1)) for the goal T, C2 = 1 / (1 + b2 e^((A − y / t) R2))
    for the rate A, y being what was gained and t what was spent as far as rank r. C1 is 1 without a goal, C2
    without a rate.

    Parameters: ``T`` goal (1), none for no goal; ``b1`` (0.9); ``R1`` (1) how strictly it is followed; ``A`` rate
    (none), ``b2`` (0.9), ``R2`` (1).

    No value: always defined. Ranks without a judged document gain nothing.

    Paper: Azzopardi, Thomas & Craswell, Measuring the utility of search engine result pages (SIGIR 2018).

    Example: no gain, T = 1, b1 = 1, R1 = 0: C = 0.5 at every rank, ed 2.
    """

    name: ClassVar[str] = "ift"

    T: float | None = 1.0
    b1: float = 0.9
    R1: float = 1.0
    A: float | None = None
    b2: float = 0.9
    R2: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self, "T", self.T is not None or self.A is not None, "be given, or A")
        for name in ("T", "b1", "R1", "A", "b2", "R2"):
            value = getattr(self, name)
            require(self, name, value is None or (is_number(value) and value >= 0), "be 0 or more")

    def continuation(self, gain: Floats, cost: Floats) -> Floats:
        gained, spent = np.cumsum(gain, axis=1), np.cumsum(cost, axis=1)
        go_on = np.ones(gain.shape)
        with np.errstate(over="ignore"):
            if self.T is not None:
                go_on *= 1.0 - 1.0 / (1.0 + self.b1 * np.exp((self.T - gained) * self.R1))
            if self.A is not None:
                go_on *= 1.0 / (1.0 + self.b2 * np.exp((self.A - gained / spent) * self.R2))
        return go_on
