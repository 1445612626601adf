"""Draw the charts and make the tables of the page on their own, for papers."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ...comparison.known_item.characteristic import AXES
from ...core.english import rounded
from ...experiment.findings import Findings, VersionFindings
from ...experiment.observations import common_systems
from ..comparison import pairs_table
from ..figures import Figure
from ..groups_text import groups_table
from ..pool_tables import bands_table
from ..text_table import TextTable, best_of
from ..tuning_table import gains_table, matrix_table
from .alternatives import (
    distinct_measures,
    draw_agreement,
    draw_moves,
    draw_noise,
    draw_recall_precision,
    has_curves,
)
from .groups_section import draw_diagram, draw_leaderboard
from .known_item_section import draw_characteristic, draw_value
from .safe_markup import clean
from .systems_section import draw_significance, draw_systems
from .topics_section import draw_bars, draw_distribution, draw_scatter
from .tuning_section import draw_tuning
from .unjudged_section import draw_bands


def figures(findings: Findings) -> dict[str, Figure]:
    """Draw all charts of the page, by names that are fit for files, in the order of the page.

    What exists for each version ends in its number, ``distribution-2``, if there are several: names of versions may
    hold anything.
    """
    drawings = {"systems": draw_systems(findings)}
    if findings.first.main_pair is not None:
        drawings |= {"topic-differences": draw_bars(findings), "topic-scatter": draw_scatter(findings)}
    for number, view in enumerate(findings.parts, 1):
        for name, drawn in _of_version(findings, view):
            drawings[f"{name}-{number}" if findings.several else name] = drawn
    if findings.tuning is not None:
        drawings["tuning"] = draw_tuning(findings.tuning)
    if findings.several and common_systems(findings):
        drawings["noise"] = draw_noise(findings)
    return drawings


def _of_version(findings: Findings, view: VersionFindings) -> Iterator[tuple[str, Figure]]:
    for number, bands in enumerate(view.bands, 1):
        yield _name_of_bands(number), draw_bands(findings, view, bands)
    if view.groups is not None:
        yield "ranks", draw_leaderboard(findings, view)
        yield "ranks-cd", draw_diagram(findings, view)
    yield "distribution", draw_distribution(findings, view)
    if view.sensitivity is not None:
        yield "rank-moves", draw_moves(findings, view, view.sensitivity)
    if view.study is not None:
        for axis in AXES:
            yield f"characteristic-{axis}", draw_characteristic(findings, view, view.study, axis)
        yield "value", draw_value(findings, view.study)
    if len(distinct_measures(view)) > 1:
        yield "agreement", draw_agreement(view)
    if has_curves(view):
        yield "recall-precision", draw_recall_precision(findings, view)
    if view.comparison is not None and view.comparison.differences:
        yield "significance", draw_significance(view)


def _name_of_bands(number: int) -> str:
    """The name of the bands by the first, second … measure that has a residual."""
    return "unjudged" if number == 1 else f"unjudged-measure{number}"


DIGITS = 4
SIGNS = {1: "+", 0: "=", -1: "-"}
"""Plain signs, which LaTeX sets with any font."""


def tables(findings: Findings) -> dict[str, TextTable]:
    """By name, fit for file names: ``systems`` for all versions; for each ``measures``, ``pairs``, ``groups`` and,
    where a measure has a residual, ``unjudged``.

    Several versions are numbered, ``pairs-2``, because their names may hold anything; the header has the name.
    """
    all_tables = {"systems": versions_table(findings)}
    if findings.tuning is not None:
        all_tables |= {"tuning": matrix_table(findings.tuning), "tuning-gains": gains_table(findings.tuning)}
    for number, view in enumerate(findings.parts, 1):
        tail = f"-{number}" if findings.several else ""
        all_tables[f"measures{tail}"] = measures_table(view)
        if view.comparison is not None:
            pairs = pairs_table(view.comparison, DIGITS)
            header = [clean(f"{pairs.header[0]} ({view.version})"), *map(clean, pairs.header[1:])]
            rows = [[clean(cell) for cell in row] for row in pairs.rows]
            keys = [header[0], *map(clean, (pairs.keys or pairs.header)[1:])]
            all_tables[f"pairs{tail}"] = pairs.having(header=header, rows=rows, keys=keys)
        if view.groups is not None:
            all_tables[f"groups{tail}"] = _of_one_version(groups_table(view.groups, DIGITS), view)
        for place, bands in enumerate(view.bands, 1):
            all_tables[f"{_name_of_bands(place)}{tail}"] = _of_one_version(bands_table(bands, DIGITS), view)
    return all_tables


def _of_one_version(made: TextTable, view: VersionFindings) -> TextTable:
    """A table with the name of its version in the header, and no character that a file cannot hold."""
    header = [clean(f"{made.header[0]} ({view.version})"), *map(clean, made.header[1:])]
    return made.having(header=header, rows=[[clean(cell) for cell in row] for row in made.rows])


def versions_table(findings: Findings) -> TextTable:
    """The main measure with its interval on each version.

    The marks compare with the best or the baseline: + better, = not significantly different, - worse.
    """
    header, columns, better = ["system"], [], []
    rows: list[list[str]] = [[clean(system)] for system in findings.systems]
    exact: list[list[object]] = [[system] for system in findings.systems]
    for view in findings.parts:
        on = f" {clean(view.version)}" if findings.several else ""
        header += [f"{clean(view.main)}{on}", f"low{on}", f"high{on}", f"mark{on}"]
        numbers = []
        for row, cells, system in zip(rows, exact, findings.systems, strict=True):
            place = view.place.get(system)
            known = (math.nan,) * 3 if place is None else (view.means[place], *view.intervals[place, view.measure])
            figures = [float(x) for x in known]
            verdict = view.verdict(system) if place is not None else None
            sign = "" if verdict is None else SIGNS[verdict]
            row += [*(rounded(x, DIGITS) for x in figures), sign]
            cells += [*figures, sign]
            numbers.append(figures[0])
        columns += [numbers, *([[math.nan] * len(numbers)] * 3)]
        better += [view.column.better, "", "", ""]
    return TextTable(header, rows, 1, best_of(columns, better, rows), exact)


def measures_table(view: VersionFindings) -> TextTable:
    """Every measure of one version, systems best first."""
    scores = view.scores
    figures = view.figures["mean"]
    rows = [[clean(scores.systems[s]), *(rounded(float(x), DIGITS) for x in figures[s])] for s in view.order]
    exact = [[scores.systems[s], *(float(x) for x in figures[s])] for s in view.order]
    columns = [[float(figures[s, m]) for s in view.order] for m in range(len(scores.columns))]
    better = [column.better for column in scores.columns]
    return TextTable(
        [clean(f"system ({view.version})"), *map(clean, scores.measures)],
        rows,
        1,
        best_of(columns, better, rows),
        exact,
    )
