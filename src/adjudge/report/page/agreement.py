"""How measures agree about the systems."""

from __future__ import annotations

import numpy as np

from ...core.english import quantity
from ...core.judged import Floats
from ..figures import Figure, correlation_matrix_figure
from .markup import Html, joined
from .parts import Room, Section, each_version, plot, section
from .subject import Subject, View, measure_name


def agreement_section(subject: Subject, room: Room) -> Section | None:
    def make(view: View) -> Html | None:
        drawn = agreement_drawn(view)
        if drawn is None:
            return None
        how = (
            "Each cell is the rank correlation τ_b between the orders in which two measures put the systems: 1 is the "
            "same order, 0 none in common, −1 the reverse. A measure that agrees with no other measures something else."
        )
        return plot(drawn, agreement_found(view), how)

    made = each_version(subject, room, "agreement of measures", make)
    return section("agreement", "Do the measures agree?", made) if made else None


def ordering(view: View) -> tuple[list[int], Floats]:
    """The measures that order the systems at all, and their agreement."""
    agreement = np.asarray(view.finding.agreement, float)
    kept = [m for m in range(len(agreement)) if not np.isnan(np.delete(agreement[m], m)).all()]
    return kept, agreement[np.ix_(kept, kept)]


def agreement_drawn(view: View) -> Figure | None:
    kept, part = ordering(view)
    if len(kept) < 2:
        return None
    names = [view.finding.scores.columns[m].name for m in kept]
    return correlation_matrix_figure(names, part, title="Agreement of measures about the order of the systems")


def agreement_found(view: View) -> Html:
    kept, part = ordering(view)
    columns = view.finding.scores.columns
    rows, cols = np.triu_indices(len(kept), 1)
    values = part[rows, cols]
    known = np.flatnonzero(~np.isnan(values))
    if not len(known):
        return joined(["No two measures order the systems."])
    low = known[int(values[known].argmin())]
    a, b = (columns[kept[int(side[low])]] for side in (rows, cols))
    text: list[object] = [
        *(measure_name(a), " and ", measure_name(b), f" agree least, τ_b = {values[low]:.2f}"),
    ]
    same = int((values[known] >= 1 - 1e-12).sum())
    if same:
        text.append(f"; {same} of {quantity(len(known), 'pair')} of measures give the same order")
    return joined([*text, f". The mean over all pairs is {values[known].mean():.2f}."])
