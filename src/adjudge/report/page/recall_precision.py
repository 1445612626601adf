"""Recall-precision curves."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ...core.judged import Floats
from ..figures import Figure, recall_precision_figure
from .markup import Html, disclosed, joined, named
from .parts import Room, Section, each_version, plot, scrolled, section, table
from .subject import Subject, View, figure
from .systems import LONG, baseline_of

RECALLS = tuple(f"{level / 10:g}" for level in range(11))


def recall_precision_section(subject: Subject, room: Room) -> Section | None:
    def make(view: View) -> Html | None:
        drawn = recall_precision_drawn(view)
        if drawn is None:
            return None
        precision = np.asarray(view.finding.precision, float)
        how = (
            "Interpolated precision at a recall is the highest precision at that recall or a higher one; mean over "
            "topics. To the left is what a reader sees first, to the right what it takes to find everything."
        )
        rows = [[named(view.systems[s]), *(figure(float(x), 3) for x in precision[s])] for s in view.order]
        data = table(["system", *RECALLS], rows, class_="sortable")
        label = "The eleven points"
        return plot(
            *(drawn, crossing(view, precision), how),
            disclosed(label, scrolled(data, label, class_="long" if len(rows) > LONG else "")),
        )

    made = each_version(subject, room, "recall-precision curves", make)
    return section("recall-precision", "Recall and precision", made) if made else None


def recall_precision_drawn(view: View) -> Figure | None:
    precision = np.asarray(view.finding.precision, float)
    if precision.shape != (len(view.systems), 11) or np.isnan(precision).all():
        return None
    return recall_precision_figure(
        *(view.systems, precision),
        baseline=baseline_of(view),
        title="Interpolated precision at eleven levels of recall",
    )


def crossing(view: View, precision: Floats) -> Html:
    """Who has the highest curve at which recall."""
    leaders: list[tuple[str, str]] = []
    for level, column in zip(RECALLS, precision.T, strict=True):
        if not np.isnan(column).all() and np.nanmax(column) > 0:
            leaders.append((level, view.systems[int(np.nanargmax(column))]))
    if not leaders:
        return joined(["No system finds anything relevant."])
    if (np.ptp(precision, axis=1) == 0).all():
        return joined(["The curves are flat, as they are with one relevant document a topic: they say what rr says."])
    if len(view.systems) == 1:
        return joined(
            ["Precision falls from ", figure(float(precision[0, 0]), 3), f" to {figure(float(precision[0, -1]), 3)}."]
        )
    runs = [leaders[0], *(after for before, after in pairwise(leaders) if before[1] != after[1])]
    if len(runs) == 1:
        return joined([named(runs[0][1]), " has the highest precision at every recall."])
    parts: list[object] = [named(runs[0][1]), " has the highest precision at the start"]
    for level, system in runs[1:4]:
        parts += [", ", named(system), f" from recall {level} on"]
    return joined([*parts, ", and the lead changes again." if len(runs) > 4 else "."])
