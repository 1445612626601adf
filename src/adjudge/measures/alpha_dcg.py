from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats
from ..core.subtopics import JudgedSubtopics, SubtopicMeasure
from ._novelty import by_logarithm, share_of_best


@dataclass(frozen=True)
class AlphaDCG(SubtopicMeasure):
    """α-DCG: discounted gains for subtopics, less for what was seen before, as a share of the best conceivable.

    Formula: Σ_{r≤k} Σ_s (1 − α)^n_s / log2(r + 1) over the subtopics s that the document at rank r is relevant for, n_s
    documents above it being relevant for s too; divided by the same sum for documents that are all relevant for every
    subtopic.

    Parameters: ``k`` the cutoff, required. ``alpha`` how little a repetition is worth, 0 to 1 (0.5).

    No value: a topic without a relevant document gives 0.

    Paper: Clarke et al., Novelty and diversity in information retrieval evaluation (SIGIR 2008), normalised as in
    TREC's ndeval, which forgets to do so at k = 1.

    Example: two subtopics, the first document about both, the second about one of them, k = 2:
    (2 + 0.5 / log2 3) / (2 + 1 / log2 3) = 0.8801.
    """

    name: ClassVar[str] = "alpha_dcg"
    aliases: ClassVar[tuple[str, ...]] = ("α_DCG",)

    k: int
    alpha: float = 0.5

    def values(self, judged: JudgedSubtopics) -> Floats:
        return share_of_best(judged, self.level(judged), self.alpha, self.k, by_logarithm)
