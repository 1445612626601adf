"""Measures that can be estimated from a sample of documents, and what they are made of."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import SpecError
from ..core.measure import SAMPLED, Measure, measures
from .sampled_cells import MeasureParts

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
SUMS, QUOTIENTS = ("p", "dcg", "rbp"), ("recall", "ap", "ndcg")
"""Measures that are sums over documents, and those that are quotients of sums."""
ESTIMATED = ("p@k", "recall@k", "ap", "ndcg", "dcg", "rbp(top=…) or rbp(rel=…)", SAMPLED)


def estimable(spec: str) -> Measure:
    """A measure, or what is wrong with it."""
    component = measures.parse(spec)
    given = vars(component) if hasattr(component, "__dict__") else {}
    odd = given.get("judged_only") or given.get("cutoff") is not None or given.get("tail", "zero") != "zero"
    if component.name == "rbp":
        odd = odd or not component.scaled or (component.rel is None and component.top is None)  # type: ignore[attr-defined]
    odd = odd or not isinstance(given.get("gains", "grade"), str)
    if component.name not in (*SUMS, *QUOTIENTS) or odd:
        raise SpecError(f"{spec} cannot be estimated from a sample of documents: only {', '.join(ESTIMATED)} can")
    return component


def shape_of(component: Any, level: int) -> MeasureParts:
    """What a measure is made of."""
    k: Any = getattr(component, "k", None)
    last = float("inf") if k is None else float(k)
    least = max(1, level if getattr(component, "rel", None) is None else component.rel)

    def relevant(grades: Ints) -> Floats:
        return (grades >= least).astype(float)

    def discount(ranks: Floats) -> Floats:
        return np.asarray(1 / np.log2(ranks + 1))

    def gain(grades: Ints) -> Floats:
        known = np.where(grades >= (component.rel or 0), np.maximum(grades, 0), 0)
        return np.exp2(known) - 1.0 if component.gains == "exp" else known.astype(float)

    if component.name == "p":
        return MeasureParts(relevant, lambda ranks: (ranks <= last) / last)
    if component.name == "rbp":
        graded = component.rel is None and component.top != 0
        share = (lambda grades: np.clip(grades / component.top, 0.0, 1.0)) if graded else relevant
        return MeasureParts(share, lambda ranks: (1 - component.p) * component.p ** (ranks - 1.0))
    if component.name == "recall":
        return MeasureParts(relevant, lambda ranks: (ranks <= last).astype(float), quotient=True)
    if component.name == "ap":
        return MeasureParts(relevant, lambda ranks: np.where(ranks <= last, 1 / ranks, 0.0), pairs=True, quotient=True)
    if component.name == "dcg":
        return MeasureParts(gain, lambda ranks: np.where(ranks <= last, discount(ranks), 0.0))
    return MeasureParts(
        gain, lambda ranks: np.where(ranks <= last, discount(ranks), 0.0), discount=discount, cutoff=k, quotient=True
    )
