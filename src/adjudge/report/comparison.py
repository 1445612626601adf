"""Show comparisons of systems as tables, text and JSON."""

from __future__ import annotations

import math
from typing import Any

from ..comparison.verdict import ALPHA, Comparison, Difference
from ..core.english import p_text, rounded
from ..words.judged_share import coverage_summary
from ..words.omissions import more_differences
from ..words.verdicts import how_compared
from .text_table import TextTable, json_text, lines_of

COUNTS, KEYS = ("wins", "ties", "losses"), ("won", "level", "lost")
"""Columns that count topics, as people read them and as scripts know them."""
TOPICS = 5
"""Topics shown on which the systems differ most; JSON has all."""


def pairs_table(result: Comparison, digits: int, limit: int | None = None) -> TextTable:
    """Make a row for each pair: difference, interval, p, topics won, tied and lost."""
    figure = dict(zip(result.systems, result.figures.tolist(), strict=True))
    first, second = ("system", "baseline") if result.baselines else ("ahead", "behind")
    relative = result.scale == "mean"
    header = [
        first,
        second,
        f"{result.measure} {first}",
        f"{result.measure} {second}",
        "difference",
        *(["relative"] if relative else []),
        f"{result.confidence * 100:g}% low",
        "high",
        "effect",
        *(f"p {test}" for test in result.tests),
    ]
    covered = result.coverage
    depth = next(iter(covered.values())).depth if covered else 0
    more = [f"{what} {side}" for what in ("answered", f"judged@{depth}") for side in (first, second)] if covered else []
    rows, exact = [], []
    for d in result.differences[:limit]:
        a, b = figure[d.a], figure[d.b]
        share = [d.difference / abs(b) if b else math.nan] if relative else []
        rows.append(
            [d.a, d.b, *(rounded(x, digits) for x in (a, b)), f"{d.difference:+.{digits}f}"]
            + ["" if math.isnan(s) else f"{s:+.1%}" for s in share]
            + [*(rounded(x, digits) for x in (d.low, d.high)), rounded(d.effect, 2)]
            + [p_text(p) + ("*" if p < ALPHA else " ") for p in d.p]
            + [str(d.wins), str(d.ties), str(d.losses)]
        )
        whole = [d.a, d.b, a, b, d.difference, *share, d.low, d.high, d.effect, *d.p, d.wins, d.ties, d.losses]
        both = (covered[d.a], covered[d.b]) if covered else ()
        exact.append([*whole, *(each.answered for each in both), *(each.judged for each in both)])
    return TextTable([*header, *COUNTS], rows, 2, exact=exact, keys=[*header, *KEYS, *more])


def as_text(result: Comparison, form: str, digits: int, limit: int, *, colour: bool) -> str:
    if form == "csv":
        return pairs_table(result, digits).csv()
    pages = [pairs_table(result, digits, limit).form(form, colour=colour)]
    hidden = len(result.differences) - limit
    if hidden > 0:
        pages.append(lines_of([more_differences(hidden, len(result.differences))], form))
    header = ["topics far apart", "best", result.measure, "worst", result.measure]
    rows = [
        [a.topic, a.best, rounded(a.best_value, digits), a.worst, rounded(a.worst_value, digits)]
        for a in result.apart[:TOPICS]
        if a.best_value != a.worst_value
    ]
    if rows:
        pages.append(TextTable(header, rows, 2).form(form, colour=colour))
    lines = [result.conclusion(), how_compared(result), coverage_summary(result.coverage)]
    pages.append(lines_of([line for line in lines if line], form))
    return "\n".join(pages)


def as_json(result: Comparison) -> str:
    return json_text(as_data(result))


def as_data(result: Comparison) -> dict[str, Any]:
    """The same, for a larger document."""
    return {
        "measure": result.measure,
        "scale": result.scale,
        "better": "high" if result.direction > 0 else "low",
        "topics": result.topics,
        "figures": dict(zip(result.systems, result.figures.tolist(), strict=True)),
        "baselines": list(result.baselines),
        "corrections": dict(zip(result.tests, result.corrections, strict=True)),
        "level": result.confidence,
        "pairs": [_pair(result, d) for d in result.differences],
        "topics_apart": [
            {"topic": a.topic, "best": {a.best: a.best_value}, "worst": {a.worst: a.worst_value}} for a in result.apart
        ],
        "coverage": {name: each._asdict() for name, each in result.coverage.items()},
        "left_out": {name: each._asdict() for name, each in result.left_out.items()},
        "notes": list(map(str, result.notes)),
        "conclusion": result.conclusion(),
    }


def _pair(result: Comparison, d: Difference) -> dict[str, object]:
    return {
        "system": d.a,
        "against": d.b,
        "difference": d.difference,
        "interval": [d.low, d.high],
        "effect": None if math.isnan(d.effect) else d.effect,
        "superiority": d.superiority,
        "won": d.wins,
        "level": d.ties,
        "lost": d.losses,
        "p": dict(zip(result.tests, d.p, strict=True)),
        "favours": dict(zip(result.tests, d.favours, strict=True)),
        "p_uncorrected": dict(zip(result.tests, d.raw, strict=True)),
    }
