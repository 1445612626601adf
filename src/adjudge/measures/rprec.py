from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, JudgedRun, ratio
from ..core.measure import SHARE, RelevanceMeasure, TrecName, TruncatedMeasure
from ..core.spec import is_number, require

MULTIPLES = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)


@dataclass(frozen=True)
class RPrec(RelevanceMeasure, TruncatedMeasure):
    """R-precision: the precision after R documents, R the number of relevant ones.

    Formula: (relevant documents among the first c) / c, c = R, or ⌊m·R + 0.9⌋ for a multiple m of R.

    Parameters: ``multiple`` m > 0 (1), trec_eval's Rprec_mult.

    No value: R = 0 gives 0.

    Paper: Buckley & Voorhees, Retrieval system evaluation, in TREC: Experiment and Evaluation (2005), ch. 3.

    Example: R = 4, relevant at ranks 1, 3 and 6: 2/4 = 0.5; with multiple 0.5, c = ⌊2.9⌋ = 2: 0.5.
    """

    name: ClassVar[str] = "rprec"
    limits: ClassVar[tuple[float, float]] = SHARE
    compiled: ClassVar[str | None] = "multiple"
    aliases: ClassVar[tuple[str, ...]] = ("r_precision",)
    positional: ClassVar[str] = "multiple"
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("Rprec"), TrecName("Rprec_mult", "multiple", MULTIPLES))

    multiple: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self, "multiple", is_number(self.multiple) and self.multiple > 0, "be above 0")

    def values(self, judged: JudgedRun) -> Floats:
        cutoff = np.floor(float(self.multiple) * judged.num_rel + 0.9).astype(np.int64)
        relevant = judged.count(judged.rel_topic[judged.rel_rank <= cutoff[judged.rel_topic]])
        return ratio(relevant, np.where(judged.num_rel > 0, cutoff, 0))
