from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, JudgedRun, ratio
from ..core.measure import TrecName, TruncatedMeasure
from ._gains import Gained, ideal, log2_of, running


@dataclass(frozen=True)
class G(Gained, TruncatedMeasure):
    """G: a gain counts less, the further the ranking has fallen behind the ideal one.

    Formula: Σ_r gain(r) / log2(2 + C(r) − S(r)) / Σ ideal gains. S(r) is what the first r documents gained; C(r) is
    what the first r documents of the ideal ranking gain, where each counts 1 at least, also after its end.

    Parameters: ``gains`` as for ndcg.

    No value: nothing to gain gives 0.

    Paper: Buckley, an experimental measure in trec_eval (2008). With two grades it is bing.

    Example: grades 0, 1 with R = 1: 1 / log2(2 + 2 − 1) = 0.6309.
    """

    name: ClassVar[str] = "g"
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("G"),)

    gains: str | tuple[str, ...] = "grade"

    def values(self, judged: JudgedRun) -> Floats:
        topics = len(judged.topics)
        best = ideal(self, judged)
        size = np.bincount(best.topic, minlength=topics)
        start = np.cumsum(size) - size
        cost = np.concatenate([running(best.topic, np.maximum(best.gain, 1.0), topics), [0.0]])
        gain = self.gain(judged.grade)
        topic, rank, gain = judged.topic[gain != 0], judged.rank[gain != 0], gain[gain != 0]
        within = np.minimum(rank, size[topic])
        paid = np.where(within > 0, cost[start[topic] + within - 1], 0.0) + (rank - within)
        behind = paid - running(topic, gain, topics)
        total = judged.sum(topic, gain / log2_of(2 + behind))
        return ratio(total, judged.sum(best.topic, best.gain))
