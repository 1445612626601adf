"""Sums over a ranking that is traversed from the top: what the AP correlations are made of."""

from __future__ import annotations

import math

import numpy as np

from ..core.judged import Floats, Ints
from .rankings import RankingPair, Side


def traverse(pair: RankingPair, *, sign: bool = False) -> float:
    """tau_ap_ties of y with respect to x; tau_ap if nothing is tied."""
    rivals = pair.y.above
    pivots = rivals > 0
    count = int(pivots.sum())
    if not count:
        return math.nan
    if sign:
        return float(((pair.agreeing - pair.opposed)[pivots] / rivals[pivots]).sum()) / count
    return 2 * float((pair.agreeing[pivots] / rivals[pivots]).sum()) / count - 1


def harmonic(n: int) -> Floats:
    """H_0 … H_n."""
    numbers = np.zeros(n + 1)
    np.cumsum(1.0 / np.arange(1, n + 1), out=numbers[1:])
    return numbers


def expectation(pair: RankingPair) -> float:
    """Σ_i C_i E[1/(place of i − 1)], the places of tied items in all orders: term I of equation 8."""
    h = harmonic(len(pair))
    above, size = pair.y.above, pair.y.size
    lower = above > 0
    p, t = above[lower], size[lower]
    return float((pair.agreeing[lower] * (h[p + t - 1] - h[p - 1]) / t).sum())


def within_groups(side: Side) -> Floats:
    """For each item, its part of Σ_{k=1..t−1} k/(p+k−1), p the first place of its group and t its size: term II of
    equation 8 before it is halved, closed by k/(p+k−1) = 1 − (p−1)/(p+k−1)."""
    h = harmonic(len(side))
    above, size = side.above, side.size
    return np.asarray(((size - 1) - above * (h[above + size - 1] - h[above])) / size)


def tied_in_both(pair: RankingPair) -> tuple[Ints, Ints]:
    """For each group of y with two or more items: the pairs in it that x ties too, and one of its members."""
    keys = pair.y.above.astype(np.int64) * len(pair) + pair.x.above
    codes, counts = np.unique(keys, return_counts=True)
    pairs = np.bincount(codes // len(pair), weights=counts * (counts - 1) // 2, minlength=len(pair)).astype(np.int64)
    order = pair.y.order[np.diff(pair.y.above[pair.y.order], prepend=-1) > 0]
    members = order[pair.y.size[order] > 1].astype(np.int64)
    return pairs[pair.y.above[members]], members
