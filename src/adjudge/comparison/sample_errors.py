"""The moments of the error of a mean over topics that comes from samples of their pools.

The variance is that of the influences of drawn documents, around their mean in a stratum: how much the mean over topics
would change had a relevant document not been drawn, in the numerator, in the denominator, and in what all topics learn
from it. Where few drawn documents matter, that variance is itself known badly, and is too small just when what matters
was not drawn: a machine's rare errors, or the few relevant documents of a class. So where it is smaller than the
variance that all documents of the pool, drawn or not, let expect by their ranks, it is blended with that, class by
class, the less the more documents tell it. What is not known of the denominators beyond that is added, because they
lean on other topics.

Degrees of freedom are those of Satterthwaite (Biometrics 1946), from the part of the variance's own variance that does
not go with the estimate: the other part is in the score interval (sample_means.py) already.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .sampled_cells import UNRANKED, CellSample, MeasureParts
from .sampled_numerators import Numerator
from .topic_effects import TopicEffects, topic_effects
from .unseen_relevance import Denominator, Prior, denominators, learn

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

BANDS = np.array([1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, UNRANKED])
"""First ranks of the bands within which documents are taken to be alike when a variance is expected."""
EXTRA = 2.0
"""Documents for which the expected variance counts beside the one that was found."""
TRUTH_SKEW = 0.25
"""What the skewness of a truth that is not known counts beside that of an estimate.

Limits move by (z² - 1) / 6 of it (Cornish, Fisher), and by z² / 2 of the other in a score interval: 0.25 for 95 %.
"""
MOST_FREE = 1e6
STEPS = 8
"""Newton's steps to a line of odds over ranks."""
_MIDDLES = np.log(np.append(np.sqrt(BANDS[:-2] * (BANDS[1:-1] - 1.0)), 2.0 * BANDS[-2]))
CURVE = np.vstack([np.stack([np.ones(len(BANDS) - 1), _MIDDLES, np.zeros(len(BANDS) - 1)], axis=1), [0.0, 0.0, 1.0]])
"""Bands × height, slope and the odds apart."""


class Moments(NamedTuple):
    """Samples: the mean over topics, the variance and third moment of its error, and degrees of freedom."""

    value: Floats
    variance: Floats
    third: Floats
    freedom: Floats


class Influence(NamedTuple):
    """What one relevant document more or fewer does in a topic: samples × cells × levels."""

    change: Floats
    """1 / denominator with it."""
    loss: Floats
    """What the denominator takes away."""


@dataclass(frozen=True, eq=False)
class SampleError:
    """Estimates of a measure in many samples, and what is known of their error."""

    topics: Sequence[CellSample]
    above: Sequence[Numerator]
    shape: MeasureParts
    levels: Sequence[int]
    classes: int
    usual: float
    """The gain of a relevant document."""

    @cached_property
    def prior(self) -> Prior:
        return learn(self.topics, self.levels[0], self.classes)

    @cached_property
    def effects(self) -> TopicEffects:
        return topic_effects(self.topics, self.levels[0], self.classes)

    @cached_property
    def below(self) -> Sequence[Denominator | None]:
        if not self.shape.quotient:
            return [None] * len(self.topics)
        return denominators(self.topics, self.effects, self.shape, self.levels, self.classes)

    def moments(self) -> Moments:
        """The mean over topics in every sample, and its error."""
        count = len(self.topics)
        values = [n.total if d is None else n.total * d.here for n, d in self._both()]
        found, expected = np.zeros((2, 3, *self.prior.drawn.shape))
        doubt, doubt_third = np.zeros((2, *values[0].shape))
        leaning = np.zeros((len(doubt), 2 * self.classes))
        for topic, (n, d) in zip(self.topics, self._both(), strict=True):
            if not topic.open.any():
                continue
            own = topic.classes
            drawn = self._influence(topic, n, d, -1.0)
            place = np.clip(np.searchsorted(self.levels, topic.grade, side="right") - 1, 0, None)
            loss = drawn.loss[:, topic.cell, place] * (topic.grade >= self.levels[0])
            z = topic.drawn * (topic.weight[:, topic.cell] * n.document * drawn.change[:, topic.cell, place] + loss)
            found[:, :, own] += _within(topic, z)
            if d is not None:
                unknown = d.doubt()
                doubt += n.total**2 * unknown.variance - _within(topic, topic.drawn * loss)[0].sum(axis=1)
                doubt_third += n.total**3 * unknown.third
                leaning += n.total[:, None] * unknown.slopes
            expected[:, :, own] += self._anticipated(topic, n, self._influence(topic, n, d, 1.0))
        support = np.minimum(_support(found), _support(expected))
        blend = support / (support + EXTRA)
        moments = np.where(found[0] < expected[0], blend * found + (1 - blend) * expected, found)
        variance, third, _ = moments.sum(axis=2)
        tied = (blend * found[1]).sum(axis=1) ** 2
        whole = found[0].sum(axis=1)
        uncertain = (blend**2 * moments[2]).sum(axis=1) - np.divide(
            tied, whole, out=np.zeros_like(whole), where=whole > 0
        )
        variance = variance + np.maximum(doubt, 0.0)
        if self.shape.quotient:
            variance = variance + np.einsum("si,sij,sj->s", leaning, self.effects.doubt, leaning)
            third = third + TRUTH_SKEW * doubt_third
        square = 2 * variance**2
        freedom = np.divide(
            square, uncertain, out=np.full_like(square, MOST_FREE), where=uncertain * MOST_FREE > square
        )
        return Moments(np.mean(values, axis=0), variance / count**2, third / count**3, freedom)

    def _both(self) -> list[tuple[Numerator, Denominator | None]]:
        return list(zip(self.above, self.below, strict=True))

    def _influence(self, topic: CellSample, n: Numerator, d: Denominator | None, one: float) -> Influence:
        shape = (len(topic.taken), len(topic.size), len(self.levels))
        change, loss = np.ones(shape), np.zeros(shape)
        if d is not None:
            for cell in np.flatnonzero(topic.open.any(axis=0)).tolist():
                for level, other in enumerate(d.beside(cell, one)):
                    change[:, cell, level] = other
                    loss[:, cell, level] = n.total * one * (other - d.here)
        return Influence(change, loss)

    @cached_property
    def _chances(self) -> RankCurve:
        """Samples × classes × bands of ranks: how likely a document is relevant."""
        hits = np.zeros((*self.prior.drawn.shape, len(BANDS)))
        trials = np.zeros_like(hits)
        for topic in self.topics:
            relevant = topic.grade >= self.levels[0]
            bands, pool_bands = _band(topic.rank), _band(topic.pool_rank)
            for cell, kind in enumerate(topic.classes.tolist()):
                known = topic.open[:, cell]
                for band in np.unique(pool_bands[topic.pool_cell == cell]).tolist():
                    own = relevant & (topic.cell == cell) & (bands == band)
                    size = float(((topic.pool_cell == cell) & (pool_bands == band)).sum())
                    hits[:, kind, band] += known * topic.drawn[:, own].sum(axis=1)
                    trials[:, kind, band] += known * topic.share[:, cell] * size
        return rank_curve(hits, np.maximum(trials, hits), self.prior.mean)

    def _anticipated(self, topic: CellSample, n: Numerator, one: Influence) -> Floats:
        """Samples × cells: the moments that all documents of a topic's pool let expect, drawn or not."""
        own, bands = topic.pool_cell, _band(topic.pool_rank)
        each, predicted = topic.weight[:, own] * n.pool * one.change[:, own, 0], n.predicted[:, own]
        hit = each * (self.usual - predicted) + one.loss[:, own, 0]
        miss = -each * predicted
        usual = self._chances.chance[:, topic.classes[own], bands]
        odds = usual / (1 - usual) * self._more_than_usual(topic)[:, own]
        chance = odds / (1 + odds)
        sums, up, down = [], chance, 1 - chance
        for _ in range(4):
            up, down = up * hit, down * miss
            sums.append(topic.share * ((up + down) @ topic.pool_membership))
        return np.stack(_centred(topic, topic.share * topic.size, sums))

    def _more_than_usual(self, topic: CellSample) -> Floats:
        """Samples × cells: by which factor the odds of being relevant differ from those of other topics."""
        mean, strength = self.prior.mean[:, topic.classes], self.prior.strength[:, topic.classes]
        hits = topic.counts(self.levels[0])
        here = (mean * strength + hits) / np.maximum((1 - mean) * strength + topic.taken - hits, 1e-9)
        return np.asarray(here * (1 - mean) / mean)


