"""Intervals end where the measure does, whatever was judged."""

from __future__ import annotations

from ..core.measure import Measure
from ..core.note import Note
from .judge_agreement import Estimate


def cut(estimate: Estimate, component: Measure) -> Estimate:
    """An interval as far as the measure reaches. The estimate stays: cut, it would be too low on average."""
    low, high = component.bounds()
    return Estimate(estimate.value, min(max(estimate.low, low), high), max(min(estimate.high, high), low))


def beyond(system: str, measure: str, whole: Estimate, component: Measure, *, corrected: bool = False) -> list[Note]:
    """What is to be said of an estimate that the measure cannot be; ``whole`` has the interval before it was cut.

    It was ``corrected`` if it comes from topics that were judged whole, too.
    """
    low, high = component.bounds()
    if low <= whole.value <= high:
        return []
    limit = high if whole.value > high else low
    contradicted = whole.low > high or whole.high < low
    facts = {"system": system, "measure": measure, "value": whole.value, "limit": limit, "contradicted": contradicted}
    return [Note.of("corrected_beyond" if corrected else "estimate_beyond", system, **facts)]
