"""How many relevant documents a stratum has that was judged in part: weights of 0, 1, 2 … that may be negative.

A function g of the number U of relevant documents is wanted, here 1 / (what there is to be found), and a sample of the
stratum has u of them. The mean of g over what is likely after the sample (Bayes) has the least error for topics that
are as the model has them, and errs with the model: it takes every topic for more usual than it is. Where topics that
count much are not the usual ones, all of that goes one way, and a mean over topics has it in full. A topic in which the
run found all there is at the top counts most, and has fewer relevant documents further down than others.

So the estimate h(u) is the one with the least

    Σ_U prior(U) [variance of h given U + firmness · (mean of h given U - g(U))²].

With a firmness of 1 it is Bayes' mean. The larger it is, the less depends on the prior, until h is unbiased for each
topic by itself, if there is such a function, and varies wildly. Whatever the firmness is, h is unbiased over topics as
the model has them, so that only the price of a wrong model changes. As h is linear in g, it is a sum of g over weights
of U, the same for all measures. Given that some documents are drawn and relevant, the others are a sample of a smaller
stratum: terms of a numerator that have such documents in them have weights of their own.

Papers: Ghosh, Constrained Bayes estimation with applications (JASA 1992), on means that shrink too much for an
ensemble; Cochran, Sampling techniques (1977), for the hypergeometric distribution of a sample.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln

from .sampled_cells import CellSample
from .topic_effects import NODES, TopicEffects

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

FAR = 6.0
"""Standard deviations beyond which no number of documents is thought of."""
NOTHING = 1e-6
"""Probability below which a node is left out when the largest number of documents is looked for."""
UNLIKE = 0.05
"""How likely a topic is of a kind that the model does not know: then any number may be, small ones sooner."""
NUDGE = 1.02
"""By which factor a mean is changed to see what depends on it."""


class Leaning(NamedTuple):
    """Of a function of the number of relevant documents, in every sample."""

    bias: Floats
    """The mean square of what the estimate has too much, given the number, over what is likely after the sample."""
    heights: Floats
    slopes: Floats
    """Samples × cells: how the estimate changes with the parameters of the model."""


class _System(NamedTuple):
    """The equations of h: it makes the sum above least."""

    chances: Floats
    """U × u: how likely a sample has u."""
    prior: Floats
    matrix: Floats


@dataclass(frozen=True, eq=False)
class StratumCount:
    """A stratum of a topic in many samples, of which each has the same number of documents."""

    size: int
    taken: int
    found: Ints
    """Samples: relevant documents that were drawn."""
    firmness: float
    belief: Floats
    """Samples × nodes: how likely the topic is of this kind by its other strata."""
    laws: Floats
    """Samples × nodes × U: how likely so many are relevant."""
    tilts: Floats
    """How that changes with the mean share."""
    pull: Floats
    """Samples × cells × nodes: how the mean share changes with the height of each cell of the stratum."""
    scores: Floats
    """Samples × cells × nodes: relevant documents of other strata beyond those expected."""
    own: Ints
    """The cells of this stratum."""
    _systems: dict[int, _System] = field(default_factory=dict)
    _weights: dict[tuple[int, int], Floats] = field(default_factory=dict)

    @cached_property
    def prior(self) -> Floats:
        """Samples × U: before the sample of this stratum."""
        known = (self.belief[:, None, :] @ self.laws)[:, 0]
        most = np.ceil(1.5 * self.found.max() * self.size / max(self.taken, 1)) + 10
        reach = int(min(self.size, max(known.shape[1] - 1, most)))
        known = np.pad(known, ((0, 0), (0, reach + 1 - known.shape[1])))
        any_number = 1 / (1.0 + np.arange(reach + 1))
        return np.asarray((1 - UNLIKE) * known + UNLIKE * any_number / any_number.sum())

    def weights(self, besides: int, shift: int) -> Floats:
        """Samples × U: of a term with ``besides`` drawn relevant documents, had ``shift`` more been found."""
        besides = min(besides, self.taken)
        if (besides, shift) not in self._weights:
            system = self._system(besides)
            v = np.linalg.solve(system.matrix, np.stack([self._at(system, i - besides) for i in (-1, 0, 1)], axis=2))
            for i in (-1, 0, 1):
                weights = self.firmness * (v[..., i + 1] @ system.chances.T) * system.prior
                self._weights[besides, i] = np.pad(weights, ((0, 0), (besides, 0)))
        return self._weights[besides, shift]

    def _at(self, system: _System, shift: int) -> Floats:
        rows = np.zeros((len(system.matrix), system.chances.shape[1]))
        rows[np.arange(len(rows)), np.clip(self.found + shift, 0, rows.shape[1] - 1)] = 1
        return rows

    def _system(self, besides: int) -> _System:
        if besides not in self._systems:
            numbers = np.arange(besides, self.prior.shape[1])
            ways = np.prod([numbers - i for i in range(besides)], axis=0) if besides else 1.0
            prior = self.prior[:, besides:] * ways
            prior = prior / prior.sum(axis=1, keepdims=True)
            expected = numbers[-1] * self.taken / self.size
            most = max(int(self.found.max()) + 1 - besides, int(np.ceil(expected + FAR * np.sqrt(expected) + 2)))
            drawn = np.arange(max(0, min(self.taken - besides, most)) + 1)
            chances = hypergeometric(self.size - besides, self.taken - besides, numbers - besides, drawn)
            matrix = (self.firmness - 1) * (chances.T @ (prior[:, :, None] * chances))
            matrix[:, drawn, drawn] += prior @ chances + 1e-13
            self._systems[besides] = _System(chances, prior, matrix)
        return self._systems[besides]

    def leaning(self, wanted: Floats) -> Leaning:
        """What the estimate of a function of U (samples × U) owes to the model."""
        chances, prior, matrix = self._system(0)
        h = np.linalg.solve(matrix, (self.firmness * (prior * wanted) @ chances)[..., None])[..., 0]
        v = np.linalg.solve(matrix, self._at(self._system(0), 0)[..., None])[..., 0]
        mean, mean_v = h @ chances.T, v @ chances.T
        after = prior * chances[:, np.minimum(self.found, chances.shape[1] - 1)].T
        after = after / np.maximum(after.sum(axis=1, keepdims=True), 1e-300)
        by_prior = self.firmness * mean_v * (wanted - mean) + mean_v * mean - (v * h) @ chances.T
        by_prior = (1 - UNLIKE) * (by_prior - (by_prior * prior).sum(axis=1, keepdims=True))[:, : self.laws.shape[2]]
        by_node, by_mean = (self.laws @ by_prior[..., None])[..., 0], (self.tilts @ by_prior[..., None])[..., 0]
        by_node = by_node - (self.belief * by_node).sum(axis=1, keepdims=True)
        by_odds = self.scores * by_node[:, None, :]
        by_odds[:, self.own] += by_mean[:, None, :] * self.pull
        by_odds = by_odds * self.belief[:, None, :]
        return Leaning((after * (mean - wanted) ** 2).sum(axis=1), by_odds.sum(axis=2), by_odds @ NODES)


def stratum_count(topic: CellSample, effects: TopicEffects, least: int, own: Ints, firmness: float) -> StratumCount:
    """What is known of the cells ``own`` of a topic, which are one stratum: documents of grade ``least`` and above."""
    hits, inside = topic.counts(least), np.isin(np.arange(len(topic.size)), own)
    belief, scores = effects.without(topic, hits, inside)
    size, chance = topic.size[own][None, :, None], effects.chance[:, topic.classes[own]]
    strength, whole = effects.strength[:, None, None], float(topic.size[own].sum())
    mean = np.clip((size * chance).sum(axis=1) / whole, 1e-9, 1 - 1e-9)
    variance = (size * chance * (1 - chance) * (strength + size) / (strength + 1)).sum(axis=1)
    alike = np.clip((variance / (whole * mean * (1 - mean)) - 1) / max(whole - 1, 1.0), 1e-6, 0.98)
    far = np.where(belief > NOTHING, whole * mean + FAR * np.sqrt(variance), 0.0).max()
    reach = int(min(whole, np.ceil(far) + 3))
    laws, more = beta_binomial(whole, mean, alike, reach), np.clip(mean * NUDGE, 1e-9, 1 - 1e-9)
    tilts = (beta_binomial(whole, more, alike, reach) - laws) / (more - mean)[..., None]
    taken, pull = int(topic.takens[0, own[0]]), size / whole * chance * (1 - chance)
    found = np.rint(hits[:, own].sum(axis=1)).astype(np.int64)
    return StratumCount(int(whole), taken, found, firmness, belief, laws, tilts, pull, scores, own)


def hypergeometric(size: int, taken: int, relevant: Ints, found: Ints) -> Floats:
    """Numbers of relevant documents × numbers of those that were drawn: how likely they are."""
    u, d = relevant[:, None].astype(float), found[None, :].astype(float)
    possible = (d <= u) & (taken - d <= size - u)
    logs = _ways(u, d) + _ways(size - u, taken - d) - _ways(np.array(float(size)), np.array(float(taken)))
    return np.asarray(np.where(possible, np.exp(np.where(possible, logs, 0.0)), 0.0))


def _ways(whole: Floats, part: Floats) -> Floats:
    """The logarithm of the number of ways to choose."""
    rest = np.maximum(whole - part, 0.0)
    return np.asarray(gammaln(np.maximum(whole, 0.0) + 1) - gammaln(np.maximum(part, 0.0) + 1) - gammaln(rest + 1))


def beta_binomial(most: float, chance: Floats, alike: Floats, reach: int) -> Floats:
    """… × 0, 1, 2 … reach: how likely so many of ``most`` are relevant, from the ratios of the probabilities."""
    a, b = (chance * (1 / alike - 1))[..., None], ((1 - chance) * (1 / alike - 1))[..., None]
    u = np.arange(float(reach))
    left = np.maximum(most - u, 0.0)
    with np.errstate(divide="ignore"):
        steps = np.log(left * (a + u) / ((u + 1) * np.maximum(b + left - 1, 1e-9)))
    logs = np.zeros((*chance.shape, reach + 1))
    np.cumsum(steps, axis=-1, out=logs[..., 1:])
    laws = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return np.asarray(laws / laws.sum(axis=-1, keepdims=True))
