from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, JudgedRun, ratio
from ..core.measure import RankedMeasure
from ..core.spec import is_count, require
from ._cascade import reach, satisfaction
from ._gains import grade_itself, ideal_of


@dataclass(frozen=True)
class NERR(RankedMeasure):
    """Normalised expected reciprocal rank: ERR as a share of that of the ideal ranking.

    Formula: ERR@k / ERR@k of the ranking that has all judged documents in order of their grades.

    Parameters: ``k`` only the first k documents count, in both. ``top`` the highest grade of the scale: by default the
    highest grade in the judgments. ``rel`` documents with a lower grade satisfy nobody.

    No value: a topic without a positive grade gives 0.

    Paper: Sakai & Robertson, Modelling a user population for designing information retrieval metrics (EVIA 2008); ERR:
    Chapelle, Metlzer, Zhang & Grinspan (CIKM 2009).

    Example: judged grades 2 and 1 with top 2, ranking 1, 2: (1/4 + 1/2 · 3/4 · 3/4) / (3/4 + 1/2 · 1/4 · 1/4) = 0.68.
    """

    name: ClassVar[str] = "nerr"
    group: ClassVar[str] = "user models"

    k: int | None = None
    top: int | None = None
    rel: int | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self, "top", self.top is None or is_count(self.top), "be a grade, 1 or more")

    def values(self, judged: JudgedRun) -> Floats:
        top, lowest = self.top or max(1, judged.top_grade), max(1, self.rel or 1)
        counts = (judged.grade >= lowest) & (judged.rank <= (self.k or np.inf))
        topic, rank = judged.topic[counts], judged.rank[counts]
        stop = satisfaction(judged.grade[counts], top)
        gained = judged.sum(topic, stop * reach(topic, stop, len(judged.topics)) / rank)
        best = ideal_of(judged, np.where(judged.pool_grade >= lowest, grade_itself(judged.pool_grade), 0.0))
        near = best.rank <= (self.k or np.inf)
        topic, rank = best.topic[near], best.rank[near]
        stop = satisfaction(best.gain[near].astype(np.int64), top)
        return ratio(gained, judged.sum(topic, stop * reach(topic, stop, len(judged.topics)) / rank))
