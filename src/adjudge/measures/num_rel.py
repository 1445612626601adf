from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, JudgedRun
from ..core.measure import RelevanceMeasure, TrecName


@dataclass(frozen=True)
class NumRel(RelevanceMeasure):
    """Number of relevant documents of the topic, retrieved or not.

    Formula: a count; the figure over topics is the sum.

    No value: always defined.

    Paper: trec_eval's num_rel.

    Example: 3 documents with grade 1, level 1: 3.
    """

    name: ClassVar[str] = "num_rel"
    compiled: ClassVar[str | None] = ""
    group: ClassVar[str] = "counts"
    average: ClassVar[str] = "sum"
    better: ClassVar[str] = ""
    aliases: ClassVar[tuple[str, ...]] = ("NumRel",)
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("num_rel"),)

    def values(self, judged: JudgedRun) -> Floats:
        return judged.num_rel.astype(float)
