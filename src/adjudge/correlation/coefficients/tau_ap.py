"""AP correlation, without ties."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..coefficient import Coefficient
from ..rankings import RankingPair
from ..traversal import traverse


@dataclass(frozen=True)
class TauAp(Coefficient):
    """AP correlation: tau in which errors near the top of y weigh more; y is traversed, x is the truth; no ties.

    Formula: tau_ap = 2/(n−1) Σ_{i=2..n} C_i/(i−1) − 1, C_i the items above i in y that are above it in x too. Not
    symmetric: tau_ap_symmetric is.

    No value: fewer than two items give NaN; ties are refused, tau_ap_a and tau_ap_b are made for them.

    Paper: Yilmaz, Aslam & Robertson (2008); Urbano & Marrero (2017), equation 3.

    Example: ranks x = 1 2 3 4 5 6, y = 2 3 1 4 6 5: 2/5 · (0 + 1/2 + 1 + 1 + 4/5) − 1 = 0.32.
    """

    name: ClassVar[str] = "tau_ap"
    aliases: ClassVar[tuple[str, ...]] = ("ap_correlation",)

    def of(self, pair: RankingPair) -> float:
        self.refuse_ties(pair.x, "x", "tau_ap_b")
        self.refuse_ties(pair.y, "y", "tau_ap_a or tau_ap_b")
        return traverse(pair)
