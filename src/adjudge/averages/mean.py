from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.average import Average
from ..core.judged import Floats
from .sum import Sum, topics_with_value


@dataclass(frozen=True)
class Mean(Average):
    """The arithmetic mean over topics.

    Formula: Σ x / n. Topics without a value are left out of both; no topic at all gives NaN.

    Example: 0.5, 0.25, 0 → 0.25.
    """

    name: ClassVar[str] = "mean"
    aliases: ClassVar[tuple[str, ...]] = ("arithmetic", "arithmetic_mean")

    def __call__(self, values: Floats) -> Floats:
        n = topics_with_value(values)
        total: Floats = Sum()(values)
        return total / n
