"""The mean of a measure over topics from samples of their pools, and the moments of its error.

A measure of a topic is a numerator over a denominator. The numerator is a sum over relevant documents (precision, DCG,
RBP, recall, nDCG) or over pairs of them (average precision: the sum over pairs of 1 / the lower rank). Drawn documents
and pairs count 1 / the probability with which they were drawn, so that the numerator is unbiased (Horvitz, Thompson).
Sums have no denominator. Those of the others come from unseen_relevance.py.

The variance is that of the influence of each drawn document, within its cell: how much the mean over topics would
change with one relevant document more or less, in the numerator, in the denominator, and in what other topics learn
from it. Where few drawn documents matter, such a variance is itself known badly, and is too small just when the
estimate is too low. So a second one is blended in, as if it came from a few more documents: that which the ranks of
all documents of the pool, drawn or not, let expect. What is not known of the denominators beyond that is added,
because they lean on other topics. And the interval is a score interval: the variance belongs to the value that is
tested, not to the estimate, which makes it longer on the side where more would have been found.

Papers: Horvitz, Thompson (JASA 1952); Särndal, Swensson, Wretman, Model assisted survey sampling (1992), chapter 5, for
influences; Wilson (JASA 1927) for score intervals; Hall (Annals of Statistics 1992) on skewness.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from .sampled_cells import UNRANKED, CellSample, MeasureParts
from .unseen_relevance import Denominator, Prior, denominators, learn

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

BANDS = np.array([1, 6, 11, 21, 51, 101, UNRANKED])
"""First ranks of the bands within which documents are taken to be alike when a variance is expected."""
FEWEST = 5.0
"""Degrees of freedom that an interval has at least: the expected variance knows as much."""
EXTRA = 2.0
"""Documents for which the expected variance counts beside the one that was found."""


class Moments(NamedTuple):
    """Samples: the mean over topics, the variance and third moment of its error, and how many documents tell them."""

    value: Floats
    variance: Floats
    third: Floats
    support: Floats


def interval(found: Moments, confidence: float) -> tuple[Floats, Floats]:
    """Where the mean lies: values whose own variance makes the estimate likely."""
    reach = stdtrit(np.maximum(found.support, FEWEST), 0.5 + confidence / 2) ** 2
    skew = np.divide(found.third, found.variance, out=np.zeros_like(found.third), where=found.variance > 0)
    middle = found.value + reach * skew / 2
    half = np.sqrt((reach * skew / 2) ** 2 + reach * found.variance)
    return middle - half, middle + half


class Numerator(NamedTuple):
    total: Floats
    within: Floats
    """Samples × cells: how many documents of the cell stand in a term, on average over the terms."""
    document: Floats
    """Samples × documents above grade 0: what a document that counts once adds."""
    pool: Floats
    """The same for every document of the pool, were it relevant."""


def _safe(ranks: Ints, factor: Callable[[Floats], Floats]) -> Floats:
    found = ranks < UNRANKED
    return np.asarray(np.where(found, factor(np.where(found, ranks, 1).astype(float)), 0.0))


def _numerator(topic: CellSample, shape: MeasureParts, usual: float, predicted: Floats) -> Numerator:
    """``predicted`` has the gain of each of the topic's documents as other topics let expect it from the machine."""
    factors = _safe(topic.rank, shape.factor)
    residual = shape.gain(topic.grade)[None, :] - predicted
    drawn = topic.drawn * residual
    pool = np.repeat(usual * _safe(topic.pool_rank, shape.factor)[None, :], len(topic.taken), axis=0)
    if not shape.pairs:
        within = topic.weight * ((drawn * factors) @ topic.membership)
        total = within.sum(axis=1)
        return Numerator(total + predicted @ factors, _shares(within, total), residual * factors, pool)
    between = _safe(np.maximum(topic.rank[:, None], topic.rank[None, :]), shape.factor)
    np.fill_diagonal(between, 0.0)
    surely = predicted @ between  # what the predicted part of all other documents gives to each
    linear = factors + surely
    within = topic.weight * ((drawn * linear) @ topic.membership)
    total = within.sum(axis=1) + predicted @ factors + (predicted * surely).sum(axis=1) / 2
    document = linear
    outside = _safe(np.maximum(topic.rank[:, None], topic.pool_rank[None, :]), shape.factor)
    pool = pool + predicted @ outside
    for cell in range(len(topic.size)):
        members = topic.cell == cell
        if not members.any():
            continue
        partners = drawn[:, members] @ between[members]  # what pairs with this cell give to each document
        weights = topic.pair_weight[:, cell, :]
        found = ((drawn * partners) @ topic.membership) * weights
        total = total + found.sum(axis=1) / 2
        within[:, cell] += found.sum(axis=1)
        ratio = np.divide(weights, topic.weight, out=np.zeros_like(weights), where=topic.weight > 0)
        document = document + partners * ratio[:, topic.cell]
        pool = pool + (drawn[:, members] @ outside[members]) * ratio[:, topic.pool_cell]
    return Numerator(total, _shares(within, total), residual * document, pool)


