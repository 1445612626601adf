from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, JudgedRun
from ..core.measure import RelevanceMeasure, TrecName, TruncatedMeasure


@dataclass(frozen=True)
class NumNonrelJudgedRet(RelevanceMeasure, TruncatedMeasure):
    """Number of documents retrieved that were judged and found not relevant.

    Formula: a count; the figure over topics is the sum.

    No value: always defined.

    Paper: trec_eval's num_nonrel_judged_ret.

    Example: ranking + − ? − (the question mark unjudged): 2.
    """

    name: ClassVar[str] = "num_nonrel_judged_ret"
    group: ClassVar[str] = "counts"
    average: ClassVar[str] = "sum"
    better: ClassVar[str] = ""
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("num_nonrel_judged_ret"),)

    def values(self, judged: JudgedRun) -> Floats:
        return judged.count(judged.topic[(judged.grade >= 0) & ~judged.relevant]).astype(float)
