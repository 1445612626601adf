from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, ratio
from ..core.subtopics import JudgedSubtopics, SubtopicMeasure


@dataclass(frozen=True)
class PIA(SubtopicMeasure):
    """Intent-aware precision at k: precision for each subtopic, averaged over the subtopics.

    Formula: 1/S Σ_s (documents relevant for s among the first k) / k; S subtopics have a relevant document.

    Parameters: ``k`` the cutoff, required.

    No value: a topic without a relevant document gives 0.

    Paper: Agrawal, Gollapudi, Halverson & Ieong, Diversifying search results (WSDM 2009).

    Example: two subtopics, the first document about both, the second about one of them, k = 5: 3 / (2 · 5) = 0.3.
    """

    name: ClassVar[str] = "p_ia"

    k: int

    def values(self, judged: JudgedSubtopics) -> Floats:
        level = self.level(judged)
        found = judged.covered(level).within(self.k)
        return ratio(judged.plain.count(found.topic), self.k * judged.num_subtopics(level))
