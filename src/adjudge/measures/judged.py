from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, JudgedRun, ratio
from ..core.measure import SHARE, Measure


@dataclass(frozen=True)
class Judged(Measure):
    """Judged at k: the share of the first k documents that somebody judged.

    Formula: (documents with a grade among the first k) / min(k, retrieved).

    Parameters: ``k`` the cutoff; without it the whole list.

    A document with a negative grade is in the pool but was not judged.

    No value: nothing retrieved gives 0. A low share says that the judgments cannot tell how good the run is.

    Paper: Sakai, Alternatives to bpref (SIGIR 2007), for the problem; no paper for the figure.

    Example: ranking + ? − with the question mark unjudged, k = 3: 0.6667.
    """

    name: ClassVar[str] = "judged"
    limits: ClassVar[tuple[float, float]] = SHARE
    group: ClassVar[str] = "counts"
    better: ClassVar[str] = ""

    k: int | None = None

    def __call__(self, judged: JudgedRun) -> Floats:
        k = np.iinfo(np.int64).max if self.k is None else self.k
        seen = judged.topic[(judged.grade >= 0) & (judged.rank <= k)]
        return ratio(judged.count(seen), np.minimum(judged.num_ret, k))
