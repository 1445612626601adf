"""Groups of systems without a significant difference, by letters, and intervals of the ranks they may have.

All pairs are tested, with a correction for their number. Systems that share a letter do not differ significantly. A
system's simultaneous rank interval begins after those that are significantly better and ends before those that are
significantly worse; if no pair is decided wrongly, which the correction makes at least 95 % sure, all of them hold the
true ranks at once. The bootstrap gives an interval for each system alone, by the largest studentised difference to any
other.

Papers: Gramm, Guo, Hüffner, Niedermeier, Piepho, Sharan, Algorithms for compact letter displays (CSDA 2007);
Al Mohamad, Goeman, van Zwet, Simultaneous confidence intervals for ranks (Biometrics 2022); Mogstad, Romano, Shaikh,
Wilhelm, Inference for ranks (Review of Economic Studies 2024); Demšar, Statistical comparisons of classifiers (JMLR
2006).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from string import ascii_letters
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.coverage import Coverage
from ..core.errors import SpecError
from ..core.judged import Floats, Ints
from ..core.kernel import native
from ..core.note import Note
from ..core.result import Plottable
from ..core.scores import Scores
from .compare import compare
from .matrix import complete_matrix
from .paired import ROUNDING, by_first, in_blocks
from .significance.bootstrap import centred_gaps, counts
from .studentised_range import legendre_nodes
from .verdict import ALPHA, Comparison

compiled: Any = native("gaps")

SAMPLES = 2000
"""Samples of topics for the bootstrap of ranks."""

Bools = npt.NDArray[np.bool_]


class RankInterval(NamedTuple):
    """The ranks that a system may have, 1 for the best.

    >>> str(RankInterval(1, 4)), str(RankInterval(2, 2))
    ('1–4', '2')
    """

    low: int
    high: int

    def __str__(self) -> str:
        return str(self.low) if self.low == self.high else f"{self.low}–{self.high}"

    def __contains__(self, rank: object) -> bool:
        return isinstance(rank, int | float | np.integer) and bool(self.low <= rank <= self.high)


@dataclass(frozen=True)
class RankedSystem:
    """One row of a leaderboard."""

    system: str
    figure: float
    """The average of the measure."""
    place: RankInterval
    """Its place by the average; systems with the same average share their places."""
    ranks: RankInterval
    """Simultaneous interval of its rank, from the pairwise decisions."""
    bootstrap: RankInterval
    """Interval of its rank alone, by the bootstrap over topics."""
    letters: tuple[str, ...]
    """The groups that it belongs to: systems that share a letter do not differ significantly."""


class CriticalDistance(NamedTuple):
    """Friedman's test and Nemenyi's critical distance of mean ranks over topics."""

    mean_ranks: tuple[float, ...]
    """Of the systems in the order of the leaderboard; ties on a topic share their mean rank."""
    distance: float
    """Systems whose mean ranks differ by less do not differ significantly."""
    statistic: float
    """Friedman's χ², corrected for ties; NaN if all systems are level on all topics."""
    p: float


@dataclass(frozen=True)
class RankGroups(Plottable):
    """A leaderboard whose ties are shown as ties."""

    comparison: Comparison
    """The all-pairs tests that groups and simultaneous intervals come from."""
    rows: tuple[RankedSystem, ...]
    """Best first."""
    alpha: float
    samples: int
    """Of topics, for the bootstrap intervals."""
    critical: CriticalDistance
    coverage: Mapping[str, Coverage] = field(default_factory=dict)
    left_out: Mapping[str, Coverage] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    @property
    def measure(self) -> str:
        return self.comparison.measure

    @property
    def topics(self) -> int:
        return self.comparison.topics

    @property
    def systems(self) -> tuple[str, ...]:
        """Best first."""
        return tuple(row.system for row in self.rows)

    @cached_property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """{letter: the systems that have it}, best first."""
        named: dict[str, list[str]] = {}
        for row in self.rows:
            for letter in row.letters:
                named.setdefault(letter, []).append(row.system)
        return {letter: tuple(named[letter]) for letter in sorted(named, key=letter_place)}

    @property
    def best(self) -> tuple[str, ...]:
        """The systems that may be the best one: whose simultaneous interval begins at 1."""
        return tuple(row.system for row in self.rows if row.ranks.low == 1)

    def conclusion(self) -> str:
        """Which systems may be the best, and how far ranks are known, in a sentence or two."""
        from ..core.presentation import conclusion_of

        return conclusion_of(self)


