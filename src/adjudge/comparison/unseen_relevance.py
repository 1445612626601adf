"""What there is to be found in a topic, of which strata were judged in part: its reciprocal.

Average precision, nDCG and recall divide by what a topic has to be found. A sample of one topic knows that badly: with
a tenth of the documents judged, one relevant document more or less among them makes ten in the estimate, and the
reciprocal of an unbiased estimate is far from unbiased. What one topic does not say, the others do, and so do the
strata of the topic that were judged whole: topic_effects.py has a distribution of what the topic is like.
stratum_counts.py has weights of how many relevant documents a stratum has, by that and by its own sample, and the
reciprocal is averaged over all strata by them.

Grades of drawn documents are known. How many of the others have a higher grade comes from Beta distributions, by
moments, and the reciprocal is averaged over that too: that of the mean number would be too small. So do the shares of
relevant documents that variances are expected from (sample_errors.py).

Papers: Robbins, An empirical Bayes approach to statistics (Berkeley Symposium 1956); Kleinman, Proportions with
extraneous variance (JASA 1973), for the moments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .sampled_cells import CellSample, MeasureParts
from .stratum_counts import StratumCount, stratum_count
from .topic_effects import TopicEffects, topic_effects

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Orders = tuple[int, ...]

TOGETHER = 0.3
"""How far topics that are not as the model has them err the same way: 1 would be all of them, in full."""
OTHERS = 4.0
"""Documents for which the other classes count in the grades of one."""
LOOSEST, TIGHTEST = 0.7, 0.003
"""Limits of the correlation between two documents of a topic, beyond which few topics cannot tell anything."""


class Prior(NamedTuple):
    """Beta distributions of the share of relevant documents: samples × classes."""

    mean: Floats
    strength: Floats
    """The two parameters of the distribution added up."""
    drawn: Floats
    """Documents that were drawn from a class, over all topics."""


def learn(topics: Sequence[CellSample], least: int, classes: int) -> Prior:
    """How often documents of a class are of grade ``least`` where not all were judged."""
    shape = (len(topics[0].taken), len(topics), classes)
    hits, trials = np.zeros(shape), np.zeros(shape)
    for t, topic in enumerate(topics):
        hits[:, t, topic.classes] = np.where(topic.open, topic.counts(least), 0.0)
        trials[:, t, topic.classes] = np.where(topic.open, topic.taken, 0.0)
    total, found = trials.sum(axis=1), hits.sum(axis=1)
    squares = (hits**2 / np.maximum(trials, 1.0)).sum(axis=1)
    return Prior((found + 0.5) / (total + 1.0), strength_of(trials, found, squares), total)


def learn_higher(topics: Sequence[CellSample], above: int, least: int, classes: int) -> Prior:
    """How often documents of grade ``above`` are of grade ``least``: classes that have few are like the others."""
    shape = (len(topics[0].taken), len(topics), classes)
    hits, trials = np.zeros(shape), np.zeros(shape)
    for t, topic in enumerate(topics):
        hits[:, t, topic.classes], trials[:, t, topic.classes] = topic.counts(least), topic.counts(above)
    total, found = trials.sum(axis=1), hits.sum(axis=1)
    common = (found.sum(axis=1, keepdims=True) + 0.5) / (total.sum(axis=1, keepdims=True) + 1.0)
    hits, trials = hits.sum(axis=2, keepdims=True), trials.sum(axis=2, keepdims=True)
    squares = (hits**2 / np.maximum(trials, 1.0)).sum(axis=1)
    strength = strength_of(trials, hits.sum(axis=1), squares)
    mean = (found + OTHERS * common) / (total + OTHERS)
    return Prior(mean, np.repeat(strength, classes, axis=1), total)


def strength_of(trials: Floats, hits: Floats, squares: Floats) -> Floats:
    """How alike shares of hits are: the two parameters of their Beta distribution added up, by moments.

    ``trials`` has a second axis of groups, and ``squares`` is the sum of squared hits / trials over them.
    """
    total = trials.sum(axis=1)
    part = trials / np.maximum(total, 1.0)[:, None]
    alone = ((trials > 0) * (1 - part)).sum(axis=1)
    more = (np.maximum(trials - 1, 0) * (1 - part)).sum(axis=1)
    mean = np.clip((hits + 0.5) / (total + 1.0), 1e-9, 1 - 1e-9)
    spread = (squares - 2 * mean * hits + mean**2 * total) / (mean * (1 - mean))
    return np.asarray(1 / np.clip((spread - alone) / np.maximum(more, 1e-9), TIGHTEST, LOOSEST) - 1)


@dataclass(frozen=True, eq=False)
class RelevanceModel:
    """What samples of all topics say of relevant documents, for all measures and runs."""

    topics: Sequence[CellSample]
    classes: int
    _effects: dict[int, TopicEffects] = field(default_factory=dict)
    _strata: dict[tuple[int, int], list[StratumCount]] = field(default_factory=dict)

    @classmethod
    def of(cls, topics: Sequence[CellSample]) -> RelevanceModel:
        return cls(topics, 1 + max(int(topic.classes.max()) for topic in topics))

    @cached_property
    def by_people(self) -> RelevanceModel:
        """The same of what people say alone: what a machine claims, wrongly too, changes no denominator."""
        if not any(topic.said.any() for topic in self.topics):
            return self
        known = np.unique(np.concatenate([topic.strata for topic in self.topics]))
        return RelevanceModel.of([topic.without_machine(np.searchsorted(known, topic.strata)) for topic in self.topics])

    @property
    def firmness(self) -> float:
        """That with the least error of the mean, if biases of topics go together as far as that."""
        return 1 + TOGETHER**2 * len(self.topics)

    def effects(self, least: int) -> TopicEffects:
        if least not in self._effects:
            self._effects[least] = topic_effects(self.topics, least, self.classes)
        return self._effects[least]

    def strata(self, t: int, least: int) -> list[StratumCount]:
        """The strata of a topic that were judged in part."""
        if (t, least) not in self._strata:
            topic = self.topics[t]
            self._strata[t, least] = [
                stratum_count(topic, self.effects(least), least, np.flatnonzero(topic.strata == s), self.firmness)
                for s in open_strata(topic)
            ]
        return self._strata[t, least]

    @cached_property
    def whole(self) -> bool:
        """Whether all was judged, so that no model is needed."""
        return not any(topic.open.any() for topic in self.topics)

    def _chance(self, t: int, least: int) -> Floats:
        """Samples × cells: how likely a document is relevant by all that is known of its topic."""
        if self.whole:
            return np.ones_like(self.topics[t].taken)
        effects = self.effects(least)
        return np.asarray(np.einsum("scg,sg->sc", effects.chance[:, self.topics[t].classes], effects.belief[:, t]))

    def denominators(self, shape: MeasureParts, levels: Sequence[int]) -> list[Denominator]:
        """What there is to be found in every topic."""
        higher = [learn_higher(self.topics, low, high, self.classes) for low, high in pairwise(levels)]
        found = []
        for t, topic in enumerate(self.topics):
            chance = self._chance(t, levels[0])
            inside = np.isin(topic.strata, open_strata(topic))
            counts = np.stack([topic.counts(level) for level in levels], axis=2)
            priors = [(each.mean[:, topic.classes], each.strength[:, topic.classes]) for each in higher]
            expected = np.maximum(topic.size * chance, 1e-12) * inside
            known = (counts * ~inside[None, :, None]).sum(axis=1)
            found.append(Denominator(shape, levels, known, counts, priors, expected, self.strata(t, levels[0])))
        return found


BRANCHES = 4
"""Over so many higher grades the number of documents is averaged, each twice as much work; of further ones the mean
counts, since they change little and a scale may have a hundred."""


class Grades(NamedTuple):
    """Grades of relevant documents in open strata."""

    drawn: Floats
    """Samples × levels: drawn ones of this grade or above."""
    higher: Sequence[tuple[Floats, ...]]
    """From level to level: the share of the next one among those that were not drawn, and how firmly it is known."""


def _two_ways(
    weight: Floats, count: Floats, ideal: Floats, share: Floats, firm: Floats
) -> list[tuple[Floats, Floats, Floats]]:
    """Two numbers of documents of the next grade with the mean and the variance of a Beta-binomial distribution."""
    mean = share[:, None] * count
    variance = mean * (1 - share[:, None]) * (firm[:, None] + count) / (firm[:, None] + 1)
    variance = np.clip(variance, 0.0, np.maximum(mean * (count - mean), 0.0))
    down = np.minimum(np.sqrt(variance), mean)
    up = np.divide(variance, down, out=np.zeros_like(mean), where=down > 0)
    up = np.minimum(up, count - mean)
    down = np.divide(variance, up, out=np.zeros_like(mean), where=up > 0)
    whole = np.maximum(up + down, 1e-300)
    likely = np.where(up + down > 0, up / whole, 1.0)
    return [(weight * likely, mean - down, ideal), (weight * (1 - likely), mean + up, ideal)]


def open_strata(topic: CellSample) -> list[int]:
    """The strata of which documents are left that nobody judged, in some sample."""
    return sorted(set(topic.strata[topic.open.any(axis=0)].tolist()))


@dataclass(frozen=True, eq=False)
class Denominator:
    """What there is to be found in a topic: strata that were judged whole, and those that were judged in part."""

    shape: MeasureParts
    levels: Sequence[int]
    """Grades above 0, from the lowest that counts."""
    known: Floats
    """Samples × levels: documents of this grade or above in strata that were judged whole."""
    counts: Floats
    """Samples × cells × levels: drawn documents of this grade or above."""
    higher: Sequence[tuple[Floats, Floats]]
    """Samples × cells, from level to level: the usual share of the next one, and how alike topics are in that."""
    expected: Floats
    """Samples × cells: relevant documents of strata that were judged in part."""
    strata: Sequence[StratumCount]
    _kept: dict[tuple[Orders, Orders, int, int], Floats] = field(default_factory=dict)

    def mean(self, orders: Orders, shifts: Orders, cell: int = -1, level: int = -1) -> Floats:
        """The estimated 1 / denominator for a term that has so many drawn relevant documents of each open stratum.

        ``shifts``: relevant documents more (1) or fewer (-1) than were found; the one fewer is of this cell and level.
        """
        if len(self.levels) == 1 or cell < 0:
            cell = level = -1
        key = (orders, shifts, cell, level)
        if key not in self._kept:
            law = self._law(orders, shifts, range(len(self.strata)))
            self._kept[key] = (law * self._each(cell, level)[:, : law.shape[1]]).sum(axis=1)
        return self._kept[key]

    def at(self, unseen: Floats) -> Floats:
        """1 / denominator for a number of relevant documents in open strata, in between too."""
        each = self._each(-1, -1)
        unseen = np.clip(unseen, 0.0, each.shape[1] - 1.0)
        low = np.minimum(unseen.astype(np.int64), max(each.shape[1] - 2, 0))
        rows, part = np.arange(len(each)), unseen - low
        return np.asarray(each[rows, low] * (1 - part) + each[rows, np.minimum(low + 1, each.shape[1] - 1)] * part)

    def leaning(self) -> tuple[Floats, Floats, Floats]:
        """The mean square of its bias, and (samples × cells) how it changes with heights and slopes of the model."""
        bias, (heights, slopes) = np.zeros(len(self.known)), np.zeros((2, *self.expected.shape))
        here = (0,) * len(self.strata)
        for s, stratum in enumerate(self.strata):
            others = self._law(here, here, [i for i in range(len(here)) if i != s])
            each, reach = self._each(-1, -1), stratum.prior.shape[1]
            wanted = sum(others[:, k, None] * each[:, k : k + reach] for k in range(others.shape[1]))
            found = stratum.leaning(np.asarray(wanted))
            bias, heights, slopes = bias + found.bias, heights + found.heights, slopes + found.slopes
        return bias, heights, slopes

    def _law(self, orders: Orders, shifts: Orders, which: Sequence[int]) -> Floats:
        """Samples × U: weights of so many relevant documents in these strata together."""
        law = np.ones((len(self.known), 1))
        for s in which:
            own = self.strata[s].weights(orders[s], shifts[s])
            both = np.zeros((len(law), law.shape[1] + own.shape[1] - 1))
            for k in range(law.shape[1]):
                both[:, k : k + own.shape[1]] += law[:, k, None] * own
            law = both
        return law

    def _grades(self, cell: int, level: int) -> Grades:
        counts = self.counts
        if cell >= 0:
            counts = counts.copy()
            counts[:, cell, : level + 1] = np.maximum(counts[:, cell, : level + 1] - 1, 0.0)
        whole, found = np.maximum(self.expected.sum(axis=1), 1e-12), []
        for above, (mean, strength) in enumerate(self.higher):
            firm = counts[:, :, above] + strength
            share = (counts[:, :, above + 1] + mean * strength) / firm
            found.append(tuple((each * self.expected).sum(axis=1) / whole for each in (share, firm)))
        return Grades(np.maximum(counts.sum(axis=1) - self.known, 0.0), found)

    @cached_property
    def _reach(self) -> int:
        return sum(stratum.prior.shape[1] - 1 for stratum in self.strata)

    @cached_property
    def _each_kept(self) -> dict[tuple[int, int], Floats]:
        return {}

    def _each(self, cell: int, level: int) -> Floats:
        """1 / denominator for 0, 1, 2 … relevant documents in open strata."""
        if (cell, level) not in self._each_kept:
            self._each_kept[cell, level] = self._reciprocals(self._grades(cell, level))
        return self._each_kept[cell, level]

    def _reciprocals(self, grades: Grades) -> Floats:
        u = np.arange(self._reach + 1.0)[None, :]
        if self.shape.discount is None:
            return np.asarray(1 / np.maximum(self.known[:, :1] + u, 1.0))
        found = grades.drawn[:, :1]
        part = np.minimum(u / np.maximum(found, 1.0), 1.0)
        gains = [float(gain) for gain in self.shape.gain(np.asarray(self.levels))]
        others = np.maximum(u - found, 0.0)
        ways = [(np.ones_like(others), others, np.zeros_like(others))]
        for level, gain in enumerate(gains):
            below = gains[level - 1] if level else 0.0
            if 0 < level <= BRANCHES:
                ways = [way for each in ways for way in _two_ways(*each, *grades.higher[level - 1])]
            elif level:
                share = grades.higher[level - 1][0][:, None]
                ways = [(weight, share * count, ideal) for weight, count, ideal in ways]
            known = self.known[:, level, None] + part * grades.drawn[:, level, None]
            ways = [(w, n, i + (gain - below) * self._discounted(self.shape.discount, known + n)) for w, n, i in ways]
        return np.asarray(sum(weight / np.maximum(ideal, gains[0]) for weight, _, ideal in ways))

    def _discounted(self, discount: Callable[[Floats], Floats], count: Floats) -> Floats:
        """The discounts of the first ranks added up, as far as there are documents and ranks."""
        most = int(np.ceil(count.max())) + 1 if self.shape.cutoff is None else self.shape.cutoff
        steps = discount(np.arange(1.0, most + 1))
        sums = np.concatenate([[0.0], np.cumsum(steps)])
        count = np.clip(count, 0.0, float(most))
        whole = count.astype(np.int64)
        return np.asarray(sums.take(whole) + (count - whole) * np.append(steps, 0.0).take(whole))
