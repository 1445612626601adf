from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, ordinal, ratio
from ..core.span_judgments import JudgedSpans
from ._gains import log2_of
from ._matches import MatchMeasure


@dataclass(frozen=True)
class SpanNDCG(MatchMeasure):
    """nDCG of passages: discounted grades of the spans that they match, as a share of the ideal.

    Formula: Σ_r g_r / log2(r + 1) over the first k passages, g_r the grade of the span that the passage at rank r
    matches, as in span_p, divided by the same sum for the relevant spans in order of their grades. A span is matched
    once, so it is at most 1.

    Parameters: ``k`` the cutoff; without it the whole list. ``iou`` from 0 to 1 (0.5); 0 takes any overlap.

    No value: a topic without a relevant span gives 0.

    Paper: Järvelin & Kekäläinen, Cumulated gain-based evaluation of IR techniques (TOIS 2002), for passages.

    Example: spans of grades 2 and 1, the passage at rank 1 matches the second: (1 / log2 2) / (2 / log2 2 + 1 / log2 3)
    = 0.3801.
    """

    name: ClassVar[str] = "span_ndcg"

    k: int | None = None

    def values(self, judged: JudgedSpans) -> Floats:
        topic, rank, grade, _ = self.hits(judged)
        gained = judged.plain.sum(topic, grade / log2_of(rank + 1))
        relevant = judged.grade >= self.level(judged)
        grades, topics = judged.grade[relevant], judged.spans.topic[relevant]
        order = np.lexsort((-grades, topics))
        grades, topics = grades[order], topics[order]
        place = ordinal(topics, len(judged.topics))
        near = place <= (self.k or np.inf)
        return ratio(gained, judged.plain.sum(topics[near], grades[near] / log2_of(place[near] + 1)))
