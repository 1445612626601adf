"""The Bayesian correlated t test."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.judged import Floats, Ints
from ...core.spec import is_number, require
from ..equivalence import EquivalenceMethod
from ..paired import differences


@dataclass(frozen=True)
class BayesianT(EquivalenceMethod):
    """The Bayesian correlated t test: where does the mean difference lie, if differences are normal?

    Formula: the posterior of the mean difference is Student's with n − 1 degrees of freedom, centre mean(d) and squared
    scale sd(d)² (1/n + ρ/(1 − ρ)); its parts below −rope, between and above rope are the three probabilities.

    Parameters: ``rho`` correlation of the differences (0, for topics that are drawn independently; for k folds of a
    cross-validation 1/k).

    No value: the same difference on every topic has all probability in its part.

    Paper: Corani, Benavoli, A Bayesian approach for comparing cross-validated algorithms on multiple data sets (Machine
    Learning 2015).

    Example: differences 1 2 3, rope 0: t = 3.464 with 2 degrees of freedom, better with probability 0.963.
    """

    name: ClassVar[str] = "bayesian_t"

    rho: float = 0.0

    def __post_init__(self) -> None:
        require(self, "rho", is_number(self.rho) and 0 <= self.rho < 1, "lie in [0, 1)")

    def __call__(self, values: Floats, pairs: Ints, rope: float, rng: np.random.Generator) -> Floats:
        del rng
        from scipy.special import stdtr

        topics = values.shape[1]
        wide = math.sqrt(1 / topics + self.rho / (1 - self.rho))
        shares = np.empty((len(pairs), 3))
        for part, gaps in differences(values, pairs):
            mean, scale = gaps.mean(axis=1), gaps.std(axis=1, ddof=1) * wide
            scale[(gaps == gaps[:, :1]).all(axis=1)] = 0.0
            for column, end in ((0, -rope), (1, rope)):
                with np.errstate(divide="ignore", invalid="ignore"):
                    t = (end - mean) / scale
                at_end = 0.0 if column == 0 else 1.0  # a constant difference at an end of the region lies inside it
                shares[part, column] = np.where(np.isnan(t), at_end, stdtr(topics - 1, t))
        shares[:, 2] = 1 - shares[:, 1]
        shares[:, 1] -= shares[:, 0]
        return shares
