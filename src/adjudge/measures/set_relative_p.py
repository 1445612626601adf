from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, JudgedRun, ratio
from ..core.measure import SHARE, RelevanceMeasure, TrecName, TruncatedMeasure


@dataclass(frozen=True)
class SetRelativeP(RelevanceMeasure, TruncatedMeasure):
    """Relative set precision: set precision as a share of the best possible for a set of that size.

    Formula: (relevant retrieved) / min(retrieved, R).

    No value: nothing retrieved, or R = 0, gives 0.

    Paper: trec_eval's set_relative_P.

    Example: 2 relevant among 8 retrieved, R = 4: 0.5.
    """

    name: ClassVar[str] = "set_relative_p"
    limits: ClassVar[tuple[float, float]] = SHARE
    group: ClassVar[str] = "set-based"
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("set_relative_P"),)

    def values(self, judged: JudgedRun) -> Floats:
        return ratio(judged.num_rel_ret, np.minimum(judged.num_ret, judged.num_rel))
