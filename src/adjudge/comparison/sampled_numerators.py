"""The numerators of measures from samples of a pool: sums over relevant documents, or over pairs of them.

Drawn documents and pairs count 1 / the probability with which they were drawn, so that the numerator is unbiased
(Horvitz, Thompson, JASA 1952). Where a machine judged, the gain that other topics let expect of its grade is summed
over the whole pool, and drawn documents correct it by what they have beyond that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .sampled_cells import UNRANKED, CellSample, MeasureParts

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class Numerator(NamedTuple):
    """What stands above the fraction of a topic, in every sample."""

    total: Floats
    document: Floats
    """Samples × documents above grade 0: what a document that counts once adds."""
    pool: Floats
    """Samples × documents of the pool: what a unit of gain beyond the predicted one adds."""
    predicted: Floats
    """Samples × cells: the gain that is predicted for each document."""


def at_ranks(ranks: Ints, factor: Callable[[Floats], Floats]) -> Floats:
    """What a rank makes of a gain; 0 where the run does not have the document."""
    found = ranks < UNRANKED
    return np.asarray(np.where(found, factor(np.where(found, ranks, 1).astype(float)), 0.0))


def numerator_of(topic: CellSample, shape: MeasureParts, by_cell: Floats) -> Numerator:
    """``by_cell`` has the gain of documents of each cell as other topics let expect it from the machine."""
    predicted = by_cell[:, topic.cell]
    factors = at_ranks(topic.rank, shape.factor)
    residual = shape.gain(topic.grade)[None, :] - predicted
    drawn = topic.drawn * residual
    pool = np.repeat(at_ranks(topic.pool_rank, shape.factor)[None, :], len(topic.taken), axis=0)
    if not shape.pairs:
        total = (topic.weight * ((drawn * factors) @ topic.membership)).sum(axis=1)
        return Numerator(total + predicted @ factors, residual * factors, pool, by_cell)
    between = at_ranks(np.maximum(topic.rank[:, None], topic.rank[None, :]), shape.factor)
    np.fill_diagonal(between, 0.0)
    surely = predicted @ between  # what the predicted part of all other documents gives to each
    linear = factors + surely
    total = (
        (topic.weight * ((drawn * linear) @ topic.membership)).sum(axis=1)
        + predicted @ factors
        + (predicted * surely).sum(axis=1) / 2
    )
    document = linear
    outside = at_ranks(np.maximum(topic.rank[:, None], topic.pool_rank[None, :]), shape.factor)
    pool = pool + predicted @ outside
    for cell in range(len(topic.size)):
        members = topic.cell == cell
        if not members.any():
            continue
        partners = drawn[:, members] @ between[members]  # what pairs with this cell give to each document
        weights = topic.pair_weight[:, cell, :]
        found = ((drawn * partners) @ topic.membership) * weights
        total = total + found.sum(axis=1) / 2
        ratio = np.divide(weights, topic.weight, out=np.zeros_like(weights), where=topic.weight > 0)
        document = document + partners * ratio[:, topic.cell]
        pool = pool + (drawn[:, members] @ outside[members]) * ratio[:, topic.pool_cell]
    return Numerator(total, residual * document, pool, by_cell)


def predictions(topics: Sequence[CellSample], shape: MeasureParts, classes: int) -> list[Floats]:
    """Samples × cells: the gain of a document by its class, from the drawn ones of all other topics.

    It is 0 without a machine, and where the machine says 0.
    """
    samples = len(topics[0].taken)
    sums, counts = np.zeros((2, samples, len(topics), classes))
    for t, topic in enumerate(topics):
        sums[:, t, topic.classes] = topic.by_cell(shape.gain(topic.grade))
        counts[:, t, topic.classes] = topic.taken
    others, trials = sums.sum(axis=1, keepdims=True) - sums, counts.sum(axis=1, keepdims=True) - counts
    mean = np.divide(others, trials, out=np.zeros_like(others), where=trials > 0)
    return [mean[:, t, topic.classes] * topic.claimed for t, topic in enumerate(topics)]
