"""The table of systems: the main measure on every version with its interval, marks, and all other measures."""

from __future__ import annotations

import math

import numpy as np

from ...comparison.verdict import ALPHA
from ...core.english import quantity
from ...core.scores import Column
from ..figures import Figure, systems_figure
from .markup import Html, clean, disclosed, joined, named, shortened, tag
from .parts import Room, Section, plot, scrolled, section
from .subject import Subject, View, figure, interval, measure_name, test_name

FILTERED = 12
"""From so many systems on there is a box to find one."""

LONG = 40
"""From so many systems on the table scrolls by itself, under its header."""

MARKS = {1: ("▲", "significantly better than"), 0: ("≈", "not told apart from"), -1: ("▼", "significantly worse than")}


def systems_section(subject: Subject, room: Room) -> Section:
    how = (
        "A dot is the mean over the topics, the line its 95 % bootstrap interval: of samples of these topics 95 in 100 "
        "have their mean there. Intervals of two systems may overlap although one is ahead on nearly every topic; the "
        "signs tell what the paired test says."
    )
    shown = joined([plot(systems_drawn(subject), _found(subject.first), how), main_table(subject), legend(subject)])
    others = [room.take(other_table(view), "tables of all measures of a version") for view in subject.views[1:]]
    return section("systems", "The systems", room.needed(shown), *others)


def systems_drawn(subject: Subject) -> Figure:
    first = subject.first
    means = np.full((len(subject.systems), len(subject.views)), np.nan)
    ends = np.full((*means.shape, 2), np.nan)
    for v, view in enumerate(subject.views):
        for s, system in enumerate(subject.systems):
            row = view.place.get(system)
            if row is not None:
                means[s, v] = view.means[row]
                ends[s, v] = view.finding.intervals[row, view.measure]
    return systems_figure(
        *(subject.systems, means, ends),
        versions=[view.version for view in subject.views] if subject.several else (),
        measure=first.main,
        better=first.column.better,
        marks={s: MARKS[told][0] for s in subject.systems if (told := first.verdict(s)) is not None},
        baseline=baseline_of(first),
        title=f"Mean {shortened(first.main)} of each system with its interval",
    )


def baseline_of(view: View) -> str:
    comparison = view.finding.comparison
    return comparison.baselines[0] if comparison and comparison.baselines else ""


def _found(view: View) -> Html:
    """From best to worst, and how many share the top."""
    best, worst = view.order[0], view.order[-1]
    if len(view.systems) == 1:
        return joined([named(view.best), f" reaches {figure(float(view.means[best]))} {shortened(view.main)}."])
    level = [s for s in view.systems if s != view.reference and view.verdict(s) == 0]
    span = [
        f"Mean {shortened(view.main)} goes from {figure(float(view.means[best]))} (",
        *(named(view.best), f") to {figure(float(view.means[worst]))} (", named(view.systems[worst]), ")"),
    ]
    if view.finding.comparison is None:
        return joined([*span, "."])
    who = "the best" if view.reference == view.best else "the baseline"
    share = f"{quantity(len(level), 'other system')} of {len(view.systems) - 1} cannot be told apart from {who}."
    return joined([*span, "; ", share])


def main_table(subject: Subject) -> Html:
    """One row a system; sorted by the first version, and by any column on request."""
    others = [(m, c) for m, c in enumerate(subject.first.finding.scores.columns) if c.name != subject.first.main]
    head: list[object] = [tag("th", "system", scope="col", data_sort="text")]
    for view in subject.views:
        on = joined([" on ", named(view.version, 24)]) if subject.several else None
        head.append(_head(view.column, on))
    head += [_head(column) for _, column in others]
    tops = {m: _top(subject.first, m) for m, _ in others}
    body = []
    for system in subject.systems:
        cells: list[object] = [tag("th", named(system), scope="row")]
        cells += [_main_cell(view, system) for view in subject.views]
        row = subject.first.place.get(system)
        cells += [_cell(subject.first, row, m, tops[m]) for m, _ in others]
        body.append(tag("tr", cells, data_system=clean(system)[:1000]))
    made = tag(
        "table",
        tag("thead", tag("tr", head)),
        tag("tbody", body),
        class_="systems sortable",
        id="systems-table",
    )
    count = len(subject.systems)
    finder = None
    if count >= FILTERED:
        box = tag("input", type="search", id="systems-filter", autocomplete="off", spellcheck="false")
        finder = tag(
            "p", tag("label", "Find a system ", box), tag("output", id="systems-shown"), class_="finder needs-js"
        )
    about = tag("p", caption(subject), class_="note")
    return joined([finder, about, scrolled(made, "Table of systems", class_="long" if count > LONG else "")])


