"""Wilcoxon's signed-rank test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...core.judged import Floats, Ints
from ...core.kernel import native, on_threads
from ...core.spec import require
from ..paired import PairedTest, differences, reliable

compiled: Any = native("signed_ranks")

ZEROS = ("wilcox", "pratt", "zsplit")
AT_ONCE = 1_000_000
"""Differences that a thread holds."""

MOST_EXACT = 50
"""Above so many topics scipy takes the normal approximation for every pair."""

FEW = 13
"""Up to so many topics all signs are gone through when there are ties."""


@dataclass(frozen=True)
class WilcoxonTest(PairedTest):
    """Wilcoxon's signed-rank test: are differences as often and as far above 0 as below, by their ranks?

    Formula: ranks of |d| are summed where d > 0; p from the exact distribution of that sum if no two |d| are equal,
    none is 0 and there are 50 topics or fewer; from all signs if there are ties and 13 topics or fewer; else from the
    normal approximation, corrected for ties, without a correction for continuity. Pair by pair it is what
    scipy.stats.wilcoxon gives of differences without their rounding errors, to the last bit.

    Parameters: ``zeros`` topics without a difference: wilcox drops them, pratt ranks and then drops them, zsplit gives
    half of their ranks to each side.

    No value: no difference on any topic gives p = 1.

    Paper: Wilcoxon (1945); Pratt (1959); Stathopoulos & Teufel (2015) test MAP with it.

    Example: differences 1 2 3 4 5 6: rank sum 21 of 21, p = 2/64 = 0.03125.
    """

    name: ClassVar[str] = "wilcoxon"
    aliases: ClassVar[tuple[str, ...]] = ("signed_rank", "wilcoxon_signed_rank")
    positional: ClassVar[str] = "zeros"

    zeros: str = "wilcox"

    def __post_init__(self) -> None:
        require(self, "zeros", self.zeros in ZEROS, f"be one of {', '.join(ZEROS)}")

    def favours(self, values: Floats, pairs: Ints) -> Ints:
        return _by_parts(values, pairs, self._favoured).astype(np.int64)

    def p(self, values: Floats, pairs: Ints, rng: np.random.Generator) -> Floats:
        del rng
        if compiled is not None and values.shape[1] > MOST_EXACT:
            return _by_parts(values, pairs, self._approximate)
        return _by_parts(values, pairs, self._by_scipy)

    def _favoured(self, values: Floats, pairs: Ints) -> Floats:
        if compiled is not None:
            above, below, _, _ = self._sums(values, pairs).T
            return np.asarray(np.sign(above - below))
        from scipy.stats import rankdata

        gaps = tied_differences(values, pairs)
        sizes = np.where((gaps == 0) & (self.zeros == "wilcox"), np.nan, np.abs(gaps))
        ranks = np.nan_to_num(rankdata(sizes, axis=1, nan_policy="omit"))
        return np.asarray(np.sign((np.sign(gaps) * ranks).sum(axis=1)))

    def _sums(self, values: Floats, pairs: Ints) -> Floats:
        """pairs × 4: the ranks of differences above 0, of those below, topics without one, and ties t³ − t."""
        sums = np.empty((len(pairs), 4))
        firsts, seconds = (np.ascontiguousarray(column, np.int64) for column in pairs.T)
        exact = np.ascontiguousarray(values, np.float64)
        dropped = int(self.zeros == "wilcox")
        compiled.sums(exact, reliable(exact), values.shape[1], firsts, seconds, ROUNDING, dropped, sums)
        return sums

    def _approximate(self, values: Floats, pairs: Ints) -> Floats:
        """The normal approximation, in the order in which scipy calculates it, so that it is the same to the bit."""
        from scipy.special import ndtr

        above, _, zeros, ties = self._sums(values, pairs).T
        count = values.shape[1] - (zeros if self.zeros == "wilcox" else 0.0)
        middle = count * (count + 1.0) * 0.25
        error = count * (count + 1.0) * (2.0 * count + 1.0)
        if self.zeros == "pratt":
            middle = middle - zeros * (zeros + 1.0) * 0.25
            error = error - zeros * (zeros + 1.0) * (2.0 * zeros + 1.0)
        if self.zeros == "zsplit":
            above = above + zeros * (zeros + 1.0) * 0.25
            ties = ties + (zeros**3 - zeros)
        error = np.sqrt((error - ties / 2) / 24)
        different = zeros < values.shape[1]
        z = np.divide(above - middle, error, out=np.zeros(len(pairs)), where=different)
        return np.where(different, 2 * ndtr(-np.abs(z)), 1.0)

    def _by_scipy(self, values: Floats, pairs: Ints) -> Floats:
        """scipy chooses one method for all rows it is given, so rows that differ in kind are given apart."""
        from scipy.stats import wilcoxon

        gaps = tied_differences(values, pairs)
        sizes = np.sort(np.abs(gaps), axis=1)
        plain = (sizes[:, 0] > 0) & (sizes[:, 1:] != sizes[:, :-1]).all(axis=1)
        tied = ~plain & (sizes[:, -1] > 0)
        p_values = np.ones(len(gaps))
        if gaps.shape[1] <= FEW:
            p_values[tied] = self._all_signs(gaps[tied])
            tied[:] = False
        for rows in (plain, tied):
            if rows.any():
                p_values[rows] = wilcoxon(gaps[rows], zero_method=self.zeros, method="auto", axis=1).pvalue
        return p_values

    def _all_signs(self, gaps: Floats) -> Floats:
        """What scipy does with few topics and ties, for all pairs in one product: a pair takes it a second."""
        from scipy.stats import rankdata

        zero = gaps == 0
        sizes = np.where(zero & (self.zeros == "wilcox"), np.nan, np.abs(gaps))
        ranks = np.where(zero, 0.0, rankdata(sizes, axis=1, nan_policy="omit"))
        every = ((np.arange(2 ** gaps.shape[1])[:, None] >> np.arange(gaps.shape[1])) & 1).astype(float)
        p_values = np.empty(len(gaps))
        for row, own in enumerate(ranks):
            sums, seen = every @ own, own[gaps[row] > 0].sum()
            p_values[row] = min(1.0, 2 * min(np.mean(sums <= seen), np.mean(sums >= seen)))
        return p_values


def _by_parts(values: Floats, pairs: Ints, work: Callable[[Floats, Ints], Floats]) -> Floats:
    """A number for each pair, so many at a time as fit in memory; on all cores."""
    step = max(1, AT_ONCE // max(1, values.shape[1]))
    parts = [pairs[start : start + step] for start in range(0, len(pairs), step)]
    return np.concatenate(on_threads(lambda own: work(values, own), parts)) if parts else np.empty(0)


def tied_differences(values: Floats, pairs: Ints) -> Floats:
    """pairs × topics: differences of which those that only rounding tells apart are equal."""
    gaps = np.concatenate([some for _, some in differences(values, pairs)])
    return tie(gaps, tolerances(values, pairs))


ROUNDING = 1e-11
"""So much of the larger of two values their difference may be off, and is tied with another one."""


def tolerances(values: Floats, pairs: Ints) -> Floats:
    """How far the difference of two values may be off on each topic."""
    a, b = pairs.T
    off: Floats = ROUNDING * np.maximum(np.abs(values[a]), np.abs(values[b]))
    return off


def tie(gaps: Floats, off: Floats) -> Floats:
    """Differences of which those that are equal but for rounding, 1/3 − 1/4 and 1/12 − 0, are equal."""
    sizes = np.abs(gaps)
    order = np.argsort(sizes, axis=1, kind="stable")
    rising, slack = np.take_along_axis(sizes, order, 1), np.take_along_axis(off, order, 1)
    new = np.ones(gaps.shape, bool)
    new[:, 1:] = rising[:, 1:] - rising[:, :-1] > np.maximum(slack[:, 1:], slack[:, :-1])
    new[:, 1:] |= (rising[:, 1:] > 0) & (rising[:, :-1] == 0)  # what is no difference was decided before
    first = np.maximum.accumulate(np.where(new, np.arange(gaps.shape[1]), 0), axis=1)
    tied = np.empty_like(gaps)
    np.put_along_axis(tied, order, np.take_along_axis(rising, first, 1), 1)
    return np.sign(gaps) * tied
