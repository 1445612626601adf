"""Kendall's tau, without ties."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..coefficient import Coefficient
from ..rankings import RankingPair


@dataclass(frozen=True)
class Tau(Coefficient):
    """Kendall's tau: pairs in the same order less pairs in the opposite order, over all pairs; no ties.

    Formula: tau = (concordant − discordant) / (n(n−1)/2).

    No value: fewer than two items give NaN; ties are refused, tau_a and tau_b are made for them.

    Paper: Kendall, A new measure of rank correlation (1938); Urbano & Marrero (2017), equation 1.

    Example: ranks 1 2 3 4 5 6 and 2 3 1 4 6 5: 12 pairs agree, 3 do not: 0.6.
    """

    name: ClassVar[str] = "tau"

    def of(self, pair: RankingPair) -> float:
        self.refuse_ties(pair.x, "x", "tau_b")
        self.refuse_ties(pair.y, "y", "tau_a or tau_b")
        return (pair.concordant - pair.discordant) / pair.x.decided
