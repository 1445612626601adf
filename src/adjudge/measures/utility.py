from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, JudgedRun
from ..core.measure import RelevanceMeasure, TrecName, TruncatedMeasure
from ..core.spec import is_number, require


@dataclass(frozen=True)
class Utility(RelevanceMeasure, TruncatedMeasure):
    """Utility: what the retrieved set is worth when every kind of hit and miss has its price.

    Formula: a·(relevant retrieved) + b·(others retrieved) + c·(relevant missed) + d·(others not retrieved). The last
    number needs the size of the collection (trec_eval -N).

    Parameters: ``prices`` the four numbers a, b, c, d ([1, -1, 0, 0]).

    No value: always defined.

    Paper: Hull & Robertson, The TREC-8 Filtering Track (1999).

    Example: 3 relevant and 7 others retrieved, default prices: 3 − 7 = −4.
    """

    name: ClassVar[str] = "utility"
    group: ClassVar[str] = "set-based"
    positional: ClassVar[str] = "prices"
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("utility"),)

    prices: tuple[float, ...] = (1.0, -1.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        fine = isinstance(self.prices, tuple) and len(self.prices) == 4 and all(map(is_number, self.prices))
        require(self, "prices", fine, "be four numbers")

    def values(self, judged: JudgedRun) -> Floats:
        hit, ret, rel = (x.astype(float) for x in (judged.num_rel_ret, judged.num_ret, judged.num_rel))
        a, b, c, d = self.prices
        size = judged.judging.collection_size
        worth: Floats = a * hit + b * (ret - hit) + c * (rel - hit) + d * (size + hit - ret - rel)
        return worth
