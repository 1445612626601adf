from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, JudgedRun, ratio
from ..core.measure import CUTOFFS, Measure, TrecName


@dataclass(frozen=True)
class AP(Measure):
    """Average precision: the mean of the precisions at the relevant documents, 0 for those not retrieved.

    Formula: AP = 1/R Σ_i i / r_i, r_i the rank of the i-th relevant document retrieved, R all relevant documents.

    Parameters: ``k`` only documents ranked k or better count; R stays the same (trec_eval's map_cut).

    No value: R = 0 gives 0.

    Paper: Buckley & Voorhees, Retrieval system evaluation, in TREC: Experiment and Evaluation (2005), ch. 3.

    Example: relevant at ranks 1 and 3, R = 3: (1/1 + 2/3) / 3 = 0.5556.
    """

    name: ClassVar[str] = "ap"
    aliases: ClassVar[tuple[str, ...]] = ("MAP",)
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("map"), TrecName("map_cut", "k", CUTOFFS))

    k: int | None = None

    def __call__(self, judged: JudgedRun) -> Floats:
        topic, rank, order = judged.rel_topic, judged.rel_rank, judged.rel_order
        if self.k is not None:
            kept = rank <= self.k
            topic, rank, order = topic[kept], rank[kept], order[kept]
        return ratio(judged.sum(topic, order / rank), judged.num_rel)
