"""How documents were degraded, and how wrong they became, in words."""

from __future__ import annotations

from ..core.english import quantity
from .speech import sentence


@sentence
def unreachable(engine: str, target: float, why: str) -> str:
    """That an engine cannot be brought to an error rate."""
    return f"{engine}: {target:g} cannot be reached: {why}."


@sentence
def spread_over_pages(level: float) -> str:
    """What the ends of the interval of a calibration are."""
    return f"low and high: {level:.0%} of bootstrap samples of the pages lie between them."


@sentence
def extent(documents: int, characters: int, words: int, level: float) -> str:
    """How much text the error rates are of, and what the ends of their intervals are."""
    counts = [quantity(documents, "document"), quantity(characters, "character"), quantity(words, "word")]
    return f"{', '.join(counts)}; low and high: {level:.0%} of bootstrap samples of the documents."
