"""Observations in findings beyond the tests: how values lie, who leads where, what noise takes away."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..comparison.verdict import ALPHA
from ..core.judged import Floats
from .findings import Findings, VersionFindings

RECALLS = tuple(f"{level / 10:g}" for level in range(11))
"""Where the curves of precision have their points."""


class Quartiles(NamedTuple):
    """Quartiles and mean of a system over the topics."""

    low: float
    median: float
    high: float
    mean: float


def quartiles(part: VersionFindings, system: str) -> Quartiles | None:
    """None if the system has no value."""
    values = part.values[part.place[system]]
    known = values[~np.isnan(values)]
    if not len(known):
        return None
    low, middle, high = (float(x) for x in np.quantile(known, [0.25, 0.5, 0.75]))
    return Quartiles(low, middle, high, float(known.mean()))


def zero_topics(part: VersionFindings) -> int:
    """Topics on which every system has 0, if that is the worst."""
    if part.direction < 0:
        return 0
    values = part.values[part.ranked]
    complete = values[:, ~np.isnan(values).any(axis=0)]
    return int((complete == 0).all(axis=0).sum())


def widest_topic(part: VersionFindings) -> tuple[str, float] | None:
    """The topic on which the systems differ most, and by how much; None if there are no two to differ."""
    ranked = part.values[part.ranked]
    complete = ~np.isnan(ranked).any(axis=0)
    values = ranked[:, complete]
    if not values.size or len(ranked) < 2:
        return None
    spread = values.max(axis=0) - values.min(axis=0)
    return part.topics[np.flatnonzero(complete)[int(spread.argmax())]], float(spread.max())


class TopicTally(NamedTuple):
    """Topics on which the first of two systems is better, level and worse, and its mean difference to the second."""

    won: int
    level: int
    lost: int
    difference: float

    @property
    def topics(self) -> int:
        return self.won + self.level + self.lost


def tally(part: VersionFindings, a: str, b: str) -> TopicTally:
    """Count wins, ties and losses over the topics on which both have a value."""
    gaps = part.values[part.place[a]] - part.values[part.place[b]]
    known = gaps[~np.isnan(gaps)]
    won, lost = (int((part.direction * way * known > 0).sum()) for way in (1, -1))
    with np.errstate(over="ignore", invalid="ignore"):
        mean = float(known.sum() / len(known)) if len(known) else math.nan
    return TopicTally(won, len(known) - won - lost, lost, mean)


class Lead(NamedTuple):
    """The topic on which a system is furthest ahead of another, and both values there."""

    ahead: str
    behind: str
    topic: str
    value: float
    other: float


def furthest_leads(part: VersionFindings, a: str, b: str) -> list[Lead] | None:
    """Find the largest lead of the first over the second and the reverse; None if they share no topic."""
    first, second = (part.values[part.place[system]] for system in (a, b))
    gaps = part.direction * (first - second)
    if np.isnan(gaps).all():
        return None
    top, low = int(np.nanargmax(gaps)), int(np.nanargmin(gaps))
    leads = []
    if gaps[top] > 0:
        leads.append(Lead(a, b, part.topics[top], float(first[top]), float(second[top])))
    if gaps[low] < 0:
        leads.append(Lead(b, a, part.topics[low], float(second[low]), float(first[low])))
    return leads


def precision_leaders(part: VersionFindings) -> list[tuple[str, str]]:
    """List from which recall on which system has the highest precision; empty if none finds anything."""
    leaders = [
        (recall, part.systems[part.ranked[int(np.nanargmax(column))]])
        for recall, column in zip(RECALLS, np.asarray(part.precision, float)[part.ranked].T, strict=True)
        if not np.isnan(column).all() and np.nanmax(column) > 0
    ]
    return [*leaders[:1], *(after for before, after in pairwise(leaders) if before[1] != after[1])]


def has_flat_precision(part: VersionFindings) -> bool:
    """Return whether precision is the same at every recall, as with one relevant document for each topic."""
    return bool((np.ptp(np.asarray(part.precision, float), axis=1) == 0).all())


class Changed(NamedTuple):
    """The mean of a system on the first version and on another."""

    system: str
    before: float
    after: float


class NoiseLosses(NamedTuple):
    """Losses from the first version to the one on which systems do worst."""

    version: str
    most: Changed | None
    """Who loses most; None if no system has a mean on both."""
    least: Changed | None
    """The system that loses least, or gains; None if there is one system."""
    gains: bool
    tau: float
    """Between the two orders of the systems; NaN with fewer than three, or where a mean is missing."""
    compared: bool = True
    """Whether there is a system that no version leaves out of its verdict."""


def common_systems(findings: Findings) -> list[str]:
    """The systems that all versions have."""
    return [system for system in findings.systems if all(system in part.place for part in findings.parts)]


def common_means(findings: Findings) -> Floats:
    """systems that all versions have × versions."""
    systems = common_systems(findings)
    return np.array([[part.means[part.place[system]] for part in findings.parts] for system in systems])


def losses(findings: Findings) -> NoiseLosses:
    """Compute the losses of findings with several versions."""
    from ..correlation import tau_b

    without = {system for part in findings.parts for system in part.left_out}
    rows = [s for s, system in enumerate(common_systems(findings)) if system not in without]
    systems, means = [common_systems(findings)[s] for s in rows], common_means(findings)[rows]
    direction = findings.first.direction
    if not rows:
        return NoiseLosses(findings.parts[-1].version, None, None, False, math.nan, compared=False)
    level = np.where(np.isnan(means), np.inf, direction * means).mean(axis=0)
    worst = int(level[1:].argmin()) + 1
    change = direction * (means[:, worst] - means[:, 0])
    most = least = None
    gains = False
    if not np.isnan(change).all():
        top, low = int(np.nanargmax(change)), int(np.nanargmin(change))
        most = Changed(systems[low], float(means[low, 0]), float(means[low, worst]))
        if len(systems) > 1:
            least = Changed(systems[top], float(means[top, 0]), float(means[top, worst]))
            gains = bool(change[top] > 0)
    tau = math.nan
    if len(systems) > 2 and not np.isnan(means).any():
        tau = float(tau_b(means[:, 0], means[:, worst]))
    return NoiseLosses(findings.parts[worst].version, most, least, gains, tau)


class OtherLeaders(NamedTuple):
    """Measures beside the main one, and those that put another system first, by that system."""

    measures: int
    leaders: dict[str, list[str]]


def other_leaders(part: VersionFindings) -> OtherLeaders:
    """Find the measures that put another system first."""
    leaders: dict[str, list[str]] = {}
    asked = 0
    for m, column in enumerate(part.scores.columns):
        figures = np.asarray(part.figures["mean"], np.float64)[part.ranked, m]
        if column.name == part.main or not column.better or np.isnan(figures).all():
            continue
        asked += 1
        top = np.nanmax(figures) if column.better == "high" else np.nanmin(figures)
        level = [part.systems[s] for s, value in zip(part.ranked, figures.tolist(), strict=True) if value == top]
        if part.best not in level:
            leaders.setdefault(level[0], []).append(column.name)
    return OtherLeaders(asked, leaders)


COLOURED = 12
"""Systems up to which all have a colour of their own in the charts."""
BEST = 10
"""Of more systems those that sentences name have one, and as many of the best as there is room for, up to so many."""
SPOKEN = 4
"""Systems that the sentence on precision names at most."""


def prominent_systems(findings: Findings) -> tuple[str, ...]:
    """The systems that stand out in every chart, in the order of their colours: the best of the first version first."""
    first = findings.first
    if len(findings.systems) <= COLOURED:
        return findings.systems
    named = [first.baseline, *(part.best for part in findings.parts)]
    named += [system for part in findings.parts for _, system in precision_leaders(part)[:SPOKEN]]
    chosen = dict.fromkeys(system for system in named if system)
    chosen |= dict.fromkeys(first.systems[s] for s in first.order[:BEST])
    first_of_all = set(list(chosen)[:COLOURED])
    return tuple(system for system in findings.systems if system in first_of_all)


def same_measures(part: VersionFindings) -> list[list[str]]:
    """Measures that order systems, in groups: within a group all values are the same but for a constant factor.

    With one relevant document per topic, average precision and reciprocal rank are the same, for example.
    """
    groups: list[tuple[Floats, str, list[str]]] = []
    for m, column in enumerate(part.scores.columns):
        if not column.better:
            continue
        values = np.asarray(part.scores.values[:, :, m], float)
        largest = float(np.abs(values).max(initial=0.0)) if np.isfinite(values).all() else math.nan
        scaled = values / largest if largest > 0 else values
        for other, better, names in groups:
            if better == column.better and np.allclose(scaled, other, rtol=0, atol=1e-9):
                names.append(column.name)
                break
        else:
            groups.append((scaled, column.better, [column.name]))
    return [names for _, _, names in groups]


class Standing(NamedTuple):
    """The best system of a version compared with the others."""

    best: tuple[str, ...]
    """The systems that share the best mean; one of them is compared with the others."""
    mean: float
    following: str
    """The next system after those; empty if there is none."""
    lead: float
    """How much better the best mean is than that of the next system, at least 0."""
    compared: int
    """Systems that the best one was tested against."""
    worse: tuple[str, ...]
    """Those that are significantly worse by the first test."""
    undecided: tuple[str, ...]
    """Those that do not differ significantly."""
    better: tuple[str, ...]
    """Those that the test sees significantly ahead although their mean is not."""
    same: tuple[str, ...]
    """Those that have the same value on every topic."""


def standing(part: VersionFindings) -> Standing:
    """Compare the best system of a version with all others, as far as they were tested."""
    order, means, best = part.order[: len(part.ranked)], part.means, part.best
    top = float(means[order[0]])
    level = [s for s in order if math.isclose(float(means[s]), top, rel_tol=1e-12)] or order[:1]
    rest = [s for s in order if s not in level and not math.isnan(float(means[s]))]
    values = part.values
    same = [s for s in order[1:] if np.array_equal(values[s], values[order[0]], equal_nan=True)]
    sides: dict[int, list[str]] = {1: [], 0: [], -1: []}
    for s in order[1:]:
        pair = part.pairs.get((best, part.systems[s]))
        if pair is None:
            continue
        difference, way = pair
        sure = difference.p[0] < ALPHA
        sides[(1 if difference.favours[0] * way >= 0 else -1) if sure else 0].append(part.systems[s])
    return Standing(
        best=tuple(part.systems[s] for s in level),
        mean=top,
        following=part.systems[rest[0]] if rest else "",
        lead=abs(top - float(means[rest[0]])) if rest else 0.0,
        compared=sum(map(len, sides.values())),
        worse=tuple(sides[1]),
        undecided=tuple(sides[0]),
        better=tuple(sides[-1]),
        same=tuple(part.systems[s] for s in same),
    )


def average_leaders(part: VersionFindings) -> dict[str, str]:
    """The best system of the main measure under each other average of the plan that has a value for all systems."""
    leaders = {}
    for spec, table in part.figures.items():
        figures = part.direction * np.asarray(table, float)[part.ranked, part.measure]
        if spec != "mean" and not np.isnan(figures).any():
            level = [part.systems[s] for s, value in zip(part.ranked, figures, strict=True) if value == figures.max()]
            leaders[spec] = part.best if part.best in level else level[0]
    return leaders
