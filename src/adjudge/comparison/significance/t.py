"""Student's paired t test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.judged import Floats, Ints
from ..paired import PairedTest, by_differences


@dataclass(frozen=True)
class TTest(PairedTest):
    """Student's paired t test: is the mean difference 0, if differences are normal?

    Formula: t = mean(d) / (sd(d)/√n) with n−1 degrees of freedom, sd with n−1 in its denominator.

    No value: one topic gives NaN; no difference on any topic p = 1, the same difference on every topic p = 0.

    Paper: Student (1908); Urbano, Lima & Hanjalic (2019) find it well behaved on retrieval scores.

    Example: differences 1 2 3: t = 2/(1/√3) = 3.464, p = 0.0742.
    """

    name: ClassVar[str] = "t"
    aliases: ClassVar[tuple[str, ...]] = ("ttest", "t_test", "student", "student_t", "paired_t", "ttest_rel")

    def p(self, values: Floats, pairs: Ints, rng: np.random.Generator) -> Floats:
        del rng
        from scipy.special import stdtr

        topics = values.shape[1]
        if topics < 2:
            return np.full(len(pairs), np.nan)

        def p_of(gaps: Floats) -> Floats:
            mean, spread = gaps.mean(axis=1), gaps.std(axis=1, ddof=1)
            spread[(gaps == gaps[:, :1]).all(axis=1)] = 0.0
            with np.errstate(divide="ignore", invalid="ignore"):
                t = np.abs(mean) / (spread / np.sqrt(topics))
            return np.where(np.isnan(t), 1.0, 2 * stdtr(topics - 1, -t))

        return by_differences(values, pairs, p_of)