def rank_groups(
    scores: Scores,
    measure: str,
    *,
    test: str = "t",
    correction: str = "holm",
    alpha: float = ALPHA,
    samples: int = SAMPLES,
    least_coverage: float = 0.0,
    rng: np.random.Generator | None = None,
) -> RankGroups:
    """Rank systems by a measure, with groups that do not differ significantly and intervals of their ranks.

    ``test`` and ``correction`` are those of all pairs, as in :func:`adjudge.compare`; ``tukey`` needs no correction.
    ``samples`` of topics are drawn for the bootstrap intervals from ``rng``, by default one seeded with 0. Systems
    whose runs answer no judged topic, or less than the share ``least_coverage`` of them, are left out.
    """
    if not 0 < alpha < 1:
        raise SpecError(f"alpha lies between 0 and 1, not {alpha}")
    if samples < 1:
        raise SpecError(f"samples must be at least 1, not {samples}")
    draws = np.random.default_rng(0) if rng is None else rng
    compared = compare(scores, measure, tests=[test], correction=correction, least_coverage=least_coverage, rng=draws)
    return groups_of(compared, scores.of_systems(compared.systems), alpha=alpha, samples=samples, rng=draws)


def groups_of(
    compared: Comparison, scores: Scores, *, alpha: float = ALPHA, samples: int = SAMPLES, rng: np.random.Generator
) -> RankGroups:
    """The same from a comparison of all pairs that was made before, by its first test."""
    if compared.baselines:
        raise SpecError("groups are of all pairs of systems: compare without a baseline")
    values = compared.direction * complete_matrix(scores, compared.measure, least=2)
    order = compared.order()
    worse = decisions(compared, alpha)[np.ix_(order, order)]  # [i, j]: i is significantly worse than j
    letters = compact_letters(worse | worse.T)
    places = tied_places(compared.direction * compared.figures[order])
    drawn = bootstrap_ranks(values[order], alpha, samples, rng)
    rows = tuple(
        RankedSystem(
            system=compared.systems[s],
            figure=float(compared.figures[s]),
            place=places[i],
            ranks=RankInterval(1 + int(worse[i].sum()), len(order) - int(worse[:, i].sum())),
            bootstrap=drawn[i],
            letters=letters[i],
        )
        for i, s in enumerate(order)
    )
    return RankGroups(
        comparison=compared,
        rows=rows,
        alpha=alpha,
        samples=samples,
        critical=critical_distance(values[order], alpha),
        coverage=compared.coverage,
        left_out=compared.left_out,
        notes=compared.notes,
    )


def decisions(compared: Comparison, alpha: float) -> Bools:
    """systems × systems: whether the first test finds the row significantly worse than the column."""
    place = {system: s for s, system in enumerate(compared.systems)}
    worse = np.zeros((len(place), len(place)), bool)
    for d in compared.differences:
        if d.p[0] < alpha and d.favours[0]:
            ahead, behind = (d.a, d.b) if d.favours[0] > 0 else (d.b, d.a)
            worse[place[behind], place[ahead]] = True
    return worse


def tied_places(figures: Floats) -> list[RankInterval]:
    """Places by figures that are sorted, best first; those that only rounding tells apart are tied.

    >>> [str(place) for place in tied_places(np.array([0.5, 0.4, 0.4, 0.1]))]
    ['1', '2–3', '2–3', '4']
    """
    tiny = ROUNDING * max(1e-300, float(np.abs(figures).max(initial=0.0)))
    starts = [0, *(i for i in range(1, len(figures)) if figures[i - 1] - figures[i] > tiny), len(figures)]
    return [RankInterval(first + 1, end) for first, end in pairwise(starts) for _ in range(first, end)]


