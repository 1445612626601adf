from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, Ints, ratio
from ..core.spec import MOST
from ..core.subtopics import JudgedSubtopics, SubtopicMeasure
from ._novelty import novelty

INVISIBLE = math.log(2.0**-90)
"""The logarithm of a weight that no digit of a sum shows."""


@dataclass(frozen=True)
class NNRBP(SubtopicMeasure):
    """Normalised NRBP: novelty- and rank-biased precision as a share of the ideal ranking's.

    Formula: NRBP / NRBP of the ideal ranking, which is that of alpha_ndcg.

    Parameters: ``alpha`` how little a repetition is worth, 0 to 1 (0.5); ``beta`` patience, 0 ≤ β < 1 (0.5).

    No value: a topic without a relevant document gives 0, where TREC's ndeval divides 0 by 0.

    Paper: Clarke, Kolla & Vechtomova, An effectiveness measure for ambiguous and underspecified queries (ICTIR 2009).

    Example: documents about subtopics 1, 1 and 2 in this order: (1 + 0.25 + 0.25) / (1 + 0.5 + 0.125) = 0.9231.
    """

    name: ClassVar[str] = "nnrbp"

    alpha: float = 0.5
    beta: float = 0.5

    def values(self, judged: JudgedSubtopics) -> Floats:
        level = self.level(judged)
        reach = MOST if self.beta > 0.99 else math.ceil(INVISIBLE / math.log(self.beta)) if self.beta > 0 else 1
        best = judged.ideal(level, self.alpha, reach)

        def decay(rank: Ints) -> Floats:
            return np.asarray(self.beta ** (rank - 1.0))

        gained = novelty(judged, judged.covered(level), self.alpha, decay)
        return ratio(gained, novelty(judged, best, self.alpha, decay))
