"""Does a conclusion survive a monotone transformation of the scale?

A mean assumes that a difference counts the same everywhere on the scale. If nobody can vouch for that, any strictly
monotone transformation of the measure is as good a measure (Robertson, On GMAP and other transformations, section 3.1).
So: average under many of them and see which pairs of systems change places.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..averages.transformations.arcsine import Arcsine
from ..averages.transformations.box_cox import BoxCox
from ..averages.transformations.log import Log
from ..averages.transformations.logit import Logit
from ..averages.transformations.rank import Rank
from ..averages.transformations.standard import Standard
from ..averages.transformations.zscore import ZScore
from ..core.average import Average, Transformation, TransformedMean
from ..core.errors import DataError
from ..core.judged import Floats
from ..core.scores import Scores

EPS = 1e-5
HALVINGS = 30
"""Of an interval between two parameters: the place of a swap is known to nine digits of it."""


@dataclass(frozen=True)
class Family:
    """Transformations with one parameter, from the one nearest to the plain scale to the farthest."""

    name: str
    parameter: str
    make: Callable[[float], Transformation]
    values: tuple[float, ...]
    forward: Callable[[Floats, Floats], Floats] | None = None
    """The same for many parameters at once: (values, parameters), broadcast against each other."""
    logarithmic: bool = False
    says: str = ""
    """What going along the family means, for a sentence."""


def _power(values: Floats, power: Floats) -> Floats:
    logs = np.log(values + EPS)
    at_zero = np.abs(power) < 1e-12
    return np.where(at_zero, logs, np.expm1(power * logs) / np.where(at_zero, 1.0, power))


def _log(values: Floats, eps: Floats) -> Floats:
    return np.log(values + eps)


def _logit(values: Floats, eps: Floats) -> Floats:
    return np.log((values + eps) / (1.0 - values + eps))


def families(steps: int = 20) -> tuple[Family, ...]:
    """Powers from 2 to −1 with so many steps to the unit, logarithms and log-odds over eight decades of ε, and single
    transformations. Powers and logarithms add ε = 1e-5 unless they vary it."""
    down = tuple(round(1 - i / steps, 6) for i in range(1, 2 * steps + 1))
    up = tuple(round(1 + i / steps, 6) for i in range(1, steps + 1))
    eps = tuple(float(f"{10 ** -(i / max(1, steps // 4)):.3g}") for i in range(8 * max(1, steps // 4) + 1))
    low, high, both = "the low end counts more", "the high end counts more", "both ends count more"

    def box_cox(power: float) -> Transformation:
        return BoxCox(power=power, eps=EPS)

    return (
        Family("power", "power", box_cox, down, _power, says=low),
        Family("power up", "power", box_cox, up, _power, says=high),
        Family("log", "eps", lambda e: Log(eps=e), eps, _log, True, low),
        Family("logit", "eps", lambda e: Logit(eps=e), eps, _logit, True, both),
        Family("arcsine", "", lambda _: Arcsine(), (0.0,), says="both ends count a little more"),
        Family("rank", "", lambda _: Rank(), (0.0,), says="only the order of values counts"),
        Family("zscore", "", lambda _: ZScore(), (0.0,), says="topics count by how systems differ on them"),
        Family("standard", "", lambda _: Standard(), (0.0,), says="topics count by how systems differ on them"),
    )


@dataclass(frozen=True)
class Swap:
    """Two systems that change places: ``leader`` is ahead on the plain mean, ``other`` under the transformation."""

    leader: str
    other: str
    family: str
    parameter: str
    at: float
    """The parameter where they change places; beyond it ``other`` is ahead. NaN for a single transformation."""
    difference: float
    """How far ``leader`` is ahead on the plain mean."""
    says: str = ""

    def sentence(self) -> str:
        if not self.parameter:
            return f"{self.leader} leads on the mean, {self.other} under {self.family}: {self.says}"
        bound = f"{self.parameter} {self.at:.2g}" if self.parameter == "power" else f"{self.parameter} {self.at:.1e}"
        way = "up" if self.family == "power up" else "down"
        return f"{self.leader} leads on the mean, {self.other} as soon as {self.says}: from {bound} {way}"


@dataclass(frozen=True)
class Row:
    """One transformation: the order of the systems under it, and how many pairs it turns round."""

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
    rows: tuple[Row, ...]
    swaps: tuple[Swap, ...]
    pairs: int
    """Pairs of systems with different means."""
    stable: int
    """Pairs that no transformation turns round."""

    def conclusion(self) -> str:
        """One sentence a person understands."""
        if self.pairs == 0:
            return "All systems have the same mean: there is nothing to turn round."
        if self.stable == self.pairs:
            if len(self.systems) == 2:
                best, other = np.argsort(-self.means, kind="stable").tolist()
                return f"{self.systems[best]} is ahead of {self.systems[other]} for every transformation tried."
            return f"All {self.pairs} pairs of systems keep their order under all {len(self.rows)} transformations."
        best = self.systems[int(np.argmax(self.means))]
        rivals = dict.fromkeys(swap.other for swap in self.swaps if swap.leader == best)
        lead = f"{best} leads on the mean" + (
            f", but not under every transformation: {', '.join(list(rivals)[:3])} can overtake it"
            if rivals
            else " and under every transformation tried"
        )
        turned = self.pairs - self.stable
        return f"{lead}; {turned} of {self.pairs} pairs of systems can be turned round by the choice of scale."


def sensitivity(scores: Scores, measure: str, *, steps: int = 20) -> Sensitivity:
    """Average a measure under every transformation of the families, and find where pairs of systems change places."""
    values = complete_matrix(scores, measure)
    plain = values.mean(axis=1)
    ahead = _order(plain)
    rows: list[Row] = []
    swaps: list[Swap] = []
    ever = np.zeros(ahead.shape, bool)
    for family in families(steps):
        made = [family.make(value) for value in family.values]
        made = [t for t in made if not TransformedMean(t).outside(values).any()]
        if not made:
            continue
        gaps = []
        for transformation in made:
            raw = transformation.fitted(values).forward(values).mean(axis=1)
            gaps.append(_order(raw))
            turned = (gaps[-1] * ahead) < 0
            figures = TransformedMean(transformation)(values)
            order = tuple(np.argsort(-raw, kind="stable").tolist())
            rows.append(Row(str(transformation), figures, order, int(turned.sum()) // 2))
            ever |= turned
        swaps += _first_swaps(scores.systems, values, plain, ahead, family, gaps)
    pairs = int((ahead != 0).sum()) // 2
    stable = pairs - int(ever.sum()) // 2
    swaps.sort(key=lambda swap: -swap.difference)
    return Sensitivity(measure, scores.systems, values.shape[1], plain, tuple(rows), tuple(swaps), pairs, stable)


def complete_matrix(scores: Scores, measure: str) -> Floats:
    """systems × topics of one measure; a missing value would make the figures of two systems incomparable."""
    values: Floats = scores[:, :, measure]
    if len(scores.systems) < 2:
        raise DataError("sensitivity compares systems: give two or more")
    holes = np.argwhere(np.isnan(values))
    if len(holes):
        s, t = holes[0].tolist()
        what = f"{scores.systems[s]} has no {measure} on topic {scores.topics[t]}"
        raise DataError(f"{what}: systems can be compared on the same topics only (--complete counts missing ones)")
    return values


def _order(figures: Floats) -> npt.NDArray[np.int8]:
    """+1 where the row is ahead of the column, −1 where it is behind; differences of rounding count as ties."""
    gap = figures[:, None] - figures[None, :]
    tiny = 1e-12 * np.maximum(np.abs(figures).max(initial=0.0), 1e-300)
    return np.asarray(np.sign(gap) * (np.abs(gap) > tiny), np.int8)


def _first_swaps(
    systems: tuple[str, ...],
    values: Floats,
    plain: Floats,
    ahead: npt.NDArray[np.int8],
    family: Family,
    gaps: list[npt.NDArray[np.int8]],
) -> list[Swap]:
    """For each pair that the family turns round, where it does so first, by bisection on all such pairs at once."""
    turned = np.array([(gap * ahead < 0) & (ahead > 0) for gap in gaps])
    first = np.where(turned.any(axis=0), turned.argmax(axis=0), -1)
    a, b = np.nonzero(first >= 0)
    if not len(a):
        return []
    steps = first[a, b]
    start = 1.0 if family.parameter == "power" else family.values[0]
    parameters = np.array([start, *family.values])
    at = np.full(len(a), np.nan)
    if family.forward is not None:
        at = _bisect(family, family.forward, values[a], values[b], parameters[steps], parameters[steps + 1])
    gaps_now = plain[a] - plain[b]
    return [
        Swap(systems[i], systems[j], family.name, family.parameter, where, gap, family.says)
        for i, j, where, gap in zip(a.tolist(), b.tolist(), at.tolist(), gaps_now.tolist(), strict=True)
    ]


def _bisect(
    family: Family,
    forward: Callable[[Floats, Floats], Floats],
    leaders: Floats,
    others: Floats,
    kept: Floats,
    turned: Floats,
) -> Floats:
    """Where each pair is level: between a parameter that keeps its order and one that turns it round."""
    for _ in range(HALVINGS):
        middle = np.sqrt(kept * turned) if family.logarithmic else (kept + turned) / 2
        gap = (forward(leaders, middle[:, None]) - forward(others, middle[:, None])).mean(axis=1)
        kept, turned = np.where(gap > 0, middle, kept), np.where(gap > 0, turned, middle)
    return turned


@dataclass(frozen=True)
class Halves:
    """What an average makes of a boost to all topics, to the lower half of them, and to the upper half.

    NaN where boosted values leave the domain of the average, such as 1.05 under logit.
    """

    average: str
    before: float
    all: float
    low: float
    high: float


def halves(values: Floats, boost: float, chosen: Sequence[Average]) -> tuple[Halves, ...]:
    """Section 3.2 of the paper: add a boost to all values, to the lowest half, to the highest half."""
    order = np.argsort(values, kind="stable")
    low, high = np.zeros(len(values)), np.zeros(len(values))
    low[order[: len(values) // 2]] = boost
    high[order[len(values) - len(values) // 2 :]] = boost
    variants = (values, values + boost, values + low, values + high)

    def figure(average: Average, boosted: Floats) -> float:
        return math.nan if average.outside(boosted).any() else float(average(boosted))

    return tuple(Halves(str(average), *(figure(average, v) for v in variants)) for average in chosen)
