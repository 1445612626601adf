"""AP correlation of one observer with respect to another, with ties in both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...core.spec import require
from ..coefficient import Coefficient
from ..rankings import RankingPair
from ..traversal import traverse


@dataclass(frozen=True)
class TauApTies(Coefficient):
    """AP correlation of y with respect to x, both with ties: one direction of tau_ap_b.

    Formula: tau_ap_ties = 2/(n−t_1) Σ_{p>1} C_i/(p−1) − 1, p the first place of the group of i in y, t_1 the size of
    the top group, C_i the items above the group that are above i in x. (Equation 10 lacks the −1 that its example has.)

    Parameters: ``sign`` a pair that is tied in x counts 0 instead of −1: the mean of (C_i − D_i)/(p−1) over the items
    not in the top group, D_i the items above the group that are below i in x. So the paper's text has it; its formula,
    its example and its R package ircor do not, and neither does the default.

    No value: NaN if all items are tied in y, or if there are fewer than two.

    Paper: Urbano & Marrero, The treatment of ties in AP correlation (2017), equation 10.

    Example: ranks x = 1 2 3.5 3.5 5 6, y = 2 4 1 4 6 4: 0.12; the other way round 0.16; with ``sign`` 0.22 and 0.34.
    """

    name: ClassVar[str] = "tau_ap_ties"

    sign: bool = False

    def __post_init__(self) -> None:
        require(self, "sign", isinstance(self.sign, bool), "be true or false")

    def of(self, pair: RankingPair) -> float:
        return traverse(pair, sign=self.sign)
