"""Known-item search: items found by amount of reading and by depth, and what an item is worth."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from ...comparison.known_item.characteristic import AXES, Axis, curves
from ...comparison.known_item.study import Study
from ...comparison.known_item.value import partition
from ...core.english import figure, number
from ...experiment.findings import Findings, VersionFindings
from ...experiment.observations import prominent_systems
from ...words import captions
from ...words.worth import prices_sentence, worth_explained
from ..figures import PAPER, Figure, characteristic_figure, value_figure
from .parts import Room, Section, each_version, plot, scroll_box, section, spoken, table
from .safe_markup import Html, disclosure, join_children, name_element, tag


def known_item_section(findings: Findings, room: Room) -> Section | None:
    views = [view for view in findings.parts if view.study is not None]
    if not views:
        return None

    def make(view: VersionFindings) -> Html | None:
        study = view.study
        return None if study is None else join_children([characteristic(findings, view, study, axis) for axis in AXES])

    return section(
        "known-item",
        "Reading until the item is found",
        each_version(findings, room, "operating characteristics", make),
        tag("h3", "What is an item worth?", id="worth"),
        explorer(findings),
        each_version(findings, room, "values", partial(worth, findings)),
    )


def characteristic(findings: Findings, view: VersionFindings, study: Study, axis: Axis) -> Html:
    caption, how = spoken(captions.finds(study, axis), view), captions.reading_of_characteristic(study, axis)
    return plot(partial(draw_characteristic, findings, view, study, axis), caption, how, name=f"characteristic-{axis}")


def draw_characteristic(
    findings: Findings, view: VersionFindings, study: Study, axis: Axis, width: float = PAPER
) -> Figure:
    item, boot = study.item, study.bootstrap
    steps = curves(item, study.effort)
    return characteristic_figure(
        item.systems,
        [curve.work if axis == "work" else curve.rounds for curve in steps],
        [curve.found for curve in steps],
        questions=len(item.questions),
        ends=[curve.end[1 if axis == "work" else 0] for curve in steps],
        bands=boot.bands[axis] if boot else None,
        axis=axis,
        log=True,
        baseline=view.baseline,
        selected=prominent_systems(findings),
        width=width,
        title=f"Items found against {'documents read' if axis == 'work' else 'depth'}",
    )


def explorer(findings: Findings) -> Html:
    """A slider for v/c; the script computes the value of each system from its hits and its reading."""
    low, high, start = reach(findings)
    slider = tag(
        "input",
        type="range",
        id="worth-slider",
        min=f"{low:g}",
        max=f"{high:g}",
        step="0.01",
        value=f"{math.log10(start):.2f}",
        aria_describedby="worth-how",
    )
    exact = tag("input", type="number", id="worth-exact", min="0", step="any", value=f"{start:g}")
    versions = tag("label", tag("span", "version"), tag("select", id="worth-version")) if findings.several else None
    return tag(
        "div",
        tag(
            "p",
            worth_explained(),
            id="worth-how",
        ),
        tag(
            "div",
            tag("label", tag("span", "v/c"), slider, class_="wide"),
            tag("label", tag("span", "exactly"), exact),
            versions,
            class_="choosers",
        ),
        tag("p", id="worth-best", class_="best", aria_live="polite"),
        tag("ol", id="worth-list", class_="worth", tabindex=0, aria_label="Value of each system"),
        class_="explorer needs-js",
        id="explorer",
        role="group",
        aria_labelledby="worth",
    )


def reach(findings: Findings) -> tuple[float, float, float]:
    """The exponents where the slider begins and ends, every change of the lead within, and the v/c where it starts.

    It starts at a price that is asked about, otherwise where about half of the systems are worth something: three times
    what they read for an item.
    """
    studies = [view.study for view in findings.parts if view.study is not None]
    edges = [part.low for study in studies for part in partition(study.item) if part.low > 0]
    longest = max(1, *(int(study.item.efforts.max()) for study in studies))
    low = math.floor(math.log10(min([1.0, *edges]))) - (1 if edges and min(edges) < 2 else 0)
    high = math.ceil(math.log10(max([10.0 * longest, *(2 * edge for edge in edges)])))
    ratios = [ratio for study in studies for ratio in study.ratios if 10**low <= ratio <= 10**high]
    item = studies[0].item
    usual = 3 * float(np.median(item.work / np.maximum(item.found, 1)))
    start = ratios[0] if ratios else float(f"{min(max(usual, 10.0**low), 10.0**high):.1g}")
    return float(low), float(high), start


def worth(findings: Findings, view: VersionFindings) -> Html | None:
    study = view.study
    if study is None:
        return None
    item = study.item
    parts = partition(item)
    how = captions.reading("worth")
    ratios = study.ratios or tuple(part.low for part in parts[1:5])
    values = [item.value(ratio) for ratio in ratios]
    rows = [
        [
            name_element(system),
            f"{item.found[s]:,}",
            f"{item.work[s]:,}",
            *(figure(float(value[s])) for value in values),
        ]
        for s, system in enumerate(item.systems)
    ]
    head = ["system", "found", "documents read", *(f"value at v/c = {number(ratio)}" for ratio in ratios)]
    label, long = "Items found, documents read, value", "long" if len(rows) > 40 else ""
    data = disclosure(label, scroll_box(table(head, rows, class_="sortable"), label, class_=long))
    return plot(partial(draw_value, findings, study), prices_sentence(parts), how, data, name="value")


def draw_value(findings: Findings, study: Study, width: float = PAPER) -> Figure:
    item = study.item
    return value_figure(
        item.systems,
        item.found,
        item.work,
        parts=partition(item),
        ratios=study.ratios,
        questions=len(item.questions),
        selected=prominent_systems(findings),
        width=width,
        title="What each system is worth, for every price of an item",
    )
