from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, JudgedRun
from ..core.measure import SHARE, RelevanceMeasure, TrecName


@dataclass(frozen=True)
class Success(RelevanceMeasure):
    """Success at k: 1 if a relevant document is among the first k, else 0.

    Formula: [r_1 ≤ k].

    Parameters: ``k`` the cutoff, required.

    No value: always defined.

    Paper: Tomlinson, introduced at CLEF and TREC web search from 2005 on.

    Example: first relevant document at rank 4: success@1 = 0, success@5 = 1.
    """

    name: ClassVar[str] = "success"
    limits: ClassVar[tuple[float, float]] = SHARE
    compiled: ClassVar[str | None] = "k"
    aliases: ClassVar[tuple[str, ...]] = ("hit_rate",)
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("success", "k", (1, 5, 10)),)

    k: int

    def values(self, judged: JudgedRun) -> Floats:
        return (judged.found(self.k) > 0).astype(float)
