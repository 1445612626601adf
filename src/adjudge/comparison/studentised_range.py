"""The distribution of the studentised range, for many values at once.

scipy has it too, at some milliseconds a value; here a table of the range of normal numbers is made once for a number of
systems and averaged over the distribution of the standard deviation.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from ..core.judged import Floats

WIDEST, STEPS = 60.0, 6001
NODES = 200
LARGE = 25_000
"""Degrees of freedom from which the standard deviation is taken as known."""


@lru_cache(maxsize=4)
def legendre_nodes(many: int) -> tuple[Floats, Floats]:
    """Nodes and weights of Gauss and Legendre on [−1, 1]; kept, because numpy solves for eigenvalues to find them."""
    nodes, weights = np.polynomial.legendre.leggauss(many)
    nodes.flags.writeable = weights.flags.writeable = False
    return nodes, weights


@lru_cache(maxsize=16)
def _range_table(count: int) -> tuple[Floats, Floats]:
    """(r, P(range of so many normal numbers ≤ r)) on a grid."""
    from scipy.special import ndtr

    nodes, weights = legendre_nodes(NODES)
    x = nodes * 10.0
    density = np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi) * weights * 10.0
    r = np.linspace(0.0, WIDEST, STEPS)
    below = np.empty(STEPS)
    for start in range(0, STEPS, 500):
        part = slice(start, start + 500)
        inside = ndtr(x)[None, :] - ndtr(x[None, :] - r[part, None])
        below[part] = count * (inside ** (count - 1)) @ density
    return r, np.clip(below, 0.0, 1.0)


@lru_cache(maxsize=16)
def _deviations(freedom: int) -> tuple[Floats, Floats]:
    """Values of s/σ with their probabilities: s² is χ² with so many degrees of freedom over that number."""
    from scipy.special import chdtri, gammaln

    low, high = np.sqrt(chdtri(freedom, [1 - 1e-13, 1e-13]) / freedom).tolist()
    nodes, weights = legendre_nodes(NODES)
    s = (high - low) / 2 * nodes + (high + low) / 2
    half = freedom / 2
    density = np.exp(math.log(2) + half * math.log(half) - gammaln(half) + (freedom - 1) * np.log(s) - half * s**2)
    return s, density * weights * (high - low) / 2


def range_tail(q: Floats, count: int, freedom: int) -> Floats:
    """P(studentised range > q) of so many means, the standard deviation having so many degrees of freedom.

    >>> range_tail(np.array([3.877]), 3, 10).round(3)
    array([0.05])
    """
    r, below = _range_table(count)
    if freedom >= LARGE:
        return np.asarray(1 - np.interp(q, r, below, right=1.0))
    deviations, weights = _deviations(freedom)
    return np.asarray(1 - np.interp(np.multiply.outer(q, deviations), r, below, right=1.0) @ weights)


def range_quantile(probability: float, count: int, freedom: int) -> float:
    """The q that the studentised range stays below with this probability.

    >>> round(range_quantile(0.95, 3, 10), 2)
    3.88
    """
    low, high = 0.0, WIDEST
    for _ in range(50):
        middle = (low + high) / 2
        above = float(range_tail(np.array([middle]), count, freedom)[0])
        low, high = (middle, high) if above > 1 - probability else (low, middle)
    return (low + high) / 2
