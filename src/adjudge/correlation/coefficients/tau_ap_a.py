"""AP correlation as a measure of accuracy, with ties in y."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..coefficient import Coefficient
from ..rankings import RankingPair
from ..traversal import expectation, within_groups


@dataclass(frozen=True)
class TauApA(Coefficient):
    """AP correlation as accuracy: the mean of tau_ap over all ways to break the ties of y; x is a truth without ties.

    Formula: tau_ap_a = 2/(n−1) [Σ_{p>1} C_i (H_{p+t−2} − H_{p−2})/t + Σ_i ((t−1) − (p−1)(H_{p+t−2} − H_{p−1}))/(2t)] −
    1, p the first place of the group of i in y, t its size, C_i the items above the group that are above i in x, H
    harmonic numbers. This is equation 8 of the paper with its inner sums closed.

    No value: fewer than two items give NaN; all items tied in y give 0; ties in x are refused.

    Paper: Urbano & Marrero, The treatment of ties in AP correlation (2017), equation 8.

    Example: ranks x = 1 2 3 4 5 6, y = 2 4 1 4 6 4: the six ways to break the tie give 0.32, 0.22, 0.253, 0.153, 0.22
    and 0.087, their mean is 0.209.
    """

    name: ClassVar[str] = "tau_ap_a"

    def of(self, pair: RankingPair) -> float:
        self.refuse_ties(pair.x, "x", "tau_ap_b, or tau_ap_real_ties if they are real,")
        self.need_groups(pair.y)
        total = expectation(pair) + float(within_groups(pair.y).sum()) / 2
        return 2 * total / (len(pair) - 1) - 1
