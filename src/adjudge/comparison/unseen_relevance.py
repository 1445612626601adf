"""How many relevant documents were not drawn, and the expected 1 / (what there is to find).

Average precision, nDCG and recall divide by what a topic has to be found. A sample of one topic knows that badly: with
a tenth of the documents judged, one relevant document more or less among them makes ten in the estimate, and the
reciprocal of an unbiased estimate is far from unbiased. What one topic does not say, the others do, and so do the
strata of the topic that were judged whole: topic_effects.py has a distribution of what the topic is like. For every
node of it the relevant documents that were not drawn have a binomial distribution, and the reciprocal is averaged over
all of them. If topics are as the model has them, its mean times an unbiased numerator is unbiased over such topics.

How alike the shares of higher grades are comes from Beta distributions, by moments, and so do the shares of relevant
documents that variances are expected from (sample_errors.py).

Papers: Robbins, An empirical Bayes approach to statistics (Berkeley Symposium 1956); Kleinman, Proportions with
extraneous variance (JASA 1973), for the moments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .sampled_cells import CellSample, MeasureParts
from .topic_effects import NODES, TopicEffects

Floats = npt.NDArray[np.float64]

FAR = 8.0
"""Standard deviations beyond which no number of documents is thought of."""
NOTHING = 1e-9
"""Probability below which a node is left out when the largest number of documents is looked for."""
OTHERS = 4.0
"""Documents for which the other classes count in the grades of one."""
NUDGE = 1.02
"""By which factor a mean is changed to see what depends on it."""
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


class Doubt(NamedTuple):
    """What is not known of 1 / denominator."""

    variance: Floats
    third: Floats
    """Its second and third moment over what may not have been drawn."""
    slopes: Floats
    """Samples × parameters: how it changes with all heights, then all slopes of the model."""


@dataclass(frozen=True, eq=False)
class Denominator:
    """What there is to be found in a topic: the part that is known, and the distribution of the rest."""

    shape: MeasureParts
    levels: Sequence[int]
    """Grades above 0, from the lowest that counts."""
    known: Floats
    """Samples × levels: drawn documents of this grade or above."""
    parts: Floats
    """Samples × levels: how many of the relevant ones have this grade or above, as a share."""
    rest: Floats
    """Samples × cells: documents that were not drawn."""
    hits: Floats
    taken: Floats
    """Samples × cells: drawn documents that are relevant, and all drawn ones."""
    belief: Floats
    """Samples × nodes: how likely the topic is of this kind."""
    usual: Floats
    """Samples × cells × nodes: how likely a document of a cell is relevant in topics of this kind."""
    strength: Floats
    """Samples: how alike such topics are."""
    scores: Floats
    """Samples × classes × nodes: drawn relevant documents beyond those expected."""
    classes: npt.NDArray[np.int64]

    @cached_property
    def here(self) -> Floats:
        """The expected 1 / denominator."""
        return np.asarray((self.belief * self._by_node(0.0)).sum(axis=1))

    def beside(self, cell: int, one: float) -> list[Floats]:
        """The same had one relevant document more (1) or fewer (-1) been among the drawn ones: of each level."""
        strength, usual = self.strength[:, None], self.usual[:, cell]
        hits, misses = self.hits[:, cell, None], (self.taken - self.hits)[:, cell, None]
        if one > 0:
            odds = (strength * usual + hits) / (strength * (1 - usual) + np.maximum(misses - 1, 0.0))
        else:
            odds = (strength * (1 - usual) + misses) / (strength * usual + np.maximum(hits - 1, 0.0))
        belief = self.belief * odds
        belief = belief / belief.sum(axis=1, keepdims=True)
        step = one * (self.rest[:, cell] / (self.strength + self.taken[:, cell]))[:, None] * self._tilt
        return [(belief * (self._by_node(one * each) + step)).sum(axis=1) for each in np.tri(len(self.levels))]

    def doubt(self) -> Doubt:
        """The moments of 1 / denominator, and how it depends on the model."""
        off = self._each(0.0) - self.here[:, None]
        chances = np.einsum("sg,sgu->su", self.belief, self._laws)
        second, third = ((chances * off**power).sum(axis=1) for power in (2, 3))
        by_odds = self.scores * (self._by_node(0.0) - self.here[:, None])[:, None, :]
        part = (self.rest * self.strength[:, None] / (self.strength[:, None] + self.taken))[:, :, None]
        by_odds[:, self.classes] += self._tilt[:, None, :] * part * self.usual * (1 - self.usual)
        by_odds = by_odds * self.belief[:, None, :]
        return Doubt(second, third, np.concatenate([by_odds.sum(axis=2), by_odds @ NODES], axis=1))

    @cached_property
    def _moments(self) -> tuple[Floats, Floats, Floats]:
        """Samples × nodes: documents that were not drawn, how likely one is relevant, how alike they are."""
        strength = self.strength[:, None, None]
        whole = strength + self.taken[:, :, None]
        chance = (strength * self.usual + self.hits[:, :, None]) / whole
        rest = self.rest[:, :, None]
        most = np.maximum(rest.sum(axis=1), 1.0)
        mean = np.clip((rest * chance).sum(axis=1) / most, 1e-9, 1 - 1e-9)
        variance = (rest * chance * (1 - chance) * (whole + rest) / (whole + 1)).sum(axis=1)
        more = variance / (most * mean * (1 - mean))
        alike = np.clip((more - 1) / np.maximum(most - 1, 1.0), 1e-6, 0.98)
        return most, np.where(rest.sum(axis=1) > 0, mean, 0.0), alike

    @cached_property
    def _laws(self) -> Floats:
        """Samples × nodes × 0, 1, 2 …: how likely so many relevant documents were not drawn."""
        return self._law(*self._moments)

    def _law(self, most: Floats, chance: Floats, alike: Floats) -> Floats:
        """Beta-binomial distributions, from the ratios of their probabilities."""
        mean = most * chance
        wide = np.sqrt(mean * (1 - chance) * (1 + (most - 1) * alike))
        far = np.where(self.belief > NOTHING, mean + FAR * wide, 0.0).max()
        reach = int(min(most.max(), np.ceil(far) + 3))
        a, b = (chance * (1 / alike - 1))[:, :, None], ((1 - chance) * (1 / alike - 1))[:, :, None]
        u = np.arange(float(reach))
        left = np.maximum(most - u, 0.0)[:, None, :]
        with np.errstate(divide="ignore"):
            steps = np.log(left * (a + u) / ((u + 1) * np.maximum(b + left - 1, 1e-9)))
        logs = np.zeros((*chance.shape, reach + 1))
        np.cumsum(steps, axis=2, out=logs[:, :, 1:])
        logs -= logs.max(axis=2, keepdims=True)
        laws = np.exp(logs)
        return np.asarray(laws / laws.sum(axis=2, keepdims=True))

    @cached_property
    def _tilt(self) -> Floats:
        """Samples × nodes: what one more expected document does to the mean of 1 / denominator."""
        most, chance, alike = self._moments
        more = np.clip(chance * NUDGE, 1e-9, 1 - 1e-9)
        laws = self._law(most, more, alike)
        length = min(laws.shape[2], self._laws.shape[2])
        moved = (laws[:, :, :length] @ self._each(0.0)[:, :length, None])[:, :, 0]
        return np.asarray((moved - self._by_node(0.0)) / (most * (more - chance)))

    def _by_node(self, more: Floats | float) -> Floats:
        return np.asarray((self._laws @ self._each(more)[:, :, None])[:, :, 0])

    def _each(self, more: Floats | float) -> Floats:
        """1 / denominator for 0, 1, 2 … documents that were not drawn."""
        u = np.arange(float(self._laws.shape[2]))[None, :]
        known = self.known + more
        if self.shape.discount is None:
            return np.asarray(1 / np.maximum(known[:, :1] + u, 1.0))
        ideal, below = np.zeros((len(known), u.shape[1])), 0.0
        for level, grade in enumerate(self.levels):
            gain = float(self.shape.gain(np.array([grade]))[0])
            ideal += (gain - below) * self._discounted(
                self.shape.discount, known[:, level, None] + self.parts[:, level, None] * u
            )
            below = gain
        return np.asarray(1 / np.maximum(ideal, float(self.shape.gain(np.array([self.levels[0]]))[0])))

    def _discounted(self, discount: Callable[[Floats], Floats], count: Floats) -> Floats:
        """The discounts of the first ranks added up, as far as there are documents and ranks."""
        most = int(np.ceil(count.max())) + 1 if self.shape.cutoff is None else self.shape.cutoff
        steps = discount(np.arange(1.0, most + 1))
        sums = np.concatenate([[0.0], np.cumsum(steps)])
        count = np.clip(count, 0.0, float(most))
        whole = count.astype(np.int64)
        return np.asarray(sums.take(whole) + (count - whole) * np.append(steps, 0.0).take(whole))


def denominators(
    topics: Sequence[CellSample], effects: TopicEffects, shape: MeasureParts, levels: Sequence[int], classes: int
) -> list[Denominator]:
    """What there is to be found in every topic."""
    higher = [learn_higher(topics, low, high, classes) for low, high in pairwise(levels)]
    found = []
    for t, topic in enumerate(topics):
        counts, own = [topic.counts(level) for level in levels], topic.classes
        rest, usual, belief = topic.size - topic.taken, effects.chance[:, own], effects.belief[:, t]
        parts = [np.ones(len(topic.taken))]
        weigh = np.maximum(rest * np.einsum("scg,sg->sc", usual, belief), 1e-12)
        for level, model in enumerate(higher):
            hit = counts[level + 1] + model.mean[:, own] * model.strength[:, own]
            share = hit / (counts[level] + model.strength[:, own])
            parts.append(parts[-1] * (share * weigh).sum(axis=1) / weigh.sum(axis=1))
        known = np.stack([count.sum(axis=1) for count in counts], axis=1)
        found.append(
            Denominator(
                shape,
                levels,
                known,
                np.stack(parts, axis=1),
                rest,
                counts[0],
                topic.taken,
                belief,
                usual,
                effects.strength,
                effects.scores[:, t],
                own,
            )
        )
    return found
