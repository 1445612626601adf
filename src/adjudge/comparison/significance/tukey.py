"""Tukey's honestly significant difference, by randomisation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.judged import Floats, Ints
from ...core.spec import is_count, require
from ..paired import ROUNDING, PairedTest, in_blocks

SLICE = 16
"""Permutations shuffled at once: a few hundred kilobytes, which stay in the cache."""

CELLS = 1_000_000
"""Values shuffled at once, where there are many."""


@dataclass(frozen=True)
class TukeyTest(PairedTest):
    """Tukey's HSD by randomisation: how often is the largest difference of any two systems as large by chance?

    Formula: p = (b + 1)/(samples + 1), b the samples in which max − min of the systems' means, their values shuffled
    among all systems on every topic, is |difference| or more. One family of all systems: no correction is due.
    Intervals are simultaneous: difference ± the quantile of max − min.

    Parameters: ``samples`` how many times all values are shuffled.

    No value: no difference on any topic gives p = 1.

    Paper: Tukey (1949); Carterette, Multiple testing in statistical analysis of retrieval experiments (2012).

    Example: of 9,999 shuffles 49 have a max − min of the difference or more: p = 0.005.
    """

    name: ClassVar[str] = "tukey"
    aliases: ClassVar[tuple[str, ...]] = ("hsd", "tukey_hsd")
    familywise: ClassVar[bool] = True
    draws: ClassVar[bool] = True
    positional: ClassVar[str] = "samples"

    samples: int = 100_000

    def __post_init__(self) -> None:
        require(self, "samples", is_count(self.samples), "be a whole number of samples, 1 or more")

    def ranges(self, values: Floats, rng: np.random.Generator) -> Floats:
        """max − min of the means in each sample, sorted."""
        centred = np.ascontiguousarray((values - values.mean(axis=0)).T)

        def block(size: int, generator: np.random.Generator) -> Floats:
            ranges = np.empty(size)
            step = max(1, min(SLICE, CELLS // centred.size))
            shuffled = np.empty((step, *centred.shape))
            for start in range(0, size, step):
                part = shuffled[: min(step, size - start)]
                part[:] = centred
                generator.permuted(part, axis=2, out=part)
                ranges[start : start + len(part)] = np.ptp(part.sum(axis=1), axis=1)
            return ranges

        return np.asarray(np.sort(np.concatenate(list(in_blocks(self.samples, rng, block)))) / len(centred))

    def p(self, values: Floats, pairs: Ints, rng: np.random.Generator) -> Floats:
        return self._larger(values, pairs, self.ranges(values, rng))

    def with_interval(
        self, values: Floats, pairs: Ints, confidence: float, rng: np.random.Generator
    ) -> tuple[Floats, Floats, Floats]:
        ranges = self.ranges(values, rng)
        means, half = values.mean(axis=1), float(np.quantile(ranges, confidence))
        gaps = means[pairs[:, 0]] - means[pairs[:, 1]]
        return self._larger(values, pairs, ranges), gaps - half, gaps + half

    def _larger(self, values: Floats, pairs: Ints, ranges: Floats) -> Floats:
        means = values.mean(axis=1)
        tiny = ROUNDING * float(np.abs(values).max(initial=0.0))
        gaps = np.abs(means[pairs[:, 0]] - means[pairs[:, 1]]) - tiny
        larger = self.samples - np.searchsorted(ranges, gaps, "left")
        return np.asarray((larger + 1.0) / (self.samples + 1.0))
