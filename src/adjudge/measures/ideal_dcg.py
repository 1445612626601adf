from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, JudgedRun
from ..core.measure import TrecName
from ._gains import Gained
from .ndcg import ideal_dcg


@dataclass(frozen=True)
class IdealDCG(Gained):
    """Ideal discounted cumulative gain: the largest DCG that any ranking of the topic can have.

    Formula: Σ gain(r) / log2(r + 1) over the judged documents in order of their gain.

    Parameters: ``k`` only the first k documents count; ``gains`` as for ndcg.

    No value: always defined. It tells about the topic, not about the run.

    Paper: Järvelin & Kekäläinen, Cumulated gain-based evaluation of IR techniques (TOIS 2002).

    Example: judged grades 2 and 1: 2 + 1 / log2 3 = 2.6309.
    """

    name: ClassVar[str] = "ideal_dcg"
    better: ClassVar[str] = ""
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("ideal_dcg"),)

    k: int | None = None
    gains: str | tuple[str, ...] = "grade"

    def values(self, judged: JudgedRun) -> Floats:
        return ideal_dcg(self, judged, self.k)
