"""Which systems can be told apart."""

from __future__ import annotations

import numpy as np

from ...comparison.verdict import ALPHA
from ...core.english import quantity
from ...core.judged import Floats, Ints
from ..comparison import pairs_table
from ..figures import Figure, significance_matrix_figure
from .markup import Html, disclosed, joined, named, shortened, started, tag
from .parts import Room, Section, each_version, plot, scrolled, section, table
from .subject import Subject, View, figure, percent, test_name

PAIRS = 200
"""In the table of pairs; ``adjudge report --tables`` writes all."""


def significance_section(subject: Subject, room: Room) -> Section | None:
    def make(view: View) -> Html | None:
        comparison, drawn = view.finding.comparison, significance_drawn(view)
        if comparison is None or drawn is None:
            return None
        how = (
            f"Row against column, best system first: a triangle where the two differ at {ALPHA:.0%} "
            f"({test_name(comparison)}), larger for smaller p, up where the row is better; "
            "a dot where they cannot be told apart."
        )
        notes = [tag("p", started(str(note), 600), class_="note") for note in comparison.notes]
        return plot(drawn, told_apart(view), how, *notes, pairs(view))

    made = each_version(subject, room, "significance matrices", make)
    return section("significance", "Who can be told apart?", made) if made else None


def significance_drawn(view: View) -> Figure | None:
    comparison = view.finding.comparison
    if comparison is None or not comparison.differences:
        return None
    p, ahead = matrix(view)
    return significance_matrix_figure(
        *([view.systems[s] for s in view.order], p, ahead),
        test=test_name(comparison),
        title=f"Which systems can be told apart on {shortened(view.main)}",
    )


def matrix(view: View) -> tuple[Floats, Ints]:
    """p and who is ahead for every pair, systems in the order of their means."""
    count = len(view.systems)
    p = np.full((count, count), np.nan)
    ahead = np.zeros((count, count), np.int64)
    at = {view.systems[s]: row for row, s in enumerate(view.order)}
    comparison = view.finding.comparison
    for one in comparison.differences if comparison else ():
        a, b = at[one.a], at[one.b]
        p[a, b] = p[b, a] = one.p[0]
        ahead[a, b], ahead[b, a] = one.favours[0], -one.favours[0]
    return p, ahead


def told_apart(view: View) -> Html:
    comparison = view.finding.comparison
    if comparison is None:
        return joined([])
    known = [d for d in comparison.differences if d.p[0] < ALPHA]
    total = len(comparison.differences)
    text: list[object] = [
        f"{len(known):,} of {quantity(total, 'pair')} ({percent(len(known) / total)}) can be told apart on ",
        named(view.main),
    ]
    if known:
        least = min(known, key=lambda d: abs(d.difference))
        text += [
            *("; the smallest difference among them is ", figure(abs(least.difference), 3)),
            *(" (", named(least.a), " and ", named(least.b), ")"),
        ]
    unsure = [d for d in comparison.differences if not d.p[0] < ALPHA]
    if unsure and known:
        most = max(unsure, key=lambda d: abs(d.difference))
        text += [
            *(", the largest that is not is ", figure(abs(most.difference), 3)),
            *(" (", named(most.a), " and ", named(most.b), ")"),
        ]
    return joined([*text, "."])


def pairs(view: View) -> Html:
    comparison = view.finding.comparison
    if comparison is None:
        return joined([])
    made = pairs_table(comparison, 4, PAIRS)
    rows = [[named(row[0], 40), named(row[1], 40), *(cell.strip() for cell in row[2:])] for row in made.rows]
    label = f"The pairs: differences, intervals, p ({', '.join(comparison.tests)})"
    hidden = len(comparison.differences) - len(rows)
    note = (
        tag("p", f"{hidden:,} more pairs: adjudge report --tables writes all.", class_="note") if hidden > 0 else None
    )
    heads = [shortened(head, 40) for head in made.header]
    body = scrolled(table(heads, rows, labels=2, class_="sortable"), "Pairs of systems", class_="long")
    return disclosed(label, body, note)
