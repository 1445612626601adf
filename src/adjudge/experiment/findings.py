"""Findings of an experiment: for every version the scores of all systems and the conclusions from them.

The page, the figures and ``verdicts.json`` are made from these values and from nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..comparison.cross_tuning import Tuning
from ..comparison.known_item.study import Study
from ..comparison.matrix import mean_of_known
from ..comparison.rank_groups import RankGroups
from ..comparison.residual_bands import ResidualBands
from ..comparison.scale.sensitivity import Sensitivity
from ..comparison.verdict import ALPHA, Comparison, Difference
from ..core.coverage import Coverage
from ..core.errors import DataError
from ..core.judged import Floats
from ..core.note import Note
from ..core.scores import Column, Scores

HUGE = 1e300
TUNING = "tuning.json"
"""The file beside results that says what tuning came to, if something was tuned."""


class VersionErrors(NamedTuple):
    """Error rates of a version: the shares of characters and of words that are wrong."""

    characters: float
    words: float


@dataclass(frozen=True, eq=False)
class VersionFindings:
    """One version of the documents. All arrays follow the order of ``scores.systems`` and ``scores.topics``."""

    version: str
    scores: Scores
    """The measures of the plan for every topic that counts; a topic that a run lacks has what its absence is worth."""
    main: str
    """The measure on which systems are compared; a column of the scores."""
    figures: Mapping[str, Floats]
    """By average (``mean`` first, then those of the plan): systems × measures; NaN where the average has no value."""
    intervals: Floats
    """systems × measures × 2: bootstrap interval of the mean over topics; NaN with fewer than two topics."""
    comparison: Comparison | None
    """All pairs on the main measure; None if there is one system or one topic only."""
    sensitivity: Sensitivity | None
    """What monotone transformations of the main measure do to the order; None as above."""
    study: Study | None
    """Ranks, value and operating characteristics if every topic has one target; otherwise None."""
    precision: Floats
    """systems × 11: interpolated precision at recall 0, 0.1 … 1, mean over topics."""
    agreement: Floats
    """measures × measures: rank correlation (tau_b) between the orders in which measures put the systems."""
    errors: VersionErrors | None = None
    """Against the clean text; None if that is not known."""
    answered: tuple[int, ...] = ()
    """For each system the number of topics for which it retrieved at least one document; empty if not known."""
    unjudged: tuple[float, ...] = ()
    """For each system the mean share of unjudged documents among the first ten of the topics that it answered."""
    lists: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    """By topic, for the topics that the page shows: the first documents of each system, best first."""
    groups: RankGroups | None = None
    """Groups that do not differ significantly and intervals of ranks on the main measure; None as the comparison."""
    bands: tuple[ResidualBands, ...] = ()
    """How far unjudged documents could raise figures, by each measure that tells, the main one first."""
    left_out: Mapping[str, Coverage] = field(default_factory=dict)
    """Systems on which there is no verdict, because their runs answer too few of the judged topics."""
    notes: tuple[Note, ...] = ()

    @property
    def systems(self) -> tuple[str, ...]:
        return self.scores.systems

    @property
    def topics(self) -> tuple[str, ...]:
        return self.scores.topics

    @cached_property
    def place(self) -> dict[str, int]:
        """The number of each system."""
        return {system: s for s, system in enumerate(self.systems)}

    @cached_property
    def measure(self) -> int:
        """Column of the main measure in the scores."""
        names = self.scores.measures
        if self.main not in names:
            raise DataError(f"version {self.version}: the main measure {self.main} is not among its scores")
        return names.index(self.main)

    @property
    def column(self) -> Column:
        """The main measure."""
        return self.scores.columns[self.measure]

    @property
    def direction(self) -> int:
        """−1 if low values of the main measure are good, otherwise 1."""
        return -1 if self.column.better == "low" else 1

    @cached_property
    def values(self) -> Floats:
        """systems × topics of the main measure; what is infinite, or too large to be subtracted, has no value here."""
        values: Floats = self.scores.values[:, :, self.measure]
        return np.where(np.abs(np.nan_to_num(values, nan=np.inf)) < HUGE, values, np.nan)

    @property
    def means(self) -> Floats:
        """The mean of the main measure of each system."""
        return np.asarray(self.figures["mean"])[:, self.measure]

    @cached_property
    def ranked(self) -> list[int]:
        """The systems that sentences speak of: those on which there is a verdict, or all if there is none on any."""
        rows = [s for s, system in enumerate(self.systems) if system not in self.left_out]
        return rows or list(range(len(self.systems)))

    @cached_property
    def order(self) -> list[int]:
        """Systems, best first; those without a figure last, and after them those without a verdict."""
        worth = np.where(np.isnan(self.means), -np.inf, self.direction * self.means)
        ranked = set(self.ranked)
        return sorted(range(len(self.systems)), key=lambda s: (s not in ranked, -worth[s]))

    @property
    def topic_means(self) -> Floats:
        """For each topic the mean of the main measure over the systems that are spoken of."""
        return mean_of_known(self.values[self.ranked].T)

    @property
    def best(self) -> str:
        return self.systems[self.order[0]]

    @cached_property
    def hardest(self) -> list[int]:
        """Topics, those on which all systems together do worst first; topics without any value last."""
        level = self.direction * self.topic_means
        return [int(t) for t in np.argsort(np.where(np.isnan(level), np.inf, level), kind="stable")]

    @cached_property
    def pairs(self) -> dict[tuple[str, str], tuple[Difference, int]]:
        """Every compared pair, both ways round, with +1 if the first of the key is the ``a`` of the difference."""
        both: dict[tuple[str, str], tuple[Difference, int]] = {}
        for difference in self.comparison.differences if self.comparison else ():
            a, b = difference.a, difference.b
            both[a, b], both[b, a] = (difference, 1), (difference, -1)
        return both

    @property
    def baseline(self) -> str:
        """The first baseline, if there is one."""
        return self.comparison.baselines[0] if self.comparison and self.comparison.baselines else ""

    @property
    def reference(self) -> str:
        """The system that marks in tables refer to: the first baseline if there is one, otherwise the best system."""
        return self.baseline or self.best

    def verdict(self, system: str) -> int | None:
        """Compare with the reference: +1 significantly better, −1 worse, 0 neither, None if not compared."""
        pair = self.pairs.get((system, self.reference))
        if pair is None or math.isnan(pair[0].p[0]):
            return None
        difference, way = pair
        return 0 if difference.p[0] >= ALPHA else (1 if difference.favours[0] * way >= 0 else -1)

    @cached_property
    def least_agreement(self) -> LeastAgreement | None:
        """The two measures that order the systems least alike; None if no two do, or for two systems only."""
        if len(self.ranked) < 3:
            return None
        names = self.scores.measures
        rows, columns = np.triu_indices(len(names), 1)
        values = np.asarray(self.agreement, float)[rows, columns]
        known = values[~np.isnan(values)]
        if not len(known):
            return None
        place = int(np.nanargmin(values))
        same = int((known >= 1 - 1e-12).sum())
        first, second = names[rows[place]], names[columns[place]]
        return LeastAgreement(first, second, float(values[place]), same, len(known), float(known.mean()))

    @cached_property
    def main_pair(self) -> tuple[str, str] | None:
        """The best system and its nearest rival that differs from it at all; with a baseline, that in its place."""
        if len(self.ranked) < 2:
            return None
        best, *others = self.order[: len(self.ranked)]
        if self.reference != self.best:
            return self.best, self.reference
        apart = (s for s in others if not np.array_equal(self.values[s], self.values[best], equal_nan=True))
        return self.best, self.systems[next(apart, others[0])]


class DocumentExtract(NamedTuple):
    """The title of a document and the words that it begins with; either may be empty."""

    title: str
    words: str


class StepCost(NamedTuple):
    """Time, memory and energy of one step of the work."""

    what: str
    """Such as ``gmu961 on 5 %``, ``version 20 %``, ``scores``."""
    seconds: float
    megabytes: float
    """Peak of the process that did it."""
    joules: float | None = None
    """What the processors of the machine used meanwhile; None where it does not tell."""


@dataclass(frozen=True)
class Provenance:
    """Provenance of the figures: enough to make them again."""

    software: Mapping[str, str]
    """adjudge, python, numpy, …: versions."""
    plan: Mapping[str, Any]
    """All settings, defaults included."""
    inputs: Mapping[str, str]
    """Digest of the content of every input: topics, judgments, documents of each version, external runs."""
    systems: Mapping[str, str]
    """The full spec of each system; ``run`` for external ones."""
    steps: tuple[StepCost, ...] = ()
    metadata: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What runs made elsewhere say of themselves, by name and version: their ir_metadata headers."""


