from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, JudgedRun
from ..core.measure import RelevanceMeasure, TrecName


@dataclass(frozen=True)
class NumRelRet(RelevanceMeasure):
    """Number of relevant documents retrieved.

    Formula: a count; the figure over topics is the sum.

    Parameters: ``k`` only the first k documents count.

    No value: always defined.

    Paper: trec_eval's num_rel_ret.

    Example: 2 of 3 relevant documents in the list: 2.
    """

    name: ClassVar[str] = "num_rel_ret"
    compiled: ClassVar[str | None] = "k"
    group: ClassVar[str] = "counts"
    average: ClassVar[str] = "sum"
    better: ClassVar[str] = ""
    aliases: ClassVar[tuple[str, ...]] = ("NumRelRet",)
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("num_rel_ret"),)

    k: int | None = None

    def values(self, judged: JudgedRun) -> Floats:
        return judged.found(self.k).astype(float)
