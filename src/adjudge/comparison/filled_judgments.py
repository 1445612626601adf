"""Grades that people would have given to the documents of a pool that were not drawn, many times over.

Average precision, nDCG and recall divide by what there is to be found. From a sample of a topic that is known so badly
that a quotient of two unbiased estimates is biased, and its interval holds too rarely. What one topic does not say, the
others do: how likely a document is relevant by its stratum, by its rank and by what a machine says of it, and how far
topics differ in that. So the documents that were not drawn get grades from a model that is learned from all drawn
documents of all topics, two hundred times, and the measure is computed each time from complete judgments.

The model is a logistic regression with an intercept for each topic, which comes from a normal distribution:
logit P(grade ≥ g | grade ≥ the one below g) = x·b + τ·z, z normal, one for each topic. b and τ have the greatest
marginal likelihood, with weak priors that keep them away from infinity (Gelman and others 2008 for b) and from zero
(Chung and others 2013 for τ). Each time b and τ are drawn anew from their approximate distribution and z from that of
the topic, given its drawn documents; so what is not known of them is a part of the spread.

Papers: Rubin, Multiple imputation for nonresponse in surveys (1987); Little, To model or not to model? (JASA 2004), on
models that know the strata of the design; Gelman, Jakulin, Pittau, Su (Annals of Applied Statistics 2008); Chung,
Rabe-Hesketh, Dorie, Gelman, Liu (Psychometrika 2013); Louis (JRSS B 1982) for the information.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from .sample_totals import UNRANKED, SampledTopic

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

DRAWS = 200
NODES = np.linspace(-3.5, 3.5, 15)
STEP = NODES[1] - NODES[0]
LOG_WEIGHTS = -0.5 * NODES**2
WIDTH = 2.5
"""The standard deviation of the prior of a coefficient."""
ROUNDS = 30
LEAST = 0.05


class TopicModel(NamedTuple):
    """Coefficients with τ behind them, and their covariance."""

    values: Floats
    covariance: Floats


def covariates(parts: Sequence[SampledTopic], labels: Sequence[npt.NDArray[np.integer]]) -> list[Floats]:
    """What is known of every document before it is judged: stratum, rank in the run, the machine's grade."""
    strata = np.unique(np.concatenate([own[~_whole(part)] for part, own in zip(parts, labels, strict=True)]))
    ranked = np.concatenate([part.rank[part.rank < UNRANKED] for part in parts]).astype(float)
    logs = np.log(ranked) if len(ranked) else np.zeros(1)
    middle, spread = float(logs.mean()), max(float(logs.std()), 1e-9)
    found = np.concatenate([part.rank < UNRANKED for part in parts])
    steps = np.unique(np.concatenate([part.machine for part in parts]))[1:]
    richness = _richness(parts)
    columns = []
    for part, own, rich in zip(parts, labels, richness.tolist(), strict=True):
        inside = part.rank < UNRANKED
        depth = np.where(inside, (np.log(np.where(inside, part.rank, 1)) - middle) / spread, 0.0)
        known = [own == stratum for stratum in strata]
        known += [depth, depth**2] if found.any() else []
        known += [~inside] if found.any() and not found.all() else []
        known += [part.machine >= step for step in steps]
        if richness.any():  # it says more of documents near the top than of those far away, or not found at all
            known += [np.full(len(own), rich)]
            known += [rich * depth] if found.any() else []
            known += [rich * ~inside] if found.any() and not found.all() else []
        columns.append(np.stack(known, axis=1).astype(float))
    return columns


def _richness(parts: Sequence[SampledTopic]) -> Floats:
    """How much is relevant, topic by topic, where everything was judged: it may say something of the rest."""
    sure = [part.human[_whole(part)] > 0 for part in parts]
    shares = np.array([(own.sum() + 0.5) / (len(own) + 1.0) for own in sure])
    logs = np.log(shares / (1 - shares))
    return np.asarray((logs - logs.mean()) / logs.std() if logs.std() > 1e-9 else np.zeros(len(parts)))


def _whole(part: SampledTopic) -> npt.NDArray[np.bool_]:
    """Documents of strata that were judged whole: there is nothing to learn for others."""
    return np.asarray((part.taken == part.sizes)[part.strata], bool)


def fill(
    parts: Sequence[SampledTopic],
    labels: Sequence[npt.NDArray[np.integer]],
    rng: np.random.Generator,
    draws: int = DRAWS,
) -> list[npt.NDArray[np.int16]]:
    """draws × documents of each topic, with grades by people where there are some; ``labels`` are strata by name."""
    columns = covariates(parts, labels)
    filled = [
        np.repeat(np.where(part.sampled, part.human, 0)[None, :], draws, axis=0).astype(np.int16) for part in parts
    ]
    open_ = [~part.sampled for part in parts]
    grades = np.unique(np.concatenate([part.human[part.sampled] for part in parts]))
    below = 0
    reached = [np.repeat(own[None, :], draws, axis=0) for own in open_]
    for grade in grades[grades > 0].tolist():
        seen = [part.sampled & ~_whole(part) & (part.human >= below) for part in parts]
        model = fit(
            np.concatenate([x[own] for x, own in zip(columns, seen, strict=True)]),
            np.concatenate([(part.human >= grade)[own] for part, own in zip(parts, seen, strict=True)]).astype(float),
            np.array([int(own.sum()) for own in seen]),
        )
        drawn = _parameters(model, rng, draws)
        for t, part in enumerate(parts):
            if not open_[t].any():
                continue
            chances = _chances(drawn, columns[t], seen[t], (part.human >= grade)[seen[t]], open_[t], rng)
            up = reached[t][:, open_[t]] & (rng.random(chances.shape) < chances)
            reached[t][:, open_[t]] = up
            filled[t][reached[t]] = grade
        below = grade
    return filled


