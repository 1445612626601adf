"""Swap rate: how often another set of topics would reverse the order of two systems.

Two disjoint sets of n topics are drawn again and again. For every pair of systems the difference of the means on the
first set says how sure one would be, the second set whether one was right: a swap is when it orders the pair the other
way (Voorhees & Buckley, The effect of topic set size on retrieval experiment error, SIGIR 2002). Swaps are counted by
n and by the size of the difference.

No more than half of the topics can be in a set, so what all of them together are good for is extrapolated along an
exponential; where there are topics enough to check it, it falls too fast (docs/reliability.md).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...core.errors import SpecError
from ...core.judged import Floats, Ints
from ...core.progress import SILENT, Listener
from ...core.result import Result
from ...core.scores import Scores
from ..matrix import better, complete_matrix, covered_systems

STEP = 5
"""Topics from one size to the next unless sizes are given."""

LEAST_TOPICS = 4
MOST = 1000
"""Systems: every pair is looked at in every trial."""

CELLS = 1 << 18
"""Differences held at a time: what stays in the cache is counted fastest."""

ENOUGH = 100
"""Comparisons below which a bin says nothing about what difference is safe."""

ROUNDING = 1e-9
"""Of a bin: a difference that misses an edge by less than this lies on the edge."""

GRID, ROUNDS = 401, 6
"""Decays tried at a time, and how often the best of them and its neighbours become the ends of a finer grid."""

STEEPEST = 60.0
"""Of the decays tried, from one size to the smallest other: e^−60 is 0 beside any share that can be counted."""

LARGEST = 600.0
"""And from no topics to the smallest size, so that a stays a number."""

FLAT = 1e-7
"""Of the steepest decay: what falls less does not fall."""


@dataclass(frozen=True)
class Fit:
    """The share of swaps as a·exp(−b·n) of the number of topics n, by least squares with comparisons as weights."""

    a: float
    b: float
    residual: float
    """Root of the weighted mean square of what the curve misses; all three are NaN where no curve falls with n."""

    def __call__(self, topics: int) -> float:
        return self.a * math.exp(-self.b * topics)


class Threshold(NamedTuple):
    """The smallest difference that is safe: neither its bin nor any larger one has more swaps than allowed."""

    topics: int
    difference: float
    """The lower edge of the bin; NaN if even the largest differences swap too often, or none occurs often enough."""
    rate: float
    """Of the swaps in that bin."""
    extrapolated: bool


NO_FIT = Fit(math.nan, math.nan, math.nan)


@dataclass(frozen=True, eq=False)
class SwapRate(Result):
    """Comparisons and swaps by number of topics (rows) and by difference on the first set (columns).

    Bin i holds differences from ``edges[i]`` to below ``edges[i + 1]``, the last bin all larger ones. Systems that are
    tied on a set of topics are compared, but neither is ahead: that does not count as a swap.
    """

    measure: str
    systems: tuple[str, ...]
    topics: int
    sizes: tuple[int, ...]
    trials: int
    width: float
    comparisons: Ints
    swaps: Ints

    @property
    def edges(self) -> Floats:
        """The lower edge of every bin."""
        return np.round(np.arange(self.comparisons.shape[1]) * float(self.width), 12)

    @property
    def rates(self) -> Floats:
        """Swaps / comparisons of every size and bin; NaN where nothing was compared."""
        return _share(self.swaps, self.comparisons)

    @property
    def overall(self) -> Floats:
        """Swaps / comparisons of every size, whatever the difference; a mixture that no one exponential follows."""
        return _share(self.swaps.sum(axis=1), self.comparisons.sum(axis=1))

    @cached_property
    def fits(self) -> tuple[Fit, ...]:
        """Curves through the rates of every bin."""
        columns = zip(self.comparisons.T, self.swaps.T, strict=True)
        return tuple(fit_curve(self.sizes, compared, swapped) for compared, swapped in columns)

    def extrapolate(self, topics: int | None = None) -> Floats:
        """The rate of every bin with so many topics (default: all) on the fitted curves; NaN without a curve."""
        return np.array([fit(self.topics if topics is None else topics) for fit in self.fits])

    def thresholds(self, rate: float = 0.05, *, enough: int = ENOUGH) -> tuple[Threshold, ...]:
        """The smallest difference that is safe at each size, and last, on the fitted curves, with all the topics.

        Bins with fewer than ``enough`` comparisons are passed over; so are, for the curves, bins without
        a curve that did not swap at the largest size.
        """
        if not 0 <= rate < 1:
            raise SpecError(f"rate must lie in [0, 1), not {rate:g}")
        observed = np.where(self.comparisons >= enough, self.rates, np.nan)
        thresholds = [self._threshold(size, row, rate, False) for size, row in zip(self.sizes, observed, strict=True)]
        curves = self.extrapolate()
        curves[np.isnan(curves) & (self.swaps[-1] > 0)] = np.inf  # swaps that no curve bounds are not safe
        curves[self.comparisons[-1] < enough] = np.nan
        return (*thresholds, self._threshold(self.topics, curves, rate, True))

    def _threshold(self, topics: int, rates: Floats, rate: float, extrapolated: bool) -> Threshold:
        known = np.flatnonzero(~np.isnan(rates))
        above = known[rates[known] > rate]
        beyond = known[known > above[-1]] if len(above) else known
        if not len(beyond):
            return Threshold(topics, math.nan, math.nan, extrapolated)
        return Threshold(topics, float(self.edges[beyond[0]]), float(rates[beyond[0]]), extrapolated)

    def conclusion(self, rate: float = 0.05) -> str:
        """State the result for the largest sets of topics, and its extrapolation to all topics."""
        from ...core.presentation import conclusion_of

        return conclusion_of(self, rate=rate)

    def merge_bins(self, starts: Sequence[int]) -> tuple[Ints, Ints]:
        """Comparisons and swaps in coarser bins that begin with these."""
        return np.add.reduceat(self.comparisons, starts, axis=1), np.add.reduceat(self.swaps, starts, axis=1)


def swap_rate(
    scores: Scores,
    measure: str,
    *,
    sizes: Sequence[int] | None = None,
    trials: int = 1000,
    width: float = 0.01,
    bins: int = 21,
    least_coverage: float = 0.0,
    rng: np.random.Generator,
    progress: Listener = SILENT,
) -> SwapRate:
    """Count swaps between two disjoint sets of topics, for every pair of systems and each size of the sets.

    ``sizes`` are by default 1, 5, 10 … and half the topics. The last of the ``bins`` is open: with the defaults it
    holds differences of 0.20 and more. Systems whose runs answer no judged topic, or less than the share
    ``least_coverage`` of them, are left out.
    """
    scores, _ = covered_systems(scores, least_coverage)
    values = complete_matrix(scores, measure, least=LEAST_TOPICS, most=MOST)
    better(scores, measure)
    topics = values.shape[1]
    chosen = sizes_for(topics, sizes)
    for name, number, least in (("trials", trials, 1), ("bins", bins, 2)):
        if number < least:
            raise SpecError(f"{name} must be at least {least}, not {number}")
    if not (math.isfinite(width) and width > 0):
        raise SpecError(f"the width of a bin must be above 0, not {width:g}")
    rows = []
    with progress.work("draw_topics", measure, len(chosen), "sizes") as step:
        for size in chosen:
            rows.append(_count(values, size, trials, width, bins, rng))
            step.advance(topics=size)
    counts = np.array(rows)
    swaps = counts[:, 1::2]
    return SwapRate(measure, scores.systems, topics, chosen, trials, width, counts[:, ::2] + swaps, swaps)


def sizes_for(topics: int, sizes: Sequence[int] | None = None) -> tuple[int, ...]:
    """The sizes asked for, each once and from small to large, or 1, 5, 10 … and half the topics."""
    half = topics // 2
    if sizes is None:
        return tuple(sorted({1, *range(STEP, half + 1, STEP), half}))
    for size in sizes:
        if not 1 <= size <= half:
            raise SpecError(f"two disjoint sets of {size} topics cannot be had from {topics}: sizes are 1 to {half}")
    if not len(sizes):
        raise SpecError("no size of topic sets was given")
    return tuple(sorted(set(sizes)))


def _count(values: Floats, size: int, trials: int, width: float, bins: int, rng: np.random.Generator) -> Ints:
    """Count the comparisons of each bin: those in order at even places, swaps at odd ones."""
    systems, topics = values.shape
    upper, lower = np.triu_indices(systems, 1)
    tiny = 1e-12 * float(np.abs(values).max())
    counts = np.zeros(2 * bins, np.int64)
    block = max(1, CELLS // max(len(upper), topics))
    for begin in range(0, trials, block):
        # Rows are shuffled one after the other: blocks of another length would be dealt the same topics.
        dealt = rng.permuted(np.tile(np.arange(topics), (min(block, trials - begin), 1)), axis=1)
        first, second = (_gaps(values, dealt[:, at : at + size], upper, lower, tiny) for at in (0, size))
        places = np.minimum(np.abs(first) / width + ROUNDING, bins - 1).astype(np.int64)
        places *= 2
        places += np.sign(first) * np.sign(second) < 0
        counts += np.bincount(places.reshape(-1), minlength=2 * bins)
    return counts


def _gaps(values: Floats, chosen: Ints, upper: Ints, lower: Ints, tiny: float) -> Floats:
    """pairs × trials: the difference of the means over the chosen topics, 0 where it is but rounding."""
    selection = np.zeros((values.shape[1], len(chosen)))
    selection[chosen.T, np.arange(len(chosen))] = 1.0
    means = values @ selection / chosen.shape[1]
    gaps: Floats = means[upper] - means[lower]
    gaps[np.abs(gaps) <= tiny] = 0.0
    return gaps


def fit_curve(sizes: Sequence[int], comparisons: Ints, swaps: Ints) -> Fit:
    """The curve a·exp(−b·n) nearest to the rates; none if fewer than three sizes were compared or fewer than two
    swapped, and none for rates that do not fall.

    For a given b the best a is a ratio of sums, so only b is searched.
    """
    seen = comparisons > 0
    weights = comparisons[seen] / max(1, comparisons.sum())
    n = np.array(sizes, float)[seen]
    rates = _share(swaps[seen], comparisons[seen])
    if len(n) < 3 or np.count_nonzero(rates) < 2:
        return NO_FIT
    first = float(n.min())
    steepest = min(STEEPEST / float(np.diff(n).min()), LARGEST / first)
    tried = np.concatenate([[0.0], np.geomspace(FLAT * steepest, steepest, GRID - 1)])
    for _ in range(ROUNDS):
        curves = np.exp(-tried[:, None] * (n - first))
        heights = (curves * (weights * rates)).sum(axis=1) / (curves**2 * weights).sum(axis=1)
        squares = (weights * (heights[:, None] * curves - rates) ** 2).sum(axis=1)
        best = int(np.argmin(squares))
        b, height, square = (float(column[best]) for column in (tried, heights, squares))
        tried = np.linspace(tried[max(best - 1, 0)], tried[min(best + 1, GRID - 1)], GRID)
    return Fit(height * math.exp(b * first), b, math.sqrt(square)) if b > FLAT * steepest else NO_FIT


def _share(part: Ints, whole: Ints) -> Floats:
    shares = np.full(part.shape, np.nan)
    np.divide(part, whole, out=shares, where=whole > 0)
    return shares
