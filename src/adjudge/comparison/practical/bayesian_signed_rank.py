"""The Bayesian signed-rank test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.judged import Floats, Ints
from ...core.spec import is_count, is_number, require
from ..equivalence import EquivalenceMethod
from ..paired import differences

PIECE = 4_000_000


@dataclass(frozen=True)
class BayesianSignedRank(EquivalenceMethod):
    """The Bayesian signed-rank test: on most pairs of topics, is the mean of the two differences above the region?

    Formula: differences d_1 … d_n and a pseudo-difference d_0 = 0 have weights w from a Dirichlet distribution with
    parameters (prior, 1, …, 1). For each draw: better = Σ_ij w_i w_j [d_i + d_j > 2 rope], worse and equivalent
    likewise. The probability of each is the share of draws in which it is the largest of the three.

    Parameters: ``samples`` draws of the weights (10,000); ``prior`` weight of the pseudo-difference (0.5).

    No value: no difference on any topic is equivalent with probability 1.

    Paper: Benavoli, Corani, Mangili, Zaffalon, Ruggeri, A Bayesian Wilcoxon signed-rank test (ICML 2014); Benavoli,
    Corani, Demšar, Zaffalon, Time for a change (JMLR 2017).

    Example: differences 0.1 0.2 0.3 0.4 0.5, rope 0.01: better with probability 1.00.
    """

    name: ClassVar[str] = "bayesian_signed_rank"
    positional: ClassVar[str] = "samples"

    samples: int = 10_000
    prior: float = 0.5

    def __post_init__(self) -> None:
        require(self, "samples", is_count(self.samples), "be a whole number of samples, 1 or more")
        require(self, "prior", is_number(self.prior) and 0 < self.prior <= 1000, "be a number above 0, up to 1000")

    def __call__(self, values: Floats, pairs: Ints, rope: float, rng: np.random.Generator) -> Floats:
        topics = values.shape[1]
        shape = np.concatenate([[self.prior], np.ones(topics)])
        # Weights of one topic and of two are needed only as sums over sorted differences, for all pairs the same draws.
        weights = rng.standard_gamma(shape, (self.samples, topics + 1))
        weights /= weights.sum(axis=1, keepdims=True)
        shares = np.empty((len(pairs), 3))
        for part, gaps in differences(values, pairs):
            for place, own in zip(range(part.start, part.stop), gaps, strict=True):
                shares[place] = self._shares(np.concatenate([[0.0], own]), weights, rope)
        return shares

    @staticmethod
    def _shares(gaps: Floats, weights: Floats, rope: float) -> Floats:
        """How often each of worse, equivalent and better is the largest."""
        order = np.argsort(gaps, kind="stable")
        gaps, weights = gaps[order], weights[:, order]
        below = np.concatenate([np.zeros((len(weights), 1)), np.cumsum(weights, axis=1)], axis=1)
        # For each i the weight of all j with d_i + d_j below −2 rope, and up to 2 rope.
        tiny = 1e-12 * max(1.0, float(np.abs(gaps).max()))
        worse = (weights * below[:, np.searchsorted(gaps, -2 * rope - gaps - tiny, "left")]).sum(axis=1)
        upto = (weights * below[:, np.searchsorted(gaps, 2 * rope - gaps + tiny, "right")]).sum(axis=1)
        three = np.stack([worse, upto - worse, 1 - upto], axis=1)
        return np.bincount(three.argmax(axis=1), minlength=3) / len(three)
