"""Show what would change the order: another scale, another measure, another recall, another version."""

from __future__ import annotations

import math
import re
from functools import partial

import numpy as np

from ...comparison.scale.sensitivity import Sensitivity
from ...core.english import figure, percent
from ...experiment.findings import Findings, VersionFindings
from ...experiment.observations import (
    RECALLS,
    common_means,
    common_systems,
    has_flat_precision,
    prominent_systems,
    same_measures,
)
from ...words import captions
from ...words.omissions import further_pairs
from ...words.scale_changes import change, not_tried
from ..figures import (
    PAPER,
    Figure,
    correlation_matrix_figure,
    noise_figure,
    rank_moves_figure,
    ranks_of,
    recall_precision_figure,
)
from .parts import (
    Room,
    Section,
    average_definition,
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
from .safe_markup import Html, beginning_of, disclosure, join_children, list_of, name_element, shorten_middle, tag
from .systems_section import LONG

SWAPS = 6
"""Sentences about pairs that change places; more can be opened."""

MORE_SWAPS = 60

STOPS: tuple[tuple[str, float | None, str], ...] = (
    ("box_cox", 2.0, "squares"),
    ("", None, "mean"),
    ("box_cox", 0.5, "roots"),
    ("log", 1e-5, "geometric"),
    ("box_cox", -0.5, "power −½"),
    ("box_cox", -1.0, "harmonic"),
    ("logit", 1e-5, "log-odds"),
    ("rank", None, "ranks"),
)
"""Transformations shown, from those that weigh high values to those that weigh low ones, then two others."""


def scales_section(findings: Findings, room: Room) -> Section | None:
    if all(view.sensitivity is None for view in findings.parts):
        return None
    return section(
        "scales", "With another average", each_version(findings, room, "rank moves", partial(chart, findings))
    )


def chart(findings: Findings, view: VersionFindings) -> Html | None:
    result = view.sensitivity
    if result is None:
        return None
    how, caption = captions.reading("scales"), spoken(captions.scales(view), view)
    more = (swaps(result), averages_table(view))
    if len(view.systems) < 2:
        return None
    return plot(partial(draw_moves, findings, view, result), caption, how, *more, name="rank-moves")


def draw_moves(findings: Findings, view: VersionFindings, result: Sensitivity, width: float = PAPER) -> Figure:
    names, figures = stations(view, result)
    return rank_moves_figure(
        result.systems,
        names,
        ranks_of(figures, view.column.better),
        baseline=view.baseline,
        selected=prominent_systems(findings),
        width=width,
        title=f"Ranks of the systems under other averages of {shorten_middle(view.main)}",
    )


def stations(
    view: VersionFindings, result: Sensitivity
) -> tuple[list[str], np.ndarray[tuple[int, int], np.dtype[np.float64]]]:
    """Names and figures of the columns: transformations first, then the other averages of the plan."""
    rows = {row.transformation: row for row in result.rows}
    names, figures = [], []
    for kind, parameter, name in STOPS:
        if not kind:
            names.append(name)
            figures.append(result.means)
            continue
        for spec, row in rows.items():
            if re.match(rf"{kind}\b", spec) and (parameter is None or _parameter(spec, kind) == parameter):
                names.append(name)
                figures.append(row.figures)
                break
    m, own = view.measure, [view.place[system] for system in result.systems]
    for spec, table_ in view.figures.items():
        if spec not in {"mean"} and not spec.startswith("gm") and not np.isnan(table_[:, m]).any():
            names.append(spec)
            figures.append(np.asarray(table_)[own, m])
    return names, np.array(figures, np.float64)


def _parameter(spec: str, kind: str) -> float | None:
    """The parameter along which a family goes: the power, or ε."""
    match = re.search(r"power=([-+\d.e]+)" if kind == "box_cox" else r"eps=([-+\d.e]+)", spec)
    return float(match[1]) if match else None


def swaps(result: Sensitivity) -> Html | None:
    """The pairs that change places, one sentence each."""
    first_swaps = {(swap.leader, swap.other): swap for swap in reversed(result.swaps)}
    sentences = [beginning_of(f"{change(swap)}.", 500) for swap in list(first_swaps.values())[::-1]]
    skipped = [tag("p", not_tried(family, result.measure), class_="note") for family in result.skipped]
    if not sentences:
        return join_children(skipped)
    few, rest = sentences[:SWAPS], sentences[SWAPS : SWAPS + MORE_SWAPS]
    more = further_pairs(len(rest), len(sentences) - SWAPS)
    return join_children(
        [
            tag("h3", "Pairs that change places"),
            list_of(few, class_="swaps"),
            disclosure(more, list_of(rest, class_="swaps")) if rest else None,
            *skipped,
        ]
    )


def averages_table(view: VersionFindings) -> Html:
    """The main measure under every average of the plan."""
    specs = list(view.figures)
    head = ["system", *(tag("abbr", name_element(spec, 24), title=average_definition(spec) or None) for spec in specs)]
    m = view.measure
    rows = [
        [name_element(view.systems[s]), *(figure(float(view.figures[spec][s, m])) for spec in specs)]
        for s in view.order
    ]
    label = f"Averages of {shorten_middle(view.main)}"
    return disclosure(
        label, scroll_box(table(head, rows, class_="sortable"), label, class_="long" if len(rows) > 40 else "")
    )


def agreement_section(findings: Findings, room: Room) -> Section | None:
    def make(view: VersionFindings) -> Html | None:
        if len(view.ranked) < 3 or len(distinct_measures(view)) < 2:
            return None
        merged = captions.merged_measures([names for names in same_measures(view) if len(names) > 1])
        least, caption = view.least_agreement, spoken(captions.agreement(view), view)
        note = tag("p", spoken(merged, view), class_="note") if merged else None
        if least is not None and least.unanimous:
            return tag("div", tag("p", caption, class_="found"), note)
        draw = partial(draw_agreement, view)
        return plot(draw, caption, captions.reading("agreement"), note, name="agreement")

    body = each_version(findings, room, "agreement of measures", make)
    return section("agreement", "Do the measures agree?", body) if body else None


def distinct_measures(view: VersionFindings) -> list[int]:
    """The measures that order the systems, one of each group that has the same values."""
    agreement = np.asarray(view.agreement, float)
    firsts = {names[0] for names in same_measures(view)}
    return [
        m
        for m, name in enumerate(view.scores.measures)
        if name in firsts and not np.isnan(np.delete(agreement[m], m)).all()
    ]


def draw_agreement(view: VersionFindings, width: float = PAPER) -> Figure:
    rows = distinct_measures(view)
    cells = np.asarray(view.agreement, float)[np.ix_(rows, rows)]
    names = [view.scores.columns[m].name for m in rows]
    title = "Agreement of measures about the order of the systems"
    return correlation_matrix_figure(names, cells, width=width, title=title)


def recall_precision_section(findings: Findings, room: Room) -> Section | None:
    def make(view: VersionFindings) -> Html | None:
        if not has_curves(view):
            return None
        precision = np.asarray(view.precision, float)
        rows = [[name_element(view.systems[s]), *(figure(float(x), 3) for x in precision[s])] for s in view.order]
        data = table(["system", *RECALLS], rows, class_="sortable")
        label = "The eleven points"
        return plot(
            partial(draw_recall_precision, findings, view),
            spoken(captions.precision(view), view),
            captions.reading("recall"),
            disclosure(label, scroll_box(data, label, class_="long" if len(rows) > LONG else "")),
            name="recall-precision",
        )

    body = each_version(findings, room, "recall-precision curves", make)
    return section("recall-precision", "Recall and precision", body) if body else None


def has_curves(view: VersionFindings) -> bool:
    """Check that curves say more than one number: with one relevant document per topic they are flat."""
    precision = np.asarray(view.precision, float)
    if precision.shape != (len(view.systems), 11) or np.isnan(precision).all():
        return False
    return not has_flat_precision(view)


def draw_recall_precision(findings: Findings, view: VersionFindings, width: float = PAPER) -> Figure:
    return recall_precision_figure(
        view.systems,
        np.asarray(view.precision, float),
        baseline=view.baseline,
        selected=prominent_systems(findings),
        width=width,
        title="Interpolated precision at eleven levels of recall",
    )


def noise_section(findings: Findings, room: Room) -> Section | None:
    if not findings.several or not common_systems(findings):
        return None
    view = findings.first
    known = any(v.errors for v in findings.parts)
    how = captions.reading_of_versions(by_errors=rates(findings) is not None, noisy=known)
    head = [
        "version",
        "best system",
        join_children(["its ", measure_name(view.column)]),
        "wrong characters",
        "wrong words",
    ]
    rows = [
        [
            version_name(v),
            name_element(v.best),
            figure(float(v.means[v.order[0]])),
            *(percent(float(x)) for x in (v.errors or (math.nan, math.nan))),
        ]
        for v in findings.parts
    ]
    block = section(
        "noise",
        "Noise against effectiveness" if known else "From version to version",
        plot(partial(draw_noise, findings), spoken(captions.versions(findings), findings), how, name="noise"),
        scroll_box(table(head, rows, labels=2), "Versions"),
    )
    room.needed(block.html)
    return block


def rates(findings: Findings) -> list[float] | None:
    """The share of wrong characters of each version, if it is known and differs between versions."""
    errors_of = [view.errors for view in findings.parts]
    shares = [math.nan if errors is None else float(errors.characters) for errors in errors_of]
    return shares if all(map(math.isfinite, shares)) and len(set(shares)) == len(shares) else None


def draw_noise(findings: Findings, width: float = PAPER) -> Figure:
    systems = common_systems(findings)
    view = findings.first
    ends = [[v.intervals[v.place[system], v.measure] for v in findings.parts] for system in systems]
    return noise_figure(
        systems,
        [version_label(v) for v in findings.parts],
        common_means(findings),
        np.array(ends),
        rates=rates(findings),
        measure=view.main,
        better=view.column.better,
        baseline=view.baseline,
        selected=prominent_systems(findings),
        width=width,
        title=f"{shorten_middle(view.main)} against the noise of the versions",
    )
