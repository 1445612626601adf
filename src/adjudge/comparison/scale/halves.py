"""What averages make of a boost to easy or hard topics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...core.average import Average
from ...core.judged import Floats


@dataclass(frozen=True)
class Halves:
    """What an average makes of a boost to all topics, to the lower half of them, and to the upper half.

    NaN where boosted values leave the domain of the average, such as 1.05 under logit.
    """

    average: str
    before: float
    all: float
    low: float
    high: float


def halves(values: Floats, boost: float, chosen: Sequence[Average]) -> tuple[Halves, ...]:
    """Section 3.2 of the paper: add a boost to all values, to the lowest half, to the highest half."""
    order = np.argsort(values, kind="stable")
    low, high = np.zeros(len(values)), np.zeros(len(values))
    low[order[: len(values) // 2]] = boost
    high[order[len(values) - len(values) // 2 :]] = boost
    variants = (values, values + boost, values + low, values + high)

    def figure(average: Average, boosted: Floats) -> float:
        return math.nan if average.outside(boosted).any() else float(average(boosted))

    return tuple(Halves(str(average), *(figure(average, v) for v in variants)) for average in chosen)