def letter_name(number: int) -> str:
    """a … z, A … Z, then a2, b2 …

    >>> letter_name(0), letter_name(51), letter_name(52)
    ('a', 'Z', 'a2')
    """
    series, place = divmod(number, len(ascii_letters))
    return ascii_letters[place] + (str(series + 1) if series else "")


def letter_place(name: str) -> tuple[int, int]:
    """Where a letter stands in the order of letters."""
    return int(name[1:] or 1), ascii_letters.index(name[0])


def compact_letters(apart: Bools) -> list[tuple[str, ...]]:
    """Letters for each system so that two share one if, and only if, they are not ``apart`` (symmetric, best first).

    The pairs that are not apart are covered with cliques, greedily: the first pair without a common letter is made as
    large a clique as it can be, systems that bring most new pairs first. With decisions that follow the order this is
    the smallest number of letters; finding that in general takes exponential time.

    >>> compact_letters(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], bool))
    [('a',), ('a', 'b'), ('b',)]
    """
    count = len(apart)
    near = ~apart
    np.fill_diagonal(near, False)
    open_pairs = near.copy()
    cliques: list[list[int]] = []
    for first in range(count):
        while open_pairs[first].any():
            members = [first]
            candidates = near[first].copy()
            while True:
                gains = np.where(candidates, open_pairs[members].sum(axis=0), 0)
                if not gains.any():
                    break
                chosen = int(gains.argmax())
                members.append(chosen)
                candidates &= near[chosen]
            # What may be added without a new pair makes the letter easier to read, and costs nothing.
            while candidates.any():
                chosen = int(candidates.argmax())
                members.append(chosen)
                candidates &= near[chosen]
            cliques.append(sorted(members))
            open_pairs[np.ix_(members, members)] = False
    alone = sorted(set(range(count)).difference(*cliques)) if cliques else list(range(count))
    named = sorted([*cliques, *([system] for system in alone)])
    letters: list[list[str]] = [[] for _ in range(count)]
    for number, members in enumerate(named):
        for system in members:
            letters[system].append(letter_name(number))
    return [tuple(own) for own in letters]


def bootstrap_ranks(values: Floats, alpha: float, samples: int, rng: np.random.Generator) -> list[RankInterval]:
    """For each system an interval of its rank (values: systems × topics, high ones good), by samples of topics.

    The differences of a system to all others are studentised; c is the quantile 1 − α of the largest |t*| of centred
    samples. Ranks are bounded by the others that are ahead, or behind, by more than c standard errors.
    """
    systems, topics = values.shape
    pairs = np.array(np.triu_indices(systems, 1)).T
    groups = list(by_first(pairs))
    gap = values.mean(axis=1)[:, None] - values.mean(axis=1)[None, :]
    error = np.zeros((systems, systems))
    for first, seconds, _ in groups:
        error[first, seconds] = error[seconds, first] = (values[first] - values[seconds]).std(axis=1) / math.sqrt(
            topics
        )
    tiny = ROUNDING * max(1e-300, float(np.abs(values).max(initial=0.0)))
    fixed = error <= tiny  # the same difference on every topic, or none

    def block(size: int, generator: np.random.Generator) -> Floats:
        largest = np.zeros((systems, size))
        drawn = counts(generator, size, topics)
        for first, seconds, _ in groups:
            gaps = centred_gaps(values, first, seconds)
            sums, squares = gaps @ drawn.T, np.multiply(gaps, gaps, out=gaps) @ drawn.T
            _enlarge(largest[first], largest[first + 1 :], sums, squares, topics, tiny, fixed[first, first + 1 :])
        return largest

    largest = np.concatenate(list(in_blocks(samples, rng, block)), axis=1)
    limits = np.quantile(largest, 1 - alpha, axis=1, method="higher")[:, None]
    bounds = np.multiply(limits, error, out=np.zeros_like(error), where=~fixed) + tiny
    ahead = (-gap > bounds).sum(axis=1)
    behind = (gap > bounds).sum(axis=1)
    return [RankInterval(1 + int(a), systems - int(b)) for a, b in zip(ahead, behind, strict=True)]


