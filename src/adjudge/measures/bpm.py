from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats
from ..core.spec import is_number, require
from ._user_models import UserModel


@dataclass(frozen=True)
class BPM(UserModel):
    """Bejeweled player model: the reader stops when he has gained enough or spent all that he would.

    Formula: C(r) = 1 while Σ_(i≤r) g_i < T_r and Σ_(i≤r) c_i < K_r, then 0. T_r = T + hb Σ_(i<r) (g_i − med) and K_r =
    k + hc Σ_(i<r) (g_i − med): what he finds changes what he wants (dynamic), unless hb and hc are 0.

    Parameters: ``k`` K, what he would spend, required. ``T`` how much gain the reader hopes for, above 0 (1). ``hb``
    and ``hc`` how much target and budget move (0); ``med`` the gain that moves neither (0.5). cwl_eval's dynamic form
    moves the target alone (hc = 0), the paper's both.

    No value: always defined. Ranks without a judged document gain nothing.

    Paper: Zhang et al., Evaluating web search with a Bejeweled player model (SIGIR 2017).

    Example: gains 0, 1, 1, T = 1, k = 10: he stops at rank 2, eu 0.5.
    """

    name: ClassVar[str] = "bpm"

    k: int
    T: float = 1.0
    hb: float = 0.0
    hc: float = 0.0
    med: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self, "T", is_number(self.T) and self.T > 0, "be above 0")
        for name in ("hb", "hc", "med"):
            require(self, name, is_number(getattr(self, name)) and getattr(self, name) >= 0, "be 0 or more")

    def continuation(self, gain: Floats, cost: Floats) -> Floats:
        target = _moving(self.T, self.hb, gain - self.med)
        budget = _moving(float(self.k), self.hc, gain - self.med)
        wants = np.logical_and.accumulate(np.cumsum(gain, axis=1) < target, axis=1)
        can = np.logical_and.accumulate(np.cumsum(cost, axis=1) < budget, axis=1)
        return (wants & can).astype(float)


def _moving(start: float, step: float, surprise: Floats) -> Floats:
    """start, and after each rank what it moved to."""
    moved = np.hstack([np.full((len(surprise), 1), start), step * surprise[:, :-1]])
    return np.cumsum(moved, axis=1)
