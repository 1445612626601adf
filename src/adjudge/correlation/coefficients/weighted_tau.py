"""Vigna's weighted tau."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.spec import require
from ..coefficient import Coefficient
from ..rankings import RankingPair

WEIGHERS = ("hyperbolic", "logarithmic", "quadratic", "equal")


@dataclass(frozen=True)
class WeightedTau(Coefficient):
    """Vigna's weighted tau: each pair weighs by the ranks of its two items, ties as in tau_b.

    Formula: <x, y>_w / √(<x, x>_w <y, y>_w) with <a, b>_w = Σ_{i<j} sign(a_i − a_j) sign(b_i − b_j) (w(r_i) + w(r_j)),
    the mean over r = ranks by x (ties by y) and r = ranks by y (ties by x), from 0. Computed by scipy.

    Parameters: ``weigher`` hyperbolic 1/(r+1), logarithmic 1/log2(r+2), quadratic 1/(r+1)² or equal, which gives tau_b.
    ``product`` weights of the two items are multiplied instead of added.

    No value: NaN if all items are tied in one ranking, or if there are fewer than two.

    Paper: Vigna, A weighted correlation index for rankings with ties (2015).

    Example: scores 12 2 1 12 2 and 1 4 7 1 0: −0.5669, where tau_b is −0.4714.
    """

    name: ClassVar[str] = "weighted_tau"
    aliases: ClassVar[tuple[str, ...]] = ("weightedtau",)

    weigher: str = "hyperbolic"
    product: bool = False

    def __post_init__(self) -> None:
        require(self, "weigher", self.weigher in WEIGHERS, f"be one of {', '.join(WEIGHERS)}")
        require(self, "product", isinstance(self.product, bool), "be true or false")

    def of(self, pair: RankingPair) -> float:
        self.need_groups(pair.x)
        self.need_groups(pair.y)
        from scipy.stats import weightedtau

        scores = (-side.above.astype(float) for side in (pair.x, pair.y))
        result = weightedtau(*scores, weigher=getattr(self, f"_{self.weigher}"), additive=not self.product)
        return float(np.asarray(result.statistic))

    @staticmethod
    def _hyperbolic(rank: int) -> float:
        return 1 / (rank + 1)

    @staticmethod
    def _logarithmic(rank: int) -> float:
        return 1 / float(np.log2(rank + 2))

    @staticmethod
    def _quadratic(rank: int) -> float:
        return 1 / (rank + 1) ** 2

    @staticmethod
    def _equal(rank: int) -> float:
        del rank
        return 1.0
