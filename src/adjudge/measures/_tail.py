"""What relevant documents that were not retrieved add to average precision, if the whole collection were ranked."""

from __future__ import annotations

import numpy as np

from ..core.errors import DataError, SpecError
from ..core.judged import Floats, Ints, JudgedRun, ordinal

FEW = 200
EULER = 0.5772156649015329


def harmonic(numbers: Ints) -> Floats:
    """1 + 1/2 + … + 1/n: a table for small n, the asymptotic series (good to the last digit) from 32 on."""
    table = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, 32))])
    n = np.maximum(numbers, 32).astype(float)
    series = np.log(n) + EULER + 1 / (2 * n) - 1 / (12 * n**2) + 1 / (120 * n**4) - 1 / (252 * n**6)
    return np.where(numbers < 32, table[np.minimum(numbers, 31)], series)


def harmonic_between(low: Ints, high: int) -> Floats:
    """H_high − H_low: term by term where there are few, since the difference of two series would lose digits."""
    far = harmonic(np.full(len(low), high)) - harmonic(low)
    near = np.zeros(len(low))
    for i in range(1, FEW + 1):
        near += np.where(low + i <= high, 1.0 / (low + i), 0.0)
    return np.where(high - low <= FEW, near, far)


def _require_size(judged: JudgedRun) -> int:
    """The size of the collection, if every topic fits into it and has something to find."""
    size = judged.judging.collection_size
    if size <= 0:
        raise SpecError("ap with a tail needs the size of the collection: collection_size, -N on the command line")
    for t, topic in enumerate(judged.topics):
        held = int(judged.num_ret[t] + judged.num_rel[t] - judged.num_rel_ret[t])
        if held > size:
            raise DataError(
                f"{judged.name}, topic {topic}: {held} documents retrieved or relevant, in a collection of {size}"
            )
        if judged.num_rel[t] == 0:
            raise DataError(
                f"{judged.name}, topic {topic}: no relevant document (R = 0), so its average precision is undefined"
            )
    return size


def worst(judged: JudgedRun) -> Floats:
    """All of them at the very end: 1/R Σ_{i<m} (R − i) / (N − i), m of R relevant documents missing."""
    size = _require_size(judged)
    missing = judged.num_rel - judged.num_rel_ret
    topic = np.repeat(np.arange(len(judged.topics)), missing)
    i = ordinal(topic, len(judged.topics)) - 1
    total = judged.sum(topic, (judged.num_rel[topic] - i) / (size - i))
    return total / judged.num_rel


def random(judged: JudgedRun) -> Floats:
    """The rest of the collection in random order: the expected sum of their precisions, in closed form.

    E = m/M · ((r + 1) D + (m − 1)/(M − 1) · (M − (k + 1) D)), k documents retrieved, r of them relevant, m relevant
    ones among the M = N − k others, D = H_N − H_k.
    """
    size = _require_size(judged)
    k, r = judged.num_ret.astype(float), judged.num_rel_ret.astype(float)
    m, M = judged.num_rel - r, size - k
    D = harmonic_between(judged.num_ret, size)
    pairs = np.divide(m - 1, M - 1, out=np.zeros(len(k)), where=M > 1)
    expected = np.divide(m, M, out=np.zeros(len(k)), where=M > 0) * ((r + 1) * D + pairs * (M - (k + 1) * D))
    return np.where(m > 0, expected, 0.0) / judged.num_rel
