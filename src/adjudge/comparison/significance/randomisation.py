"""The randomisation (permutation) test."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...core.judged import Floats, Ints
from ...core.kernel import native
from ...core.spec import is_count, require
from ..paired import ROUNDING, PairedTest, add_up, by_differences, by_first, in_blocks

ALL = 1 << 13
ENOUGH = 100
"""Samples that reach a difference and say well enough what p is: within a tenth of it, more or less."""

compiled: Any = native("gaps")


@dataclass(frozen=True)
class RandomisationTest(PairedTest):
    """The randomisation test: how often does swapping the systems at random on each topic give as large a difference?

    Formula: p = (b + 1)/(samples + 1), b the samples of signs s_t = ±1 with |Σ s_t d_t| ≥ |Σ d_t|. If there are no more
    than ``samples`` ways to choose the signs all 2^n are gone through instead and p = b/2^n is exact. The same signs
    serve all pairs: Σ s_t (x_t − y_t) is a difference of two sums, so a hundred systems need a hundred sums and not
    4,950.

    With ``most`` a pair that fewer than 100 samples reach is given more of them, up to so many; if none of the first
    reaches it and Hoeffding's bound 2 exp(−(Σ d_t)²/(2 Σ d_t²)), which p cannot exceed, is below 1/(most + 1), the
    bound is its p. The two stages exceed no level; to choose between samples and bound exceeds levels near 1/(most + 1)
    by at most 3 % of themselves.

    Parameters: ``samples`` how many random choices of signs; ``most`` how many for a pair that needs more, 0 for none.

    No value: no difference on any topic gives p = 1.

    Paper: Fisher (1935); Smucker, Allan & Carterette (2007) recommend it for retrieval; Besag & Clifford (1991) draw on
    only where p is small; Hoeffding (1963).

    Example: differences 1 1 1: of 8 choices of signs 2 give |sum| = 3: p = 0.25.
    """

    name: ClassVar[str] = "randomisation"
    aliases: ClassVar[tuple[str, ...]] = ("randomization", "permutation", "permutation_test", "fisher")
    draws: ClassVar[bool] = True
    positional: ClassVar[str] = "samples"

    samples: int = 100_000
    most: int = 0

    def __post_init__(self) -> None:
        require(self, "samples", is_count(self.samples), "be a whole number of samples, 1 or more")
        require(self, "most", self.most == 0 or is_count(self.most), "be a whole number of samples, or 0 for no more")

    def least_p(self, topics: int) -> float:
        if self.most <= self.samples:
            return super().least_p(topics)
        drawn, bound = 1.0 / (self.most + 1.0), 2.0 * math.exp(-topics / 2)  # where all differences are equal
        return min(drawn, bound)

    def p(self, values: Floats, pairs: Ints, rng: np.random.Generator) -> Floats:
        topics = values.shape[1]
        centred = values - np.median(values, axis=0)  # what systems share says nothing and costs digits
        count = _Reached(centred, pairs)
        if topics < 31 and 2**topics <= self.samples:
            return np.asarray(add_up(count(signs) for signs in every(topics)) / 2**topics)

        def drawn(count: _Reached, samples: int) -> Ints:
            def block(size: int, generator: np.random.Generator) -> Ints:
                return count(np.asarray(generator.integers(0, 2, (size, topics), np.int8) * 2 - 1, np.float64))

            return add_up(in_blocks(samples, rng, block))

        reached = drawn(count, self.samples)
        p = (reached + 1.0) / (self.samples + 1.0)
        if self.most > self.samples:
            bound = hoeffding(values, pairs)
            sure = (reached == 0) & (bound < 1.0 / (self.most + 1.0))
            p[sure] = bound[sure]
            few = np.flatnonzero((reached < ENOUGH) & ~sure)
            if len(few):
                more = drawn(_Reached(centred, pairs[few]), self.most - self.samples)
                p[few] = (reached[few] + more + 1.0) / (self.most + 1.0)
        return np.asarray(p)


class _Reached:
    """Called with signs (samples × topics): in how many of them each pair differs by as much as without signs."""

    def __init__(self, centred: Floats, pairs: Ints) -> None:
        self.pairs = pairs
        used, places = np.unique(pairs, return_inverse=True)
        self.values = np.ascontiguousarray(centred[used])
        self.firsts, self.seconds = np.ascontiguousarray(places.reshape(pairs.shape).T, np.int64)
        total, size = self.values.sum(axis=1), np.abs(self.values).sum(axis=1)
        between = np.abs(total[self.firsts] - total[self.seconds])
        self.bounds = between - ROUNDING * (size[self.firsts] + size[self.seconds])

    def __call__(self, signs: Floats) -> Ints:
        sums = np.ascontiguousarray(self.values @ signs.T)
        counts = np.zeros(len(self.pairs), np.int64)
        if compiled is not None:  # the same without arrays of all differences
            compiled.reached(sums, len(signs), self.firsts, self.seconds, self.bounds, counts)
            return counts
        for first, seconds, places in by_first(np.stack([self.firsts, self.seconds], axis=1)):
            gaps = sums[seconds]
            gaps -= sums[first]
            np.abs(gaps, out=gaps)
            counts[places] = np.count_nonzero(gaps >= self.bounds[places, None], axis=1)
        return counts


def hoeffding(values: Floats, pairs: Ints) -> Floats:
    """For each pair what its p cannot exceed: 2 exp(−(Σ d)²/(2 Σ d²)), 1 where there is no difference.

    >>> hoeffding(np.array([[3.0, 1.0], [0.0, 0.0]]), np.array([[0, 1]])).round(4)  # (3 + 1)²/(2 (9 + 1)) = 0.8
    array([0.8987])
    """

    def bound(gaps: Floats) -> Floats:
        squares = np.einsum("pt,pt->p", gaps, gaps)
        far = np.divide(gaps.sum(axis=1) ** 2, 2 * squares, out=np.zeros(len(gaps)), where=squares > 0)
        return np.asarray(np.clip(2 * np.exp(-far), np.finfo(float).tiny, 1.0))

    return by_differences(values, pairs, bound)


def every(topics: int) -> Iterator[Floats]:
    """All 2^topics choices of signs, a block at a time."""
    for start in range(0, 2**topics, ALL):
        codes = np.arange(start, min(start + ALL, 2**topics))
        yield np.asarray(((codes[:, None] >> np.arange(topics)) & 1) * 2 - 1, np.float64)
