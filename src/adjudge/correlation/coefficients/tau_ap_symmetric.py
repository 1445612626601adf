"""AP correlation, the mean of both directions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..coefficient import Coefficient
from ..rankings import RankingPair
from ..traversal import traverse


@dataclass(frozen=True)
class TauApSymmetric(Coefficient):
    """Symmetric AP correlation: the mean of tau_ap of y with respect to x and of x with respect to y; no ties.

    Formula: (tau_ap(x, y) + tau_ap(y, x)) / 2.

    No value: fewer than two items give NaN; ties are refused, tau_ap_b is this coefficient with ties.

    Paper: Yilmaz, Aslam & Robertson (2008), section 3.

    Example: ranks x = 1 2 3 4 5 6, y = 2 3 1 4 6 5: 0.32 and 2/5 · (1 + 0 + 1 + 1 + 4/5) − 1 = 0.52, so 0.42.
    """

    name: ClassVar[str] = "tau_ap_symmetric"

    def of(self, pair: RankingPair) -> float:
        self.refuse_ties(pair.x, "x", "tau_ap_b")
        self.refuse_ties(pair.y, "y", "tau_ap_b")
        return (traverse(pair) + traverse(pair.swap_sides())) / 2
