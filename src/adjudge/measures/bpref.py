from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, JudgedRun, ordinal, ratio
from ..core.measure import SHARE, RelevanceMeasure, TrecName, TruncatedMeasure


@dataclass(frozen=True)
class Bpref(RelevanceMeasure, TruncatedMeasure):
    """Binary preference: how rarely a document judged non-relevant is ranked above a relevant one.

    Formula: 1/R Σ_i (1 − min(n_i, R) / min(N, R)) over the relevant documents retrieved; n_i documents judged
    non-relevant are ranked above the i-th of them, N are judged non-relevant in all. Unjudged documents are ignored.

    No value: R = 0 gives 0; a term with n_i = 0 is 1, whatever N is.

    Paper: Buckley & Voorhees, Retrieval evaluation with incomplete information (SIGIR 2004), with the correction that
    trec_eval 8 made (N may be smaller than R).

    Example: ranking + − ? + with R = 2 and N = 5: (1 + (1 − 1/2)) / 2 = 0.75.
    """

    name: ClassVar[str] = "bpref"
    limits: ClassVar[tuple[float, float]] = SHARE
    compiled: ClassVar[str | None] = ""
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("bpref"),)

    def values(self, judged: JudgedRun) -> Floats:
        seen = judged.grade >= 0
        topic, relevant = judged.topic[seen], judged.relevant[seen]
        above = (ordinal(topic, len(judged.topics)))[relevant] - judged.rel_order
        R, N = judged.num_rel[judged.rel_topic], judged.num_nonrel[judged.rel_topic]
        lost = ratio(np.minimum(above, R), np.minimum(N, R))
        return ratio(judged.sum(judged.rel_topic, 1.0 - lost), judged.num_rel)
