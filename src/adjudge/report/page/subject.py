"""What a page is about: the findings, with the questions that every section asks of them answered once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...comparison.verdict import ALPHA, Comparison, Difference
from ...core.average import averages
from ...core.errors import AdjudgeError, DataError
from ...core.judged import Floats
from ...core.measure import measures
from ...core.scores import Column
from ...experiment.findings import Finding, Findings
from ..table import rounded
from .markup import Html, clean, joined, named, shortened, tag

HUGE = 1e300


@dataclass(frozen=True, eq=False)
class View:
    """One version: its finding, and its systems from the best to the worst on the main measure."""

    finding: Finding

    @property
    def version(self) -> str:
        return self.finding.version

    @property
    def main(self) -> str:
        return self.finding.main

    @property
    def systems(self) -> tuple[str, ...]:
        return self.finding.scores.systems

    @property
    def topics(self) -> tuple[str, ...]:
        return self.finding.scores.topics

    @cached_property
    def place(self) -> dict[str, int]:
        return {system: s for s, system in enumerate(self.systems)}

    @property
    def measure(self) -> int:
        """Which column of the scores the main measure is."""
        return self.finding.measure

    @property
    def column(self) -> Column:
        return self.finding.scores.columns[self.measure]

    @property
    def direction(self) -> int:
        return -1 if self.column.better == "low" else 1

    @cached_property
    def values(self) -> Floats:
        """systems × topics of the main measure; what is infinite, or too large to be subtracted, has no value here."""
        found: Floats = self.finding.scores.values[:, :, self.measure]
        return np.where(np.abs(np.nan_to_num(found, nan=np.inf)) < HUGE, found, np.nan)

    @cached_property
    def means(self) -> Floats:
        """One figure a system: the mean of the main measure."""
        figures = self.finding.figures.get("mean")
        return mean_of(self.values) if figures is None else np.asarray(figures)[:, self.measure]

    @cached_property
    def order(self) -> list[int]:
        """Systems, best first; those without a figure last."""
        worth = np.where(np.isnan(self.means), -np.inf, self.direction * self.means)
        return [int(s) for s in np.argsort(-worth, kind="stable")]

    @property
    def best(self) -> str:
        return self.systems[self.order[0]]

    @cached_property
    def pairs(self) -> dict[tuple[str, str], tuple[Difference, int]]:
        """Every compared pair, both ways round, with +1 if the first of the key is the ``a`` of the difference."""
        comparison = self.finding.comparison
        made: dict[tuple[str, str], tuple[Difference, int]] = {}
        for one in comparison.differences if comparison else ():
            made[one.a, one.b], made[one.b, one.a] = (one, 1), (one, -1)
        return made

    @property
    def reference(self) -> str:
        """Whom the marks in tables are against: the first baseline if there is one, otherwise the best system."""
        comparison = self.finding.comparison
        return comparison.baselines[0] if comparison and comparison.baselines else self.best

    def verdict(self, system: str) -> int | None:
        """Against the reference: +1 significantly better, −1 worse, 0 not told apart, None if not compared."""
        found = self.pairs.get((system, self.reference))
        if found is None or math.isnan(found[0].p[0]):
            return None
        one, way = found
        return 0 if one.p[0] >= ALPHA else (1 if one.favours[0] * way >= 0 else -1)


@dataclass(frozen=True, eq=False)
class Subject:
    """The findings as the sections of the page look at them."""

    findings: Findings

    def __post_init__(self) -> None:
        if not self.findings.versions:
            raise DataError("there is no version in these findings, so there is nothing to show")
        for finding in self.findings.versions.values():
            if not finding.scores.systems:
                raise DataError(f"version {finding.version}: no system, so there is nothing to show")

    @cached_property
    def views(self) -> tuple[View, ...]:
        return tuple(View(finding) for finding in self.findings.versions.values())

    @property
    def first(self) -> View:
        return self.views[0]

    @property
    def several(self) -> bool:
        return len(self.views) > 1

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """All systems of all versions: the order of the first version, best first, then those that it has not."""
        ordered = [view.systems[s] for view in self.views for s in view.order]
        return tuple(dict.fromkeys(ordered))

    @cached_property
    def topics(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(topic for view in self.views for topic in view.topics))

    @cached_property
    def measures(self) -> dict[str, Column]:
        """Every column of every version by name, the main measure first."""
        first = {self.first.main: self.first.column}
        return first | {c.name: c for view in self.views for c in view.finding.scores.columns if c.name not in first}

    def question(self, topic: str) -> str:
        return self.findings.questions.get(topic, "")


def default_pair(view: View) -> tuple[str, str] | None:
    """The best system and its nearest rival that differs from it at all; with a baseline, that instead of the rival."""
    if len(view.systems) < 2:
        return None
    best, *others = view.order
    if view.reference != view.best:
        return view.best, view.reference
    apart = (s for s in others if not np.array_equal(view.values[s], view.values[best], equal_nan=True))
    return view.best, view.systems[next(apart, others[0])]


def mean_of(values: Floats) -> Floats:
    """The mean over the last axis of what has a value; NaN where nothing has."""
    known = ~np.isnan(values)
    count = np.asarray(known.sum(axis=-1))
    with np.errstate(over="ignore", invalid="ignore"):  # infinity where values are: it is shown as such
        total = np.where(known, values, 0.0).sum(axis=-1)
    mean: Floats = np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0)
    return mean


def figure(number: float, digits: int = 4) -> str:
    """A figure as the page shows it: a dash where there is none, fewer decimals for large ones."""
    if math.isnan(number):
        return "–"
    if math.isinf(number):
        return "∞" if number > 0 else "−∞"
    if abs(number) >= 1e6:
        return f"{number:.4g}".replace("-", "−")
    size = digits if abs(number) < 10 else max(0, digits - len(str(int(abs(number)))))
    return rounded(number, size).replace("-", "−")


def plain(number: float) -> str:
    """A figure in a sentence: three digits, none for whole numbers."""
    return f"{number:,.0f}".replace("-", "−") if number == round(number, 9) and number % 1 == 0 else figure(number, 3)


def signed(number: float, digits: int = 4) -> str:
    text = figure(number, digits)
    return text if text[0] in "−–" or not number > 0 else f"+{text}"


def p_value(p: float) -> str:
    """``p = 0.031`` · ``p < 0.0001``."""
    if math.isnan(p):
        return "no p"
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.2g}"


def percent(share: float) -> str:
    return "–" if math.isnan(share) else f"{share:.0%}" if share in {0.0, 1.0} or share >= 0.1 else f"{share:.1%}"


def definition(column: Column) -> str:
    """What a measure is, in one line; empty if it is not one of ours, as in scores that came from elsewhere."""
    try:
        text = type(measures.parse(column.measure)).summary()
    except AdjudgeError:
        return ""
    if column.average in {"mean", "sum"}:
        return text
    return f"{text} Over topics: {average_definition(column.average)}".rstrip()


def average_definition(spec: str) -> str:
    try:
        return type(averages.parse(spec)).summary()
    except AdjudgeError:
        return ""


def measure_name(column: Column) -> Html:
    """The name of a measure with its definition in the tip."""
    about = definition(column)
    if not about:
        return named(column.name, 30)
    return tag("abbr", named(column.name, 30), title=clean(about))


def test_name(comparison: Comparison) -> str:
    correction = comparison.corrections[0]
    return comparison.tests[0] + ("" if correction == "none" else f", {correction}")


def interval(ends: Sequence[float] | Floats) -> str:
    low, high = float(ends[0]), float(ends[1])
    return "" if math.isnan(low) or math.isnan(high) else f"{figure(low, 3)} to {figure(high, 3)}"


def glossary(subject: Subject) -> Html:
    """Every measure and average that the page names."""
    rows: list[object] = []
    for column in subject.measures.values():
        spec = "" if column.measure == column.name else f" ({shortened(column.measure)})"
        about = definition(column) or "Not a measure that adjudge knows: taken from the scores as it is."
        way = {"high": " High values are good.", "low": " Low values are good."}.get(column.better, "")
        rows += [tag("dt", named(column.name), spec), tag("dd", about, way)]
    for spec in dict.fromkeys(spec for view in subject.views for spec in view.finding.figures):
        about = average_definition(spec)
        if about:
            rows += [tag("dt", named(spec), " (average)"), tag("dd", about)]
    return tag("dl", joined(rows), class_="glossary")
