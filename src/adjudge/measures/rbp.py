from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, JudgedRun, ratio
from ..core.measure import Measure, TrecName
from ..core.spec import is_count, is_number, require


@dataclass(frozen=True)
class RBP(Measure):
    """Rank-biased precision: the gain per document of a reader who goes on to the next one with probability p.

    Formula: (1 − p) Σ_r gain(r) p^(r−1); the gain of a grade is grade / top, so that RBP cannot exceed 1.

    Parameters: ``p`` persistence, 0 < p < 1 (0.9, trec_eval's). ``top`` the grade with gain 1: by default the highest
    grade among the topic's judgments, as in trec_eval 10; a number for all topics alike; 0 for binary gains (1 at the
    relevance level and above).

    No value: always defined. Unjudged documents gain nothing; rbp_residual says how much that can matter.

    Paper: Moffat & Zobel, Rank-biased precision for measurement of retrieval effectiveness (TOIS 2008). trec_eval 10
    scales the gains by memory that it never set; what it means is done here.

    Example: relevant at ranks 1 and 3, p = 0.5: 0.5 (1 + 0.25) = 0.625.
    """

    name: ClassVar[str] = "rbp"
    positional: ClassVar[str] = "p"
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("rbp"),)

    p: float = 0.9
    top: int | None = None

    def __post_init__(self) -> None:
        require(self, "p", is_number(self.p) and 0 < self.p < 1, "lie between 0 and 1")
        require(self, "top", self.top is None or self.top == 0 or is_count(self.top), "be a grade, 0 or more")

    def __call__(self, judged: JudgedRun) -> Floats:
        if self.top == 0:
            topic, rank, gain = judged.rel_topic, judged.rel_rank, np.ones(len(judged.rel_rank))
        else:
            graded = judged.grade > 0
            topic, rank = judged.topic[graded], judged.rank[graded]
            gain = ratio(judged.grade[graded].astype(float), self._top(judged)[topic])
        total = judged.sum(topic, np.minimum(gain, 1.0) * self.p ** (rank - 1.0))
        return np.multiply(total, 1.0 - self.p)

    def _top(self, judged: JudgedRun) -> Floats:
        if self.top is not None:
            return np.full(len(judged.topics), float(self.top))
        highest = np.ones(len(judged.topics))
        np.maximum.at(highest, judged.pool_topic, judged.pool_grade)
        return highest
