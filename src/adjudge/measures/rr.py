from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, JudgedRun
from ..core.measure import SHARE, RelevanceMeasure, TrecName


def first_rank(judged: JudgedRun) -> Floats:
    """The rank of the first relevant document of each topic, infinity where none was retrieved."""
    rank = np.full(len(judged.topics), np.inf)
    first = judged.rel_order == 1
    rank[judged.rel_topic[first]] = judged.rel_rank[first]
    return rank


@dataclass(frozen=True)
class RR(RelevanceMeasure):
    """Reciprocal rank: 1 over the rank of the first relevant document.

    Formula: RR = 1 / r_1.

    Parameters: ``k`` a document ranked below k does not count.

    No value: no relevant document in the list gives 0.

    Paper: Kantor & Voorhees, The TREC-5 Confusion Track (2000), for known-item search; the mean over topics is MRR.

    Example: first relevant document at rank 4: 0.25.
    """

    name: ClassVar[str] = "rr"
    limits: ClassVar[tuple[float, float]] = SHARE
    compiled: ClassVar[str | None] = "k"
    aliases: ClassVar[tuple[str, ...]] = ("MRR",)
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("recip_rank"),)

    k: int | None = None

    def values(self, judged: JudgedRun) -> Floats:
        rank = first_rank(judged)
        return np.where(rank <= (self.k or np.inf), 1 / rank, 0.0)
