"""Between which values a measure lies whatever is judged: intervals need not reach beyond them."""

from __future__ import annotations

import math
from typing import Any

from .judge_agreement import Estimate

SHARES = frozenset(
    (
        *("ap", "bpref", "compat", "eleven_point", "err", "infap", "iprec", "judged", "ndcg", "p", "recall"),
        *("relative_p", "rprec", "rr", "set_f", "set_map", "set_p", "set_recall", "set_relative_p", "success", "unj"),
    )
)
"""Measures that lie between 0 and 1 with whatever parameters, as long as gains are those of the grades."""


def range_of(component: Any) -> tuple[float, float]:
    """The least and the most that a measure can be; infinite where that is not known."""
    usual_gains = isinstance(getattr(component, "gains", "grade"), str)
    if component.name in SHARES and usual_gains:
        return 0.0, 1.0
    if component.name == "rbp":
        return 0.0, 1.0 if component.scaled else math.inf
    if component.name == "dcg" and usual_gains:
        return 0.0, math.inf
    return -math.inf, math.inf


def cut(estimate: Estimate, component: Any) -> Estimate:
    """An interval as far as the measure reaches. The estimate stays: cut, it would be too low on average."""
    low, high = range_of(component)
    return Estimate(estimate.value, min(max(estimate.low, low), high), max(min(estimate.high, high), low))
