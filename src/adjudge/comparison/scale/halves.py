"""Effect of a boost to easy or hard topics on averages."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...core.average import Average, averages
from ...core.judged import Floats
from ...core.result import Result
from ...core.scores import Scores


@dataclass(frozen=True)
class Halves:
    """An average after a boost to all topics, to the lower half of them, and to the upper half.

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


USUAL = ("mean", "log", "logit", "power(p=0.5)", "median", "worst")
"""Averages that are compared when none are named."""


@dataclass(frozen=True)
class BoostedHalves(Result):
    """What each average makes of a boost, for each system."""

    measure: str
    boost: float
    rows: Mapping[str, tuple[Halves, ...]]
    """By system."""


def boost_halves(scores: Scores, measure: str, boost: float, by: Sequence[str] = USUAL) -> BoostedHalves:
    """:func:`halves` for every system, on the topics that it has values for."""
    chosen = [averages.parse(spec) for spec in by]
    rows = {}
    for system in scores.systems:
        values = scores[system, :, measure]
        rows[system] = halves(values[~np.isnan(values)], boost, chosen)
    return BoostedHalves(measure, boost, rows)
