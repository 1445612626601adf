"""Show the leaderboard with its ties: the ranks that each system may have, letters, the paragraph for a paper."""

from __future__ import annotations

from functools import partial

from ...experiment.findings import Findings, VersionFindings
from ...experiment.observations import prominent_systems
from ...words import captions
from ...words.standings import friedman_line, how_ranked, paper_paragraph
from ..figures import PAPER, Figure
from ..groups_text import critical_distance_diagram, groups_table, leaderboard
from .parts import Room, Section, each_version, plot, scroll_box, section, table
from .safe_markup import Html, beginning_of, disclosure, join_children, name_element, tag

LISTED = 200
"""Rows of the table."""

DIAGRAM = 24
"""Systems up to which there is a critical-distance diagram: more labels cannot be read."""


def groups_section(findings: Findings, room: Room) -> Section | None:
    """Groups of systems without a significant difference, and the ranks they may have; None if no two were compared."""
    if all(view.groups is None for view in findings.parts):
        return None
    return section(
        "groups", "Groups and ranks", each_version(findings, room, "rank intervals", partial(standings, findings))
    )


def standings(findings: Findings, view: VersionFindings) -> Html | None:
    """The chart, the table, the diagram and the paragraph of one version."""
    result = view.groups
    if result is None:
        return None
    shown = groups_table(result)
    rows = [[cells[0], name_element(cells[1]), *cells[2:]] for cells in shown.rows[:LISTED]]
    ranks = scroll_box(table(shown.header, rows, labels=2), "Ranks and groups of all systems")
    more: list[object] = [disclosure("Ranks and groups as a table", ranks)]
    if len(result.rows) <= DIAGRAM:
        diagram = plot(
            partial(draw_diagram, findings, view),
            friedman_line(result),
            captions.reading("critical-distance"),
            name="ranks-cd",
        )
        more.append(disclosure("Critical distance of mean ranks", diagram))
    paragraph = [tag("p", beginning_of(line, 4000)) for line in paper_paragraph(result).split("\n") if line]
    more.append(disclosure("A paragraph for the paper", join_children(paragraph)))
    chart = plot(partial(draw_leaderboard, findings, view), result.conclusion(), how_ranked(result), name="ranks")
    return join_children([chart, *more])


def draw_leaderboard(findings: Findings, view: VersionFindings, width: float = PAPER) -> Figure:
    """The ranks that each system may have."""
    if view.groups is None:
        raise ValueError("no groups")
    return leaderboard(view.groups, selected=prominent_systems(findings), width=width)


def draw_diagram(findings: Findings, view: VersionFindings, width: float = PAPER) -> Figure:
    """Mean ranks with the critical distance."""
    if view.groups is None:
        raise ValueError("no groups")
    return critical_distance_diagram(view.groups, selected=prominent_systems(findings), width=width)