@dataclass(frozen=True, eq=False)
class Findings:
    """All versions of an experiment, what was asked, and where it comes from."""

    title: str
    versions: Mapping[str, VersionFindings]
    """By name, the true one first if there is one."""
    questions: Mapping[str, str]
    """The text of each topic; empty for a plan without topics."""
    relevant: Mapping[str, tuple[str, ...]]
    """All relevant documents of each topic, the highest grade first."""
    documents: int
    """How many were searched; 0 if not known."""
    provenance: Provenance
    extracts: Mapping[str, DocumentExtract] = field(default_factory=dict)
    """Titles and first words of documents that the page names, where the documents are at hand."""
    grades: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """The grade of each judged document, for the topics whose ranked lists are shown."""
    level: int = 1
    """The lowest grade that counts as relevant."""
    runs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Where the run of each system is, by version: a path relative to the page."""
    notes: tuple[Note, ...] = ()
    tuning: Tuning | None = None
    """What tuning came to, if a system was tuned."""

    def __post_init__(self) -> None:
        if not self.versions:
            raise DataError("there is no version in these findings, so there is nothing to show")
        for part in self.versions.values():
            if not part.systems:
                raise DataError(f"version {part.version}: no system, so there is nothing to show")

    @cached_property
    def parts(self) -> tuple[VersionFindings, ...]:
        """The findings of each version."""
        return tuple(self.versions.values())

    @property
    def first(self) -> VersionFindings:
        return self.parts[0]

    @property
    def several(self) -> bool:
        return len(self.parts) > 1

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """All systems of all versions: the order of the first version, best first, then those that it has not."""
        return tuple(dict.fromkeys(part.systems[s] for part in self.parts for s in part.order))

    @cached_property
    def topics(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(topic for part in self.parts for topic in part.topics))

    @cached_property
    def measures(self) -> dict[str, Column]:
        """Every column of every version by name, the main measure first."""
        first = {self.first.main: self.first.column}
        return first | {c.name: c for part in self.parts for c in part.scores.columns if c.name not in first}

    def question(self, topic: str) -> str:
        """The question of a topic, empty if it is not known."""
        return self.questions.get(topic, "")

    @cached_property
    def conclusions(self) -> tuple[Conclusion, ...]:
        """Conclusions: who leads, what noise does, what would change it; the most important first."""
        return tuple(_conclusions(self.parts))


@dataclass(frozen=True)
class Single:
    """The mean of a system that is compared with no other."""

    system: str
    measure: str
    mean: float


@dataclass(frozen=True)
class Remainder:
    """The share of the best system's mean that it keeps on another version."""

    reference: str
    """The version on which the system is best."""
    measure: str
    errors: VersionErrors | None
    best: str
    share: float
    """Of its mean on the reference."""
    ahead: str = ""
    """The system that leads now, if it is another one; its mean, and that as a share of the best on the reference."""
    ahead_mean: float = math.nan
    ahead_share: float = math.nan


