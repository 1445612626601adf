from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, JudgedRun
from ..core.measure import CUTOFFS, SHARE, RelevanceMeasure, TrecName


@dataclass(frozen=True)
class P(RelevanceMeasure):
    """Precision at k: the share of relevant documents among the first k.

    Formula: P@k = (relevant documents among the first k) / k. A list shorter than k is divided by k all the same.

    Parameters: ``k`` the cutoff, required; set_p has none.

    No value: always defined.

    Paper: van Rijsbergen, Information Retrieval (1979), ch. 7.

    Example: relevant at ranks 1 and 3, k = 5: 0.4.
    """

    name: ClassVar[str] = "p"
    limits: ClassVar[tuple[float, float]] = SHARE
    compiled: ClassVar[str | None] = "k"
    aliases: ClassVar[tuple[str, ...]] = ("precision",)
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("P", "k", CUTOFFS),)

    k: int

    def values(self, judged: JudgedRun) -> Floats:
        return judged.found(self.k) / self.k
