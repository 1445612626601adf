from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, JudgedRun
from ..core.measure import RelevanceMeasure, TrecName, TruncatedMeasure


@dataclass(frozen=True)
class YAAP(RelevanceMeasure, TruncatedMeasure):
    """Yet another average precision: smoothed AP on a logit-like scale, which averages better over topics.

    Formula: ln((1 + S) / (1 + R − S)), S = Σ_i i / r_i the sum of the precisions at the relevant documents.

    No value: always defined; nothing retrieved gives −ln(1 + R).

    Paper: Robertson, On smoothing average precision (ECIR 2012).

    Example: relevant at ranks 1 and 3, R = 3: S = 5/3, ln((8/3) / (7/3)) = 0.1335.
    """

    name: ClassVar[str] = "yaap"
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("yaap"),)

    def values(self, judged: JudgedRun) -> Floats:
        total = judged.sum(judged.rel_topic, judged.rel_order / judged.rel_rank)
        return np.log((1.0 + total) / (1.0 + judged.num_rel - total))
