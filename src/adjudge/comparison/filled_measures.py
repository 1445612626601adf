"""Average precision, nDCG and recall of complete judgments that are there many times: draws × documents of a topic."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from .sample_totals import UNRANKED

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Grades = npt.NDArray[np.integer]


def _over(above: Floats, below: Floats) -> Floats:
    return np.divide(above, below, out=np.zeros(len(above)), where=below > 0)


def recall_of(relevant: npt.NDArray[np.bool_], rank: Ints, k: int) -> Floats:
    """The share of the relevant documents among the first k."""
    return _over(relevant[:, rank <= k].sum(axis=1).astype(float), relevant.sum(axis=1).astype(float))


def average_precision_of(relevant: npt.NDArray[np.bool_], rank: Ints, k: int | None) -> Floats:
    """The mean over the relevant documents of the precision at each, 0 for those that were not found."""
    order = np.argsort(rank, kind="stable")
    order = order[rank[order] <= (UNRANKED - 1 if k is None else k)]
    found = relevant[:, order]
    precision = np.cumsum(found, axis=1) / rank[order].astype(float)
    return _over((found * precision).sum(axis=1), relevant.sum(axis=1).astype(float))


def ndcg_of(
    grades: Grades, rank: Ints, gain: Callable[[Ints], Floats], discount: Callable[[Floats], Floats], k: int | None
) -> Floats:
    """DCG over that of the ideal ranking."""
    gains = gain(grades.astype(np.int64))
    inside = rank <= (UNRANKED - 1 if k is None else k)
    found = (gains[:, inside] * discount(rank[inside].astype(float))).sum(axis=1)
    ideal = -np.sort(-gains, axis=1)[:, : gains.shape[1] if k is None else k]
    return _over(found, (ideal * discount(np.arange(1.0, ideal.shape[1] + 1))).sum(axis=1))