def _predictions(topics: Sequence[CellSample], shape: MeasureParts, classes: int) -> list[Floats]:
    """The gain of each document by its class, from the drawn documents of all other topics; 0 without a machine."""
    samples = len(topics[0].taken)
    sums, counts = np.zeros((2, samples, len(topics), classes))
    for t, topic in enumerate(topics):
        sums[:, t, topic.classes] = topic.by_cell(shape.gain(topic.grade))
        counts[:, t, topic.classes] = topic.taken
    others, trials = sums.sum(axis=1, keepdims=True) - sums, counts.sum(axis=1, keepdims=True) - counts
    mean = np.divide(others, trials, out=np.zeros_like(others), where=trials > 0)
    return [mean[:, t, topic.classes[topic.cell]] * (topic.said > 0) for t, topic in enumerate(topics)]


def _shares(within: Floats, total: Floats) -> Floats:
    shares = np.divide(within, total[:, None], out=np.zeros_like(within), where=total[:, None] > 0)
    return np.clip(shares, 0.0, 2.0)


def moments(topics: Sequence[CellSample], shape: MeasureParts) -> Moments:
    """Estimate the mean over topics in every sample."""
    samples, classes = len(topics[0].taken), 1 + max(int(topic.classes.max()) for topic in topics)
    grades = np.unique(np.concatenate([topic.grade for topic in topics]))
    levels = [int(grade) for grade in grades if float(shape.gain(np.array([grade]))[0]) > 0]
    empty = np.zeros(samples)
    if not levels:
        return Moments(empty, empty, empty, empty)
    prior = learn(topics, 0, levels[0], classes)
    usual = _usual_gain(topics, shape, levels)
    predicted = _predictions(topics, shape, classes)
    above = [_numerator(topic, shape, usual, own) for topic, own in zip(topics, predicted, strict=True)]
    below: list[Denominator | None] = [None] * len(topics)
    if shape.quotient:
        below = list(denominators(topics, [each.within for each in above], shape, levels, prior, classes))
    return _Error(topics, above, below, prior, levels).moments()


def _usual_gain(topics: Sequence[CellSample], shape: MeasureParts, levels: Sequence[int]) -> float:
    """The mean gain of the relevant documents that were drawn."""
    total = count = 0.0
    for topic in topics:
        relevant = topic.grade >= levels[0]
        times = topic.drawn[:, relevant].sum(axis=0)
        total += float((times * shape.gain(topic.grade[relevant])).sum())
        count += float(times.sum())
    return total / count if count else 1.0


