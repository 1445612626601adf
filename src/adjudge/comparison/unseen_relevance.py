"""How many relevant documents were not drawn: what the other topics say, and the expected 1 / (what there is to find).

Average precision, nDCG and recall divide by what a topic has to be found. A sample of one topic knows that badly: with
a tenth of the documents judged, one relevant document more or less among them makes ten in the estimate, and the
reciprocal of an unbiased estimate is far from unbiased. What one topic does not say, the others do. Among documents of
one class (stratum and machine grade) the share of relevant ones differs from topic to topic as a Beta distribution
does. Its mean and spread are taken from all topics (empirical Bayes); after the sample of a topic, the relevant
documents that were not drawn have a beta-binomial distribution, and the reciprocal is averaged over it.

Such a mean leans towards the other topics, by much where little was drawn and by little where much was. So it is
corrected twice by its own expected error (iterated twicing): what other samples of what is believed would lead to on
average is f1, what samples of that would lead to is f2, and 3 * f0 - 3 * f1 + f2 is taken in place of the mean f0.

Papers: Robbins, An empirical Bayes approach to statistics (Berkeley Symposium 1956); Kleinman, Proportions with
extraneous variance (JASA 1973), for the moments; Tukey, Exploratory data analysis (1977), for twicing; Hall, The
bootstrap and Edgeworth expansion (1992), for iterating it.
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

Floats = npt.NDArray[np.float64]

FAR = 12.0
"""Standard deviations beyond which no number of documents is thought of."""
NOTHING = 1e-10
"""Probability below which a number of documents is left out, if that is so for all larger ones."""
LOOSEST, TIGHTEST = 0.7, 0.003
"""Limits of the correlation between two documents of a topic, beyond which few topics cannot tell anything."""


@dataclass(frozen=True, eq=False)
class Prior:
    """Beta distributions of the share of relevant documents: samples × classes."""

    mean: Floats
    strength: Floats
    """The two parameters of the distribution added up."""
    drawn: Floats
    """Documents that were drawn from a class, over all topics."""
    size: Floats
    """And in a topic that has the class, on average."""
    fewer: Floats
    more: Floats
    """Samples × topics × classes: how ``pull`` changes with one hit fewer or more in a topic."""

    def pull(self, strength: Floats) -> Floats:
        """The share of the prior beside a usual sample of a topic, with this strength."""
        return _pull(strength, self.size)


def learn(topics: Sequence[CellSample], above: int, least: int, classes: int) -> Prior:
    """How often documents of a class are of grade ``least`` among those that are of grade ``above``; 0 is all."""
    shape = (len(topics[0].taken), len(topics), classes)
    hits, trials = np.zeros(shape), np.zeros(shape)
    for t, topic in enumerate(topics):
        unknown = topic.open
        hits[:, t, topic.classes] = np.where(unknown, topic.counts(least), 0.0)
        trials[:, t, topic.classes] = np.where(unknown, topic.taken if above == 0 else topic.counts(above), 0.0)
    total, found = trials.sum(axis=1), hits.sum(axis=1)
    squares = (hits**2 / np.maximum(trials, 1.0)).sum(axis=1)
    strength = strength_of(trials, found, squares)
    size = total / np.maximum((trials > 0).sum(axis=1), 1)
    here = _pull(strength, size)[:, None]
    changed = []
    for one in (-1.0, 1.0):
        other = squares[:, None] + (2 * one * hits + 1) / np.maximum(trials, 1.0)
        possible = (hits + one >= 0) & (hits + one <= trials)
        changed.append((_pull(strength_of(trials, found[:, None] + one, other), size[:, None]) - here) * possible)
    return Prior((found + 0.5) / (total + 1.0), strength, total, size, *changed)


def _pull(strength: Floats, size: Floats) -> Floats:
    return np.asarray(strength / (strength + size))


def strength_of(trials: Floats, hits: Floats, squares: Floats) -> Floats:
    """How alike shares of hits are: the two parameters of their Beta distribution added up, by moments.

    ``trials`` has a second axis of groups, and ``squares`` is the sum of squared hits / trials over them.
    """
    total = trials.sum(axis=1)
    part = trials / np.maximum(total, 1.0)[:, None]
    alone = ((trials > 0) * (1 - part)).sum(axis=1)
    more = (np.maximum(trials - 1, 0) * (1 - part)).sum(axis=1)
    if hits.ndim > total.ndim:
        total, alone, more = total[:, None], alone[:, None], more[:, None]
    mean = np.clip((hits + 0.5) / (total + 1.0), 1e-9, 1 - 1e-9)
    spread = (squares - 2 * mean * hits + mean**2 * total) / (mean * (1 - mean))
    return np.asarray(1 / np.clip((spread - alone) / np.maximum(more, 1e-9), TIGHTEST, LOOSEST) - 1)


def unseen(most: Floats, mean: Floats, variance: Floats) -> Floats:
    """Samples × 0, 1, 2 …: how likely so many documents are; beta-binomial, at most ``most``, with these moments."""
    most = np.maximum(most, 1.0)
    chance = np.where(mean > 0, np.clip(mean / most, 1e-9, 1 - 1e-9), 0.0)
    plain = most * chance * (1 - chance)
    more = np.divide(variance, plain, out=np.ones_like(plain), where=plain > 0)
    alike = np.clip((more - 1) / np.maximum(most - 1, 1.0), 1e-6, 0.98)
    whole = 1 / alike - 1
    a, b = (chance * whole)[:, None], ((1 - chance) * whole)[:, None]
    for far in (FAR / 2, FAR):
        reach = int(min(most.max(), np.ceil((mean + far * np.sqrt(np.maximum(variance, plain))).max()) + 3))
        law = _law(most[:, None], a, b, reach)
        least = np.flatnonzero(law.max(axis=0) > NOTHING)[-1] + 1
        if least < law.shape[1]:
            break
    return law[:, :least]


def _law(most: Floats, a: Floats, b: Floats, reach: int) -> Floats:
    """The probabilities of 0 … ``reach`` documents, one after the other from their ratios."""
    u = np.arange(float(reach))[None, :]
    ratio = np.maximum(most - u, 0.0)
    ratio *= a + u
    ratio /= (u + 1) * np.maximum(b + most - u - 1, 1e-9)
    law = np.ones((len(most), reach + 1))
    with np.errstate(over="ignore", invalid="ignore"):
        np.cumprod(ratio, axis=1, out=law[:, 1:])
        law /= law.sum(axis=1, keepdims=True)
    if not np.isfinite(law).all():
        with np.errstate(divide="ignore"):
            logs = np.cumsum(np.log(ratio), axis=1)
        logs = np.concatenate([np.zeros((len(most), 1)), logs], axis=1)
        law = np.exp(logs - logs.max(axis=1, keepdims=True))
        law /= law.sum(axis=1, keepdims=True)
    return law


class Echo(NamedTuple):
    """What other samples would be like if what is believed were so."""

    drift: Floats
    """By how many relevant drawn documents they would differ on average."""
    drift_mean: Floats
    """And what these do to the mean of the rest."""
    swing: Floats
    swing_mean: Floats
    """The standard deviation of the same."""
    slack: Floats
    """How many drawn relevant documents fewer there could be than that average."""


@dataclass(frozen=True, eq=False)
class Denominator:
    """What there is to be found in a topic: the part that is known, and the distribution of the rest."""

    shape: MeasureParts
    levels: Sequence[int]
    """Grades above 0, from the lowest that counts."""
    known: Floats
    """Samples × levels: drawn documents of this grade or above."""
    rest: Floats
    """Documents that were not drawn."""
    mean: Floats
    variance: Floats
    """Of the relevant ones among them."""
    parts: Floats
    """Samples × levels: how many of those have this grade or above, as a share."""
    step: Floats
    """Samples × cells: how far the mean moves with one relevant document more among the drawn ones."""
    sway: Floats
    """Samples × cells: how many more another sample would draw on average, had one more been drawn in this one."""
    echoes: Sequence[Echo]
    """Another sample of what is believed, and another one of what that would let believe."""

    @cached_property
    def here(self) -> Floats:
        """The expected 1 / denominator, corrected by what is expected to go wrong with it in other samples."""
        once, twice = (self._echoed(echo) for echo in self.echoes)
        return np.asarray(3 * self.plain - 3 * once + twice)

    @cached_property
    def plain(self) -> Floats:
        """The expected 1 / denominator."""
        return self._expected([0.0], 0.0)[0]

    def beside(self, cell: int, one: float) -> list[Floats]:
        """The corrected one had one relevant document more (1) or fewer (-1) been drawn: of each level."""
        other = [one * each[None, :] for each in np.tri(len(self.levels))]
        sway = self.sway[:, cell]
        more = 3 - 3 * sway + sway**2
        return [self.here + more * (each - self.plain) for each in self._expected(other, one * self.step[:, cell])]

    def _echoed(self, echo: Echo) -> Floats:
        # Two points with the mean and the deviation of what other samples draw, none below what is drawn for sure.
        down = np.minimum(1.0, echo.slack / np.maximum(echo.swing, 1e-12))
        up = 1 / np.maximum(down, 1e-3)
        total = np.zeros_like(up)
        for way, part in ((-down, up), (up, down)):
            known = (echo.drift + way * echo.swing)[:, None] * self.parts
            total += self._expected([known], echo.drift_mean + way * echo.swing_mean)[0] * part / (up + down)
        return total

    def _expected(self, further: Sequence[Floats | float], moved: Floats | float) -> list[Floats]:
        law = self.law(moved)
        return [np.einsum("su,su->s", law, self._each(more, law.shape[1])) for more in further]

    def law(self, moved: Floats | float = 0.0) -> Floats:
        """How likely 0, 1, 2 … relevant documents were not drawn."""
        mean = np.clip(self.mean + moved, 0.0, self.rest)
        scale = np.divide(mean, self.mean, out=np.ones_like(mean), where=self.mean > 0)
        return unseen(self.rest, mean, self.variance * scale)

    def doubt(self) -> Floats:
        """The variance of 1 / denominator over what may not have been drawn."""
        law = self.law()
        each = self._each(0.0, law.shape[1])
        return np.asarray((law * each**2).sum(axis=1) - (law * each).sum(axis=1) ** 2)

    def _each(self, more: Floats | float, length: int) -> Floats:
        """1 / denominator for 0, 1, 2 … documents that were not drawn."""
        u = np.arange(float(length))[None, :]
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
    topics: Sequence[CellSample],
    within: Sequence[Floats],
    shape: MeasureParts,
    levels: Sequence[int],
    prior: Prior,
    classes: int,
) -> list[Denominator]:
    """What there is to be found; ``within`` has how many documents of a cell stand in a term of the numerator."""
    higher = [learn(topics, low, high, classes) for low, high in pairwise(levels)]
    found = []
    for topic, inside in zip(topics, within, strict=True):
        counts = [topic.counts(level) for level in levels]
        own, hits = topic.classes, counts[0]
        rate, strength = prior.mean[:, own], prior.strength[:, own]
        a = np.maximum(rate * strength + hits, 1e-3)
        whole = a + (1 - rate) * strength + topic.taken - hits
        rest = topic.size - topic.taken
        chance = a / whole
        variance = rest * chance * (1 - chance) * (whole + rest) / (whole + 1)
        parts = [np.ones(len(topic.taken))]
        for level, model in enumerate(higher):
            hit = counts[level + 1] + model.mean[:, own] * model.strength[:, own]
            share = hit / (counts[level] + model.strength[:, own])
            weigh = np.maximum(rest * chance, 1e-12)
            parts.append(parts[-1] * (share * weigh).sum(axis=1) / weigh.sum(axis=1))
        seen, left = hits + rest * chance, np.minimum(inside, hits)
        share = topic.taken / np.maximum(topic.size, 1.0)
        mean = left + (topic.taken - left) * (seen - left) / np.maximum(topic.size - left, 1.0)
        swing = share * (1 - share) * seen * (1 - seen / np.maximum(topic.size, 1.0)) + share**2 * variance
        step, drift = rest / whole, mean - hits
        sway = np.where(rest > 0, (topic.taken - left) / np.maximum(topic.size - left, 1.0) * (1 + step), 0.0)
        echoes = [
            _echo(np.where(rest > 0, far, 0.0), np.where(rest > 0, wide, 0.0), step, hits + far - left)
            for far, wide in ((drift, swing), (drift * (1 + sway), swing * (1 + sway**2)))
        ]
        found.append(
            Denominator(
                shape,
                levels,
                np.stack([count.sum(axis=1) for count in counts], axis=1),
                rest.sum(axis=1),
                (rest * chance).sum(axis=1),
                variance.sum(axis=1),
                np.stack(parts, axis=1),
                step,
                sway,
                echoes,
            )
        )
    return found


def _echo(drift: Floats, swing: Floats, step: Floats, above: Floats) -> Echo:
    """Drift and swing over all cells; ``above`` has how much is drawn on average beyond what is drawn for sure."""
    size = np.sqrt((swing * (1 + step) ** 2).sum(axis=1, keepdims=True))
    own = np.divide(swing * (1 + step), size, out=np.zeros_like(swing), where=size > 0)
    slack = np.where(step > 0, np.maximum(above, 0.0), 0.0).sum(axis=1)
    return Echo(drift.sum(axis=1), (drift * step).sum(axis=1), own.sum(axis=1), (own * step).sum(axis=1), slack)
