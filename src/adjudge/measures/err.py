from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, JudgedRun
from ..core.measure import SHARE, RankedMeasure
from ..core.spec import is_count, require
from ._cascade import reach, satisfaction


@dataclass(frozen=True)
class ERR(RankedMeasure):
    """Expected reciprocal rank: 1/r of the document that satisfies a reader who stops when satisfied.

    Formula: Σ_r 1/r · S_r Π_{i<r} (1 − S_i), S = (2^grade − 1) / 2^top the chance that a document satisfies.

    Parameters: ``k`` only the first k documents count. ``top`` the highest grade of the scale: by default the highest
    grade in the judgments; 4 gives the figures of TREC's gdeval. Grades above it count as top.

    No value: always defined. It stays below 1 even for the best ranking.

    Paper: Chapelle, Metlzer, Zhang & Grinspan, Expected reciprocal rank for graded relevance (CIKM 2009).

    Example: grades 0, 2 with top 2: 1/2 · 3/4 = 0.375.
    """

    name: ClassVar[str] = "err"
    limits: ClassVar[tuple[float, float]] = SHARE
    group: ClassVar[str] = "user models"

    k: int | None = None
    top: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self, "top", self.top is None or is_count(self.top), "be a grade, 1 or more")

    def values(self, judged: JudgedRun) -> Floats:
        top = self.top or max(1, judged.top_grade)
        counts = (judged.grade > 0) & (judged.rank <= (self.k or np.inf))
        topic, rank = judged.topic[counts], judged.rank[counts]
        stop = satisfaction(judged.grade[counts], top)
        return judged.sum(topic, stop * reach(topic, stop, len(judged.topics)) / rank)