@dataclass(frozen=True, eq=False)
class _Error:
    """The variance and the third moment of the error, from influences of documents."""

    topics: Sequence[CellSample]
    above: Sequence[Numerator]
    below: Sequence[Denominator | None]
    prior: Prior
    levels: Sequence[int]

    def moments(self) -> Moments:
        count = len(self.topics)
        reciprocals = [np.ones(len(n.total)) if d is None else d.here for n, d in self._both()]
        values = [n.total * r for n, r in zip(self.above, reciprocals, strict=True)]
        learned = self._learned()
        chances = self._chances()
        found, expected = np.zeros((3, *values[0].shape)), np.zeros((2, *values[0].shape))
        doubt = np.zeros_like(values[0])
        for topic, numerator, denominator in zip(self.topics, self.above, self.below, strict=True):
            if not topic.open.any():
                continue
            change, loss = self._changes(topic, numerator, denominator)
            extra = learned[:, topic.classes]
            place = np.clip(np.searchsorted(self.levels, topic.grade, side="right") - 1, 0, None)
            relevant = topic.grade >= self.levels[0]
            z = topic.weight[:, topic.cell] * numerator.document * change[:, topic.cell, place]
            z = topic.drawn * (z + (loss[:, topic.cell, place] + extra[:, topic.cell]) * relevant)
            found += self._within(topic, z)
            if denominator is not None:
                z = topic.drawn * loss[:, topic.cell, place] * relevant
                doubt += numerator.total**2 * denominator.doubt() - self._within(topic, z)[0]
            own = topic.pool_cell
            z = topic.weight[:, own] * numerator.pool * change[:, own, 0] + loss[:, own, 0] + extra[:, own]
            share = topic.share[:, own]
            likely = chances[:, topic.classes[own], _band(topic.pool_rank)]
            likely = likely * share * (1 - share)
            likely *= z * z
            expected[0] += likely.sum(axis=1)
            expected[1] += (likely * (1 - share) * z).sum(axis=1)
        variance, third, fourth = found
        support = np.divide(variance**2, fourth, out=np.zeros_like(fourth), where=fourth > 0)
        blend = support / (support + EXTRA)
        variance = blend * variance + (1 - blend) * np.maximum(expected[0], variance)
        third = blend * third + (1 - blend) * expected[1]
        variance = variance + np.maximum(doubt, 0.0)
        return Moments(np.mean(values, axis=0), variance / count**2, third / count**3, support)

    def _both(self) -> list[tuple[Numerator, Denominator | None]]:
        return list(zip(self.above, self.below, strict=True))

    def _changes(self, topic: CellSample, n: Numerator, d: Denominator | None) -> tuple[Floats, Floats]:
        """Samples × cells × levels: the reciprocal around the estimate, and what the denominator takes away."""
        shape = (len(topic.taken), len(topic.size), len(self.levels))
        change, loss = np.ones(shape), np.zeros(shape)
        if d is None:
            return change, loss
        lower = np.tri(len(self.levels))[:, None, :]
        for cell in np.flatnonzero(topic.open.any(axis=0)):
            for level, without in enumerate(d.reciprocals(list(-lower), -d.step[:, cell])):
                change[:, cell, level] = without
                loss[:, cell, level] = n.total * (d.here - without)
        return change, loss

    def _learned(self) -> Floats:
        """Samples × classes: what one relevant document more does to the denominators of all topics."""
        total = np.zeros_like(self.prior.drawn)
        for topic, (n, d) in zip(self.topics, self._both(), strict=True):
            if d is None:
                continue
            width = np.maximum(0.5, 0.1 * d.mean)
            slope = n.total * (d.reciprocal(width) - d.reciprocal(-width)) / (2 * width)
            total[:, topic.classes] += slope[:, None] * d.pull
        return np.asarray(total / np.maximum(self.prior.drawn, 1.0))

    def _chances(self) -> Floats:
        """Samples × classes × bands of ranks: how likely a document is relevant."""
        hits = np.zeros((*self.prior.drawn.shape, len(BANDS)))
        trials = np.zeros_like(hits)
        for topic in self.topics:
            relevant = topic.grade >= self.levels[0]
            bands = _band(topic.rank)
            for cell, kind in enumerate(topic.classes.tolist()):
                known = topic.open[:, cell]
                for band in np.unique(_band(topic.pool_rank[topic.pool_cell == cell])).tolist():
                    own = relevant & (topic.cell == cell) & (bands == band)
                    size = float(((topic.pool_cell == cell) & (_band(topic.pool_rank) == band)).sum())
                    hits[:, kind, band] += known * topic.drawn[:, own].sum(axis=1)
                    trials[:, kind, band] += known * topic.share[:, cell] * size
        return np.asarray((hits + self.prior.mean[:, :, None]) / (np.maximum(trials, hits) + 1.0))

    def _within(self, topic: CellSample, z: Floats) -> Floats:
        """The sums over cells of the moments of influences around their mean in each."""
        square = z * z
        sums = [topic.grouped(power @ topic.membership) for power in (z, square, square * z, square * square)]
        n, free = np.maximum(topic.takens, 1.0), 1 - topic.share
        mean = sums[0] / n
        here = topic.open & topic.first
        second = (sums[1] - n * mean**2) * n / np.maximum(n - 1, 1.0)
        third = sums[2] - 3 * mean * sums[1] + 2 * n * mean**3
        return np.stack(
            [
                np.where(here, free * second, 0.0).sum(axis=1),
                np.where(here, free**2 * third, 0.0).sum(axis=1),
                np.where(here, free**2 * sums[3], 0.0).sum(axis=1),
            ]
        )


def _band(ranks: Ints) -> Ints:
    return np.asarray(np.searchsorted(BANDS, ranks, side="right") - 1)
