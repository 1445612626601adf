from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, JudgedRun, ratio
from ..core.measure import CUTOFFS, Measure, TrecName


@dataclass(frozen=True)
class Recall(Measure):
    """Recall at k: the share of the relevant documents that is found among the first k.

    Formula: (relevant documents among the first k) / R.

    Parameters: ``k`` the cutoff, required; set_recall has none.

    No value: R = 0 gives 0.

    Paper: van Rijsbergen, Information Retrieval (1979), ch. 7.

    Example: relevant at ranks 1 and 3, R = 4, k = 5: 0.5.
    """

    name: ClassVar[str] = "recall"
    aliases: ClassVar[tuple[str, ...]] = ("R",)
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("recall", "k", CUTOFFS),)

    k: int

    def __call__(self, judged: JudgedRun) -> Floats:
        return ratio(judged.found(self.k), judged.num_rel)
