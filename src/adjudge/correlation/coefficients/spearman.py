"""Spearman's rho."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..coefficient import Coefficient
from ..rankings import RankingPair


@dataclass(frozen=True)
class Spearman(Coefficient):
    """Spearman's rho: the product-moment correlation of the ranks, tied items sharing the mean of their ranks.

    Formula: Σ (r_i − m)(s_i − m) / √(Σ (r_i − m)² Σ (s_i − m)²), r and s the ranks, m = (n+1)/2.

    No value: NaN if all items are tied in one ranking, or if there are fewer than two.

    Paper: Spearman (1904); ties after Student (1921).

    Example: ranks 1 2 3 and 1 3 2: 1/2.
    """

    name: ClassVar[str] = "spearman"
    aliases: ClassVar[tuple[str, ...]] = ("spearmanr", "spearman_rho", "rho")

    def of(self, pair: RankingPair) -> float:
        self.need_groups(pair.x)
        self.need_groups(pair.y)
        x, y = ((side.above.astype(float) - side.below) / 2 for side in (pair.x, pair.y))
        below = math.sqrt(float(x @ x)) * math.sqrt(float(y @ y))
        return float(np.clip(x @ y / below, -1.0, 1.0)) if below else math.nan