class RankCurve(NamedTuple):
    """How relevance falls with rank: a line of the logarithm of the odds over the logarithm of the rank.

    Documents that a run does not have stand apart: they have odds of their own.
    """

    chance: Floats
    """Samples × classes × bands."""


def rank_curve(hits: Floats, trials: Floats, mean: Floats) -> RankCurve:
    """Fit lines to the bands of samples × classes; where little was drawn they are flat and at the mean."""
    start = np.log(mean / (1 - mean))
    prior = np.stack([start, np.zeros_like(start), start], axis=2)
    sure = np.stack([mean * (1 - mean), np.ones_like(mean), mean * (1 - mean)], axis=2)
    line = prior.copy()
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-(line @ CURVE.T)))
        slope = (hits - trials * chance) @ CURVE - sure * (line - prior)
        bend = np.einsum("scb,bi,bj->scij", trials * chance * (1 - chance), CURVE, CURVE) + sure[..., None] * np.eye(3)
        step = np.linalg.solve(bend, slope[..., None])[..., 0]
        line = np.clip(line + np.clip(step, -1.0, 1.0), -15.0, 15.0)
    return RankCurve(1 / (1 + np.exp(-(line @ CURVE.T))))


def _support(moments: Floats) -> Floats:
    """How many documents tell a variance, as if all were of one influence: its square over its own variance."""
    return np.asarray(np.divide(moments[0] ** 2, moments[2], out=np.zeros_like(moments[2]), where=moments[2] > 0))


def _within(topic: CellSample, z: Floats) -> Floats:
    """Samples × cells: the moments of influences around the mean of their stratum."""
    square = z * z
    sums = [power @ topic.membership for power in (z, square, square * z, square * square)]
    second, third, fourth = _centred(topic, topic.taken, sums)
    n = np.maximum(topic.takens, 1.0)
    return np.stack([second * n / np.maximum(n - 1, 1.0), third, fourth])


def _centred(topic: CellSample, count: Floats, sums: Sequence[Floats]) -> tuple[Floats, Floats, Floats]:
    """Sums of squares and cubes around the mean of the stratum and of fourth powers, for a finite population.

    Denominators know how many documents of a cell there are, so that their part varies less than it does here. That is
    on the safe side: they are not unbiased.
    """
    one, two, three, four = sums
    mean = topic.grouped(one) / np.maximum(topic.takens, 1.0)
    second = two - 2 * mean * one + count * mean**2
    third = three - 3 * mean * two + 3 * mean**2 * one - count * mean**3
    free = np.where(topic.open, 1 - topic.share, 0.0)
    return free * second, free**2 * third, free**3 * four


def _band(ranks: Ints) -> Ints:
    return np.asarray(np.searchsorted(BANDS, ranks, side="right") - 1)
