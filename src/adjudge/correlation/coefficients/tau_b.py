"""Kendall's tau_b: agreement of two observers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from ..coefficient import Coefficient
from ..rankings import RankingPair


@dataclass(frozen=True)
class TauB(Coefficient):
    """Kendall's tau_b: how far two observers agree, each of whom may tie items.

    Formula: tau_b = (concordant − discordant) / √((N − t_X)(N − t_Y)), N = n(n−1)/2 pairs, t_X and t_Y of them tied.
    With ties by threshold the pairs are counted as they are, and it does not matter that such ties are not transitive.

    No value: NaN if one observer ties all items, or if there are fewer than two.

    Paper: Student (1921) and Kendall (1945); Urbano & Marrero (2017), equation 9.

    Example: ranks x = 1 2 3.5 3.5 5 6, y = 2 4 1 4 6 4: 8 pairs agree, 3 do not, √(14 · 12) = 12.961: 0.386.
    """

    name: ClassVar[str] = "tau_b"
    aliases: ClassVar[tuple[str, ...]] = ("kendall", "kendalltau", "kendall_tau", "kendall_tau_b")

    def of(self, pair: RankingPair) -> float:
        below = math.sqrt(pair.x.decided) * math.sqrt(pair.y.decided)
        return max(-1.0, min(1.0, (pair.concordant - pair.discordant) / below)) if below else math.nan
