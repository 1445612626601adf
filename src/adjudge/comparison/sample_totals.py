"""Estimates of one topic from a stratified sample of its pool: sums over documents, and xinfAP.

A document of the pool has a value that people would give (h) and one that a machine gives (m; 0 without a machine).
What is wanted is a sum over all of them by people. The difference estimator is the sum of m over the pool plus, over
the sample, (h − m) / probability. Its expectation is the sum of h, whatever the machine says: a good machine makes it
precise, a bad one makes it wide, and none makes it wrong. Without a machine it is the estimator of Horvitz and
Thompson.

Papers: Cochran, Sampling techniques (1977), chapters 5 and 7, for strata and differences; Yilmaz, Kanoulas, Aslam
(SIGIR 2008) for xinfAP; Angelopoulos, Bates, Fannjiang, Jordan, Zrnic, Prediction-powered inference (Science 2023).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
EPSILON = 1e-5
UNRANKED = np.iinfo(np.int64).max


class TopicEstimate(NamedTuple):
    """An estimate and the variance of it over samples."""

    value: float
    variance: float


@dataclass(frozen=True, eq=False)
class SampledTopic:
    """The pool of a topic: strata (numbered from 0), who is in the sample, grades by people and by a machine."""

    strata: Ints
    sampled: Flags
    human: Ints
    """Grades; anything where a document is not in the sample."""
    machine: Ints
    """Grades; 0 everywhere without a machine."""
    rank: Ints
    """The rank of each document in a run; UNRANKED where it was not retrieved."""

    @cached_property
    def sizes(self) -> Floats:
        """Documents of each stratum."""
        return np.bincount(self.strata).astype(float)

    @cached_property
    def taken(self) -> Floats:
        """Documents of each stratum that are in the sample."""
        return np.bincount(self.strata[self.sampled], minlength=len(self.sizes)).astype(float)

    @cached_property
    def places(self) -> Ints:
        """The documents in the sample."""
        return np.flatnonzero(self.sampled)

    @cached_property
    def weight(self) -> Floats:
        """1 / probability of each document in the sample."""
        own = self.strata[self.places]
        return self.sizes[own] / self.taken[own]

    def total(self, by: Callable[[Ints], Floats], factor: Floats | None = None) -> tuple[float, Floats]:
        """The estimated sum of factor · by(grade) over the pool, and what each document of the sample adds to it."""
        factor = np.ones(len(self.strata)) if factor is None else factor
        machine = factor * by(self.machine)
        difference = (factor * by(self.human) - machine)[self.places]
        return float(machine.sum() + (difference * self.weight).sum()), difference

    def variance(self, terms: Floats) -> float:
        """The variance of Σ weight · term over samples: by the spread of the terms within each stratum."""
        own, total = self.strata[self.places], 0.0
        for stratum in np.flatnonzero((self.taken > 0) & (self.taken < self.sizes)).tolist():
            inside = terms[own == stratum]
            size, taken = self.sizes[stratum], self.taken[stratum]
            spread = float(inside.var(ddof=1)) if taken > 1 else float((inside**2).sum())
            total += size**2 * (1 - taken / size) * spread / taken
        return total

    # -- measures ---------------------------------------------------------------------------------------------------

    def linear(self, by: Callable[[Ints], Floats], factor: Floats) -> TopicEstimate:
        """A sum over ranks: precision, DCG, RBP."""
        value, terms = self.total(by, factor)
        return TopicEstimate(value, self.variance(terms))

    def xinfap(self, level: int) -> TopicEstimate:
        """Extended inferred average precision, without a machine and without a variance."""
        order = np.argsort(self.rank, kind="stable")
        order = order[self.rank[order] < UNRANKED]
        sampled, stratum, rank = self.sampled[order], self.strata[order], self.rank[order].astype(float)
        relevant = sampled & (self.human[order] >= level)
        strata = len(self.sizes)
        above = np.zeros((strata, 3, len(order)))
        for s in range(strata):
            for place, flags in enumerate((stratum == s, (stratum == s) & sampled, (stratum == s) & relevant)):
                above[s, place] = np.cumsum(flags) - flags
        with np.errstate(divide="ignore", invalid="ignore"):
            share = above[:, 0] * (above[:, 2] + EPSILON) / (above[:, 1] + 2 * EPSILON)
        precision = np.where(rank == 1, 1.0, (1 + share.sum(axis=0)) / rank)
        everything = self.sampled & (self.human >= level)
        weight = np.divide(self.sizes, self.taken, out=np.zeros(strata), where=self.taken > 0)
        number = float(weight[self.strata[everything]].sum())
        total = float((precision[relevant] * weight[stratum[relevant]]).sum())
        return TopicEstimate(total / number if number else 0.0, float("nan"))
