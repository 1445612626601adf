"""Tables of complementarity: what systems find that others do not."""

from __future__ import annotations

from ..comparison.known_item.complementarity import Complementarity
from ..core.english import rounded
from ..words import forecasts
from .text_table import TextTable, json_text, lines_of


def figures_table(result: Complementarity) -> TextTable:
    """Make one row per system."""
    item = result.item
    header = ["system", "MRR", f"found to rank {result.within:,}", "alone", "ahead of all"]
    rows, exact = [], []
    columns = (result.found.tolist(), result.alone.tolist(), result.ahead.tolist())
    for system, mrr, *counts in zip(item.systems, item.mrr.tolist(), *columns, strict=True):
        rows.append([system, rounded(mrr, 4), *map(str, counts)])
        exact.append([system, mrr, *counts])
    return TextTable(header, rows, 1, exact=exact)


def only_table(result: Complementarity) -> TextTable:
    """Row against column; columns have the numbers of the rows, so that many fit on a line."""
    systems = result.item.systems
    rows = [
        [str(r + 1), system, *("·" if r == c else str(n) for c, n in enumerate(result.only[r].tolist()))]
        for r, system in enumerate(systems)
    ]
    return TextTable(["", "finds, not by", *(str(c) for c in range(1, len(systems) + 1))], rows, 2)


def correlation_table(result: Complementarity) -> TextTable:
    systems = result.item.systems
    rows = [
        [str(r + 1), system, *("·" if r == c else rounded(x, 2) for c, x in enumerate(result.correlation[r].tolist()))]
        for r, system in enumerate(systems)
    ]
    return TextTable(["", "tau_b", *(str(c) for c in range(1, len(systems) + 1))], rows, 2)


def as_text(result: Complementarity, form: str, *, colour: bool) -> str:
    """The whole as a page; CSV is the table of systems alone."""
    if form == "csv":
        return figures_table(result).csv()
    pages = [
        figures_table(result).form(form, colour=colour),
        lines_of([forecasts.coverage(result)], form),
        only_table(result).form(form, colour=colour),
        lines_of([forecasts.reading_of_finds(result.within)], form),
        correlation_table(result).form(form, colour=colour),
        lines_of([forecasts.reading_of_correlations()], form),
        lines_of([result.conclusion()], form),
    ]
    return "\n".join(pages)


def as_json(result: Complementarity) -> str:
    item, systems = result.item, result.item.systems

    def square(matrix: list[list[float]]) -> dict[str, dict[str, float]]:
        return {a: dict(zip(systems, row, strict=True)) for a, row in zip(systems, matrix, strict=True)}

    figures = (item.mrr.tolist(), result.found.tolist(), result.alone.tolist(), result.ahead.tolist())
    data = {
        "questions": len(item.questions),
        "within": result.within,
        "systems": {
            system: dict(zip(("mrr", "found", "alone", "ahead"), row, strict=True))
            for system, *row in zip(systems, *figures, strict=True)
        },
        "found_by_all": int(result.by_systems[-1]),
        "found_by_one": int(result.by_systems[1]),
        "found_by_none": int(result.by_systems[0]),
        "found_by_so_many": result.by_systems.tolist(),
        "only": square(result.only.tolist()),
        "tau_b": square(result.correlation.tolist()),
        "best": systems[result.best],
        "oracle_mrr": result.oracle,
        "oracle_mrr_if_independent": result.independent,
        "found_by": {
            question: [system for system, hit in zip(systems, row, strict=True) if hit]
            for question, row in zip(item.questions, result.hits.T.tolist(), strict=True)
        },
        "notes": list(map(str, item.notes)),
        "conclusion": result.conclusion(),
    }
    return json_text(data)
