"""Tukey's honestly significant difference in a two-way analysis of variance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.judged import Floats, Ints
from ..paired import PairedTest
from ..studentised_range import range_quantile, range_tail


@dataclass(frozen=True)
class AnovaTest(PairedTest):
    """Topic × system analysis of variance with Tukey's HSD: are the effects of two systems as far apart by chance?

    Formula: y_st = μ + system_s + topic_t + ε; q = |difference of means| / √(MSE/n), MSE = Σ ε² / ((k−1)(n−1)); p is
    the probability that the studentised range of k means with (k−1)(n−1) degrees of freedom exceeds q. One family of
    all systems: no correction is due. Intervals are simultaneous. It takes the variance to be the same for all systems,
    which buys power where it is true.

    No value: no difference on any topic gives p = 1; no residual at all p = 0 for systems that differ.

    Paper: Tukey (1949); Ferro & Silvello, Toward an anatomy of IR system component performances (JASIST 2018).

    Example: systems 1 2 3, 2 3 4 and 3 5 6 on three topics: MSE = 0.1111, first against second q = 1/0.1925 = 5.196,
    p = 0.0455.
    """

    name: ClassVar[str] = "anova"
    familywise: ClassVar[bool] = True

    def p(self, values: Floats, pairs: Ints, rng: np.random.Generator) -> Floats:
        del rng
        means, error, freedom = _effects(values)
        gaps = np.abs(means[pairs[:, 0]] - means[pairs[:, 1]])
        tiny = 1e-12 * float(np.abs(values).max(initial=0.0))
        if error <= tiny:
            return np.where(gaps <= tiny, 1.0, 0.0)
        p = range_tail(gaps / error, len(values), freedom)
        return np.where(gaps <= tiny, 1.0, p)

    def with_interval(
        self, values: Floats, pairs: Ints, level: float, rng: np.random.Generator
    ) -> tuple[Floats, Floats, Floats]:
        means, error, freedom = _effects(values)
        half = error * range_quantile(level, len(values), freedom) if error > 0 else 0.0
        gaps = means[pairs[:, 0]] - means[pairs[:, 1]]
        return self.p(values, pairs, rng), gaps - half, gaps + half


def _effects(values: Floats) -> tuple[Floats, float, int]:
    """Means of the systems, the standard error of a mean, and its degrees of freedom."""
    systems, topics = values.shape
    freedom = (systems - 1) * (topics - 1)
    centred = values - values.mean(axis=0)
    rest = centred - centred.mean(axis=1, keepdims=True)
    return values.mean(axis=1), math.sqrt(float((rest**2).sum()) / freedom / topics), freedom
