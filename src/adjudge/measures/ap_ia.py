from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, ratio
from ..core.subtopics import JudgedSubtopics, SubtopicMeasure


@dataclass(frozen=True)
class APIA(SubtopicMeasure):
    """Intent-aware average precision: AP for each subtopic, averaged over the subtopics.

    Formula: 1/S Σ_s 1/R_s Σ_i i / r_i, r_i the rank of the i-th document relevant for s, R_s all of them; S subtopics
    have a relevant document.

    No value: a topic without a relevant document gives 0.

    Paper: Agrawal, Gollapudi, Halverson & Ieong, Diversifying search results (WSDM 2009).

    Example: documents about subtopics 1, 1 and 2 in this order, nothing else relevant: (1 + 1/3) / 2 = 0.6667.
    """

    name: ClassVar[str] = "ap_ia"
    aliases: ClassVar[tuple[str, ...]] = ("MAP_IA",)

    def values(self, judged: JudgedSubtopics) -> Floats:
        level = self.level(judged)
        found = judged.covered(level)
        share = (found.seen + 1.0) / found.rank / judged.num_rel(level)[found.subtopic]
        return ratio(judged.sum(found.topic, share), judged.num_subtopics(level))
