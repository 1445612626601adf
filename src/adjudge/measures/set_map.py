from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, JudgedRun, ratio
from ..core.measure import SHARE, RelevanceMeasure, TrecName, TruncatedMeasure


@dataclass(frozen=True)
class SetMap(RelevanceMeasure, TruncatedMeasure):
    """Set AP: average precision of the retrieved set taken without order, precision times recall.

    Formula: (relevant retrieved)² / (retrieved · R).

    No value: nothing retrieved, or R = 0, gives 0.

    Paper: trec_eval's set_map.

    Example: 2 relevant among 8 retrieved, R = 4: 4/32 = 0.125.
    """

    name: ClassVar[str] = "set_map"
    limits: ClassVar[tuple[float, float]] = SHARE
    group: ClassVar[str] = "set-based"
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("set_map"),)

    def values(self, judged: JudgedRun) -> Floats:
        return ratio(judged.num_rel_ret.astype(float) ** 2, judged.num_ret.astype(float) * judged.num_rel)
