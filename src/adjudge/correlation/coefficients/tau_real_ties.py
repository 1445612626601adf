"""Tau with respect to a truth whose ties are real."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..coefficient import Coefficient
from ..rankings import RankingPair
from ..traversal import tied_in_both


@dataclass(frozen=True)
class TauRealTies(Coefficient):
    """Tau with respect to a truth whose ties are real: to order a tied pair, or to tie an ordered one, is an error.

    Formula: 2 a/(n(n−1)/2) − 1, a the pairs that both rankings order the same way or both tie.

    No value: fewer than two items give NaN.

    Paper: the third scenario that Urbano & Marrero (2017), section 4, leave to future work; this resolution is ours.

    Example: ranks x = 1 1 3, y = 1 2 3: the first pair is wrong, the other two right: 2 · 2/3 − 1 = 1/3.
    """

    name: ClassVar[str] = "tau_real_ties"

    def of(self, pair: RankingPair) -> float:
        self.need_groups(pair.x)
        self.need_groups(pair.y)
        pairs = len(pair) * (len(pair) - 1) // 2
        return 2 * (pair.concordant + int(tied_in_both(pair)[0].sum())) / pairs - 1
