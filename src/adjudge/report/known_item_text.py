"""A known-item comparison as a page for people."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..comparison.known_item.characteristic import TURNED, Dominance, dominance
from ..comparison.known_item.study import Study
from ..comparison.known_item.value import break_evens, partition
from ..core.english import number, rounded
from ..words.omissions import more_pairs
from ..words.worth import break_even, dominance_signs, prices_sentence, resampling
from .known_item_data import figures_csv
from .text_table import TextTable, best_of, lines_of

CHANGES = 3
"""Places where the lead changes that a table names; JSON has all."""


def figures_table(study: Study) -> TextTable:
    """The main table, for people: one row per system, intervals in brackets."""
    item, boot = study.item, study.bootstrap
    spread = f"{boot.confidence * 100:g}%" if boot else ""
    header, cells, numbers, better = ["system"], [], [], []

    def column(title: str, values: Sequence[float], digits: int, way: str, ends: Any = None) -> None:
        header.append(title)
        cells.append([figure_text(value, digits) for value in values])
        numbers.append(list(map(float, values)))
        better.append(way)
        if ends is not None:
            header.append(spread)
            cells.append([f"{figure_text(low, digits)} to {figure_text(high, digits)}" for low, high in ends.tolist()])
            numbers.append([math.nan] * len(values))
            better.append("")

    column("MRR", item.mrr.tolist(), 4, "high", boot.mrr if boot else None)
    column(f"found of {len(item.questions):,}", item.found.tolist(), 0, "high", boot.found if boot else None)
    column("mean rank", item.mean_rank.tolist(), 1, "")
    column("rank sum", item.sum_ranks.tolist(), 0, "")
    column("work", item.work.tolist(), 0, "low", boot.work if boot else None)
    for ratio in study.ratios:
        column(f"value at v/c = {number(ratio)}", item.value(ratio).tolist(), 0 if ratio % 1 == 0 else 2, "high")
    rows = [[system, *(column[s] for column in cells)] for s, system in enumerate(item.systems)]
    return TextTable(header, rows, 1, best_of(numbers, better, rows))


def matrix_table(study: Study, pairs: Sequence[Dominance]) -> TextTable:
    """Row against column; columns have the numbers of the rows, so that many fit on a line."""
    systems = study.item.systems
    cells = {(pair.first, pair.second): pair.relation for pair in pairs}
    cells |= {(pair.second, pair.first): TURNED[pair.relation] for pair in pairs}
    rows = [
        [str(r), system, *(cells.get((system, other), "·") for other in systems)] for r, system in enumerate(systems, 1)
    ]
    return TextTable(["", f"by {study.axis}", *(str(c) for c in range(1, len(systems) + 1))], rows, 2)


def pairs_table(study: Study, pairs: Sequence[Dominance], most: int) -> TextTable:
    """Each pair with the places where the lead changes, and in what share of the samples it looks how."""
    boot, place = study.bootstrap, {system: s for s, system in enumerate(study.item.systems)}
    header = ["first", "", "second", "lead changes"]
    if boot:
        header += ["dominates", "is dominated", "crosses", "same"]
        header += [f"worth more at {number(ratio)}" for ratio in study.ratios]
    rows = []
    for pair in pairs[:most]:
        a, b = place[pair.first], place[pair.second]
        places = [f"{number(change.at)} to {change.after}" for change in pair.changes]
        more = ", …" if len(places) > CHANGES else ""
        row = [pair.first, pair.relation, pair.second, ", ".join(places[:CHANGES]) + more]
        if boot:
            above, same, cross = boot.dominates[study.axis], boot.same[study.axis], boot.crosses(study.axis)
            shares = [above[a, b], above[b, a], cross[a, b], same[a, b], *(boot.worth[x][a, b] for x in study.ratios)]
            row += [f"{share:.1%}" for share in shares]
        rows.append(row)
    return TextTable(header, rows, 4)


def as_text(study: Study, form: str, most: int, *, colour: bool) -> str:
    """The whole comparison as a page; CSV is the main table alone."""
    if form == "csv":
        return figures_csv(study)
    item, boot = study.item, study.bootstrap
    pages = [figures_table(study).form(form, colour=colour)]
    if len(item.systems) > 1:
        pairs = dominance(item, study.axis, study.effort)
        pages.append(matrix_table(study, pairs).form(form, colour=colour))
        pages.append(lines_of([dominance_signs()], form))
        if most:
            pages.append(pairs_table(study, pairs, most).form(form, colour=colour))
            pages.append(lines_of([break_even(even) for even in break_evens(item)[:most]], form))
        if len(pairs) > most:
            pages.append(lines_of([more_pairs(len(pairs) - most, len(pairs))], form))
    if boot:
        pages.append(lines_of([resampling(boot.samples, study.seed)], form))
    if len(item.systems) > 1:
        pages.append(lines_of([prices_sentence(partition(item))], form))
    return "\n".join([*pages, lines_of([study.conclusion()], form)])


def figure_text(value: float, digits: int) -> str:
    """A figure with its thousands apart."""
    text = rounded(value, digits)
    return f"{float(text):,.{digits}f}" if text else text
