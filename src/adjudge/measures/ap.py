from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, JudgedRun, ratio
from ..core.measure import CUTOFFS, SHARE, RelevanceMeasure, TrecName
from ..core.spec import require

NO_TAIL = "zero"
TAILS = (NO_TAIL, "worst", "random")


@dataclass(frozen=True)
class AP(RelevanceMeasure):
    """Average precision: the mean of the precisions at the relevant documents, 0 for those not retrieved.

    Formula: AP = 1/R Σ_i i / r_i, r_i the rank of the i-th relevant document retrieved, R all relevant documents.

    Parameters: ``k`` only documents ranked k or better count; R stays the same (trec_eval's map_cut). ``tail`` what a
    relevant document that was not retrieved contributes: zero (the default), worst (it lies at the very end of the
    collection), random (what it contributes on average if all that was not retrieved follows in random order). The
    last two are never 0, so a geometric mean needs no epsilon; they need the size of the collection (-N).

    No value: R = 0 gives 0; with a tail it is an error, since nothing is defined.

    Paper: Buckley & Voorhees, Retrieval system evaluation, in TREC: Experiment and Evaluation (2005), ch. 3; tails:
    Robertson, On GMAP and other transformations (CIKM 2006), section 4.1.

    Example: relevant at ranks 1 and 3, R = 3: (1/1 + 2/3) / 3 = 0.5556. Ranking − + −, R = 3 in a collection of 10:
    0.1667, worst 0.3407, random 0.4169.
    """

    name: ClassVar[str] = "ap"
    limits: ClassVar[tuple[float, float]] = SHARE
    compiled: ClassVar[str | None] = "k"
    aliases: ClassVar[tuple[str, ...]] = ("MAP",)
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("map"), TrecName("map_cut", "k", CUTOFFS))

    k: int | None = None
    tail: str = NO_TAIL

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self, "tail", self.tail in TAILS, f"be {' or '.join(TAILS)}")
        require(self, "k", self.k is None or self.tail == NO_TAIL, "not be given together with a tail")

    def values(self, judged: JudgedRun) -> Floats:
        topic, rank, order = judged.rel_topic, judged.rel_rank, judged.rel_order
        if self.k is not None:
            within = rank <= self.k
            topic, rank, order = topic[within], rank[within], order[within]
        values = ratio(judged.sum(topic, order / rank), judged.num_rel)
        if self.tail == NO_TAIL:
            return values
        from ._tail import random, worst

        return values + (worst if self.tail == "worst" else random)(judged)
