"""What pools lack, and estimates from few judgments, as people and scripts want to see them."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from ..comparison.pool_gaps import PoolGaps
from ..comparison.residual_bands import ResidualBands, SystemBand
from ..comparison.sampled_estimates import Estimates
from ..core.english import rounded
from ..words.judges_in_words import estimate_text
from .text_table import TextTable, json_text, lines_of


def gaps_table(result: PoolGaps, digits: int = 4) -> TextTable:
    """A row for each run."""
    depths = list(result.rows[0].unjudged) if result.rows else []
    header = ["run", *(["group"] if result.grouped else []), "rank", result.measure]
    header += ["could be", "ranks"] if result.residual else []
    header += [*(f"unjudged@{k}" for k in depths), "unique", "relevant", f"{result.measure} without", "rank without"]
    rows: list[list[str]] = []
    exact: list[list[object]] = []
    for row in result.rows:
        names = [row.run, *([row.group] if result.grouped else [])]
        band = [row.high, f"{row.best_rank} to {row.worst_rank}"] if result.residual else []
        shares = [row.unjudged[k] for k in depths]
        counts = [row.unique, row.unique_relevant]
        exact.append([*names, row.rank, row.value, *band, *shares, *counts, row.value_without, row.rank_without])
        shown = [rounded(row.high, digits), str(band[1])] if band else []
        rows.append(
            [
                *names,
                str(row.rank),
                rounded(row.value, digits),
                *shown,
                *("" if math.isnan(share) else f"{share:.1%}" for share in shares),
                *map(str, counts),
                rounded(row.value_without, digits),
                str(row.rank_without),
            ]
        )
    return TextTable(header, rows, 2 if result.grouped else 1, exact=exact)


def gaps_text(result: PoolGaps, form: str, digits: int, *, colour: bool = False) -> str:
    """In one of the forms of a table."""
    if form == "json":
        return json_text(gaps_data(result))
    table = gaps_table(result, digits)
    if form == "csv":
        return table.csv()
    return table.form(form, colour=colour) + "\n" + lines_of([result.conclusion()], form)


def gaps_data(result: PoolGaps) -> dict[str, Any]:
    """All facts, for a script."""
    return {**asdict(result), "conclusion": result.conclusion()}


def bands_table(result: ResidualBands, digits: int = 4) -> TextTable:
    """A row for each system: its figure, what it could be, and, beside others, the ranks that it could have."""
    several = len(result.rows) > 1
    header = ["system", *(["rank"] if several else []), result.measure, "could be", *(["ranks"] if several else [])]
    rows = [
        [
            row.system,
            *([str(row.rank)] if several else []),
            rounded(row.value, digits),
            rounded(row.high, digits),
            *([ranks_text(row)] if several else []),
        ]
        for row in result.rows
    ]
    exact: list[list[object]] = [
        [row.system, row.rank, row.value, row.high, ranks_text(row)] if several else [row.system, row.value, row.high]
        for row in result.rows
    ]
    return TextTable(header, rows, 1, exact=exact)


def ranks_text(row: SystemBand, between: str = " to ") -> str:
    """The ranks that a system could have."""
    return str(row.rank) if row.sure else f"{row.best_rank}{between}{row.worst_rank}"


def bands_data(result: ResidualBands) -> dict[str, Any]:
    """All facts by system, for a script."""
    return {
        row.system: {
            "mean": row.value,
            "high": row.high,
            "rank": row.rank,
            "possible_ranks": [row.best_rank, row.worst_rank],
        }
        for row in result.rows
    }


def estimates_table(result: Estimates) -> TextTable:
    """A row for each system and measure."""
    header = ["system", "measure", "estimate", *(["sample alone"] if result.whole_topics else [])]
    header += ["people alone", "machine alone"] if result.machine else []
    rows = [
        [
            row.system,
            row.measure,
            estimate_text(row.estimate),
            *([estimate_text(row.sample)] if row.sample is not None else []),
            *(
                ["" if row.human is None else estimate_text(row.human), rounded(row.machine, 3)]
                if result.machine
                else []
            ),
        ]
        for row in result.rows
    ]
    return TextTable(header, rows, 2)


def estimates_columns(result: Estimates) -> dict[str, list[Any]]:
    """The figures as columns."""
    columns: dict[str, list[Any]] = {
        "system": [row.system for row in result.rows],
        "measure": [row.measure for row in result.rows],
        "estimate": [row.estimate.value for row in result.rows],
        "low": [row.estimate.low for row in result.rows],
        "high": [row.estimate.high for row in result.rows],
    }
    if result.whole_topics:
        alone = [row.estimate if row.sample is None else row.sample for row in result.rows]
        columns["sample"] = [own.value for own in alone]
        columns["sample_low"], columns["sample_high"] = [own.low for own in alone], [own.high for own in alone]
    if result.machine:
        people = [row.human for row in result.rows]
        columns["human"] = [None if own is None else own.value for own in people]
        columns["human_low"] = [None if own is None else own.low for own in people]
        columns["human_high"] = [None if own is None else own.high for own in people]
        columns["machine"] = [row.machine for row in result.rows]
    return columns


def estimates_text(result: Estimates, form: str, *, colour: bool = False) -> str:
    """In one of the forms of a table."""
    if form == "json":
        return json_text(estimates_data(result))
    if form == "csv":
        columns = estimates_columns(result)
        cells = [[str(cell) for cell in row] for row in zip(*columns.values(), strict=True)]
        exact = [list(row) for row in zip(*columns.values(), strict=True)]
        return TextTable(list(columns), cells, 2, exact=exact).csv()
    lines = [result.conclusion(), *(f"note: {note}" for note in result.notes)]
    return estimates_table(result).form(form, colour=colour) + "\n" + lines_of(lines, form)


def estimates_data(result: Estimates) -> dict[str, Any]:
    """All facts, for a script."""
    notes = [
        {"kind": note.kind, "measure": note.subject, **dict(note.facts), "sentence": str(note)} for note in result.notes
    ]
    return {**asdict(result), "notes": notes, "conclusion": result.conclusion()}
