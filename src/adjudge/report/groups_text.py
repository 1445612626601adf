"""Groups and ranks of systems as people and scripts want to see them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..comparison.rank_groups import RankGroups
from ..core.english import percent, rounded
from ..words.judged_share import coverage_summary
from ..words.standings import friedman_line, how_ranked, paper_paragraph
from .figures.critical_distance import critical_distance_figure
from .figures.figure import Figure
from .figures.leaderboard import leaderboard_figure
from .text_table import TextTable, json_text, lines_of

GROUP_FORMS = ("table", "csv", "json", "md", "latex", "html")
MANY = 12
"""Letters of a system that a table shows whole."""


def letters_text(letters: tuple[str, ...]) -> str:
    """The letters of a system in a cell: joined, or the first and the last of many."""
    if len(letters) > MANY:
        return f"{letters[0]} … {letters[-1]} ({len(letters)})"
    return ("" if all(len(letter) == 1 for letter in letters) else " ").join(letters)


def groups_table(result: RankGroups, digits: int = 4) -> TextTable:
    """A row for each system, best first: ranks, average, letters, and what the judgments cover of its run."""
    covered = bool(result.coverage)
    header = ["ranks", "system", result.measure, "letters", "alone", "place"]
    header += ["answered", f"judged@{next(iter(result.coverage.values())).depth}"] if covered else []
    rows, exact = [], []
    for row in result.rows:
        cells = [str(row.ranks), row.system, rounded(row.figure, digits), letters_text(row.letters)]
        cells += [str(row.bootstrap), str(row.place)]
        whole: list[object] = [str(row.ranks), row.system, row.figure, " ".join(row.letters)]
        whole += [str(row.bootstrap), str(row.place)]
        if covered:
            coverage = result.coverage[row.system]
            cells += [f"{coverage.answered}/{coverage.topics}", percent(coverage.judged)]
            whole += [coverage.answered, coverage.judged]
        rows.append(cells)
        exact.append(whole)
    return TextTable(header, rows, 2, exact=exact)


def as_text(result: RankGroups, form: str, digits: int, *, colour: bool = False, paragraph: bool = False) -> str:
    """In one of GROUP_FORMS, with a paragraph for a paper if it is wanted."""
    if form == "json":
        return json_text(as_data(result))
    table = groups_table(result, digits)
    if form == "csv":
        return table.csv()
    if form == "html":
        return table.html() + "\n"
    lines = [result.conclusion(), how_ranked(result), friedman_line(result), coverage_summary(result.coverage)]
    pages = [table.form(form, colour=colour), lines_of([line for line in lines if line], form)]
    if paragraph:
        pages.append(paper_paragraph(result, "latex" if form == "latex" else "text"))
    return "\n".join(pages)


def as_data(result: RankGroups) -> dict[str, Any]:
    """All facts, for a script."""
    means = dict(zip(result.systems, result.critical.mean_ranks, strict=True))
    return {
        "measure": result.measure,
        "topics": result.topics,
        "test": result.comparison.tests[0],
        "correction": result.comparison.corrections[0],
        "alpha": result.alpha,
        "samples": result.samples,
        "systems": [
            {
                "system": row.system,
                "figure": row.figure,
                "place": list(row.place),
                "ranks": list(row.ranks),
                "bootstrap_ranks": list(row.bootstrap),
                "letters": list(row.letters),
                "mean_rank": means[row.system],
            }
            for row in result.rows
        ],
        "groups": {letter: list(systems) for letter, systems in result.groups.items()},
        "friedman": {"statistic": result.critical.statistic, "p": result.critical.p},
        "critical_distance": result.critical.distance,
        "coverage": {name: each._asdict() for name, each in result.coverage.items()},
        "left_out": list(result.left_out),
        "notes": list(map(str, result.notes)),
        "conclusion": result.conclusion(),
        "paragraph": paper_paragraph(result),
    }


def leaderboard(result: RankGroups, *, selected: Sequence[str] = (), width: float = 720) -> Figure:
    """The ranks that each system may have, as a chart."""
    return leaderboard_figure(
        result.systems,
        [(row.ranks.low, row.ranks.high) for row in result.rows],
        [(row.bootstrap.low, row.bootstrap.high) for row in result.rows],
        letters=[letters_text(row.letters) for row in result.rows],
        selected=selected,
        title=f"Ranks of {len(result.rows):,} systems by {result.measure}",
        width=width,
    )


def critical_distance_diagram(result: RankGroups, *, selected: Sequence[str] = (), width: float = 720) -> Figure:
    """Mean ranks over topics with Nemenyi's critical distance, as a chart."""
    critical = result.critical
    return critical_distance_figure(
        result.systems, critical.mean_ranks, critical.distance, selected=selected, width=width
    )