def caption(subject: Subject) -> Html:
    view = subject.first
    text = f"Mean over {quantity(len(view.topics), 'topic')}; {shortened(view.main)} with 95 % bootstrap interval"
    rest = len(view.finding.scores.columns) > 1
    return joined(
        [text, ", then the other measures", *([" on ", named(view.version)] if subject.several else []), "."]
        if rest
        else [text, "."]
    )


def _head(column: Column, on: Html | None = None) -> Html:
    better = column.better if column.better in {"high", "low"} else None
    return tag("th", measure_name(column), on, scope="col", class_="number", data_sort="number", data_better=better)


def _top(view: View, m: int) -> str:
    """The best figure of a column as it is printed; empty if none stands out."""
    column = view.finding.scores.columns[m]
    numbers = view.finding.figures["mean"][:, m]
    known = numbers[~np.isnan(numbers)]
    if len(known) < 2 or column.better not in {"high", "low"}:
        return ""
    return figure(float(known.max() if column.better == "high" else known.min()))


def _cell(view: View, row: int | None, m: int, top: str) -> Html:
    value = math.nan if row is None else float(view.finding.figures["mean"][row, m])
    text = figure(value)
    shown = tag("strong", text) if text == top else text
    return tag("td", shown, class_="number", data_v=_exact(value))


def _main_cell(view: View, system: str) -> Html:
    row = view.place.get(system)
    if row is None:
        return tag("td", "–", class_="number")
    value = float(view.means[row])
    text = figure(value)
    best = row == view.order[0] and len(view.systems) > 1
    sign = mark(view, system)
    ends = interval(view.finding.intervals[row, view.measure])
    return tag(
        "td",
        tag("span", tag("strong", text) if best else text, sign, class_="figure"),
        tag("span", ends, class_="ends") if ends else None,
        class_="number main",
        data_v=_exact(value),
    )


def mark(view: View, system: str) -> Html:
    """How a system stands to the one that marks are against."""
    told = view.verdict(system)
    if told is None:
        return tag("span", "", class_="mark")
    sign, words = MARKS[told]
    said = f"{words} {shortened(view.reference)}"
    kind = {1: "up", 0: "same", -1: "down"}[told]
    return tag(
        "span",
        tag("span", sign, aria_hidden="true"),
        tag("span", said, class_="unseen"),
        class_=f"mark {kind}",
        title=said,
    )


def _exact(value: float) -> str | None:
    return None if math.isnan(value) else f"{value:.12g}"


def legend(subject: Subject) -> Html | None:
    comparison = subject.first.finding.comparison
    if comparison is None:
        return None
    against = (
        [" the baseline ", named(subject.first.reference)] if comparison.baselines else [" the best of its column"]
    )
    return tag(
        "p",
        *(tag("span", "≈", class_="mark same"), " cannot be told apart from", *against, ", "),
        *(tag("span", "▼", class_="mark down"), " is worse than it, ", tag("span", "▲", class_="mark up")),
        f" better: {test_name(comparison)}, {ALPHA:.0%}, on the main measure. Bold: the best of a column. ",
        "Names of measures have their definitions as tips, and all of them are ",
        *(tag("a", "listed below", href="#definitions"), "."),
        class_="legend",
    )


def other_table(view: View) -> Html:
    """All measures of another version."""
    columns = list(enumerate(view.finding.scores.columns))
    tops = {m: _top(view, m) for m, _ in columns}
    head = [tag("th", "system", scope="col", data_sort="text"), *(_head(column) for _, column in columns)]
    body = [
        tag("tr", tag("th", named(view.systems[s]), scope="row"), [_cell(view, s, m, tops[m]) for m, _ in columns])
        for s in view.order
    ]
    made = tag("table", tag("thead", tag("tr", head)), tag("tbody", body), class_="systems sortable")
    label = f"All measures on {shortened(view.version)}"
    summary = joined(["All measures on ", named(view.version)])
    return disclosed(summary, scrolled(made, label, class_="long" if len(body) > LONG else ""), class_="version")
