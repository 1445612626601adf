"""Bonferroni's correction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.judged import Floats
from ..paired import Correction


@dataclass(frozen=True)
class Bonferroni(Correction):
    """Bonferroni's correction: keeps the chance of any false alarm among m comparisons below the level.

    Formula: p' = min(1, m p).

    Example: 0.01, 0.04 and 0.03 become 0.03, 0.12 and 0.09.
    """

    name: ClassVar[str] = "bonferroni"
    aliases: ClassVar[tuple[str, ...]] = ("bonf",)

    def __call__(self, p: Floats) -> Floats:
        return np.minimum(1.0, p * len(p))
