from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, JudgedRun
from ..core.measure import RelevanceMeasure
from ..core.spec import require


@dataclass(frozen=True)
class Accuracy(RelevanceMeasure):
    """Accuracy: how often a relevant document that was retrieved stands above one that is not relevant.

    Formula: 1 − Σ_i n_i / (r·n), n_i documents that are not relevant (or unjudged) above the i-th of the r relevant
    ones retrieved, n all that are not relevant among the retrieved: the area under the ROC curve of the list.

    Parameters: ``k`` only the first k documents count. ``missing`` what a topic without a relevant document in the list
    gives: zero (the default), or skip: no value, so that it counts in no mean, as in ir_measures.

    No value: nothing but relevant documents gives 1, where ir_measures divides by 0.

    Paper: Hanley & McNeil, The meaning and use of the area under a ROC curve (Radiology 1982); ir_measures' Accuracy.

    Example: ranking − + − +: 1 − (1 + 2) / (2 · 2) = 0.25.
    """

    name: ClassVar[str] = "accuracy"

    k: int | None = None
    missing: str = "zero"

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self, "missing", self.missing in {"zero", "skip"}, "be zero or skip")

    def values(self, judged: JudgedRun) -> Floats:
        topic, rank, order = judged.rel_topic, judged.rel_rank, judged.rel_order
        length = judged.num_ret
        if self.k is not None:
            near = rank <= self.k
            topic, rank, order, length = topic[near], rank[near], order[near], np.minimum(length, self.k)
        hits = judged.count(topic)
        pairs = (hits * (length - hits)).astype(float)
        wrong = judged.sum(topic, (rank - order).astype(float))
        share = np.divide(wrong, pairs, out=np.zeros(len(pairs)), where=pairs > 0)
        return np.where(hits > 0, 1.0 - share, np.nan if self.missing == "skip" else 0.0)
