"""Benjamini's and Hochberg's correction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.judged import Floats
from ..paired import Correction


@dataclass(frozen=True)
class BenjaminiHochberg(Correction):
    """Benjamini's and Hochberg's correction: keeps the share of false alarms among all alarms below the level.

    Formula: with p sorted upwards, p'_i = min_{j ≥ i} min(1, m p_j / j).

    Example: 0.01, 0.04 and 0.03 become 0.03, 0.04 and 0.04.
    """

    name: ClassVar[str] = "bh"
    aliases: ClassVar[tuple[str, ...]] = ("benjamini_hochberg", "fdr", "fdr_bh")

    def __call__(self, p: Floats) -> Floats:
        order = np.argsort(p, kind="stable")
        steps = np.minimum(1.0, p[order] * len(p) / np.arange(1, len(p) + 1))
        corrected = np.empty(len(p))
        corrected[order] = np.minimum.accumulate(steps[::-1])[::-1]
        return corrected
