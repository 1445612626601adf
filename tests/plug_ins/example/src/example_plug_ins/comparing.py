"""A coefficient of rank correlation, a test and a correction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from adjudge.comparison.paired import Correction, PairedTest, differences
from adjudge.core.judged import Floats, Ints
from adjudge.correlation.coefficient import Coefficient
from adjudge.correlation.rankings import RankingPair


@dataclass(frozen=True)
class Footrule(Coefficient):
    """Spearman's footrule, brought to the range from 0 to 1: how far items are from their places in the other ranking.

    Formula: 1 − Σ |r_i − s_i| / ⌊n²/2⌋, r and s the ranks.

    Example: ranks 1 2 3 and 1 3 2: 1 − 2/4 = 0.5.
    """

    name: ClassVar[str] = "footrule"

    def of(self, pair: RankingPair) -> float:
        x, y = ((side.above.astype(float) - side.below) / 2 for side in (pair.x, pair.y))
        return float(1 - np.abs(x - y).sum() / (len(x) ** 2 // 2))


@dataclass(frozen=True)
class ZTest(PairedTest):
    """The z test: is the mean difference 0, if there are so many topics that its distribution is normal?

    Formula: z = mean(d) / (sd(d)/√n).

    Example: differences 1 2 3: z = 3.464, p = 0.000532.
    """

    name: ClassVar[str] = "z"

    def p(self, values: Floats, pairs: Ints, rng: np.random.Generator) -> Floats:
        del rng
        from scipy.special import ndtr

        p_values = np.empty(len(pairs))
        for part, gaps in differences(values, pairs):
            p_values[part] = 2 * ndtr(-np.abs(gaps.mean(axis=1)) / (gaps.std(axis=1, ddof=1) / gaps.shape[1] ** 0.5))
        return p_values


@dataclass(frozen=True)
class Sidak(Correction):
    """Šidák's correction: exact for m independent comparisons.

    Formula: p' = 1 − (1 − p)^m.

    Example: 0.05 and 1 become 0.0975 and 1.
    """

    name: ClassVar[str] = "sidak"

    def __call__(self, p: Floats) -> Floats:
        return np.asarray(1 - (1 - p) ** len(p))
