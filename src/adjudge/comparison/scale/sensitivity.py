"""Does a conclusion survive a monotone transformation of the scale?

A mean assumes that a difference counts the same everywhere on the scale. If nobody can vouch for that, any strictly
monotone transformation of the measure is as good a measure (Robertson, On GMAP and other transformations, section 3.1).
So: average under many of them and see which pairs of systems change places.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...core.average import TransformedMean
from ...core.judged import Floats
from ...core.scores import Scores
from ..matrix import better, complete_matrix
from ..significance.t import TTest
from .families import Family, families

HALVINGS = 30
"""Of an interval between two parameters: the place of a swap is known to nine digits of it."""

MOST = 1000
"""Systems: every pair is looked at under every transformation."""

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
    says: str = ""
    p: float = math.nan
    """Of the paired t test on the plain scale."""
    p_turned: float = math.nan
    """The smallest p of that test on the scales of the family on which ``other`` is ahead; as p, not corrected."""

    def sentence(self) -> str:
        return f"{self._place()} ({self.sure()})"

    def sure(self) -> str:
        """What the t test says of the two differences."""
        told = (self.p < ALPHA, self.p_turned < ALPHA)
        words = {
            (True, True): "both differences are significant",
            (True, False): "only the first difference is significant",
            (False, True): "only the second difference is significant",
            (False, False): "neither difference is significant",
        }
        return words[told]

    def _place(self) -> str:
        lead = f"{self.leader} leads on the mean, {self.other}"
        if not self.parameter:
            return f"{lead} under {self.family}: {self.says}"
        if self.everywhere:
            return f"{lead} under {self.family} with every {self.parameter} tried: {self.says}"
        end = ("up" if self.family == "power up" else "down") if math.isnan(self.until) else f"to {self.until:.2g}"
        return f"{lead} as soon as {self.says}: from {self.parameter} {self.at:.2g} {end}"


@dataclass(frozen=True)
class Row:
    """One transformation: the order of the systems under it, best first, and how many pairs it turns round."""

    transformation: str
    figures: Floats
    order: tuple[int, ...]
    swapped: int


@dataclass(frozen=True)
class Sensitivity:
    """What a family of transformations does to a comparison."""

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
    """Pairs that no transformation of the scale turns round (zscore and standard, a scale for each topic, apart)."""
    level: int
    """Pairs that are never turned round but level under some transformation."""
    skipped: tuple[str, ...] = ()
    """Families that the values lie outside of, and why."""

    def _repr_html_(self) -> str:
        from ...core.notebook import html_table

        rows = [[row.transformation, row.swapped, *(self.systems[s] for s in row.order[:4])] for row in self.rows]
        places = ["best", "second", "third", "fourth"][: len(self.systems)]
        header = [f"{self.measure} under", "pairs turned", *places]
        caption = f"{self.measure} of {len(self.systems):,} systems, {self.topics:,} topics"
        return html_table(header, rows, caption=caption, notes=[self.conclusion()])

    def conclusion(self) -> str:
        """One sentence a person understands."""
        if self.pairs == 0:
            return "All systems have the same mean: there is nothing to turn round."
        best, second = self.systems[self.order[0]], self.systems[self.order[1]]
        if self.stable == self.pairs:
            if len(self.systems) == 2 and self.level:
                return f"{best} is never behind {second} on any scale tried, but level with it on some."
            if len(self.systems) == 2:
                return f"{best} is ahead of {second} on every scale tried."
            level = f" ({self.level} of them are level on some)" if self.level else ""
            return f"All {self.pairs} pairs of systems keep their order on every scale tried{level}."
        rivals = dict.fromkeys(s.other for s in self.swaps if s.leader == best and s.family not in BY_TOPIC)
        lead = f"{best} leads on the mean" + (
            f", but not on every scale: {', '.join(list(rivals)[:3])} can overtake it"
            if rivals
            else " and is behind on no scale tried"
        )
        turned = self.pairs - self.stable
        return (
            f"{lead}; {turned} of {self.pairs} pairs of systems can be turned round by the choice of scale, "
            f"{self.contradicted or 'none'} of them from one significant difference to the opposite one."
        )

    @property
    def contradicted(self) -> int:
        """Pairs whose difference is significant on the mean and significant the other way on some scale."""
        own = [s for s in self.swaps if s.family not in BY_TOPIC and s.p < ALPHA and s.p_turned < ALPHA]
        return len({(s.leader, s.other) for s in own})


BY_TOPIC = {"zscore", "standard"}
"""Not one function of the scale but one for each topic: shown, and kept out of what is said about scales."""


def sensitivity(scores: Scores, measure: str, *, steps: int = 20) -> Sensitivity:
    """Average a measure under every transformation of the families, and find where pairs of systems change places."""
    values = complete_matrix(scores, measure, most=MOST)
    direction = better(scores, measure)
    plain = values.mean(axis=1)
    ahead = direction * _order(plain, values)
    rows: list[Row] = []
    swaps: list[Swap] = []
    skipped: list[str] = []
    ever, level = np.zeros(ahead.shape, bool), np.zeros(ahead.shape, bool)
    for family in families(steps):
        made = [family.make(value) for value in family.values]
        wrong = np.argwhere(TransformedMean(made[0]).outside(values))
        if len(wrong):
            s, t = wrong[0].tolist()
            where = f"{measure} of {scores.systems[s]} on topic {scores.topics[t]} is {values[s, t]:g}"
            skipped.append(f"{family.name}: values must {TransformedMean(made[0]).domain()}, and {where}")
            continue
        if values.max() > family.largest:
            skipped.append(f"{family.name}: values above {family.largest:g} would lose their differences")
            continue
        gaps: list[Signs] = []
        smallest = np.ones(ahead.shape)
        for transformation in made:
            forward = transformation.fitted(values).forward(values)
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
        level=int((level & ~ever).sum()) // 2,
        skipped=tuple(skipped),
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
    """For each pair that the family turns round: where first, and where it turns back, by bisection on all at once."""
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
        Swap(systems[i], systems[j], family.name, family.parameter, where, end, gap, whole, family.says, before, after)
        for i, j, where, end, gap, whole, before, after in zip(*(column.tolist() for column in columns), strict=True)
    ]


def _bisect(family: Family, direction: int, leaders: Floats, others: Floats, kept: Floats, turned: Floats) -> Floats:
    """Where each pair is level: between a parameter that keeps its order and one that turns it round."""
    forward: Callable[[Floats, Floats], Floats] | None = family.forward
    if forward is None:
        return np.full(len(kept), np.nan)
    for _ in range(HALVINGS):
        middle = np.sqrt(kept * turned) if family.logarithmic else (kept + turned) / 2
        first, second = (forward(x, middle[:, None]).mean(axis=1) for x in (leaders, others))
        gap = direction * (first - second)
        kept, turned = np.where(gap > 0, middle, kept), np.where(gap > 0, turned, middle)
    return turned
