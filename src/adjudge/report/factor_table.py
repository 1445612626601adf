"""Effects of components of systems as people and scripts want to see them."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from ..comparison.factor_effects import FactorEffects
from ..core.english import p_text, rounded
from ..words.component_effects import how_analysed
from ..words.judged_share import coverage_summary
from ..words.omissions import more_differences
from .groups_text import letters_text
from .text_table import TextTable, json_text, lines_of


def effects_table(result: FactorEffects, digits: int = 4) -> TextTable:
    """A row for each factor and interaction, then topics, error and all."""
    header = ["effect", "df", "sum of squares", "mean square", "F", "p", "ω²", "F over topics", "p over topics"]
    exact: list[list[object]] = [
        [e.name, e.freedom, e.squares, e.mean_square, e.f, e.p, e.omega, e.topic_f, e.topic_p] for e in result.effects
    ]
    blank = [math.nan] * 5
    topic = result.topic_squares / result.topic_freedom
    error = result.error_squares / result.error_freedom
    exact.append(["topics", result.topic_freedom, result.topic_squares, topic, *blank])
    exact.append(["error", result.error_freedom, result.error_squares, error, *blank])
    freedom = len(result.systems) * result.topics - 1
    exact.append(["total", freedom, result.total_squares, math.nan, *blank])
    rows = [_cells(row, digits) for row in exact]
    return TextTable(header, rows, 1, exact=exact)


def _cells(row: list[Any], digits: int) -> list[str]:
    name, freedom, squares, mean, f, p, omega, topic_f, topic_p = row
    shown = [rounded(squares, digits), rounded(mean, digits), _ratio(f), p_text(p), rounded(omega, 3)]
    return [name, str(freedom), *shown, _ratio(topic_f), p_text(topic_p)]


def _ratio(f: float) -> str:
    return "∞" if math.isinf(f) else rounded(f, 2)


def levels_table(result: FactorEffects, digits: int = 4) -> TextTable:
    """A row for each level of each factor, the best first."""
    header = ["factor", "level", "systems", f"mean {result.measure}", "letters"]
    rows = [
        [row.factor, row.level, str(row.systems), rounded(row.mean, digits), letters_text(row.letters)]
        for row in result.levels
    ]
    exact: list[list[object]] = [
        [row.factor, row.level, row.systems, row.mean, " ".join(row.letters)] for row in result.levels
    ]
    return TextTable(header, rows, 2, exact=exact)


def differences_table(result: FactorEffects, digits: int = 4, limit: int | None = None) -> TextTable:
    """A row for each pair of levels of a factor."""
    header = ["factor", "level", "against", "difference", "low", "high", "p"]
    few = result.differences[:limit]
    rows = [
        [d.factor, d.a, d.b, *(f"{x:+.{digits}f}" for x in (d.difference, d.low, d.high)), p_text(d.p)] for d in few
    ]
    exact: list[list[object]] = [[d.factor, d.a, d.b, d.difference, d.low, d.high, d.p] for d in few]
    return TextTable(header, rows, 3, exact=exact)


def as_text(result: FactorEffects, form: str, digits: int, limit: int, *, colour: bool = False) -> str:
    """In one of the forms of a table: effects, levels, and pairs of levels; as CSV the effects."""
    if form == "json":
        return json_text(as_data(result))
    if form == "csv":
        return effects_table(result, digits).csv()
    tables = [effects_table(result, digits), levels_table(result, digits), differences_table(result, digits, limit)]
    if form == "html":
        return "\n".join(table.html() for table in tables) + "\n"
    pages = [table.form(form, colour=colour) for table in tables]
    lines = [result.conclusion(), how_analysed(result), coverage_summary(result.coverage)]
    hidden = len(result.differences) - limit
    if hidden > 0:
        pages.append(lines_of([more_differences(hidden, len(result.differences))], form))
    return "\n".join([*pages, lines_of([line for line in lines if line], form)])


def as_data(result: FactorEffects) -> dict[str, Any]:
    """All facts, for a script."""
    return {
        "measure": result.measure,
        "systems": list(result.systems),
        "topics": result.topics,
        "factors": {name: list(levels) for name, levels in result.factors.items()},
        "error": result.error,
        "alpha": result.alpha,
        "effects": [
            {**asdict(effect), "factors": list(effect.factors), "mean_square": effect.mean_square}
            for effect in result.effects
        ],
        "topic_effect": {"df": result.topic_freedom, "squares": result.topic_squares},
        "residual": {"df": result.error_freedom, "squares": result.error_squares},
        "total": {"df": len(result.systems) * result.topics - 1, "squares": result.total_squares},
        "levels": [{**asdict(level), "letters": list(level.letters)} for level in result.levels],
        "differences": [asdict(pair) for pair in result.differences],
        "coverage": {name: each._asdict() for name, each in result.coverage.items()},
        "left_out": list(result.left_out),
        "notes": list(map(str, result.notes)),
        "conclusion": result.conclusion(),
    }
