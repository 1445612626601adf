"""Comparisons with a region of practical equivalence as people and scripts want to see them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ..comparison.equivalence import Equivalence
from ..core.english import p_text
from ..words.judged_share import coverage_summary
from ..words.omissions import more_differences
from ..words.practicality import how_decided
from .text_table import TextTable, json_text, lines_of


def equivalence_table(result: Equivalence, digits: int = 4, limit: int | None = None) -> TextTable:
    """A row for each pair: the difference, and how far the first system is worse, equivalent and better."""
    what = "P" if result.probabilities else "p"
    header = ["system", "against", "difference", f"{what} worse", f"{what} equivalent", f"{what} better", "verdict"]
    shown = (lambda x: f"{x:.3f}") if result.probabilities else p_text
    rows = [
        [d.a, d.b, f"{d.difference:+.{digits}f}", *map(shown, (d.worse, d.equivalent, d.better)), d.verdict]
        for d in result.pairs[:limit]
    ]
    exact: list[list[object]] = [
        [d.a, d.b, d.difference, d.worse, d.equivalent, d.better, d.verdict] for d in result.pairs[:limit]
    ]
    return TextTable(header, rows, 2, exact=exact)


def as_text(result: Equivalence, form: str, digits: int, limit: int, *, colour: bool = False) -> str:
    """In one of the forms of a table."""
    if form == "json":
        return json_text(as_data(result))
    if form == "csv":
        return equivalence_table(result, digits).csv()
    pages = [equivalence_table(result, digits, limit).form(form, colour=colour)]
    hidden = len(result.pairs) - limit
    if hidden > 0:
        pages.append(lines_of([more_differences(hidden, len(result.pairs))], form))
    lines = [result.conclusion(), how_decided(result), coverage_summary(result.coverage)]
    pages.append(lines_of([line for line in lines if line], form))
    return "\n".join(pages)


def as_data(result: Equivalence) -> dict[str, Any]:
    """All facts, for a script."""
    return {
        "measure": result.measure,
        "method": result.method,
        "values": "probabilities" if result.probabilities else "p",
        "rope": result.rope,
        "alpha": result.alpha,
        "correction": result.correction,
        "topics": result.topics,
        "pairs": [asdict(pair) for pair in result.pairs],
        "coverage": {name: each._asdict() for name, each in result.coverage.items()},
        "left_out": list(result.left_out),
        "notes": list(map(str, result.notes)),
        "conclusion": result.conclusion(),
    }
