from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, JudgedRun
from ..core.measure import RankedMeasure
from ..core.spec import is_count, require
from ._cascade import reach, satisfaction


@dataclass(frozen=True)
class ExpectedRank(RankedMeasure):
    """Expected rank of the first relevant document: where the reader of ERR stops on average.

    Formula: Σ_r r · S_r Π_{i<r} (1 − S_i) + L Π_i (1 − S_i), S = (2^grade − 1) / 2^top the chance that a document is
    relevant for the reader. Where grades say for certain what is relevant, rank tells the same.

    Parameters: ``k`` only the first k documents count. ``top`` the highest grade of the scale: by default the highest
    grade in the judgments. ``miss`` L, the effort of a search in vain (1000); a list that is longer than this counts
    with its own length.

    No value: always defined. Low is good.

    Paper: Cooper, Expected search length (American Documentation 1968), with the chances of Chapelle, Metlzer, Zhang &
    Grinspan, Expected reciprocal rank for graded relevance (CIKM 2009).

    Example: grades 0, 2 with top 2, miss 10: 2 · 3/4 + 10 · 1/4 = 4.
    """

    name: ClassVar[str] = "expected_rank"
    better: ClassVar[str] = "low"

    k: int | None = None
    top: int | None = None
    miss: int = 1000

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self, "top", self.top is None or is_count(self.top), "be a grade, 1 or more")
        require(self, "miss", is_count(self.miss), "be a whole number of documents, 1 or more")

    def values(self, judged: JudgedRun) -> Floats:
        top = self.top or max(1, judged.top_grade)
        counts = (judged.grade > 0) & (judged.rank <= (self.k or np.inf))
        topic, rank = judged.topic[counts], judged.rank[counts]
        stop = satisfaction(judged.grade[counts], top)
        here = stop * reach(topic, stop, len(judged.topics))
        effort = np.maximum(judged.num_ret, self.miss)
        return judged.sum(topic, here * rank) + effort * (1.0 - judged.sum(topic, here))
