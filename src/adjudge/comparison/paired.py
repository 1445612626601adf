"""What a paired test is, what a correction for many comparisons is, and what several of them share.

A test sees the values of all systems (systems × topics) and the pairs that are asked about, because drawing signs,
topics or permutations once for all pairs is what makes a hundred systems as cheap as two.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import ClassVar, TypeVar

import numpy as np

from ..core.errors import SpecError
from ..core.judged import Floats, Ints
from ..core.registry import Registry
from ..core.spec import Component

BLOCK = 1000
"""Samples that one generator draws; fixed, so that the result does not depend on how many threads share the work."""

PIECE = 4_000_000
"""Differences held at once."""

ROUNDING = 1e-12
"""Relative to the largest value: sums that differ by less are equal, and only rounding tells them apart."""

T = TypeVar("T")


class PairedTest(Component, ABC):
    """Called with values (systems × topics) and pairs (rows of two system numbers): a two-sided p for each pair."""

    familywise: ClassVar[bool] = False
    """Whether its p are for all pairs of the systems together, so that no correction is due."""
    draws: ClassVar[bool] = False
    """Whether it needs a random generator."""

    def __call__(self, values: Floats, pairs: Ints, rng: np.random.Generator | None = None) -> Floats:
        return self.p(values, pairs, self.generator(rng))

    def generator(self, rng: np.random.Generator | None) -> np.random.Generator:
        """The generator that was given; a test that draws nothing does without one."""
        if rng is None and self.draws:
            raise SpecError(f"{self.name} draws at random and needs a generator: rng=numpy.random.default_rng(0)")
        return np.random.default_rng(0) if rng is None else rng

    @abstractmethod
    def p(self, values: Floats, pairs: Ints, rng: np.random.Generator) -> Floats:
        """The p-value of each pair."""

    def with_interval(
        self, values: Floats, pairs: Ints, level: float, rng: np.random.Generator
    ) -> tuple[Floats, Floats, Floats]:
        """p, and bounds of the mean difference of each pair: Student's, unless a test has its own."""
        from scipy.special import stdtrit

        topics = values.shape[1]
        wide = float(stdtrit(topics - 1, (1 + level) / 2)) / np.sqrt(topics)
        low, high = np.empty(len(pairs)), np.empty(len(pairs))
        for part, gaps in differences(values, pairs):
            middle, half = gaps.mean(axis=1), wide * gaps.std(axis=1, ddof=1)
            low[part], high[part] = middle - half, middle + half
        return self.p(values, pairs, rng), low, high


class Correction(Component, ABC):
    """Called with the p-values of all comparisons it gives them corrected for their number."""

    @abstractmethod
    def __call__(self, p: Floats) -> Floats:
        """Corrected p-values, in the order given."""


paired_tests: Registry[PairedTest] = Registry("test", "adjudge.comparison.significance", PairedTest)
corrections: Registry[Correction] = Registry("correction", "adjudge.comparison.corrections", Correction)


def differences(values: Floats, pairs: Ints) -> Iterator[tuple[slice, Floats]]:
    """(which pairs, pairs × topics differences), so many pairs at a time as fit in memory.

    What only rounding tells apart from zero is zero, and differences are equal if they are on paper: 0.3 − 0.2 and
    0.2 − 0.1 are not in doubles.
    """
    step = max(1, PIECE // max(1, values.shape[1]))
    unit = grain(values)
    for start in range(0, len(pairs), step):
        part = slice(start, min(start + step, len(pairs)))
        gaps = values[pairs[part, 0]] - values[pairs[part, 1]]
        yield part, np.round(gaps / unit) * unit if unit else gaps


def grain(values: Floats) -> float:
    """What rounding leaves uncertain about a difference of values."""
    largest = float(np.abs(values).max(initial=0.0))
    return 10.0 ** np.ceil(np.log10(largest * ROUNDING)) if largest else 0.0


def by_first(pairs: Ints) -> Iterator[tuple[int, Ints, Ints]]:
    """(first system, second systems, their places among the pairs)."""
    order = np.argsort(pairs[:, 0], kind="stable")
    firsts, starts = np.unique(pairs[order, 0], return_index=True)
    for first, places in zip(firsts.tolist(), np.split(order, starts[1:]), strict=True):
        yield first, pairs[places, 1], places


def in_blocks(samples: int, rng: np.random.Generator, work: Callable[[int, np.random.Generator], T]) -> Iterator[T]:
    """``work(size, generator)`` for every block of samples, on all cores; each block has a generator of its own."""
    sizes = [min(BLOCK, samples - start) for start in range(0, samples, BLOCK)]
    generators = rng.spawn(len(sizes))
    if len(sizes) < 2:
        yield from map(work, sizes, generators)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        yield from pool.map(work, sizes, generators)
