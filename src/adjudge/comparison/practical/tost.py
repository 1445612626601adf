"""Equivalence by two one-sided t tests."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.judged import Floats, Ints
from ..equivalence import EquivalenceMethod
from ..paired import differences


@dataclass(frozen=True)
class Tost(EquivalenceMethod):
    """Two one-sided t tests: is the mean difference shown to lie inside the region, or beyond one of its ends?

    Formula: t_low = (mean(d) + rope)/(sd(d)/√n), t_high = (mean(d) − rope)/(sd(d)/√n). p of equivalence is the larger
    of P(T > t_low) and P(T < t_high); p of better is P(T > t_high), p of worse P(T < t_low), each with n − 1 degrees of
    freedom.

    No value: the same difference on every topic has p = 0 for its part and 1 for the others.

    Paper: Schuirmann (1987).

    Example: differences 1 2 3, rope 5: t_low = 7/0.577 = 12.12, t_high = −5.196, p of equivalence 0.0176.
    """

    name: ClassVar[str] = "tost"
    probabilities: ClassVar[bool] = False

    def __call__(self, values: Floats, pairs: Ints, rope: float, rng: np.random.Generator) -> Floats:
        del rng
        from scipy.special import stdtr

        topics = values.shape[1]
        p = np.empty((len(pairs), 3))
        for part, gaps in differences(values, pairs):
            mean, error = gaps.mean(axis=1), gaps.std(axis=1, ddof=1) / math.sqrt(topics)
            error[(gaps == gaps[:, :1]).all(axis=1)] = 0.0
            with np.errstate(divide="ignore", invalid="ignore"):
                low, high = (mean + rope) / error, (mean - rope) / error
            # At an end of the region with no spread: inside, and so not beyond it.
            low, high = np.where(np.isnan(low), np.inf, low), np.where(np.isnan(high), -np.inf, high)
            p[part, 0], p[part, 2] = stdtr(topics - 1, low), stdtr(topics - 1, -high)
            p[part, 1] = np.maximum(stdtr(topics - 1, -low), stdtr(topics - 1, high))
        return p
