from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, JudgedRun
from ..core.measure import RankedMeasure, TrecName


@dataclass(frozen=True)
class NumRet(RankedMeasure):
    """Number of documents retrieved for the topic.

    Formula: a count; the figure over topics is the sum.

    No value: always defined.

    Paper: trec_eval's num_ret.

    Example: 500 lines for the topic: 500.
    """

    name: ClassVar[str] = "num_ret"
    compiled: ClassVar[str | None] = ""
    group: ClassVar[str] = "counts"
    average: ClassVar[str] = "sum"
    better: ClassVar[str] = ""
    aliases: ClassVar[tuple[str, ...]] = ("NumRet",)
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("num_ret"),)

    def values(self, judged: JudgedRun) -> Floats:
        return judged.num_ret.astype(float)
