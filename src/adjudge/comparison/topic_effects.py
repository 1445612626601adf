"""How relevance differs from topic to topic: all classes of documents have more relevant ones in some than in others.

A topic with many relevant documents near the top has many further down, and one with hardly any has hardly any. So the
logarithm of the odds that a document is relevant is a line over a number that each topic has: its class (here its
stratum) gives height and slope, and the number is drawn from a normal distribution. Heights and slopes are those
that make the sample of all topics most likely; the number of a topic then has a distribution by its own sample, the
strata that were judged whole included. This is a logistic model with a random effect, held at nodes.

Papers: Bock, Aitkin (Psychometrika 1981) for the EM algorithm over nodes; Breslow, Clayton (JASA 1993) on such models;
Berndt, Hall, Hall, Hausman (Annals of Economic and Social Measurement 1974) for the information from the scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import betaln, logsumexp

from .sampled_cells import CellSample

Floats = npt.NDArray[np.float64]

NODES = np.linspace(-4.0, 4.0, 21)
_LOG_WEIGHTS = -(NODES**2) / 2
STEPS, FURTHER = 30, 10
"""Rounds of the EM algorithm, and of going on from what was found for a correlation nearby."""
ALIKE = 4.0
"""How firmly slopes are held to their common mean: 1 / the variance that they are given."""
HIGHEST = 12.0
"""Heights beyond which nothing changes any more."""
FEW = 0.05
"""Relevant documents, and others, that a class has besides in a usual topic: with none at all nothing could be said."""
LEAST = 0.05
"""Information about a parameter, at least: what a twentieth of a relevant document tells."""
LOOSE = (0.003, 0.01, 0.03, 0.1, 0.3)
"""Correlations between documents of a class and topic, beyond what the number of the topic explains, that are tried."""


@dataclass(frozen=True, eq=False)
class TopicEffects:
    """What a sample of all topics says of the relevance of documents of each class."""

    belief: Floats
    """Samples × topics × nodes: how likely the number of a topic is near a node."""
    chance: Floats
    """Samples × classes × nodes: how likely a document is relevant."""
    strength: Floats
    """Samples: the two parameters of the Beta distributions around these chances added up."""
    doubt: Floats
    """Samples × parameters × parameters: the covariance of all heights, then all slopes."""

    def without(self, topic: CellSample, hits: Floats, left_out: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """How likely a topic is of each kind by its other cells, and their relevant documents beyond those expected."""
        chance = self.chance[:, topic.classes]
        weight = np.where(left_out, 0.0, 1 / (1 + np.maximum(topic.taken - 1, 0.0) / (self.strength[:, None] + 1)))
        hits, misses = (weight * hits)[:, None, :], (weight * (topic.taken - hits))[:, None, :]
        logs = (hits @ np.log(chance) + misses @ np.log1p(-chance))[:, 0] + _LOG_WEIGHTS
        belief = np.exp(logs - logs.max(axis=1, keepdims=True))
        scores = hits[:, 0, :, None] - (hits + misses)[:, 0, :, None] * chance
        return belief / belief.sum(axis=1, keepdims=True), scores


def topic_effects(topics: Sequence[CellSample], least: int, classes: int) -> TopicEffects:
    """Fit heights and slopes to the drawn documents of grade ``least`` and above."""
    shape = (len(topics[0].taken), len(topics), classes)
    hits, trials = np.zeros(shape), np.zeros(shape)
    for t, topic in enumerate(topics):
        hits[:, t, topic.classes] = topic.counts(least)
        trials[:, t, topic.classes] = topic.taken
    return fit_effects(hits, trials)


def fit_effects(hits: Floats, trials: Floats) -> TopicEffects:
    """The same from samples × topics × classes: drawn relevant documents, and drawn documents."""
    best = np.full(len(hits), -np.inf)
    share = (hits.sum(axis=1) + 0.5) / (trials.sum(axis=1) + 1.0)
    height, slope = np.log(share / (1 - share)), np.ones_like(share)
    found: list[Floats] = []
    for loose in LOOSE:
        weight = 1 / (1 + np.maximum(trials - 1, 0.0) * loose)
        for _ in range(FURTHER if found else STEPS):
            chance, belief = _believed(height, slope, weight * hits, weight * trials)
            height, slope = _better(height, slope, chance, belief, weight * hits, weight * trials)
        likely = _likelihood(height, slope, hits, trials, 1 / loose - 1)
        each = [height, slope, np.full(len(hits), loose)]
        better = likely > best
        found = [
            np.where(better.reshape(-1, *[1] * (a.ndim - 1)), a, b) for a, b in zip(each, found or each, strict=True)
        ]
        best = np.maximum(best, likely)
    height, slope, chosen = found
    weight = 1 / (1 + np.maximum(trials - 1, 0.0) * chosen[:, None, None])
    hits, trials = weight * hits, weight * trials
    chance, belief = _believed(height, slope, hits, trials)
    scores = hits[..., None] - trials[..., None] * chance[:, None]
    return TopicEffects(belief, chance, 1 / chosen - 1, _covariance(chance, belief, scores, trials))


def _covariance(chance: Floats, belief: Floats, scores: Floats, trials: Floats) -> Floats:
    """Samples × parameters × parameters: of heights, then slopes, from the curvature of the likelihood (Louis 1982)."""
    each = np.concatenate([scores, scores * NODES], axis=2)
    mean = (each * belief[:, :, None, :]).sum(axis=3)
    missing = np.einsum("stg,stig,stjg->sij", belief, each, each, optimize=True) - np.einsum("sti,stj->sij", mean, mean)
    curve = trials.transpose(0, 2, 1) @ belief * chance * (1 - chance)
    whole = [curve @ NODES**power for power in range(3)]
    middle = chance[:, :, len(NODES) // 2]
    whole[0] = whole[0] + 2 * FEW * middle * (1 - middle)
    whole[2] = whole[2] + ALIKE  # as if the common mean of slopes were known
    inside = np.eye(len(whole[0][0]))
    rows = [np.concatenate([part[:, :, None] * inside for part in pair], axis=2) for pair in (whole[:2], whole[1:])]
    values, vectors = np.linalg.eigh(np.concatenate(rows, axis=1) - missing)
    return np.asarray(vectors / np.maximum(values, LEAST)[:, None, :] @ vectors.transpose(0, 2, 1))


def _likelihood(height: Floats, slope: Floats, hits: Floats, trials: Floats, strength: float) -> Floats:
    """Samples: the logarithm of how likely the hits are, if chances around the line are Beta distributed."""
    chance = 1 / (1 + np.exp(-(height[:, :, None] + slope[:, :, None] * NODES)))[:, None]
    a, b = strength * chance, strength * (1 - chance)
    h, n = hits[..., None], trials[..., None]
    logs = (betaln(a + h, b + n - h) - betaln(a, b)).sum(axis=2) + _LOG_WEIGHTS
    return np.asarray(logsumexp(logs, axis=2).sum(axis=1))


def _believed(height: Floats, slope: Floats, hits: Floats, trials: Floats) -> tuple[Floats, Floats]:
    odds = height[:, :, None] + slope[:, :, None] * NODES
    relevant, other = -np.logaddexp(0.0, -odds), -np.logaddexp(0.0, odds)
    logs = hits @ relevant + (trials - hits) @ other + _LOG_WEIGHTS
    belief = np.exp(logs - logs.max(axis=2, keepdims=True))
    return np.exp(relevant), belief / belief.sum(axis=2, keepdims=True)


def _better(
    height: Floats, slope: Floats, chance: Floats, belief: Floats, hits: Floats, trials: Floats
) -> tuple[Floats, Floats]:
    """One of Newton's steps for each class, with a few hits and misses in a usual topic besides."""
    middle = chance[:, :, len(NODES) // 2]
    at_node = trials.transpose(0, 2, 1) @ belief
    excess = hits.transpose(0, 2, 1) @ belief - at_node * chance
    curve = at_node * chance * (1 - chance)
    known = trials.sum(axis=1) > 0
    common = ((ALIKE * (slope * known).sum(axis=1) + 1.0) / (ALIKE * known.sum(axis=1) + 1.0))[:, None]
    up, along = excess.sum(axis=2) + FEW * (1 - 2 * middle), excess @ NODES - ALIKE * (slope - common)
    hh, hs, ss = curve.sum(axis=2) + 2 * FEW * middle * (1 - middle), curve @ NODES, curve @ NODES**2 + ALIKE
    span = hh * ss - hs**2
    by_height, by_slope = (ss * up - hs * along) / span, (hh * along - hs * up) / span
    return (
        np.clip(height + np.clip(by_height, -1.0, 1.0), -HIGHEST, HIGHEST),
        np.clip(slope + np.clip(by_slope, -0.5, 0.5), 0.0, HIGHEST / 2),
    )
