"""AP correlation as a measure of agreement, with ties in both rankings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...core.spec import require
from ..coefficient import Coefficient
from ..rankings import RankingPair
from ..traversal import traverse


@dataclass(frozen=True)
class TauApB(Coefficient):
    """AP correlation as agreement of two observers, each of whom may tie items; errors near the top weigh more.

    Formula: (tau_ap_ties(x, y) + tau_ap_ties(y, x)) / 2. Without ties it is tau_ap_symmetric. With ties by threshold
    an item's rivals are those clearly above it, and it does not matter that such ties are not transitive.

    Parameters: ``sign`` a pair that is tied in the other ranking counts 0 instead of −1; see tau_ap_ties.

    No value: NaN if one observer ties all items, or if there are fewer than two.

    Paper: Urbano & Marrero, The treatment of ties in AP correlation (2017), equation 11.

    Example: ranks x = 1 2 3.5 3.5 5 6, y = 2 4 1 4 6 4: (0.12 + 0.16)/2 = 0.14; with ``sign`` (0.22 + 0.34)/2 = 0.28.
    """

    name: ClassVar[str] = "tau_ap_b"

    sign: bool = False

    def __post_init__(self) -> None:
        require(self, "sign", isinstance(self.sign, bool), "be true or false")

    def of(self, pair: RankingPair) -> float:
        return (traverse(pair, sign=self.sign) + traverse(pair.swap_sides(), sign=self.sign)) / 2
