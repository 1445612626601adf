"""Base classes of paired tests and of corrections for many comparisons, and what several of them share.

A test sees the values of all systems (systems × topics) and the pairs that are asked about, because drawing signs,
topics or permutations once for all pairs is what makes a hundred systems as cheap as two.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import ClassVar, TypeVar

import numpy as np

from ..core.errors import SpecError
from ..core.judged import Floats, Ints
from ..core.kernel import on_threads
from ..core.machine import cores
from ..core.registry import Registry
from ..core.spec import Component
from .verdict import ALPHA

BLOCK = 1000
"""Samples that one generator draws; fixed, so that the result does not depend on how many threads share the work."""

PIECE = 100_000
"""Differences that are looked at in one go: they stay in the cache of a core."""

MOST_SAMPLES = 1_000_000
"""That a test is given when nobody says how many."""

ROUNDING = 1e-12
"""Relative to what is summed: sums that differ by less are equal, and only rounding separates them."""

DIGITS = 12
MOST_DECIMALS = 200.0

T = TypeVar("T")


class PairedTest(Component, ABC):
    """Called with values (systems × topics) and pairs (rows of two system numbers): a two-sided p for each pair."""

    familywise: ClassVar[bool] = False
    """Return whether its p are for all pairs of the systems together, so that no correction is due."""
    draws: ClassVar[bool] = False
    """Return whether it needs a random generator."""

    def __call__(self, values: Floats, pairs: Ints, rng: np.random.Generator | None = None) -> Floats:
        return self.p(values, pairs, self.generator(rng))

    def generator(self, rng: np.random.Generator | None) -> np.random.Generator:
        """The generator that was given; a test that draws nothing does without one."""
        if rng is None and self.draws:
            raise SpecError(f"{self.name} draws at random and needs a generator: rng=numpy.random.default_rng(0)")
        return np.random.default_rng(0) if rng is None else rng

    def favours(self, values: Floats, pairs: Ints) -> Ints:
        """+1 where the test sees the first system of a pair higher, −1 the second.

        By the mean, unless a test asks about something else.
        """
        return by_differences(values, pairs, lambda gaps: np.sign(gaps.mean(axis=1))).astype(np.int64)

    def least_p(self, topics: int) -> float:
        """The smallest p it can give: 1/(samples + 1) if it draws samples, as small as any if not."""
        del topics
        return 1.0 / (getattr(self, "samples", math.inf) + 1.0)

    @abstractmethod
    def p(self, values: Floats, pairs: Ints, rng: np.random.Generator) -> Floats:
        """The p-value of each pair."""

    def with_interval(
        self, values: Floats, pairs: Ints, confidence: float, rng: np.random.Generator
    ) -> tuple[Floats, Floats, Floats]:
        """p, and bounds of the mean difference of each pair: Student's, unless a test has its own."""
        from scipy.special import stdtrit

        topics = values.shape[1]
        wide = float(stdtrit(topics - 1, (1 + confidence) / 2)) / np.sqrt(topics)

        def bounds(gaps: Floats) -> Floats:
            middle, half = gaps.mean(axis=1), wide * gaps.std(axis=1, ddof=1)
            return np.array([middle - half, middle + half])

        low, high = by_differences(values, pairs, bounds)
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

    What differs from zero only by rounding is zero, and differences are equal if they are on paper: 0.3 − 0.2 and
    0.2 − 0.1 are not in doubles.
    """
    shifts = reliable(values)
    for part in _parts(values, pairs):
        yield part, _differences(values, pairs[part], shifts)


def by_differences(values: Floats, pairs: Ints, work: Callable[[Floats], Floats]) -> Floats:
    """What ``work`` makes of the differences of each pair, a number or a column of them; on all cores."""
    shifts = reliable(values)
    parts = [pairs[part] for part in _parts(values, pairs)]
    made = on_threads(lambda own: work(_differences(values, own, shifts)), parts)
    return np.concatenate(made, axis=-1)


def _parts(values: Floats, pairs: Ints) -> list[slice]:
    step = max(1, PIECE // max(1, values.shape[1]))
    return [slice(start, min(start + step, len(pairs))) for start in range(0, len(pairs), step)] or [slice(0, 0)]


def _differences(values: Floats, pairs: Ints, shifts: Floats) -> Floats:
    a, b = pairs.T
    shift = np.minimum(shifts[a], shifts[b])
    gaps = values[a] - values[b]
    endless = np.isinf(shift)
    if not endless.any():
        return np.asarray(np.rint(gaps * shift) / shift)
    shift[endless] = 1.0
    return np.asarray(np.where(endless, gaps, np.rint(gaps * shift) / shift))


def reliable(values: Floats) -> Floats:
    """Ten to the number of reliable decimals of each value: twelve digits from its first one.

    Infinity for values so small that their differences are taken as they are.
    """
    sizes = np.abs(values)
    decimals = np.where(sizes > 0, DIGITS - np.ceil(np.log10(np.where(sizes > 0, sizes, 1.0))), MOST_DECIMALS)
    with np.errstate(over="ignore"):  # the other one of a pair may have fewer
        return np.asarray(10.0**decimals)


def by_first(pairs: Ints) -> Iterator[tuple[int, Ints, Ints]]:
    """(first system, second systems, their places among the pairs)."""
    order = np.argsort(pairs[:, 0], kind="stable")
    firsts, starts = np.unique(pairs[order, 0], return_index=True)
    for first, places in zip(firsts.tolist(), np.split(order, starts[1:]), strict=True):
        yield first, pairs[places, 1], places


def add_up(parts: Iterator[Ints]) -> Ints:
    """The sum of counts, added up as they come."""
    total = next(parts)
    for part in parts:
        total = total + part
    return total


def in_blocks(samples: int, rng: np.random.Generator, work: Callable[[int, np.random.Generator], T]) -> Iterator[T]:
    """``work(size, generator)`` for every block of samples, on all cores; each block has a generator of its own."""
    sizes = [min(BLOCK, samples - start) for start in range(0, samples, BLOCK)]
    generators = rng.spawn(len(sizes))
    if len(sizes) < 2:
        yield from map(work, sizes, generators)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(cores()) as pool:
        yield from pool.map(work, sizes, generators)


def with_enough_samples(spec: str, pairs: float) -> str:
    """The test with so many samples that a correction for all pairs leaves something to find, unless it says its own.

    The smallest p that N samples can give is 1/(N + 1), and corrections multiply it by the number of pairs. A test that
    can draw more for the pairs that need it does so.
    """
    test = paired_tests.parse(spec)
    usual = getattr(type(test), "samples", None)
    if test.familywise or usual is None or getattr(test, "samples", None) != usual or getattr(test, "most", 0):
        return spec
    wanted = min(math.ceil(2 * pairs / ALPHA / 10_000) * 10_000, MOST_SAMPLES)
    if wanted <= usual:
        return spec
    number = "most" if hasattr(test, "most") else "samples"
    return str(replace(test, **{number: wanted}))  # type: ignore[type-var]
