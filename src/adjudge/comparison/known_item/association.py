"""Rank correlation of many figures with many others over the same questions, with intervals and p, all at once.

tau_b is a sum over pairs of questions. Written as columns of signs, one row per pair, the sums of all figures under a
thousand permutations are one product of matrices, so that hundreds of correlations cost hardly more than one, and
permutations enough for a correction for all of them can be had. It is tested equal to ``adjudge.correlation.tau_b``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.errors import DataError
from ...core.judged import Floats, Ints
from ...core.progress import SILENT, Listener

MOST = 1000
"""Questions: their pairs are held in memory."""
PIECE = 4_000_000
"""Signs that are held at once."""

Signs = npt.NDArray[np.float32]
"""−1, 0 and 1; sums of a million of them are exact."""


class Associations(NamedTuple):
    """figures × outcomes."""

    tau: Floats
    """tau_b; NaN where a figure or an outcome is the same for all questions."""
    low: Floats
    """Percentile interval by bootstrap over the questions; NaN if there are no samples."""
    high: Floats
    p: Floats
    """Two-sided, 2 (b + 1) / (permutations + 1): in b permutations S lies as far out on the same side."""


def associations(
    figures: Floats,
    outcomes: Floats,
    rng: np.random.Generator,
    *,
    permutations: int = 20_000,
    samples: int = 1000,
    confidence: float = 0.95,
    progress: Listener = SILENT,
) -> Associations:
    """Correlate every row of ``figures`` with every row of ``outcomes``; columns are questions."""
    questions = figures.shape[1]
    if questions > MOST:
        raise DataError(f"correlations of {questions:,} questions would take too much memory: {MOST:,} at most")
    first, second = np.triu_indices(questions, 1)
    x, y = signs(figures, first, second), signs(outcomes, first, second)
    total = (x @ y.T).astype(np.float64)
    below = np.sqrt(np.outer(np.abs(x).sum(axis=1, dtype=np.float64), np.abs(y).sum(axis=1, dtype=np.float64)))
    tau = np.divide(total, below, out=np.full(total.shape, np.nan), where=below > 0)
    low, high = _interval(x, y, (first, second), rng, questions, samples, confidence, progress)
    p = _p(figures, y, total, (first, second), rng, permutations, progress)
    return Associations(tau, low, high, np.where(np.isnan(tau), np.nan, p))


def signs(values: Floats, first: Ints, second: Ints) -> Signs:
    """Signs of the differences of all pairs of questions: values × pairs."""
    a, b = values[:, first], values[:, second]
    return (a > b).astype(np.float32) - (a < b).astype(np.float32)


def _blocks(figures: int, outcomes: int, questions: int) -> tuple[int, int]:
    pairs = max(1, questions * (questions - 1) // 2)
    return max(1, PIECE // (pairs * figures)), max(1, PIECE // (pairs + figures * outcomes))


def _p(
    figures: Floats,
    y: Signs,
    total: Floats,
    pairs: tuple[Ints, Ints],
    rng: np.random.Generator,
    permutations: int,
    progress: Listener,
) -> Floats:
    """The figures change places among the questions; tau's denominators stay, so sums are compared, and exactly."""
    if not permutations:
        return np.full(total.shape, np.nan)
    above, below = np.zeros(total.shape, np.int64), np.zeros(total.shape, np.int64)
    questions = figures.shape[1]
    block = _blocks(len(figures), len(y), questions)[0]
    every = np.indices((questions, questions)).reshape(2, -1)
    square = signs(figures, *every)  # of any question against any, so that permuting them is looking them up
    with progress.work("permute", total=permutations, unit="permutations") as step:
        for start in range(0, permutations, block):
            size = min(block, permutations - start)
            drawn = rng.permuted(np.tile(np.arange(questions), (size, 1)), axis=1)
            places = drawn[:, pairs[0]] * questions + drawn[:, pairs[1]]
            sums = np.stack([figure[places] @ y.T for figure in square])
            above += np.count_nonzero(sums >= total[:, None, :], axis=1)
            below += np.count_nonzero(sums <= total[:, None, :], axis=1)
            step.advance(size)
    return np.minimum(1.0, 2 * (np.minimum(above, below) + 1) / (permutations + 1))


def _interval(
    x: Signs,
    y: Signs,
    pairs: tuple[Ints, Ints],
    rng: np.random.Generator,
    questions: int,
    samples: int,
    confidence: float,
    progress: Listener,
) -> tuple[Floats, Floats]:
    """A question drawn twice is tied with itself, so a sample weighs the pair (i, j) with times_i · times_j."""
    shape = len(x), len(y)
    if not samples:
        return np.full(shape, np.nan), np.full(shape, np.nan)
    drawn = np.empty((samples, *shape))
    block = _blocks(*shape, questions)[1]
    with progress.work("resample", total=samples, unit="samples") as step:
        for start in range(0, samples, block):
            size = min(block, samples - start)
            times = rng.multinomial(questions, np.full(questions, 1 / questions), size)
            weights = (times[:, pairs[0]] * times[:, pairs[1]]).astype(np.float32)
            total = np.stack([weights @ (figure * y).T for figure in x], axis=1).astype(np.float64)
            of_x, of_y = ((weights @ np.abs(side).T).astype(np.float64) for side in (x, y))
            below = np.sqrt(of_x[:, :, None] * of_y[:, None, :])
            drawn[start : start + size] = np.divide(total, below, out=np.full(total.shape, np.nan), where=below > 0)
            step.advance(size)
    ends = np.full((2, *shape), np.nan)
    some = ~np.isnan(drawn).all(axis=0)
    ends[:, some] = np.nanquantile(drawn[:, some], [(1 - confidence) / 2, (1 + confidence) / 2], axis=0)
    return ends[0], ends[1]
