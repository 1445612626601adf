from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, JudgedRun, ratio
from ..core.measure import TrecName, TruncatedMeasure
from ._gains import Gained, ideal, log2_of


@dataclass(frozen=True)
class RNDCG(Gained, TruncatedMeasure):
    """R-nDCG: nDCG averaged over the ranks where the ideal ranking changes from one gain to the next.

    Formula: the mean of nDCG@c over the boundaries c of the ideal ranking (all documents of the highest gain, of the
    two highest, …), and of nDCG over the whole list if it is longer than the last boundary plus one.

    Parameters: ``gains`` as for ndcg.

    No value: no relevant document gives 0.

    Paper: Buckley, an experimental measure in trec_eval (2008).

    Example: judged grades 2 and 1, ranking 1, 2: boundaries 1 and 2; nDCG@1 = 1/2, nDCG@2 = 2.2619/2.6309 = 0.8597;
    the mean is 0.6799.
    """

    name: ClassVar[str] = "rndcg"
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("Rndcg"),)

    gains: str | tuple[str, ...] = "grade"

    def values(self, judged: JudgedRun) -> Floats:
        topics = len(judged.topics)
        best = ideal(self, judged)
        best_terms = best.gain / log2_of(best.rank + 1)
        gain = self.gain(judged.grade)
        topic, rank = judged.topic[gain != 0], judged.rank[gain != 0]
        terms = gain[gain != 0] / log2_of(rank + 1)
        total, points = np.zeros(topics), np.zeros(topics)
        boundary = np.zeros(topics, np.int64)
        for step in np.unique(best.gain)[::-1]:
            here = np.bincount(best.topic[best.gain == step], minlength=topics)
            boundary += here
            within, best_within = rank <= boundary[topic], best.rank <= boundary[best.topic]
            dcg = judged.sum(topic[within], terms[within])
            idcg = judged.sum(best.topic[best_within], best_terms[best_within])
            total += np.where(here > 0, ratio(dcg, idcg), 0.0)
            points += here > 0
        longer = (judged.num_ret > boundary + 1) & (boundary > 0)
        total += np.where(longer, ratio(judged.sum(topic, terms), judged.sum(best.topic, best_terms)), 0.0)
        points += longer
        return np.where(judged.num_rel > 0, ratio(total, points), 0.0)
