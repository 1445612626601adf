"""Correlations of rankings as people and scripts want to see them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..core.english import rounded
from ..correlation.ranking_pairs import Compared
from ..words import rank_agreement
from .text_table import TextTable, json_text, lines_of

PAIRS_TOLD = 3


def as_table(rows: Sequence[Compared], digits: int) -> TextTable:
    several = len({(row.x, row.y) for row in rows}) > 1
    names = ["x", "y"] if several else []
    level = f"{rows[0].found.confidence * 100:g}%"
    header = [
        *names,
        "coefficient",
        "value",
        f"{level} low",
        f"{level} high",
        "p",
        "items",
        "same order",
        "swapped",
        "tied",
    ]
    shown, exact = [], []
    for x, y, c in rows:
        label = [x, y] if several else []
        counts: list[object] = [c.items, c.concordant, c.discordant, c.tied]
        numbers = [c.value, c.low, c.high, c.p]
        shown.append([*label, c.coefficient, *(rounded(n, digits) for n in numbers), *(f"{n:,}" for n in counts)])
        exact.append([*label, c.coefficient, *numbers, *counts])
    return TextTable(header, shown, len(names) + 1, exact=exact)


def as_text(rows: Sequence[Compared], form: str, digits: int, *, colour: bool) -> str:
    table = as_table(rows, digits).form(form, colour=colour)
    if form == "csv":
        return table
    return f"{table}\n{lines_of(sentences(rows), form)}"


def sentences(rows: Sequence[Compared]) -> list[str]:
    lines = []
    seen: set[tuple[str, str]] = set()
    for x, y, c in rows:
        if c.items > 1 and c.same_items and (x, y) not in seen and len(seen) < PAIRS_TOLD:
            seen.add((x, y))
            lines.append(rank_agreement.ordered_differently(x, y, c.items, c.discordant, c.tied))
    undefined = list(dict.fromkeys(c.coefficient for _, _, c in rows if math.isnan(c.value)))
    if undefined:
        lines.append(rank_agreement.undefined(undefined, rows[0].found.items))
    drawn = [c for _, _, c in rows if c.over]
    if drawn:
        without_value = sum(c.undefined for c in drawn)
        lines.append(rank_agreement.intervals(drawn[0].samples, drawn[0].over, without_value))
    chance = [c for _, _, c in rows if not math.isnan(c.p)]
    if chance:
        lines.append(rank_agreement.chance(chance[0].permutations))
    return lines


def as_json(rows: Sequence[Compared]) -> str:
    def number(value: float) -> float | None:
        return value if math.isfinite(value) else None

    data = [
        {
            "x": x,
            "y": y,
            "coefficient": c.coefficient,
            "value": number(c.value),
            "interval": {"level": c.confidence, "low": number(c.low), "high": number(c.high), "over": c.over or None},
            "samples": c.samples,
            "undefined_samples": c.undefined,
            "p": number(c.p),
            "permutations": c.permutations,
            "items": c.items,
            "concordant": c.concordant,
            "discordant": c.discordant,
            "tied": c.tied,
        }
        for x, y, c in rows
    ]
    return json_text(data)
