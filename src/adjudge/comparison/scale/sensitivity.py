"""Does a conclusion survive a monotone transformation of the scale?

A mean assumes that a difference counts the same everywhere on the scale. If nobody can vouch for that, any strictly
monotone transformation of the measure is as good a measure (Robertson, On GMAP and other transformations, section 3.1).
So: average under many of them and see which pairs of systems change places.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ...core.average import TransformedMean
from ...core.coverage import Coverage
from ...core.judged import Floats
from ...core.kernel import on_threads
from ...core.result import Plottable
from ...core.scores import Scores
from ..matrix import better, complete_matrix, coverage_by_system, covered_systems
from ..significance.t import TTest
from .families import Family, families

HALVINGS = 30
"""Of an interval between two parameters: the place of a swap is known to nine digits of it."""

MOST = 1000
"""Systems: every pair is looked at under every transformation."""

AT_ONCE = 50_000
"""Values that a thread transforms in one go: they stay in its cache."""

ALPHA = 0.05
TEST = TTest()

Signs = npt.NDArray[np.int8]


@dataclass(frozen=True)
class Swap:
    """Two systems that change places: ``leader`` is ahead on the plain mean, ``other`` under the transformation."""

    leader: str
    other: str
    family: str
    parameter: str
    at: float
    """The parameter where ``other`` gets ahead first, going away from the plain scale. NaN for a family of one."""
    until: float
    """The parameter where ``leader`` is ahead again; NaN if ``other`` stays ahead to the end of the range tried."""
    difference: float
    """How far ``leader`` is ahead on the plain mean."""
    everywhere: bool = False
    """``other`` is ahead under every member of the family."""
    p: float = math.nan
    """Of the paired t test on the plain scale."""
    p_turned: float = math.nan
    """The smallest p of that test on the scales of the family on which ``other`` is ahead; as p, not corrected."""


@dataclass(frozen=True)
class Untried:
    """A family of transformations that the values are not fit for: outside its domain, or too large."""

    family: str
    domain: str = ""
    """What values must do, ``lie above 0``; empty if they are too large."""
    system: str = ""
    topic: str = ""
    value: float = math.nan
    """The first value outside the domain, and whose it is."""
    largest: float = math.inf
    """Above it values lose their differences."""


@dataclass(frozen=True)
class Row:
    """One transformation: the order of the systems under it, best first, and how many pairs it reverses."""

    transformation: str
    figures: Floats
    order: tuple[int, ...]
    swapped: int


@dataclass(frozen=True)
class Sensitivity(Plottable):
    """Sensitivity of a comparison to transformations of the scale."""

    measure: str
    systems: tuple[str, ...]
    topics: int
    means: Floats
    order: tuple[int, ...]
    """The systems by their plain means, best first."""
    rows: tuple[Row, ...]
    swaps: tuple[Swap, ...]
    pairs: int
    """Pairs of systems with different means."""
    stable: int
    """Pairs that no transformation of the scale reverses (zscore and standard, a scale for each topic, apart)."""
    tied: int
    """Pairs that are never reversed but tied under some transformation."""
    skipped: tuple[Untried, ...] = ()
    """Families that the values lie outside of, and why."""
    left_out: Mapping[str, Coverage] = field(default_factory=dict)
    """Systems that are not looked at, because their runs answer too few of the judged topics."""
    coverage: Mapping[str, Coverage] = field(default_factory=dict)
    """What the judgments cover of each system's run; empty where the scores come from no runs."""

    def conclusion(self) -> str:
        """A sentence or two that a person understands."""
        from ...core.presentation import conclusion_of

        return conclusion_of(self)

    @property
    def rivals(self) -> tuple[str, ...]:
        """Systems that overtake the best one on some scale."""
        best = self.systems[self.order[0]]
        return tuple(dict.fromkeys(s.other for s in self.swaps if s.leader == best and s.family not in BY_TOPIC))

    @property
    def contradicted(self) -> int:
        """Pairs whose difference is significant on the mean and significant the other way on some scale."""
        own = [s for s in self.swaps if s.family not in BY_TOPIC and s.p < ALPHA and s.p_turned < ALPHA]
        return len({(s.leader, s.other) for s in own})


BY_TOPIC = {"zscore", "standard"}
"""Not one function of the scale but one for each topic: they are shown, but not counted in conclusions about scales."""


