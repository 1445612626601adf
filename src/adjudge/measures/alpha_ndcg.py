from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats
from ..core.subtopics import JudgedSubtopics, SubtopicMeasure
from ._novelty import by_logarithm, share_of_ideal


@dataclass(frozen=True)
class AlphaNDCG(SubtopicMeasure):
    """α-nDCG: discounted gains for subtopics, less for what was seen before, as a share of the ideal ranking's.

    Formula: α-DCG@k / α-DCG@k of the ideal ranking, which takes the document that gains most next, again and again;
    among equals the last in byte order, as ndeval does.

    Parameters: ``k`` the cutoff, required. ``alpha`` how little a repetition is worth, 0 to 1 (0.5).

    No value: a topic without a relevant document gives 0.

    Paper: Clarke et al., Novelty and diversity in information retrieval evaluation (SIGIR 2008).

    Example: documents about subtopics 1, 1 and 2 in this order, k = 2: (1 + 0.5 / log2 3) / (1 + 1 / log2 3) = 0.8066.
    """

    name: ClassVar[str] = "alpha_ndcg"
    aliases: ClassVar[tuple[str, ...]] = ("α_nDCG",)

    k: int
    alpha: float = 0.5

    def values(self, judged: JudgedSubtopics) -> Floats:
        return share_of_ideal(judged, self.level(judged), self.alpha, self.k, by_logarithm)
