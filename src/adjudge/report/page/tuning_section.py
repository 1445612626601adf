"""The section on tuning: what it gains on topics it has not seen, and what would have been claimed."""

from __future__ import annotations

import numpy as np

from ...comparison.cross_tuning import Tuning
from ...experiment.findings import Findings
from ...words.tuned import tuning_chart, tuning_reading
from ..figures import PAPER, Figure
from ..figures.tuning_gains import tuning_figure
from ..tuning_table import gains_table, matrix_table, notes_on
from .parts import Room, Section, plot, scroll_box, section, table
from .safe_markup import Html, beginning_of, disclosure, join_children, list_of, name_element, shorten_middle, tag

SETTINGS = 200
"""Settings that are listed, in the order in which they were tried."""


def tuning_section(findings: Findings, room: Room) -> Section | None:
    """What tuning came to; None if nothing was tuned."""
    tuning = findings.tuning
    if tuning is None:
        return None
    chart = plot(lambda width: draw_tuning(tuning, width), tuning.conclusion(), tuning_reading())
    matrix = matrix_table(tuning)
    rows = [[name_element(row[0]), *(cell.strip() for cell in row[1:])] for row in matrix.rows]
    shown = join_children(
        [
            chart,
            list_of([beginning_of(text, 1500) for text in notes_on(tuning)]),
            scroll_box(
                table(matrix.header, rows, caption="Trained on (rows), judged by (columns)", class_="systems"),
                "Matrix of tuning",
            ),
            _details(tuning),
        ]
    )
    return section("tuning", "What tuning gains", room.needed(shown), room.take(_settings(tuning), "tuned settings"))


def draw_tuning(tuning: Tuning, width: float = PAPER) -> Figure:
    """The chart of gains."""
    return tuning_figure(
        tuning.train,
        tuning.measures,
        tuning.gain,
        np.stack([tuning.low, tuning.high], axis=-1),
        tuning.claimed,
        width=width,
        title=f"Gain of tuning {shorten_middle(tuning.system)} over its default",
        description=tuning_chart(tuning),
    )


def _details(tuning: Tuning) -> Html:
    listing = gains_table(tuning)
    rows = [[name_element(row[0]), name_element(row[1]), *(cell.strip() for cell in row[2:])] for row in listing.rows]
    body = scroll_box(table(listing.header, rows, labels=2, class_="sortable"), "Gains of tuning")
    return disclosure("Gains with intervals, claims and optimism", body)


def _settings(tuning: Tuning) -> Html:
    head = ["setting", *tuning.measures]
    rows = [
        [name_element(tuning.settings[s], 60), *(f"{x:.4f}" for x in tuning.figures[s].tolist())]
        for s in range(min(len(tuning.settings), SETTINGS))
    ]
    hidden = len(tuning.settings) - len(rows)
    note = tag("p", f"{hidden:,} further settings are in tuning.json.", class_="note") if hidden > 0 else None
    body = scroll_box(table(head, rows, class_="sortable"), "Settings", class_="long")
    return disclosure("Every setting on all topics", body, note)
