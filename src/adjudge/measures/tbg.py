from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats
from ..core.spec import is_number, require
from ._user_models import UserModel, continuation_of


@dataclass(frozen=True)
class TBG(UserModel):
    """Time-biased gain: attention is halved each time so much time was spent.

    Formula: W(r) ~ 2^(−t_r / h), t_r what the documents above rank r cost; without costs it is RBP with p = 2^(−1/h).

    Parameters: ``halflife`` h, in units of the costs, above 0 (224, seconds).

    No value: always defined. Ranks without a judged document gain nothing.

    Paper: Smucker & Clarke, Time-based calibration of effectiveness measures (SIGIR 2012), weights scaled to add up to
    1.

    Example: gain 1 at rank 1, h = 1: W(1) = 0.5.
    """

    name: ClassVar[str] = "tbg"
    positional: ClassVar[str] = "halflife"

    halflife: float = 224.0

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self, "halflife", is_number(self.halflife) and self.halflife > 0, "be above 0")

    def continuation(self, gain: Floats, cost: Floats) -> Floats:
        del gain
        return continuation_of(self._decay(cost))

    def weights(self, go_on: Floats, cost: Floats) -> Floats:
        del go_on
        decay = self._decay(cost)
        return np.asarray(decay / decay.sum(axis=1, keepdims=True))

    def _decay(self, cost: Floats) -> Floats:
        before = np.hstack([np.zeros((len(cost), 1)), np.cumsum(cost, axis=1)[:, :-1]])
        return np.asarray(np.exp2(-before / self.halflife))
