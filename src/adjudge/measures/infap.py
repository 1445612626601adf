from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, JudgedRun, ordinal, ratio
from ..core.measure import SHARE, RelevanceMeasure, TrecName, TruncatedMeasure

EPSILON = 1e-5


@dataclass(frozen=True)
class InfAP(RelevanceMeasure, TruncatedMeasure):
    """Inferred average precision: AP estimated when only a random sample of the pool was judged.

    Formula: 1/R Σ over the relevant documents at rank r of 1/r + (r−1)/r · d/(r−1) · (i−1+ε) / (i−1+n+2ε), where above
    it d documents are in the pool (judged or not), i−1 are relevant and n judged non-relevant; ε = 1e-5. At rank 1 the
    term is 1.

    A negative grade in the judgments marks a document of the pool that was not judged.

    No value: R = 0 gives 0.

    Paper: Yilmaz & Aslam, Estimating average precision with incomplete and imperfect judgments (CIKM 2006).

    Example: ranking + . + with R = 2 (the point in the pool but unjudged): (1 + 1/3 + 2/3 · 2/2 · (1+ε)/(1+2ε)) / 2,
    which is 1 but for ε.
    """

    name: ClassVar[str] = "infap"
    limits: ClassVar[tuple[float, float]] = SHARE
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("infAP"),)

    def values(self, judged: JudgedRun) -> Floats:
        pooled_above = ordinal(judged.topic, len(judged.topics))[judged.relevant] - 1
        seen = judged.grade >= 0
        judged_above = ordinal(judged.topic[seen], len(judged.topics))[judged.relevant[seen]] - 1
        rel_above = judged.rel_order - 1
        above = judged.rel_rank - 1.0
        first = above == 0
        share = np.divide(pooled_above, above, out=np.zeros(len(above)), where=~first)
        precision = (rel_above + EPSILON) / (judged_above + 2 * EPSILON)
        terms = np.where(first, 1.0, 1.0 / (above + 1.0) + (above / (above + 1.0)) * share * precision)
        total = judged.sum(judged.rel_topic, terms)
        return ratio(total, judged.num_rel)
