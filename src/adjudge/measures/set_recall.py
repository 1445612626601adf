from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, JudgedRun, ratio
from ..core.measure import SHARE, RelevanceMeasure, TrecName, TruncatedMeasure


@dataclass(frozen=True)
class SetRecall(RelevanceMeasure, TruncatedMeasure):
    """Set recall: the share of the relevant documents that was retrieved at all.

    Formula: (relevant retrieved) / R.

    No value: R = 0 gives 0.

    Paper: van Rijsbergen, Information Retrieval (1979), ch. 7.

    Example: 2 of 5 relevant documents retrieved: 0.4.
    """

    name: ClassVar[str] = "set_recall"
    limits: ClassVar[tuple[float, float]] = SHARE
    compiled: ClassVar[str | None] = ""
    group: ClassVar[str] = "set-based"
    aliases: ClassVar[tuple[str, ...]] = ("SetR",)
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("set_recall"),)

    def values(self, judged: JudgedRun) -> Floats:
        return ratio(judged.num_rel_ret, judged.num_rel)
