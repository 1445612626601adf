from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, JudgedRun, ratio
from ..core.measure import CUTOFFS, SHARE, RelevanceMeasure, TrecName


@dataclass(frozen=True)
class Recall(RelevanceMeasure):
    """Recall at k: the share of the relevant documents that is found among the first k.

    Formula: (relevant documents among the first k) / R.

    Parameters: ``k`` the cutoff, required; set_recall has none.

    No value: R = 0 gives 0.

    Paper: van Rijsbergen, Information Retrieval (1979), ch. 7.

    Example: relevant at ranks 1 and 3, R = 4, k = 5: 0.5.
    """

    name: ClassVar[str] = "recall"
    limits: ClassVar[tuple[float, float]] = SHARE
    compiled: ClassVar[str | None] = "k"
    aliases: ClassVar[tuple[str, ...]] = ("R",)
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("recall", "k", CUTOFFS),)

    k: int

    def values(self, judged: JudgedRun) -> Floats:
        return ratio(judged.found(self.k), judged.num_rel)
