"""The bootstrap test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.judged import Floats, Ints
from ...core.spec import is_count, require
from ..paired import PairedTest, add_up, by_first, differences, in_blocks


@dataclass(frozen=True)
class BootstrapTest(PairedTest):
    """The paired bootstrap test: how often does a sample of topics, differences centred on 0, give as large a t?

    Formula: p = (b + 1)/(samples + 1), b the samples with |t*| ≥ |t|, t = mean(d)/(sd(d)/√n), t* the same for n topics
    drawn with replacement from d − mean(d). The same topics are drawn for all pairs. Intervals are studentised: from
    mean(d) − q sd(d)/√n to mean(d) + q′ sd(d)/√n, −q′ and q the quantiles of t*. They hold what they promise with few
    topics, too, where percentiles of the mean are too narrow.

    Parameters: ``samples`` how many samples of topics.

    No value: no difference on any topic gives p = 1, the same difference on every topic the smallest p there is.

    Paper: Efron & Tibshirani (1993), sections 12.5 and 16.4; Sakai (2006) for retrieval.

    Example: of 1,000 samples 24 give a |t*| of |t| or more: p = 25/1001 = 0.025.
    """

    name: ClassVar[str] = "bootstrap"
    draws: ClassVar[bool] = True
    positional: ClassVar[str] = "samples"

    samples: int = 10_000

    def __post_init__(self) -> None:
        require(self, "samples", is_count(self.samples), "be a whole number of samples, 1 or more")

    def p(self, values: Floats, pairs: Ints, rng: np.random.Generator) -> Floats:
        topics = values.shape[1]
        bounds, level, constant = np.empty(len(pairs)), np.zeros(len(pairs), bool), np.zeros(len(pairs), bool)
        for part, gaps in differences(values, pairs):
            same = (gaps == gaps[:, :1]).all(axis=1)
            constant[part], level[part] = same & (gaps[:, 0] != 0), same & (gaps[:, 0] == 0)
            spread = np.where(same, 1.0, gaps.std(axis=1))
            bounds[part] = np.abs(gaps.mean(axis=1)) / spread * (1 - 1e-12)
        groups = list(by_first(pairs))

        def block(size: int, generator: np.random.Generator) -> Ints:
            drawn = counts(generator, size, topics)
            exceeded = np.empty(len(pairs), np.int64)
            for places, mean, spread in moments(values, drawn, groups):
                exceeded[places] = np.count_nonzero(np.abs(mean) >= bounds[places, None] * spread, axis=1)
            return exceeded

        counted = add_up(in_blocks(self.samples, rng, block)).astype(float)
        counted[constant], counted[level] = 0, self.samples
        return np.asarray((counted + 1.0) / (self.samples + 1.0))

    def with_interval(
        self, values: Floats, pairs: Ints, confidence: float, rng: np.random.Generator
    ) -> tuple[Floats, Floats, Floats]:
        p, topics = self.p(values, pairs, rng), values.shape[1]
        drawn = np.concatenate(list(in_blocks(self.samples, rng, lambda size, own: counts(own, size, topics))))
        low, high = np.empty(len(pairs)), np.empty(len(pairs))
        for first, seconds, places in by_first(pairs):
            low[places], high[places] = studentised(values[first] - values[seconds], drawn, confidence)
        return p, low, high


def studentised(values: Floats, drawn: Floats, confidence: float) -> tuple[Floats, Floats]:
    """The ends of the studentised bootstrap interval of the mean of each row; ``drawn`` is samples × topics."""
    topics = values.shape[1]
    centre = values.mean(axis=1, keepdims=True)
    gaps = values - centre
    means = gaps @ drawn.T / topics
    spreads = np.sqrt(np.maximum(gaps**2 @ drawn.T / topics - means**2, 0.0))
    own = np.sqrt((gaps**2).mean(axis=1))
    # A sample of topics with one value has no spread, and no t; what rounding leaves of it is about 1e-8 of the mean.
    floor = 1e-6 * own[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        t = np.where(spreads > floor, means / spreads, np.nan)
    ends, shares = np.zeros((2, len(values))), [(1 - confidence) / 2, (1 + confidence) / 2]
    lacking = np.isnan(t).any(axis=1)
    whole, some = (own > 0) & ~lacking, (own > 0) & lacking & ~np.isnan(t).all(axis=1)
    if whole.any():
        ends[:, whole] = np.quantile(t[whole], shares, axis=1)
    if some.any():  # few topics; this is much slower
        ends[:, some] = np.nanquantile(t[some], shares, axis=1)
    return centre[:, 0] - ends[1] * own, centre[:, 0] - ends[0] * own


def counts(rng: np.random.Generator, size: int, topics: int) -> Floats:
    """samples × topics: how often each topic was drawn."""
    drawn = rng.integers(0, topics, (size, topics)) + np.arange(size)[:, None] * topics
    return np.bincount(drawn.reshape(-1), minlength=size * topics).reshape(size, topics).astype(float)


def centred_gaps(values: Floats, first: int, seconds: Ints) -> Floats:
    """pairs × topics: the differences of a system to others, less their mean."""
    gaps = values[first] - values[seconds]
    gaps -= gaps.mean(axis=1, keepdims=True)  # of the differences themselves: those of close systems have few digits
    return np.asarray(gaps)


def moments(
    values: Floats, drawn: Floats, groups: Sequence[tuple[int, Ints, Ints]]
) -> Iterator[tuple[Ints, Floats, Floats]]:
    """(places of some pairs, mean, standard deviation) of their centred differences in each sample, pairs × samples."""
    topics = values.shape[1]
    for first, seconds, places in groups:
        gaps = centred_gaps(values, first, seconds)
        # In place: with hundreds of systems the arrays are large, and to make them anew takes longer than to fill them.
        mean = gaps @ drawn.T
        mean /= topics
        spread = gaps**2 @ drawn.T
        spread /= topics
        spread -= mean**2
        np.maximum(spread, 0.0, out=spread)
        yield places, mean, np.sqrt(spread, out=spread)
