"""The randomisation (permutation) test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.judged import Floats, Ints
from ...core.spec import is_count, require
from ..paired import PairedTest, by_first, grain, in_blocks


@dataclass(frozen=True)
class Randomisation(PairedTest):
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
    draws: ClassVar[bool] = True
    positional: ClassVar[str] = "samples"

    samples: int = 100_000

    def __post_init__(self) -> None:
        require(self, "samples", is_count(self.samples), "be a whole number of samples, 1 or more")

    def p(self, values: Floats, pairs: Ints, rng: np.random.Generator) -> Floats:
        topics = values.shape[1]
        centred = values - values.mean(axis=0)  # what all systems share says nothing and costs digits
        observed = np.abs(centred[pairs[:, 0]].sum(axis=1) - centred[pairs[:, 1]].sum(axis=1))
        bounds = observed - grain(values) * np.sqrt(topics)
        groups = list(by_first(pairs))

        def count(signs: Floats) -> Ints:
            sums = centred @ signs.T
            found = np.empty(len(pairs), np.int64)
            for first, seconds, places in groups:
                gaps = sums[seconds]
                gaps -= sums[first]
                np.abs(gaps, out=gaps)
                found[places] = np.count_nonzero(gaps >= bounds[places, None], axis=1)
            return found

        if topics < 31 and 2**topics <= self.samples:
            every = (np.arange(2**topics)[:, None] >> np.arange(topics)) & 1
            return np.asarray(count(np.asarray(every * 2 - 1, np.float64)) / 2**topics)

        def block(size: int, generator: np.random.Generator) -> Ints:
            return count(np.asarray(generator.integers(0, 2, (size, topics), np.int8) * 2 - 1, np.float64))

        counted = np.sum(list(in_blocks(self.samples, rng, block)), axis=0)
        return np.asarray((counted + 1.0) / (self.samples + 1.0))