@dataclass(frozen=True)
class LeastAgreement:
    """The two measures that order the systems least alike."""

    first: str
    second: str
    tau: float
    same: int
    """Pairs of measures that put the systems in the same order, of so many ``pairs`` that order them at all."""
    pairs: int
    mean: float
    """Of τ_b over these pairs."""

    @property
    def unanimous(self) -> bool:
        """Return whether all measures put the systems in one order."""
        return self.same == self.pairs


@dataclass(frozen=True)
class Conclusion:
    """One thing that findings come to: what it rests on, and the version that it is about."""

    basis: Comparison | Single | Remainder | Sensitivity | Study | LeastAgreement
    version: str = ""
    """Empty if there is one version only."""


def _conclusions(versions: Sequence[VersionFindings]) -> Iterator[Conclusion]:
    names = [part.version if len(versions) > 1 else "" for part in versions]
    for part, name in zip(versions, names, strict=True):
        if part.comparison is not None:
            yield Conclusion(part.comparison, name)
        elif len(part.scores.systems) == 1:
            yield Conclusion(Single(part.scores.systems[0], part.main, float(part.means[0])), name)
    lead = versions[0]
    for part in versions[1:]:
        remainder = _remainder(lead, part)
        if remainder is not None:
            yield Conclusion(remainder, part.version)
    bases = (lead.sensitivity, lead.study, lead.least_agreement)
    yield from (Conclusion(basis, names[0]) for basis in bases if basis is not None)


def _remainder(reference: VersionFindings, other: VersionFindings) -> Remainder | None:
    """Compute the share of the best system's mean that is left, and who leads; None where a share says nothing."""
    clean, own = (dict(zip(part.systems, part.means.tolist(), strict=True)) for part in (reference, other))
    if reference.scores.columns[reference.measure].better != "high":
        return None
    best, top = reference.best, other.best
    if best not in own or not clean[best] > 0:
        return None
    remainder = Remainder(reference.version, other.main, other.errors, best, own[best] / clean[best])
    if top == best or not own[top] > own[best]:
        return remainder
    return replace(remainder, ahead=top, ahead_mean=own[top], ahead_share=own[top] / clean[best])
