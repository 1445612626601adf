from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats
from ..core.spec import is_number, require
from ._user_models import UserModel, continuation_of


@dataclass(frozen=True)
class UMeasure(UserModel):
    """U-measure: attention falls in a straight line with the text that was read.

    Formula: W(r) ~ max(0, 1 − t_r / L), t_r what the documents above rank r cost, and 0 at the last rank looked at.

    Parameters: ``L`` how much is read at most, in units of the costs, above 0 (1000).

    No value: always defined. Ranks without a judged document gain nothing.

    Paper: Sakai & Dou, Summaries, ranked retrieval and sessions: a unified framework for information access evaluation
    (SIGIR 2013), weights scaled to add up to 1.

    Example: gain 1 at rank 1, L = 2: weights 1 and 0.5, eu 0.6667.
    """

    name: ClassVar[str] = "u_measure"
    positional: ClassVar[str] = "L"

    L: float = 1000.0

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self, "L", is_number(self.L) and self.L > 0, "be above 0")

    def continuation(self, gain: Floats, cost: Floats) -> Floats:
        del gain
        return continuation_of(self._decay(cost))

    def weights(self, go_on: Floats, cost: Floats) -> Floats:
        del go_on
        decay = self._decay(cost)
        total = decay.sum(axis=1, keepdims=True)
        return np.asarray(np.divide(decay, total, out=np.zeros_like(decay), where=total > 0), float)

    def _decay(self, cost: Floats) -> Floats:
        before = np.hstack([np.zeros((len(cost), 1)), np.cumsum(cost, axis=1)[:, :-1]])
        decay = np.maximum(0.0, 1.0 - before / self.L)
        decay[:, -1] = 0.0 if decay.shape[1] > 1 else 1.0
        return np.asarray(decay, float)