def sensitivity(scores: Scores, measure: str, *, steps: int = 20, least_coverage: float = 0.0) -> Sensitivity:
    """Average a measure under every transformation of the families, and find where pairs of systems change places.

    Systems whose runs answer no judged topic, or less than the share ``least_coverage`` of them, are left out.
    """
    scores, left_out = covered_systems(scores, least_coverage)
    values = complete_matrix(scores, measure, most=MOST)
    direction = better(scores, measure)
    plain = values.mean(axis=1)
    ahead = direction * _order(plain, values)
    rows: list[Row] = []
    swaps: list[Swap] = []
    skipped: list[Untried] = []
    ever, level = np.zeros(ahead.shape, bool), np.zeros(ahead.shape, bool)
    for family in families(steps):
        transforms = [family.make(value) for value in family.values]
        wrong = np.argwhere(TransformedMean(transforms[0]).outside(values))
        if len(wrong):
            s, t = wrong[0].tolist()
            domain = TransformedMean(transforms[0]).domain()
            skipped.append(Untried(family.name, domain, scores.systems[s], scores.topics[t], float(values[s, t])))
            continue
        if values.max() > family.largest:
            skipped.append(Untried(family.name, largest=family.largest))
            continue
        gaps: list[Signs] = []
        smallest = np.ones(ahead.shape)
        for transformation in transforms:
            forward = transformation.fit(values).forward(values)
            raw = forward.mean(axis=1)
            gaps.append(direction * _order(raw, forward))
            turned = (gaps[-1] * ahead) < 0
            pairs_turned = np.argwhere(turned & (ahead > 0))
            if len(pairs_turned):
                place = tuple(pairs_turned.T)
                smallest[place] = np.minimum(smallest[place], TEST(forward, pairs_turned))
            order = tuple(np.argsort(-direction * raw, kind="stable").tolist())
            rows.append(
                Row(str(transformation), TransformedMean(transformation)(values), order, int(turned.sum()) // 2)
            )
            if family.name not in BY_TOPIC:
                ever |= turned
                level |= (gaps[-1] == 0) & (ahead != 0)
        swaps += _swaps(scores.systems, values, direction * plain, ahead, family, gaps, smallest, direction)
    pairs = int((ahead != 0).sum()) // 2
    swaps.sort(key=lambda swap: -swap.difference)
    return Sensitivity(
        measure=measure,
        systems=scores.systems,
        topics=values.shape[1],
        means=plain,
        order=tuple(np.argsort(-direction * plain, kind="stable").tolist()),
        rows=tuple(rows),
        swaps=tuple(swaps),
        pairs=pairs,
        stable=pairs - int(ever.sum()) // 2,
        tied=int((level & ~ever).sum()) // 2,
        skipped=tuple(skipped),
        left_out=left_out,
        coverage=coverage_by_system(scores),
    )


def _order(figures: Floats, behind: Floats) -> Signs:
    """+1 where the row is above the column, −1 where it is below; differences within the rounding of the values behind
    the figures are ties."""
    gap = figures[:, None] - figures[None, :]
    tiny = 1e-12 * max(float(np.abs(behind).max(initial=0.0)), 1e-300)
    return np.asarray(np.sign(gap) * (np.abs(gap) > tiny), np.int8)


def _swaps(
    systems: tuple[str, ...],
    values: Floats,
    plain: Floats,
    ahead: Signs,
    family: Family,
    gaps: list[Signs],
    smallest: Floats,
    direction: int,
) -> list[Swap]:
    """Find where the family first reverses each pair, and where it turns back, by bisection on all at once."""
    leading = ahead > 0
    turned = np.array([(gap * ahead < 0) & leading for gap in gaps])
    a, b = np.nonzero(turned.any(axis=0))
    if not len(a):
        return []
    along = turned[:, a, b]
    first = along.argmax(axis=0)
    after = np.arange(len(gaps))[:, None] > first
    back = after & ~along
    last = np.where(back.any(axis=0), back.argmax(axis=0), -1)
    at, until = np.full(len(a), np.nan), np.full(len(a), np.nan)
    if family.forward is not None:
        start = 1.0 if family.parameter == "power" else family.values[0]
        parameters = np.array([start, *family.values])
        ready = family.ready(values)
        at = _bisect(family, direction, ready[a], ready[b], parameters[first], parameters[first + 1])
        again = np.flatnonzero(last >= 0)
        place, leader, other = last[again], ready[a[again]], ready[b[again]]
        until[again] = _bisect(family, direction, other, leader, parameters[place], parameters[place + 1])
    everywhere = along.all(axis=0) & (family.parameter == "eps")
    p = TEST(values, np.stack([a, b], axis=1))
    columns = (a, b, at, until, plain[a] - plain[b], everywhere, p, smallest[a, b])
    return [
        Swap(systems[i], systems[j], family.name, family.parameter, where, end, gap, whole, before, after)
        for i, j, where, end, gap, whole, before, after in zip(*(column.tolist() for column in columns), strict=True)
    ]


def _bisect(family: Family, direction: int, leaders: Floats, others: Floats, holds: Floats, turned: Floats) -> Floats:
    """Find where each pair ties: between a parameter that keeps its order and one that reverses it."""
    forward: Callable[[Floats, Floats], Floats] | None = family.forward
    if forward is None or not len(holds):
        return np.full(len(holds), np.nan)

    def ties(part: slice) -> Floats:
        before, after = holds[part], turned[part]
        first, second = leaders[part], others[part]
        for _ in range(HALVINGS):
            middle = np.sqrt(before * after) if family.logarithmic else (before + after) / 2
            ahead, behind = (forward(x, middle[:, None]).mean(axis=1) for x in (first, second))
            kept = direction * (ahead - behind) > 0
            before, after = np.where(kept, middle, before), np.where(kept, after, middle)
        return after

    step = max(1, AT_ONCE // max(1, leaders.shape[1]))
    return np.concatenate(on_threads(ties, [slice(start, start + step) for start in range(0, len(holds), step)]))
