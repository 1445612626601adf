"""Averages over topics as people and scripts want to see them."""

from __future__ import annotations

from ..evaluation.averaging import Averages
from .text_table import TextTable


def averages_table(result: Averages, digits: int) -> TextTable:
    """One row for each system, one column for each average of each measure; the best of a column stands out."""
    several = len(result.measures) > 1
    columns, heads, better = [], [], []
    for m, measure in enumerate(result.measures):
        for a, title in enumerate(result.titles()):
            columns.append(result.figures[:, m, a].tolist())
            heads.append(f"{measure} {title}" if several else title)
            better.append(result.better[m])
    first = "system" if several else result.measures[0]
    table = TextTable.of_numbers([first, *heads], result.systems, columns, digits=digits, better=better)
    return table.having(keys=["system", *heads])
