from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, JudgedRun, ratio
from ..core.measure import CUTOFFS, SHARE, RelevanceMeasure, TrecName


@dataclass(frozen=True)
class RelativeP(RelevanceMeasure):
    """Relative precision at k: precision as a share of the best that is possible at k.

    Formula: (relevant documents among the first k) / min(k, R): precision up to R, recall beyond.

    Parameters: ``k`` the cutoff, required.

    No value: R = 0 gives 0.

    Paper: trec_eval's relative_P.

    Example: relevant at ranks 1 and 3, R = 2, k = 5: 1.
    """

    name: ClassVar[str] = "relative_p"
    limits: ClassVar[tuple[float, float]] = SHARE
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("relative_P", "k", CUTOFFS),)

    k: int

    def values(self, judged: JudgedRun) -> Floats:
        return ratio(judged.found(self.k), np.minimum(self.k, judged.num_rel))
