"""The figures of an experiment as tables for papers: systems and measures of every version, pairs, and the versions."""

from __future__ import annotations

import math

from ...experiment.findings import Findings
from ..comparison import pairs_table
from ..table import Table, best_of, rounded
from .markup import clean
from .subject import Subject, View

DIGITS = 4
SIGNS = {1: "+", 0: "=", -1: "-"}
"""Plain signs, which LaTeX sets with any font."""


def tables(findings: Findings) -> dict[str, Table]:
    """By name, fit for file names: ``systems`` for all versions, ``measures`` and ``pairs`` for each.

    Several versions are numbered, ``pairs-2``, because their names may hold anything; the header has the name.
    """
    subject = Subject(findings)
    made = {"systems": versions_table(subject)}
    for number, view in enumerate(subject.views, 1):
        tail = f"-{number}" if subject.several else ""
        made[f"measures{tail}"] = measures_table(view)
        if view.finding.comparison is not None:
            pairs = pairs_table(view.finding.comparison, DIGITS)
            header = [clean(f"{pairs.header[0]} ({view.version})"), *map(clean, pairs.header[1:])]
            rows = [[clean(cell) for cell in row] for row in pairs.rows]
            made[f"pairs{tail}"] = pairs._replace(header=header, rows=rows)
    return made


def versions_table(subject: Subject) -> Table:
    """The main measure with its interval on each version.

    The marks are against the best or the baseline: + better, = not told apart, - worse.
    """
    header, columns, better = ["system"], [], []
    rows: list[list[str]] = [[clean(system)] for system in subject.systems]
    exact: list[list[object]] = [[system] for system in subject.systems]
    for view in subject.views:
        on = f" {clean(view.version)}" if subject.several else ""
        header += [f"{clean(view.main)}{on}", f"low{on}", f"high{on}", f"mark{on}"]
        numbers = []
        for row, cells, system in zip(rows, exact, subject.systems, strict=True):
            place = view.place.get(system)
            known = (
                (math.nan,) * 3 if place is None else (view.means[place], *view.finding.intervals[place, view.measure])
            )
            figures = [float(x) for x in known]
            told = view.verdict(system) if place is not None else None
            sign = "" if told is None else SIGNS[told]
            row += [*(rounded(x, DIGITS) for x in figures), sign]
            cells += [*figures, sign]
            numbers.append(figures[0])
        columns += [numbers, *([[math.nan] * len(numbers)] * 3)]
        better += [view.column.better, "", "", ""]
    return Table(header, rows, 1, best_of(columns, better, rows), exact)


def measures_table(view: View) -> Table:
    """Every measure of one version, systems best first."""
    scores = view.finding.scores
    figures = view.finding.figures["mean"]
    rows = [[clean(scores.systems[s]), *(rounded(float(x), DIGITS) for x in figures[s])] for s in view.order]
    exact = [[scores.systems[s], *(float(x) for x in figures[s])] for s in view.order]
    columns = [[float(figures[s, m]) for s in view.order] for m in range(len(scores.columns))]
    better = [column.better for column in scores.columns]
    return Table(
        [clean(f"system ({view.version})"), *map(clean, scores.measures)],
        rows,
        1,
        best_of(columns, better, rows),
        exact,
    )
