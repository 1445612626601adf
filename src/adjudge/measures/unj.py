from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, JudgedRun
from ..core.measure import SHARE, Measure, TrecName


@dataclass(frozen=True)
class Unj(Measure):
    """Unjudged at k: the share of the first k ranks that is held by a document nobody judged.

    Formula: (documents without a grade among the first k) / k. A list shorter than k is divided by k all the same.

    Parameters: ``k`` the cutoff, required.

    No value: always defined.

    Paper: trec_eval 10's unj (Soboroff, 2023).

    Example: ranking + ? − with the question mark unjudged, k = 5: 0.2.
    """

    name: ClassVar[str] = "unj"
    limits: ClassVar[tuple[float, float]] = SHARE
    group: ClassVar[str] = "counts"
    better: ClassVar[str] = ""
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("unj", "k", (5, 10, 20)),)

    k: int

    def __call__(self, judged: JudgedRun) -> Floats:
        seen = judged.topic[(judged.grade >= 0) & (judged.rank <= self.k)]
        return (np.minimum(judged.num_ret, self.k) - judged.count(seen)) / self.k