def _parameters(model: TopicModel, rng: np.random.Generator, draws: int) -> Floats:
    """Coefficients and τ as they may be."""
    values = rng.multivariate_normal(model.values, model.covariance, draws, method="eigh")
    values[:, -1] = np.maximum(np.abs(values[:, -1]), LEAST)
    return np.asarray(values)


def _chances(
    drawn: Floats,
    x: Floats,
    seen: npt.NDArray[np.bool_],
    hits: npt.NDArray[np.bool_],
    wanted: npt.NDArray[np.bool_],
    rng: np.random.Generator,
) -> Floats:
    """How likely each wanted document of a topic is to reach the grade, in each draw of the parameters."""
    b, tau = drawn[:, :-1], drawn[:, -1]
    logs = np.repeat(LOG_WEIGHTS[None, :], len(drawn), axis=0)
    if seen.any():
        eta = b @ x[seen].T
        sign = np.where(hits, 1.0, -1.0)
        for q, node in enumerate(NODES):
            logs[:, q] -= np.logaddexp(0.0, -sign * (eta + (tau * node)[:, None])).sum(axis=1)
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    running = np.cumsum(weights, axis=1)
    place = (rng.random((len(drawn), 1)) * running[:, -1:] > running).sum(axis=1)
    z = NODES[place] + STEP * (rng.random(len(drawn)) - 0.5)
    return np.asarray(expit(b @ x[wanted].T + (tau * z)[:, None]))


def fit(x: Floats, y: Floats, counts: Ints) -> TopicModel:
    """The coefficients and τ of the greatest marginal likelihood, with weak priors; rows lie topic by topic."""
    count = x.shape[1]
    topics = np.repeat(np.arange(len(counts)), counts)
    held = counts > 0
    begins = (np.cumsum(counts) - counts)[held]
    values = np.concatenate([np.zeros(count), [0.5]])
    information = np.eye(count + 1)
    prior = np.full(count, WIDTH**-2)
    for _ in range(ROUNDS):
        eta = (x @ values[:-1])[:, None] + values[-1] * NODES[None, :]
        chance = expit(eta)
        logs = np.where(y[:, None] > 0, eta, 0.0) - np.logaddexp(0.0, eta)
        sums = np.zeros((len(counts), len(NODES)))
        if len(begins):
            sums[held] = np.add.reduceat(logs, begins, axis=0)
        sums += LOG_WEIGHTS
        weights = np.exp(sums - sums.max(axis=1, keepdims=True))
        weights /= weights.sum(axis=1, keepdims=True)
        own = weights[topics]
        rest = own * (y[:, None] - chance)
        spread = own * chance * (1 - chance)
        gradient = np.concatenate([x.T @ rest.sum(axis=1) - prior * values[:-1], [float((rest * NODES).sum())]])
        gradient[-1] += 1 / values[-1] - 1
        across = x.T @ (spread @ NODES)
        information = np.zeros((count + 1, count + 1))
        information[:-1, :-1] = (x * spread.sum(axis=1)[:, None]).T @ x + np.diag(prior)
        information[:-1, -1] = information[-1, :-1] = across
        information[-1, -1] = float((spread * NODES**2).sum()) + 1 / values[-1] ** 2
        step = np.linalg.solve(information, gradient)
        values = values + step * min(1.0, 2.0 / max(1e-12, float(np.abs(step).max())))
        values[-1] = max(values[-1], LEAST)
        if float(np.abs(step).max()) < 3e-3:
            break
    return TopicModel(values, _covariance(information, x, y, chance, weights, topics, counts))


def _covariance(
    information: Floats, x: Floats, y: Floats, chance: Floats, weights: Floats, topics: Ints, counts: Ints
) -> Floats:
    """The inverse of the observed information: that of complete data less what the topics' intercepts hide (Louis)."""
    count = x.shape[1]
    scores = np.zeros((len(counts), len(NODES), count + 1))
    rest = y[:, None] - chance
    for column in range(count):
        np.add.at(scores[:, :, column], topics, rest * x[:, column : column + 1])
    np.add.at(scores[:, :, count], topics, rest * NODES)
    mean = (weights[:, :, None] * scores).sum(axis=1)
    hidden = np.einsum("tq,tqi,tqj->ij", weights, scores, scores) - mean.T @ mean
    values, vectors = np.linalg.eigh(information - hidden)
    floor = 0.05 * np.linalg.eigvalsh(information).min()
    return np.asarray((vectors / np.maximum(values, floor)) @ vectors.T)
