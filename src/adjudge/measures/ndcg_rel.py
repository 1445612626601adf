from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, JudgedRun, ratio
from ..core.measure import TrecName, TruncatedMeasure
from ._gains import Gained, ideal, log2_of, running


@dataclass(frozen=True)
class NDCGRel(Gained, TruncatedMeasure):
    """nDCG averaged over the relevant documents: to AP what nDCG@k is to P@k.

    Formula: the mean of nDCG@r over the ranks r of the documents with positive gain; one that was not retrieved counts
    with nDCG of the whole list.

    Parameters: ``gains`` as for ndcg.

    No value: nothing to gain gives 0.

    Paper: Buckley, an experimental measure in trec_eval (2008).

    Example: judged grades 2 and 1, ranking 1, 2: nDCG@1 = 1/2, nDCG@2 = 0.8597, the mean is 0.6799.
    """

    name: ClassVar[str] = "ndcg_rel"
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("ndcg_rel"),)

    gains: str | tuple[str, ...] = "grade"

    def values(self, judged: JudgedRun) -> Floats:
        topics = len(judged.topics)
        best = ideal(self, judged)
        size = np.bincount(best.topic, minlength=topics)
        reached = running(best.topic, best.gain / log2_of(best.rank + 1), topics)
        start = np.cumsum(size) - size
        gain = self.gain(judged.grade)
        counted = (gain != 0) & (size[judged.topic] > 0)
        topic, rank, gain = judged.topic[counted], judged.rank[counted], gain[counted]
        dcg = running(topic, gain / log2_of(rank + 1), topics)
        idcg = reached[start[topic] + np.minimum(rank, size[topic]) - 1] if len(topic) else dcg
        positive = gain > 0
        total = judged.sum(topic[positive], (dcg / idcg)[positive])
        whole = ratio(
            judged.sum(topic, gain / log2_of(rank + 1)), judged.sum(best.topic, best.gain / log2_of(best.rank + 1))
        )
        total += (size - judged.count(topic[positive])) * whole
        return np.where(total > 0, ratio(total, size), 0.0)
