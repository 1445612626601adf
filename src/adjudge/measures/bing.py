from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, JudgedRun, ratio
from ..core.measure import RelevanceMeasure, TrecName, TruncatedMeasure
from ._gains import log2_of


@dataclass(frozen=True)
class BinG(RelevanceMeasure, TruncatedMeasure):
    """Binary G: each relevant document counts less, the more non-relevant ones stand above it.

    Formula: 1/R Σ_i 1 / log2(2 + n_i), n_i the non-relevant (or unjudged) documents above the i-th relevant one.

    No value: R = 0 gives 0.

    Paper: Buckley, an experimental measure in trec_eval (2008).

    Example: ranking + − +, R = 2: (1/log2 2 + 1/log2 3) / 2 = 0.8155.
    """

    name: ClassVar[str] = "bing"
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("binG"),)

    def values(self, judged: JudgedRun) -> Floats:
        above = judged.rel_rank - judged.rel_order
        return ratio(judged.sum(judged.rel_topic, 1.0 / log2_of(above + 2)), judged.num_rel)
