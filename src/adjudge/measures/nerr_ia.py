from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats
from ..core.subtopics import JudgedSubtopics, SubtopicMeasure
from ._novelty import by_rank, share_of_ideal


@dataclass(frozen=True)
class NERRIA(SubtopicMeasure):
    """Normalised intent-aware ERR: reciprocal ranks for subtopics as a share of the ideal ranking's.

    Formula: ERR-IA@k / ERR-IA@k of the ideal ranking, which is that of alpha_ndcg.

    Parameters: ``k`` the cutoff, required. ``alpha`` the chance that a relevant document satisfies, 0 to 1 (0.5).

    No value: a topic without a relevant document gives 0.

    Paper: Chapelle, Metlzer, Zhang & Grinspan, Expected reciprocal rank for graded relevance (CIKM 2009); TREC's
    ndeval.

    Example: documents about subtopics 1, 1 and 2 in this order, k = 2: (1 + 0.5 / 2) / (1 + 1 / 2) = 0.8333.
    """

    name: ClassVar[str] = "nerr_ia"

    k: int
    alpha: float = 0.5

    def values(self, judged: JudgedSubtopics) -> Floats:
        return share_of_ideal(judged, self.level(judged), self.alpha, self.k, by_rank)
