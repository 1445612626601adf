from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, JudgedRun, ratio
from ..core.measure import CUTOFFS, SHARE, TrecName
from ._gains import Gained, ideal, log2_of


def dcg(measure: Gained, judged: JudgedRun, k: int | None) -> Floats:
    """DCG of each topic over the first k documents."""
    gain = measure.gain(judged.grade)
    within = gain != 0
    if k is not None:
        within &= judged.rank <= k
    return judged.sum(judged.topic[within], gain[within] / log2_of(judged.rank[within] + 1))


def ideal_dcg(measure: Gained, judged: JudgedRun, k: int | None) -> Floats:
    """The largest DCG that is possible for each topic."""
    best = ideal(measure, judged)
    within = np.ones(len(best.rank), bool) if k is None else best.rank <= k
    return judged.sum(best.topic[within], best.gain[within] / log2_of(best.rank[within] + 1))


@dataclass(frozen=True)
class NDCG(Gained):
    """Normalised discounted cumulative gain: graded gains, discounted by rank, as a share of the best possible.

    Formula: DCG / ideal DCG, DCG = Σ gain(grade at rank r) / log2(r + 1); the ideal ranking has all judged documents in
    order of their gain.

    Parameters: ``k`` only the first k documents count, in both sums. ``gains``: grade (the grade itself, trec_eval's
    and the default), exp (2^grade − 1, Burges et al.), or pairs [1:3, 2:9]. The relevance level plays no part.

    No value: nothing to gain (ideal DCG 0) gives 0.

    Paper: Järvelin & Kekäläinen, Cumulated gain-based evaluation of IR techniques (TOIS 2002), with the logarithm that
    discounts from rank 2 on; exponential gains: Burges et al., Learning to rank using gradient descent (ICML 2005).

    Example: grades 0, 2 in this order, one more document with grade 1 not retrieved: DCG = 2 / log2 3 = 1.2619, ideal
    2 + 1 / log2 3 = 2.6309, nDCG = 0.4796.
    """

    name: ClassVar[str] = "ndcg"
    limits: ClassVar[tuple[float, float]] = SHARE
    compiled: ClassVar[str | None] = "k"
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("ndcg"), TrecName("ndcg_cut", "k", CUTOFFS))

    k: int | None = None
    gains: str | tuple[str, ...] = "grade"

    def values(self, judged: JudgedRun) -> Floats:
        return ratio(dcg(self, judged, self.k), ideal_dcg(self, judged, self.k))
