"""The randomisation (permutation) test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...core.judged import Floats, Ints
from ...core.kernel import native
from ...core.spec import is_count, require
from ..paired import ROUNDING, PairedTest, add_up, by_first, in_blocks

ALL = 1 << 13

compiled: Any = native("gaps")


@dataclass(frozen=True)
class RandomisationTest(PairedTest):
    """The randomisation test: how often does swapping the systems at random on each topic give as large a difference?

    Formula: p = (b + 1)/(samples + 1), b the samples of signs s_t = ±1 with |Σ s_t d_t| ≥ |Σ d_t|. If there are no more
    than ``samples`` ways to choose the signs all 2^n are gone through instead and p = b/2^n is exact. The same signs
    serve all pairs: Σ s_t (x_t − y_t) is a difference of two sums, so a hundred systems need a hundred sums and not
    4,950.

    Parameters: ``samples`` how many random choices of signs.

    No value: no difference on any topic gives p = 1.

    Paper: Fisher (1935); Smucker, Allan & Carterette (2007) recommend it for retrieval.

    Example: differences 1 1 1: of 8 choices of signs 2 give |sum| = 3: p = 0.25.
    """

    name: ClassVar[str] = "randomisation"
    aliases: ClassVar[tuple[str, ...]] = ("randomization", "permutation", "permutation_test", "fisher")
    draws: ClassVar[bool] = True
    positional: ClassVar[str] = "samples"

    samples: int = 100_000

    def __post_init__(self) -> None:
        require(self, "samples", is_count(self.samples), "be a whole number of samples, 1 or more")

    def p(self, values: Floats, pairs: Ints, rng: np.random.Generator) -> Floats:
        topics = values.shape[1]
        centred = values - np.median(values, axis=0)  # what systems share says nothing and costs digits
        total, size = centred.sum(axis=1), np.abs(centred).sum(axis=1)
        a, b = pairs.T
        bounds = np.abs(total[a] - total[b]) - ROUNDING * (size[a] + size[b])
        groups = list(by_first(pairs))
        firsts, others = (np.ascontiguousarray(column, np.int64) for column in (a, b))

        def count(signs: Floats) -> Ints:
            sums = centred @ signs.T
            exceeded = np.zeros(len(pairs), np.int64)
            if compiled is not None:  # the same without arrays of all differences
                compiled.reached(np.ascontiguousarray(sums), len(signs), firsts, others, bounds, exceeded)
                return exceeded
            for first, seconds, places in groups:
                gaps = sums[seconds]
                gaps -= sums[first]
                np.abs(gaps, out=gaps)
                exceeded[places] = np.count_nonzero(gaps >= bounds[places, None], axis=1)
            return exceeded

        if topics < 31 and 2**topics <= self.samples:
            return np.asarray(add_up(count(signs) for signs in every(topics)) / 2**topics)

        def block(size: int, generator: np.random.Generator) -> Ints:
            return count(np.asarray(generator.integers(0, 2, (size, topics), np.int8) * 2 - 1, np.float64))

        return np.asarray((add_up(in_blocks(self.samples, rng, block)) + 1.0) / (self.samples + 1.0))


def every(topics: int) -> Iterator[Floats]:
    """All 2^topics choices of signs, a block at a time."""
    for start in range(0, 2**topics, ALL):
        codes = np.arange(start, min(start + ALL, 2**topics))
        yield np.asarray(((codes[:, None] >> np.arange(topics)) & 1) * 2 - 1, np.float64)
