from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, JudgedRun, ratio
from ..core.measure import SHARE, RelevanceMeasure, TrecName, TruncatedMeasure


@dataclass(frozen=True)
class SetP(RelevanceMeasure, TruncatedMeasure):
    """Set precision: the share of relevant documents among all that were retrieved.

    Formula: (relevant retrieved) / (retrieved).

    No value: nothing retrieved gives 0.

    Paper: van Rijsbergen, Information Retrieval (1979), ch. 7.

    Example: 2 relevant among 8 retrieved: 0.25.
    """

    name: ClassVar[str] = "set_p"
    limits: ClassVar[tuple[float, float]] = SHARE
    compiled: ClassVar[str | None] = ""
    group: ClassVar[str] = "set-based"
    aliases: ClassVar[tuple[str, ...]] = ("SetP",)
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("set_P"),)

    def values(self, judged: JudgedRun) -> Floats:
        return ratio(judged.num_rel_ret, judged.num_ret)
