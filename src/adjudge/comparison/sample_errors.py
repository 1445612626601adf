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
from .sampled_numerators import numerator_of, predictions
from .sampled_quotients import QuotientTopic, rates_of
from .unseen_relevance import TOGETHER, Prior, RelevanceModel, learn

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

BANDS = np.array([1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, UNRANKED])
"""First ranks of the bands within which documents are taken to be alike when a variance is expected."""
EXTRA = 2.0
"""Documents for which the expected variance counts beside the one that was found."""
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
    by_topic: Floats
    """Topics × samples: what the mean is of."""


class TopicError(NamedTuple):
    """A topic in every sample, and what its documents do to it."""

    value: Floats
    drawn: Floats
    """Samples × documents above grade 0: what the value has from it, if it was drawn."""
    hit: Floats
    miss: Floats
    """Samples × documents of the pool: what the value would have from it."""


@dataclass(frozen=True, eq=False)
class SampleError:
    """Estimates of a measure in many samples, and what is known of their error."""

    model: RelevanceModel
    shape: MeasureParts
    levels: Sequence[int]
    usual: float
    """The gain of a relevant document."""

    @property
    def topics(self) -> Sequence[CellSample]:
        return self.model.topics

    @cached_property
    def prior(self) -> Prior:
        return learn(self.topics, self.levels[0], self.model.classes)

    def moments(self) -> Moments:
        """The mean over topics in every sample, and its error."""
        count = len(self.topics)
        found, expected = np.zeros((2, 3, *self.prior.drawn.shape))
        each, by_model = self._sums() if not self.shape.quotient else self._quotients()
        for topic, own in zip(self.topics, each, strict=True):
            if topic.open.any():
                found[:, :, topic.classes] += _within(topic, own.drawn)
                expected[:, :, topic.classes] += self._anticipated(topic, own.hit, own.miss)
        support = np.minimum(_support(found), _support(expected))
        blend = support / (support + EXTRA)
        moments = np.where(found[0] < expected[0], blend * found + (1 - blend) * expected, found)
        variance, third, _ = moments.sum(axis=2)
        tied = (blend * found[1]).sum(axis=1) ** 2
        whole = found[0].sum(axis=1)
        uncertain = (blend**2 * moments[2]).sum(axis=1) - np.divide(
            tied, whole, out=np.zeros_like(whole), where=whole > 0
        )
        variance = variance + by_model
        square = 2 * variance**2
        freedom = np.divide(
            square, uncertain, out=np.full_like(square, MOST_FREE), where=uncertain * MOST_FREE > square
        )
        by_topic = np.stack([own.value for own in each])
        return Moments(by_topic.mean(axis=0), variance / count**2, third / count**3, freedom, by_topic)

    def _sums(self) -> tuple[list[TopicError], Floats]:
        """Measures that are sums: nothing in them comes from the model."""
        found = []
        predicted = predictions(self.topics, self.shape, self.model.classes)
        for topic, by_cell in zip(self.topics, predicted, strict=True):
            n = numerator_of(topic, self.shape, by_cell)
            own = topic.pool_cell
            each, expected = topic.weight[:, own] * n.pool, n.predicted[:, own]
            drawn = topic.drawn * (topic.weight[:, topic.cell] * n.document)
            found.append(TopicError(n.total, drawn, each * (self.usual - expected), -each * expected))
        return found, np.zeros(len(self.topics[0].taken))

    def _quotients(self) -> tuple[list[TopicError], Floats]:
        """Measures with a denominator, and the variance by what is not known of the model, or wrong in it."""
        topics, people, least = self.topics, self.model.by_people, self.levels[0]
        found, samples = [], len(topics[0].taken)
        bias, square, leaning = np.zeros(samples), np.zeros(samples), np.zeros((samples, 2 * people.classes))
        below = people.denominators(self.shape, self.levels)
        classes = self.model.classes
        predicted, rates = predictions(topics, self.shape, classes), rates_of(topics, least, classes)
        for topic, plain, d, by_cell, rate in zip(topics, people.topics, below, predicted, rates, strict=True):
            own = QuotientTopic(plain, self.shape, d, self.usual).quotient()
            own = QuotientTopic(topic, self.shape, d, self.usual).corrected(own, by_cell, rate)
            found.append(TopicError(own.value, own.drawn, own.hit, own.miss))
            bias, square = bias + own.bias, square + own.bias**2
            leaning[:, plain.classes] += own.heights
            leaning[:, people.classes + plain.classes] += own.slopes
        if people.whole:
            return found, square
        doubt = np.einsum("si,sij,sj->s", leaning, people.effects(least).doubt, leaning)
        return found, doubt + square + (TOGETHER * bias) ** 2

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

    def _anticipated(self, topic: CellSample, hit: Floats, miss: Floats) -> Floats:
        """Samples × cells: the moments that all documents of a topic's pool let expect, drawn or not."""
        own, bands = topic.pool_cell, _band(topic.pool_rank)
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
