"""Holm's correction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.judged import Floats
from ..paired import Correction


@dataclass(frozen=True)
class Holm(Correction):
    """Holm's step-down correction: as safe as Bonferroni's, never weaker.

    Formula: with p sorted upwards, p'_i = max_{j ≤ i} min(1, (m − j + 1) p_j).

    Example: 0.01, 0.04 and 0.03 become 0.03, 0.06 and 0.06.
    """

    name: ClassVar[str] = "holm"
    aliases: ClassVar[tuple[str, ...]] = ("holm_bonferroni",)

    def __call__(self, p: Floats) -> Floats:
        order = np.argsort(p, kind="stable")
        steps = np.minimum(1.0, p[order] * np.arange(len(p), 0, -1))
        corrected = np.empty(len(p))
        corrected[order] = np.maximum.accumulate(steps)
        return corrected
