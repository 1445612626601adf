from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, ratio
from ..core.subtopics import JudgedSubtopics, SubtopicMeasure
from ._novelty import novelty


@dataclass(frozen=True)
class NRBP(SubtopicMeasure):
    """Novelty- and rank-biased precision: RBP for subtopics, less for what was seen before.

    Formula: (1 − (1 − α)β) / S Σ_r β^(r−1) Σ_s (1 − α)^n_s over the subtopics s that the document at rank r is relevant
    for, n_s documents above it being relevant for s too; S subtopics have a relevant document.

    Parameters: ``alpha`` how little a repetition is worth, 0 to 1 (0.5); ``beta`` patience, 0 ≤ β < 1 (0.5).

    No value: a topic without a relevant document gives 0.

    Paper: Clarke, Kolla & Vechtomova, An effectiveness measure for ambiguous and underspecified queries (ICTIR 2009).

    Example: two subtopics, the first document about both, the second about one: 0.75 / 2 · (2 + 0.5 · 0.5) = 0.8438.
    """

    name: ClassVar[str] = "nrbp"

    alpha: float = 0.5
    beta: float = 0.5

    def values(self, judged: JudgedSubtopics) -> Floats:
        level = self.level(judged)
        gained = novelty(
            judged, judged.covered(level), self.alpha, lambda rank: np.asarray(self.beta ** (rank - 1.0), float)
        )
        scale = 1.0 - (1.0 - self.alpha) * self.beta
        return ratio(np.asarray(scale * gained, float), judged.num_subtopics(level))
