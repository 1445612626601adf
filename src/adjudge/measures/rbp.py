from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, JudgedRun, ratio
from ..core.measure import AT_LEAST_0, SHARE, TrecName, TruncatedMeasure
from ..core.spec import is_count, is_number, require


@dataclass(frozen=True)
class RBP(TruncatedMeasure):
    """Rank-biased precision: the gain per document of a reader who goes on to the next one with probability p.

    Formula: (1 − p) Σ_r gain(r) p^(r−1); the gain of a grade is grade / top, so that RBP cannot exceed 1.

    Parameters: ``p`` persistence, 0 < p < 1 (0.9, trec_eval's). ``top`` the grade with gain 1: by default the highest
    grade among the topic's judgments, as in trec_eval 10; a number for all topics alike; 0 for binary gains (1 at the
    relevance level and above). ``rel`` binary gains, 1 at this grade and above. ``scaled``: with false a gain is the
    grade itself from the relevance level on, which has no bound: ranx's definition (true).

    No value: always defined. Unjudged documents gain nothing; rbp_residual says how much that can matter.

    Paper: Moffat & Zobel, Rank-biased precision for measurement of retrieval effectiveness (TOIS 2008). trec_eval 10
    scales the gains by memory that it never set; what it means is done here.

    Example: relevant at ranks 1 and 3, p = 0.5: 0.5 (1 + 0.25) = 0.625. Grades 2 and 0, scaled=false: 0.5 · 2 = 1.
    """

    name: ClassVar[str] = "rbp"
    limits: ClassVar[tuple[float, float]] = SHARE
    group: ClassVar[str] = "user models"
    positional: ClassVar[str] = "p"
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("rbp"),)

    p: float = 0.9
    top: int | None = None
    scaled: bool = True
    rel: int | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        binary = self.rel is not None and self.scaled
        require(self, "top", not (binary and self.top), "not be given beside rel, which makes gains binary")
        require(self, "scaled", isinstance(self.scaled, bool), "be true or false")
        require(self, "scaled", self.scaled or self.top is None, "not be false beside top")
        require(self, "p", is_number(self.p) and 0 < self.p < 1, "lie between 0 and 1")
        require(self, "top", self.top is None or self.top == 0 or is_count(self.top), "be a grade, 0 or more")

    def bounds(self) -> tuple[float, float]:
        return self.limits if self.scaled else AT_LEAST_0

    def values(self, judged: JudgedRun) -> Floats:
        if not self.scaled:
            topic, rank, gain = judged.rel_topic, judged.rel_rank, judged.grade[judged.relevant].astype(float)
        elif self.top == 0 or self.rel is not None:
            topic, rank, gain = judged.rel_topic, judged.rel_rank, np.ones(len(judged.rel_rank))
        else:
            graded = judged.grade > 0
            topic, rank = judged.topic[graded], judged.rank[graded]
            gain = ratio(judged.grade[graded].astype(float), self._top(judged)[topic])
            gain = np.minimum(gain, 1.0)
        total = judged.sum(topic, gain * self.p ** (rank - 1.0))
        return np.multiply(total, 1.0 - self.p)

    def _top(self, judged: JudgedRun) -> Floats:
        if self.top is not None:
            return np.full(len(judged.topics), float(self.top))
        highest = np.ones(len(judged.topics))
        np.maximum.at(highest, judged.pool_topic, judged.pool_grade)
        return highest