def _enlarge(
    own: Floats, others: Floats, sums: Floats, squares: Floats, topics: int, tiny: float, fixed: Bools
) -> None:
    """Make ``own`` (samples) and ``others`` (pairs × samples) the largest |t| so far, of one system and later ones.

    ``sums`` of the centred differences in each sample and of their ``squares`` are pairs × samples.
    """
    if compiled is not None:
        compiled.largest(sums, squares, sums.shape[1], topics, tiny, np.ascontiguousarray(fixed, np.uint8), own, others)
        return
    mean = sums / topics
    spread = np.sqrt(np.maximum(squares / topics - mean**2, 0.0))
    t = np.abs(mean)
    level = spread <= tiny
    np.divide(t, spread / math.sqrt(topics), out=t, where=~level)
    t[level & (t > tiny)] = np.inf  # a sample of one topic, drawn again and again
    t[fixed] = 0.0
    np.maximum(others, t, out=others)
    np.maximum(own, t.max(axis=0, initial=0.0), out=own)


def critical_distance(values: Floats, alpha: float) -> CriticalDistance:
    """Friedman's test, and Nemenyi's critical distance q √(k (k + 1) / 6n), q of the range of k normal numbers / √2."""
    from scipy.special import chdtrc

    systems, topics = values.shape
    ranks = ranks_by_topic(values)
    means = ranks.mean(axis=1)
    ties = sum(float((size**3 - size).sum()) for size in _tie_sizes(ranks))
    below = 1 - ties / (topics * (systems**3 - systems))
    centre = (systems + 1) / 2
    total = 12 * topics / (systems * (systems + 1)) * float(((means - centre) ** 2).sum())
    statistic = total / below if below > 1e-12 else math.nan
    p = float(chdtrc(systems - 1, statistic)) if below > 1e-12 else 1.0
    q = normal_range_quantile(1 - alpha, systems) / math.sqrt(2)
    distance = q * math.sqrt(systems * (systems + 1) / (6 * topics))
    return CriticalDistance(tuple(means.tolist()), distance, statistic, p)


def ranks_by_topic(values: Floats) -> Floats:
    """systems × topics: 1 for the best system of a topic, ties share their mean rank.

    >>> ranks_by_topic(np.array([[0.5], [0.7], [0.5]])).T
    array([[2.5, 1. , 2.5]])
    """
    systems, topics = values.shape
    ranks = np.empty((systems, topics))
    rounded = np.round(values, 12)
    order = np.argsort(-rounded, axis=0, kind="stable")
    for t in range(topics):
        inside = rounded[order[:, t], t]
        starts = np.concatenate([[0], np.flatnonzero(np.diff(inside)) + 1, [systems]])
        middle = (starts[:-1] + starts[1:] + 1) / 2
        ranks[order[:, t], t] = np.repeat(middle, np.diff(starts))
    return ranks


def _tie_sizes(ranks: Floats) -> list[Ints]:
    return [np.unique(column, return_counts=True)[1] for column in ranks.T]


def normal_range_quantile(probability: float, count: int) -> float:
    """The quantile of largest − smallest of so many standard normal numbers: the studentised range with ∞ degrees.

    >>> round(normal_range_quantile(0.95, 2), 3), round(normal_range_quantile(0.95, 10), 3)
    (2.772, 4.474)
    """
    from scipy.special import ndtr

    nodes, weights = legendre_nodes(400)
    x = nodes * 10.0
    density = np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi) * weights * 10.0

    def share_below(r: float) -> float:
        return float(count * (density * (ndtr(x) - ndtr(x - r)) ** (count - 1)).sum())

    low, high = 0.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if share_below(middle) < probability else (low, middle)
    return (low + high) / 2


def group_bars(rows: Sequence[float], distance: float) -> list[tuple[int, int]]:
    """(first, last) of the runs of mean ranks, best first, that lie within a critical distance; no run inside another.

    >>> group_bars([1.0, 1.5, 2.4, 3.8], 1.0)
    [(0, 1), (1, 2)]
    """
    bars: list[tuple[int, int]] = []
    for first, rank in enumerate(rows):
        last = max(i for i, other in enumerate(rows) if other - rank < distance)
        if last > first and not (bars and bars[-1][1] >= last):
            bars.append((first, last))
    return bars
