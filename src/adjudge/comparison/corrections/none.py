"""No correction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...core.judged import Floats
from ..paired import Correction


@dataclass(frozen=True)
class Uncorrected(Correction):
    """No correction: each p is for its own comparison, and of twenty true nulls one falls below 0.05.

    Formula: p' = p.

    Example: 0.01 and 0.04 stay 0.01 and 0.04.
    """

    name: ClassVar[str] = "none"
    aliases: ClassVar[tuple[str, ...]] = ("uncorrected",)

    def __call__(self, p: Floats) -> Floats:
        return p
