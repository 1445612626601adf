from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, JudgedRun
from ..core.measure import AT_LEAST_0, TrecName
from ._gains import Gained
from .ndcg import dcg


@dataclass(frozen=True)
class DCG(Gained):
    """Discounted cumulative gain: graded gains, discounted by rank, not normalised.

    Formula: Σ gain(grade at rank r) / log2(r + 1).

    Parameters: ``k`` only the first k documents count; ``gains`` as for ndcg.

    No value: always defined. It has no upper bound, so topics with many good documents weigh more in a mean.

    Paper: Järvelin & Kekäläinen, Cumulated gain-based evaluation of IR techniques (TOIS 2002).

    Example: grades 0, 2: 2 / log2 3 = 1.2619.
    """

    name: ClassVar[str] = "dcg"
    limits: ClassVar[tuple[float, float]] = AT_LEAST_0
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("dcg"),)

    k: int | None = None
    gains: str | tuple[str, ...] = "grade"

    def values(self, judged: JudgedRun) -> Floats:
        return dcg(self, judged, self.k)
