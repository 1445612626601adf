"""Estimates of one topic from a stratified sample of its pool: totals, ratios, average precision, nDCG.

A document of the pool has a value that people would give (h) and one that a machine gives (m; 0 without a machine).
What is wanted is a sum over all of them by people. The difference estimator is the sum of m over the pool plus, over
the sample, (h − m) / probability. Its expectation is the sum of h, whatever the machine says: a good machine makes it
precise, a bad one makes it wide, and none makes it wrong. Without a machine it is the estimator of Horvitz and
Thompson.

Papers: Cochran, Sampling techniques (1977), chapters 5 and 7, for strata and differences; Yilmaz, Kanoulas, Aslam
(SIGIR 2008) for xinfAP; Pavlu, Aslam, A practical sampling strategy for efficient retrieval evaluation (2007) for
statAP, which uses joint probabilities as average precision does here; Angelopoulos, Bates, Fannjiang, Jordan, Zrnic,
Prediction-powered inference (Science 2023).
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

    def covariance(self, one: Floats, two: Floats) -> float:
        """The covariance of two such sums."""
        return (self.variance(one + two) - self.variance(one - two)) / 4

    def quotient(self, above: float, upper: Floats, below: float, lower: Floats) -> TopicEstimate:
        """The quotient of two estimates, from what each document of the sample adds to them.

        A quotient of unbiased estimates is biased, the more the fewer documents are sampled; Beale's estimator takes
        out what is known of it. What it takes out is an estimate too, and counts as error.
        """
        plain = above / below
        spread, common = self.variance(lower), self.covariance(upper, lower)
        value = (above + common / below) / (below + spread / below)
        return TopicEstimate(value, self.variance((upper - plain * lower) / below) + (value - plain) ** 2)

    def at_least(self, by: Callable[[Ints], Floats]) -> float:
        """What is known for sure of a sum: the documents of the sample have it."""
        return float(by(self.human)[self.places].sum())

    # -- measures ---------------------------------------------------------------------------------------------------

    def linear(self, by: Callable[[Ints], Floats], factor: Floats) -> TopicEstimate:
        """A sum over ranks: precision, DCG, RBP."""
        value, terms = self.total(by, factor)
        return TopicEstimate(value, self.variance(terms))

    def ratio(self, by: Callable[[Ints], Floats], factor: Floats) -> TopicEstimate:
        """A share of all there is: recall."""
        above, upper = self.total(by, factor)
        below, lower = self.total(by)
        below = max(below, self.at_least(by))
        return self.quotient(above, upper, below, lower) if below > 0 else TopicEstimate(0.0, 0.0)

    def average_precision(self, by: Callable[[Ints], Floats], k: int | None) -> TopicEstimate:
        """Average precision: the sum of the precisions at relevant documents, over how many there are."""
        everything, lower = self.total(by)
        everything = max(everything, self.at_least(by))
        if everything <= 0:
            return TopicEstimate(0.0, 0.0)
        precisions, terms = self._precisions(by, UNRANKED - 1 if k is None else k)
        return self.quotient(precisions, terms, everything, lower)

    def _precisions(self, by: Callable[[Ints], Floats], limit: int) -> tuple[float, Floats]:
        """The estimated Σ over relevant documents of precision there, and the derivative by each of the sample.

        Σ_i y_i / r_i (1 + Σ_{j above i} y_j) has a product for each pair of documents, and a pair is in the sample
        with a probability of its own.
        """
        ranked = self.rank <= limit
        machine = by(self.machine) * ranked
        order = np.argsort(self.rank, kind="stable")
        running = np.cumsum(machine[order])
        rank_of = np.where(ranked, self.rank, 1).astype(float)
        whole = float((machine[order] * running / rank_of[order]).sum())
        here = np.flatnonzero(ranked[self.places])
        own = self.places[here]
        h, m, w = by(self.human)[own], machine[own], self.weight[here]
        rank, stratum = rank_of[own], self.strata[own]
        single = (h * h - m * m) / rank
        products = np.outer(h, h) - np.outer(m, m)
        np.fill_diagonal(products, 0.0)
        products /= np.maximum.outer(rank, rank)
        taken, size = self.taken[stratum], self.sizes[stratum]
        same = stratum[:, None] == stratum[None, :]
        with np.errstate(divide="ignore", invalid="ignore"):
            second = np.where(same, ((size - 1) / (taken - 1))[None, :], w[None, :])
        second = np.where(np.isfinite(second), second, 0.0)
        inner = (products * second).sum(axis=1)
        value = whole + float((w * (single + inner / 2)).sum())
        terms = np.zeros(len(self.places))
        terms[here] = single + inner
        return value, terms

    def ndcg(
        self, gain: Callable[[Ints], Floats], discount: Callable[[Floats], Floats], k: int | None
    ) -> TopicEstimate:
        """nDCG: DCG over that of the ideal ranking, whose numbers of documents by grade are estimated."""
        limit = UNRANKED - 1 if k is None else k
        ranked = self.rank <= limit
        factor = np.where(ranked, discount(np.where(ranked, self.rank, 1).astype(float)), 0.0)
        above, upper = self.total(gain, factor)
        grades = np.unique(np.concatenate([self.human[self.sampled], self.machine]))
        grades = grades[gain(grades) > 0]
        ideal, lower, before = 0.0, np.zeros(len(self.places)), 0.0
        ladder = np.concatenate([[0.0], np.cumsum(discount(np.arange(1.0, min(limit, len(self.strata)) + 1)))])
        for grade in grades.tolist():
            step = float(gain(np.array([grade]))[0]) - before
            before += step

            def reaches(given: Ints, least: int = grade) -> Floats:
                return (given >= least).astype(float)

            count, terms = self.total(reaches)
            count = max(count, self.at_least(reaches))
            best, slope = _climb(ladder, count, self.variance(terms) ** 0.5)
            ideal += step * best
            lower += step * slope * terms
        return self.quotient(above, upper, ideal, lower) if ideal > 0 else TopicEstimate(0.0, 0.0)

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


NODES, SHARES = np.polynomial.hermite_e.hermegauss(9)


def _climb(ladder: Floats, count: float, error: float) -> tuple[float, float]:
    """The height of a ladder after so many steps, and the slope there, if the number of steps is an estimate.

    The steps get smaller and end, so that an estimate that errs on both sides is too low on average. By how much is
    seen from numbers drawn around it, and added.
    """
    steps = np.arange(len(ladder), dtype=float)
    height = float(np.interp(count, steps, ladder))
    if not error:
        return height, _slope(ladder, count)
    around = np.maximum(count + error * NODES, 0.0)
    weights = SHARES / SHARES.sum()
    mean = float((weights * np.interp(around, steps, ladder)).sum())
    slope = float((weights * [_slope(ladder, each) for each in around.tolist()]).sum())
    return 2 * height - mean, slope


def _slope(ladder: Floats, count: float) -> float:
    place = int(count)
    return float(ladder[place + 1] - ladder[place]) if place + 1 < len(ladder) else 0.0
