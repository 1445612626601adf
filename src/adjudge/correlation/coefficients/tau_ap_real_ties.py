"""AP correlation with respect to a truth whose ties are real."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..coefficient import Coefficient
from ..rankings import RankingPair
from ..traversal import expectation, tied_in_both, within_groups


@dataclass(frozen=True)
class TauApRealTies(Coefficient):
    """AP correlation with respect to a truth whose ties are real, so that y should tie what x ties and nothing else.

    Formula: the mean, over all ways to traverse tied items of y, of 2/(n−1) Σ_{i=2..n} A_i/(i−1) − 1, A_i the items
    before i that both rankings put above i, or that both tie with i. Closed as in tau_ap_a: within a group of y a pair
    counts 1 if it is tied in x and 0 if not, where tau_ap_a counts 1/2.

    No value: fewer than two items give NaN.

    Paper: the third scenario that Urbano & Marrero (2017), section 4, leave to future work; this resolution is ours.

    Example: ranks x = 1 1 3, y = 1 2 3: 2/2 · (0/1 + 2/2) − 1 = 0. The same ranking twice gives 1.
    """

    name: ClassVar[str] = "tau_ap_real_ties"

    def of(self, pair: RankingPair) -> float:
        self.need_groups(pair.x)
        self.need_groups(pair.y)
        both, members = tied_in_both(pair)
        size = pair.y.size[members].astype(float)
        shares = within_groups(pair.y)[members] * size
        inside = float((shares * both / (size * (size - 1) / 2)).sum()) if len(both) else 0.0
        return 2 * (expectation(pair) + inside) / (len(pair) - 1) - 1
