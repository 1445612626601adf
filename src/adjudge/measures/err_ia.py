from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats
from ..core.subtopics import JudgedSubtopics, SubtopicMeasure
from ._novelty import by_rank, share_of_best


@dataclass(frozen=True)
class ERRIA(SubtopicMeasure):
    """Intent-aware ERR: reciprocal ranks for subtopics, less for repetitions, as a share of the best conceivable.

    Formula: Σ_{r≤k} 1/r Σ_s (1 − α)^n_s over the subtopics s that the document at rank r is relevant for, n_s documents
    above it being relevant for s too; divided by the same sum for documents that are all relevant for every subtopic.

    Parameters: ``k`` the cutoff, required. ``alpha`` the chance that a relevant document satisfies, 0 to 1 (0.5).

    No value: a topic without a relevant document gives 0.

    Paper: Chapelle, Metlzer, Zhang & Grinspan, Expected reciprocal rank for graded relevance (CIKM 2009), normalised as
    in TREC's ndeval, which forgets to do so at k = 1.

    Example: two subtopics, the first document about both, the second about one of them, k = 2:
    (2 + 0.5 / 2) / (2 + 1 / 2) = 0.9.
    """

    name: ClassVar[str] = "err_ia"

    k: int
    alpha: float = 0.5

    def values(self, judged: JudgedSubtopics) -> Floats:
        return share_of_best(judged, self.level(judged), self.alpha, self.k, by_rank)
