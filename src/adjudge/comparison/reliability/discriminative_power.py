"""Discriminative power: how many pairs of systems differ significantly by a measure.

Every pair is tested, all measures on the same samples of topics. The share of pairs that differ at a level is the
discriminative power of the measure; and from the samples follows what difference of means it takes (Sakai, Evaluating
evaluation metrics based on the bootstrap, SIGIR 2006).
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...core.errors import SpecError
from ...core.judged import Floats, Ints
from ...core.progress import SILENT, Listener
from ...core.result import Result
from ...core.scores import Scores
from ..matrix import complete_matrix, covered_systems
from ..paired import by_first, differences, in_blocks, paired_tests
from ..significance.bootstrap import BootstrapTest, counts, moments


@dataclass(frozen=True, eq=False)
class DiscriminativePower(Result):
    """Discriminative power of a measure."""

    measure: str
    test: str
    alpha: float
    p: Floats
    """Of all pairs, uncorrected, from the smallest to the largest: the curve that is plotted for a measure."""
    significant: int
    required: float
    """The difference of means that was needed: over all pairs the largest of the differences at the edge of what is
    significant. NaN for other tests than the bootstrap."""
    spread: float
    """The range of the systems' means, to see the required difference against."""

    @property
    def pairs(self) -> int:
        return len(self.p)

    @property
    def share(self) -> float:
        return self.significant / self.pairs


@dataclass(frozen=True, eq=False)
class DiscriminativePowers(Result, Sequence[DiscriminativePower]):
    """What each of several measures tells apart."""

    rows: tuple[DiscriminativePower, ...]

    def __getitem__(self, key):  # type: ignore[no-untyped-def]
        return self.rows[key]

    def __iter__(self) -> Iterator[DiscriminativePower]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


def discriminative_power(
    scores: Scores,
    measures: Sequence[str],
    *,
    alpha: float = 0.05,
    test: str = "bootstrap(samples=1000)",
    least_coverage: float = 0.0,
    rng: np.random.Generator,
    progress: Listener = SILENT,
) -> DiscriminativePowers:
    """Test all pairs of systems under each measure; every measure sees the same random draws.

    Systems whose runs answer no judged topic, or less than the share ``least_coverage`` of them, are left out.
    """
    if not 0 < alpha < 1:
        raise SpecError(f"alpha must lie between 0 and 1, not {alpha:g}")
    component = paired_tests.parse(test)
    scores, _ = covered_systems(scores, least_coverage)
    powers = []
    with progress.work("test_pairs", str(component), len(measures), "measures") as step:
        for measure in measures:
            values = complete_matrix(scores, measure, least=2)
            pairs = np.array(np.triu_indices(len(values), 1)).T
            p = np.sort(component(values, pairs, copy.deepcopy(rng)))
            needed = math.nan
            if isinstance(component, BootstrapTest):
                needed = required_difference(values, pairs, alpha, component.samples, copy.deepcopy(rng))
            spread = float(np.ptp(values.mean(axis=1)))
            significant = int((p < alpha).sum())
            powers.append(DiscriminativePower(measure, str(component), alpha, p, significant, needed, spread))
            step.advance(name=measure)
    return DiscriminativePowers(tuple(powers))


def required_difference(values: Floats, pairs: Ints, alpha: float, samples: int, rng: np.random.Generator) -> float:
    """For each pair, its differences centred on 0, the |mean| of the sample whose |t| is the α·samples-th largest; of
    these the largest. NaN if α·samples is below 1, or if no pair differs."""
    place = math.floor(alpha * samples + 1e-9)
    if place < 1:
        return math.nan
    blocks = in_blocks(samples, rng, lambda size, own: counts(own, size, values.shape[1]))
    drawn = np.concatenate(list(blocks))
    alike = np.zeros(len(pairs), bool)
    for part, gaps in differences(values, pairs):
        alike[part] = (gaps == gaps[:, :1]).all(axis=1)
    largest = math.nan
    for places, mean, spread in moments(values, drawn, list(by_first(pairs))):
        for row in np.flatnonzero(~alike[places]).tolist():
            size = np.abs(mean[row])
            with np.errstate(divide="ignore", invalid="ignore"):
                t = np.nan_to_num(size / spread[row], nan=0.0, posinf=np.inf)
            edge = np.partition(t, samples - place)[samples - place]
            largest = float(np.fmax(largest, size[np.flatnonzero(t == edge)[0]]))
    return largest
