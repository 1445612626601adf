"""Kendall's tau_a: accuracy with respect to a truth without ties."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..coefficient import Coefficient
from ..rankings import RankingPair


@dataclass(frozen=True)
class TauA(Coefficient):
    """Kendall's tau_a: how accurate y is about the true order x, which has no ties; ties in y count 0.

    Formula: tau_a = Σ_{i<j} sign(x_j − x_i) sign(y_j − y_i) / (n(n−1)/2). It is the mean of tau over all ways to break
    the ties of y.

    No value: fewer than two items give NaN; all items tied in y give 0, no better than chance; ties in x are refused.

    Paper: Woodbury (1940) and Kendall (1945); Urbano & Marrero (2017), equation 4.

    Example: ranks x = 1 2 3 4 5 6, y = 2 4 1 4 6 4: 9 pairs agree, 3 do not, 3 are tied: 0.4.
    """

    name: ClassVar[str] = "tau_a"

    def of(self, pair: RankingPair) -> float:
        self.refuse_ties(pair.x, "x", "tau_b, or tau_real_ties if they are real,")
        return (pair.concordant - pair.discordant) / pair.x.decided
