"""Show what unjudged documents could change: figures with their bands, and the ranks that they leave to each system."""

from __future__ import annotations

from functools import partial

import numpy as np

from ...comparison.residual_bands import ResidualBands
from ...experiment.findings import Findings, VersionFindings
from ...experiment.observations import prominent_systems
from ...words import chart_texts
from ...words.residuals import bands_caption, reading_of_bands
from ..figures import PAPER, Figure, systems_figure
from ..pool_tables import bands_table, ranks_text
from .parts import Room, Section, each_version, measure_name, plot, scroll_box, section, spoken, table
from .safe_markup import Html, disclosure, join_children, name_element, shorten_middle

LONG = 40
"""From so many systems on the table scrolls by itself, under its header."""

WHAT = "bands of further measures"


def unjudged_section(findings: Findings, room: Room) -> Section | None:
    """The bands of each version by one measure, then by others on the first; None if no measure has a residual."""

    def make(view: VersionFindings) -> Html | None:
        return show_bands(findings, view, view.bands[0]) if view.bands else None

    if not any(view.bands for view in findings.parts):
        return None
    body = each_version(findings, room, "bands of unjudged documents", make)
    others = [room.take(_by_another(findings, bands), WHAT) for bands in findings.first.bands[1:]]
    return section("unjudged", "What unjudged documents could change", body, *others)


def show_bands(findings: Findings, view: VersionFindings, bands: ResidualBands) -> Html:
    """The chart and the table of one measure."""
    shown = bands_table(bands)
    rows = [[name_element(cells[0]), *cells[1:]] for cells in shown.rows]
    heads = [shorten_middle(head, 40) for head in shown.header]
    listed = scroll_box(
        table(heads, rows, class_="sortable"),
        "Bands and possible ranks of all systems",
        class_="long" if len(rows) > LONG else "",
    )
    return plot(
        partial(draw_bands, findings, view, bands),
        spoken(bands_caption(bands, len(view.left_out)), view),
        reading_of_bands(several=len(bands.rows) > 1),
        disclosure("Bands and ranks as a table" if len(bands.rows) > 1 else "The band as a table", listed),
        name="unjudged",
    )


def _by_another(findings: Findings, bands: ResidualBands) -> Html:
    view = findings.first
    column = next(column for column in view.scores.columns if column.name == bands.measure)
    return disclosure(
        join_children(["The same by ", measure_name(column)]), show_bands(findings, view, bands), class_="version"
    )


def draw_bands(findings: Findings, view: VersionFindings, bands: ResidualBands, width: float = PAPER) -> Figure:
    """A dot for each figure and a line up to what it could be; behind it the ranks that it could have."""
    rows, several = bands.rows, len(bands.rows) > 1
    return systems_figure(
        [row.system for row in rows],
        np.array([row.value for row in rows]),
        np.array([(row.value, row.high) for row in rows]),
        measure=bands.measure,
        marks={row.system: f"· {ranks_text(row, '–')}" for row in rows} if several else None,
        baseline=view.baseline,
        selected=prominent_systems(findings),
        width=width,
        title=f"Mean {shorten_middle(bands.measure)} of each system, and how high it could be",
        description=chart_texts.bands(len(rows), shorten_middle(bands.measure)),
    )
