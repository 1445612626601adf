"""Compare the systems: means with intervals, the table of all measures, and which differences are significant."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from ...core.english import figure, interval
from ...core.judged import Floats, Ints
from ...core.scores import Column
from ...experiment.findings import Findings, VersionFindings
from ...experiment.observations import prominent_systems
from ...words import captions, table_captions
from ...words.omissions import pairs_of_tables
from ...words.verdicts import first_test
from ..comparison import pairs_table
from ..figures import PAPER, Figure, significance_matrix_figure, systems_figure
from .parts import (
    Room,
    Section,
    each_version,
    measure_name,
    plot,
    scroll_box,
    section,
    spoken,
    table,
    version_label,
    version_name,
)
from .safe_markup import Html, beginning_of, clean, disclosure, join_children, name_element, shorten_middle, tag

FILTERED = 12
"""From so many systems on there is a box to find one."""

LONG = 40
"""From so many systems on the table scrolls by itself, under its header."""

MARKS = {1: "▲", 0: "≈", -1: "▼"}


def systems_section(findings: Findings, room: Room) -> Section:
    caption = spoken(captions.range_of_systems(findings.first), findings)
    chart = plot(partial(draw_systems, findings), caption, captions.reading("systems"), name="systems")
    shown = join_children([chart, main_table(findings), legend(findings)])
    others = [room.take(other_table(view), "tables of all measures of a version") for view in findings.parts[1:]]
    return section("systems", "Results", room.needed(shown), *others)


def draw_systems(findings: Findings, width: float = PAPER) -> Figure:
    first = findings.first
    means = np.full((len(findings.systems), len(findings.parts)), np.nan)
    ends = np.full((*means.shape, 2), np.nan)
    for v, view in enumerate(findings.parts):
        for s, system in enumerate(findings.systems):
            row = view.place.get(system)
            if row is not None:
                means[s, v] = view.means[row]
                ends[s, v] = view.intervals[row, view.measure]
    return systems_figure(
        findings.systems,
        means,
        ends,
        versions=[version_label(view) for view in findings.parts] if findings.several else (),
        measure=first.main,
        better=first.column.better,
        marks={s: MARKS[verdict] for s in findings.systems if (verdict := first.verdict(s)) is not None},
        baseline=first.baseline,
        selected=prominent_systems(findings),
        width=width,
        title=f"Mean {shorten_middle(first.main)} of each system with its interval",
    )


def main_table(findings: Findings) -> Html:
    """One row per system, sorted by the first version, and by any column on request."""
    others = [(m, c) for m, c in enumerate(findings.first.scores.columns) if c.name != findings.first.main]
    head: list[object] = [tag("th", "system", scope="col", data_sort="text")]
    for view in findings.parts:
        on = join_children([" on ", version_name(view, 24)]) if findings.several else None
        head.append(_head(view.column, on))
    head += [_head(column) for _, column in others]
    tops = {m: _top(findings.first, m) for m, _ in others}
    body = []
    for system in findings.systems:
        cells: list[object] = [tag("th", name_element(system), scope="row")]
        cells += [_main_cell(view, system) for view in findings.parts]
        row = findings.first.place.get(system)
        cells += [_cell(findings.first, row, m, tops[m]) for m, _ in others]
        body.append(tag("tr", cells, data_system=clean(system)[:1000]))
    html = tag(
        "table",
        tag("thead", tag("tr", head)),
        tag("tbody", body),
        class_="systems sortable",
        id="systems-table",
    )
    count, view = len(findings.systems), findings.first
    finder = None
    if count >= FILTERED:
        box = tag("input", type="search", id="systems-filter", autocomplete="off", spellcheck="false")
        finder = tag(
            "p", tag("label", "Find a system ", box), tag("output", id="systems-shown"), class_="finder needs-js"
        )
    about = tag("p", spoken(table_captions.systems_table(findings, shorten_middle(view.main)), findings), class_="note")
    return join_children([finder, about, scroll_box(html, "Table of systems", class_="long" if count > LONG else "")])


def _head(column: Column, on: Html | None = None) -> Html:
    better = column.better if column.better in {"high", "low"} else None
    return tag("th", measure_name(column), on, scope="col", class_="number", data_sort="number", data_better=better)


def _top(view: VersionFindings, m: int) -> str:
    """The best figure of a column as it is printed; empty if none stands out."""
    column = view.scores.columns[m]
    numbers = view.figures["mean"][:, m]
    known = numbers[~np.isnan(numbers)]
    if len(known) < 2 or column.better not in {"high", "low"}:
        return ""
    return figure(float(known.max() if column.better == "high" else known.min()))


def _cell(view: VersionFindings, row: int | None, m: int, top: str) -> Html:
    value = math.nan if row is None else float(view.figures["mean"][row, m])
    text = figure(value)
    shown = tag("strong", text) if text == top else text
    return tag("td", shown, class_="number", data_v=_exact(value))


def _main_cell(view: VersionFindings, system: str) -> Html:
    row = view.place.get(system)
    if row is None:
        return tag("td", "–", class_="number")
    value = float(view.means[row])
    text = figure(value)
    best = text == figure(float(view.means[view.order[0]])) and len(view.systems) > 1
    sign = mark(view, system)
    ends = interval(view.intervals[row, view.measure])
    return tag(
        "td",
        tag("span", tag("strong", text) if best else text, sign, class_="figure"),
        tag("span", ends, class_="ends") if ends else None,
        class_="number main",
        data_v=_exact(value),
    )


def mark(view: VersionFindings, system: str) -> Html:
    """The result of the test against the system that marks refer to."""
    verdict = view.verdict(system)
    if verdict is None:
        return tag("span", "", class_="mark")
    sign, title = MARKS[verdict], table_captions.standing(verdict, shorten_middle(view.reference))
    kind = {1: "up", 0: "same", -1: "down"}[verdict]
    return tag(
        "span",
        tag("span", sign, aria_hidden="true"),
        tag("span", title, class_="unseen"),
        class_=f"mark {kind}",
        title=title,
    )


def _exact(value: float) -> str | None:
    return None if math.isnan(value) else f"{value:.12g}"


def legend(findings: Findings) -> Html | None:
    comparison = findings.first.comparison
    if comparison is None:
        return None
    baseline = findings.first.reference if comparison.baselines else ""
    return tag(
        "p",
        tag("span", "≈", class_="mark same"),
        spoken(table_captions.same_mark(baseline), findings),
        tag("span", "▼", class_="mark down"),
        table_captions.worse_mark(),
        tag("span", "▲", class_="mark up"),
        table_captions.better_mark(comparison),
        table_captions.definitions_as_tips(),
        tag("a", "listed below", href="#definitions"),
        ".",
        class_="legend",
    )


def other_table(view: VersionFindings) -> Html:
    """All measures of another version."""
    columns = list(enumerate(view.scores.columns))
    tops = {m: _top(view, m) for m, _ in columns}
    head = [tag("th", "system", scope="col", data_sort="text"), *(_head(column) for _, column in columns)]
    body = [
        tag(
            "tr",
            tag("th", name_element(view.systems[s]), scope="row"),
            [_cell(view, s, m, tops[m]) for m, _ in columns],
        )
        for s in view.order
    ]
    html = tag("table", tag("thead", tag("tr", head)), tag("tbody", body), class_="systems sortable")
    label = f"All measures on {shorten_middle(version_label(view))}"
    summary = join_children(["All measures on ", version_name(view)])
    return disclosure(summary, scroll_box(html, label, class_="long" if len(body) > LONG else ""), class_="version")


PAIRS = 200
"""In the table of pairs; ``adjudge report --tables`` writes all."""


def significance_section(findings: Findings, room: Room) -> Section | None:
    def make(view: VersionFindings) -> Html | None:
        comparison = view.comparison
        if comparison is None or not comparison.differences:
            return None
        notes = [tag("p", beginning_of(str(note), 600), class_="note") for note in comparison.notes]
        caption, how = captions.separation(view), captions.reading_of_significance(view)
        if len(view.systems) < 3:  # one pair is a sentence
            return tag("div", tag("p", spoken(caption, view), class_="found"), *notes, pairs(view))
        draw = partial(draw_significance, view)
        return plot(draw, spoken(caption, view), how, *notes, pairs(view), name="significance")

    body = each_version(findings, room, "significance matrices", make)
    return section("significance", "Which differences are significant?", body) if body else None


def draw_significance(view: VersionFindings, width: float = PAPER) -> Figure:
    p, ahead = matrix(view)
    return significance_matrix_figure(
        [view.systems[s] for s in view.order],
        p,
        ahead,
        test=first_test(view.comparison) if view.comparison else "",
        width=width,
        title=f"Which systems differ significantly on {shorten_middle(view.main)}",
    )


def matrix(view: VersionFindings) -> tuple[Floats, Ints]:
    """p and the system ahead for every pair, systems in the order of their means."""
    count = len(view.systems)
    p = np.full((count, count), np.nan)
    ahead = np.zeros((count, count), np.int64)
    at = {view.systems[s]: row for row, s in enumerate(view.order)}
    comparison = view.comparison
    for difference in comparison.differences if comparison else ():
        a, b = at[difference.a], at[difference.b]
        p[a, b] = p[b, a] = difference.p[0]
        ahead[a, b], ahead[b, a] = difference.favours[0], -difference.favours[0]
    return p, ahead


def pairs(view: VersionFindings) -> Html:
    comparison = view.comparison
    if comparison is None:
        return join_children([])
    listing = pairs_table(comparison, 4, PAIRS)
    rows = [
        [name_element(row[0], 40), name_element(row[1], 40), *(cell.strip() for cell in row[2:])]
        for row in listing.rows
    ]
    label = f"All pairs: differences, intervals, p ({', '.join(comparison.tests)})"
    hidden = len(comparison.differences) - len(rows)
    note = tag("p", pairs_of_tables(hidden), class_="note") if hidden > 0 else None
    heads = [shorten_middle(head, 40) for head in listing.header]
    body = scroll_box(table(heads, rows, labels=2, class_="sortable"), "Pairs of systems", class_="long")
    return disclosure(label, body, note)
