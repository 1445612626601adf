"""Sensitivity to transformations: how ranks move from the arithmetic mean to the geometric one and beyond."""

from __future__ import annotations

import re

import numpy as np

from ...comparison.scale.sensitivity import Sensitivity
from ...words.scale_changes import change, untried
from ..figures import Figure, rank_moves_figure, ranks_of
from .markup import Html, disclosed, joined, listed, named, shortened, started, tag
from .parts import Room, Section, each_version, plot, scrolled, section, table
from .subject import Subject, View, average_definition, figure
from .systems import baseline_of

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
"""Stations on the way from the high end of the scale to its low end, then two that go elsewhere."""


def scales_section(subject: Subject, room: Room) -> Section | None:
    if all(view.finding.sensitivity is None for view in subject.views):
        return None
    return section("scales", "On another scale", each_version(subject, room, "rank moves", chart))


def chart(view: View) -> Html | None:
    result = view.finding.sensitivity
    if result is None:
        return None
    how = (
        "A line a system, its place under each average, the best on top. Averaging assumes that a difference counts "
        "the same everywhere on the scale: squares let the high end count more, roots and the geometric mean the low "
        "end, the harmonic mean lower still. Lines that cross are conclusions that rest on that choice."
    )
    return plot(moves_drawn(view, result), result.conclusion(), how, swaps(result), averages_table(view))


def moves_drawn(view: View, result: Sensitivity) -> Figure:
    names, figures = stations(view, result)
    return rank_moves_figure(
        *(result.systems, names, ranks_of(figures, view.column.better)),
        baseline=baseline_of(view),
        title=f"Ranks of the systems under other averages of {shortened(view.main)}",
    )


def stations(view: View, result: Sensitivity) -> tuple[list[str], np.ndarray[tuple[int, int], np.dtype[np.float64]]]:
    """Names and figures of the columns: transformations that were tried, then the other averages of the plan."""
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
    m = view.measure
    for spec, table_ in view.finding.figures.items():
        if spec not in {"mean"} and not spec.startswith("gm") and not np.isnan(table_[:, m]).any():
            names.append(spec)
            figures.append(np.asarray(table_)[:, m])
    return names, np.array(figures, np.float64)


def _parameter(spec: str, kind: str) -> float | None:
    """The parameter along which a family goes: the power, or ε."""
    found = re.search(r"power=([-+\d.e]+)" if kind == "box_cox" else r"eps=([-+\d.e]+)", spec)
    return float(found[1]) if found else None


def swaps(result: Sensitivity) -> Html | None:
    """Which pairs change places and where, one sentence a pair."""
    told = {(swap.leader, swap.other): swap for swap in reversed(result.swaps)}
    sentences = [started(f"{change(swap)}.", 500) for swap in list(told.values())[::-1]]
    skipped = [tag("p", f"Not tried: {untried(family, result.measure)}.", class_="note") for family in result.skipped]
    if not sentences:
        return joined(skipped)
    few, rest = sentences[:SWAPS], sentences[SWAPS : SWAPS + MORE_SWAPS]
    hidden = len(sentences) - SWAPS - len(rest)
    more = f"{len(rest):,} more pairs" + (
        f" of {len(sentences) - SWAPS:,}; verdicts.json has all" if hidden > 0 else ""
    )
    return joined(
        [
            tag("h3", "Pairs that change places"),
            listed(few, class_="swaps"),
            disclosed(more, listed(rest, class_="swaps")) if rest else None,
            *skipped,
        ]
    )


def averages_table(view: View) -> Html:
    """The main measure under every average of the plan."""
    specs = list(view.finding.figures)
    head = ["system", *(tag("abbr", named(spec, 24), title=average_definition(spec) or None) for spec in specs)]
    m = view.measure
    rows = [
        [named(view.systems[s]), *(figure(float(view.finding.figures[spec][s, m])) for spec in specs)]
        for s in view.order
    ]
    label = f"Averages of {shortened(view.main)}"
    return disclosed(
        label, scrolled(table(head, rows, class_="sortable"), label, class_="long" if len(rows) > 40 else "")
    )
