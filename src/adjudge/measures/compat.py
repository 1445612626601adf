from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..core.judged import Floats, Ints, JudgedRun, ordinal, ratio
from ..core.measure import SHARE, RankedMeasure
from ..core.spec import is_number, require

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(frozen=True)
class Compat(RankedMeasure):
    """Compatibility: rank-biased overlap of the ranking with an ideal one that is as like it as it can be.

    Formula: Σ_d p^(d−1) O_d / d / Σ_d p^(d−1) over the depths d of the longer list, O_d documents being among the first
    d of both. The ideal ranking has all documents with a positive grade, best first; those of one grade stand as the
    run has them, and behind them those that it has not.

    Parameters: ``p`` persistence, 0 < p < 1 (0.95). ``normalize`` divide by what the ideal ranking itself would get
    (true). ``rel`` only documents of this grade or a higher one are in the ideal ranking.

    No value: a topic without a positive grade gives 0.

    Paper: Clarke, Vtyurina & Smucker, Assessing top-k preferences (TOIS 2021); RBO: Webber, Moffat & Zobel, A
    similarity measure for indefinite rankings (TOIS 2010).

    Example: the only relevant document at rank 2 of 2, p = 0.5: (0 + 0.5 · 1/2) / (1 + 0.5 · 1/2) = 0.2.
    """

    name: ClassVar[str] = "compat"
    limits: ClassVar[tuple[float, float]] = SHARE
    positional: ClassVar[str] = "p"

    p: float = 0.95
    normalize: bool = True
    rel: int | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self, "p", is_number(self.p) and 0 < self.p < 1, "lie between 0 and 1")
        require(self, "normalize", isinstance(self.normalize, bool), "be true or false")

    def values(self, judged: JudgedRun) -> Floats:
        topics, lowest = len(judged.topics), max(1, self.rel or 1)
        counted, pool = judged.grade >= lowest, judged.pool_grade >= lowest
        topic, rank, grade = judged.topic[counted], judged.rank[counted], judged.grade[counted]
        size = np.bincount(judged.pool_topic[pool], weights=judged.pool_count[pool], minlength=topics).astype(np.int64)
        ideal = _better(judged, topic, grade, pool) + _among_equals(topic, grade)
        depth = np.maximum(judged.num_ret, size)
        weights = self.p ** np.arange(int(depth.max(initial=0)))
        until = np.concatenate([[0.0], np.cumsum(weights / np.arange(1, len(weights) + 1))])
        score = judged.sum(topic, until[depth[topic]] - until[np.maximum(rank, ideal) - 1])
        if not self.normalize:
            return ratio(score, np.concatenate([[0.0], np.cumsum(weights)])[depth])
        of = np.repeat(np.arange(topics), size)
        return ratio(score, judged.sum(of, until[depth[of]] - until[ordinal(of, topics) - 1]))


def _better(judged: JudgedRun, topic: Ints, grade: Ints, pool: npt.NDArray[np.bool_]) -> Ints:
    """How many documents of the pool have a higher grade, of each document of the list."""
    if not len(topic):
        return np.zeros(0, np.int64)
    of, grades, counts = judged.pool_topic[pool], judged.pool_grade[pool], judged.pool_count[pool]
    order = np.lexsort((-grades, of))
    of, grades, counts = of[order], grades[order], counts[order]
    before = np.cumsum(counts) - counts
    before -= before[np.searchsorted(of, of)]
    span = int(grades.max()) + 1
    return np.asarray(before[np.searchsorted(of * span - grades, topic * span - grade)], np.int64)


def _among_equals(topic: Ints, grade: Ints) -> Ints:
    """The place of each document among those of its topic that have the same grade, in the order of the run."""
    kind = topic * (int(grade.max(initial=0)) + 1) + grade
    order = np.argsort(kind, kind="stable")
    _, codes = np.unique(kind[order], return_inverse=True)
    place = np.empty(len(kind), np.int64)
    place[order] = ordinal(codes, int(codes.max(initial=-1)) + 1)
    return place
