"""A known-item comparison for scripts: figures, pairs, and the points of the curves, with all digits."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ..comparison.known_item.characteristic import AXES, NEVER, Axis, Curve, curves, dominance
from ..comparison.known_item.study import Study
from ..comparison.known_item.value import break_evens, partition
from ..words.worth import break_even
from .text_table import TextTable, json_text

CURVE_COLUMNS = ("system", "round", "work", "found", "hits", "rank_low", "rank_high", "work_low", "work_high")


def figures_csv(study: Study) -> str:
    rows = list(figures(study))
    cells: list[list[object]] = [list(row.values()) for row in rows]
    return TextTable(list(rows[0]), [[str(cell) for cell in row] for row in cells], 1, exact=cells).csv()


def figures(study: Study) -> Iterable[dict[str, Any]]:
    """The figures of each system with all digits; None for what is not defined or was not asked for."""
    item, boot = study.item, study.bootstrap
    values = {f"value_{exact(ratio)}": item.value(ratio) for ratio in study.ratios}
    for s, system in enumerate(item.systems):
        row: dict[str, Any] = {"system": system, "questions": len(item.questions)}
        for name, column in (("mrr", item.mrr), ("found", item.found), ("work", item.work)):
            row[name] = column[s].item()
            if boot:
                row[f"{name}_low"], row[f"{name}_high"] = getattr(boot, name)[s].tolist()
        row |= {"mean_rank": finite_or_none(float(item.mean_rank[s])), "rank_sum": int(item.sum_ranks[s])}
        yield row | {name: float(column[s]) for name, column in values.items()}


def as_json(study: Study) -> str:
    return json_text(as_data(study))


def as_data(study: Study) -> dict[str, Any]:
    """The same, for a larger document."""
    item, boot = study.item, study.bootstrap
    return {
        "questions": list(item.questions),
        "length": item.length,
        "axis": study.axis,
        "effort": study.effort,
        "samples": boot.samples if boot else 0,
        "confidence": boot.confidence if boot else None,
        "seed": study.seed,
        "systems": list(figures(study)),
        "ranks": {
            system: [rank or None for rank in row]
            for system, row in zip(item.systems, item.ranks.tolist(), strict=True)
        },
        "lengths": dict(zip(item.systems, item.lengths.tolist(), strict=True)),
        "pairs": [pair for axis in AXES for pair in _pairs(study, axis)],
        "break_even": [
            {
                "first": even.first,
                "second": even.second,
                "at": finite_or_none(even.at),
                "below": even.below or None,
                "above": even.above or None,
                "sentence": break_even(even),
            }
            for even in break_evens(item)
        ],
        "partition": [
            {
                "low": part.low,
                "high": finite_or_none(part.high),
                "best": list(part.best),
                "level_at_low": list(part.level),
            }
            for part in partition(item)
        ],
        "curves": list(curve_points(study)),
        "bands": [band for axis in AXES for band in _bands(study, axis)],
        "notes": list(map(str, item.notes)),
        "conclusion": study.conclusion(),
    }


def _pairs(study: Study, axis: Axis) -> Iterable[dict[str, Any]]:
    boot, place = study.bootstrap, {system: s for s, system in enumerate(study.item.systems)}
    for pair in dominance(study.item, axis, study.effort):
        a, b = place[pair.first], place[pair.second]
        row: dict[str, Any] = {"axis": axis, "first": pair.first, "second": pair.second, "relation": pair.relation}
        row["changes"] = [{"at": c.at, "from": c.before, "to": c.after} for c in pair.changes]
        if boot:
            row["share_dominates"] = float(boot.dominates[axis][a, b])
            row["share_dominated"] = float(boot.dominates[axis][b, a])
            row["share_crosses"] = float(boot.crosses(axis)[a, b])
            row["share_same"] = float(boot.same[axis][a, b])
            row["share_worth_more"] = {exact(x): float(boot.worth[x][a, b]) for x in study.ratios}
            row["share_worth_less"] = {exact(x): float(boot.worth[x][b, a]) for x in study.ratios}
        yield row


def _bands(study: Study, axis: Axis) -> Iterable[dict[str, Any]]:
    """When the k-th item is found, early and late: the band of the whole curve, at any effort."""
    if study.bootstrap:
        for system, ends in zip(study.item.systems, study.bootstrap.bands[axis].tolist(), strict=True):
            early, late = ([None if effort == NEVER else effort for effort in end] for end in ends)
            yield {"axis": axis, "system": system, "early": early, "late": late}


def curve_points(study: Study) -> Iterable[dict[str, Any]]:
    """The points of all curves with the bands there, from the start to the end of the reading."""
    for s, curve in enumerate(curves(study.item, study.effort)):
        for point in _points(curve):
            row = dict(zip(CURVE_COLUMNS, (curve.system, *point, None, None, None, None), strict=True))
            if study.bootstrap:
                for axis, x in (("rank", point[0]), ("work", point[1])):
                    low, high = study.bootstrap.band(s, x, "rank" if axis == "rank" else "work")
                    row[f"{axis}_low"], row[f"{axis}_high"] = int(low), int(high)
            yield row


def _points(curve: Curve) -> Iterable[tuple[int, int, int, int]]:
    """(round, work, found, hits): the start and the end, which plots need, are points without a hit."""
    last = (0, 0, 0, 0)
    yield last
    for r, w, f in zip(curve.rounds.tolist(), curve.work.tolist(), curve.found.tolist(), strict=True):
        last = (r, w, f, f - last[2])
        yield last
    if curve.end != last[:2]:
        yield (*curve.end, last[2], 0)


def curves_text(study: Study, form: str) -> str:
    """The points of all curves as CSV or JSON."""
    points = [list(point.values()) for point in curve_points(study)]
    table = TextTable(CURVE_COLUMNS, [[str(cell) for cell in row] for row in points], 1, exact=points)
    return table.json() if form == "json" else table.csv()


def exact(ratio: float) -> str:
    """v/c as a name: 400 and not 400.0."""
    return str(int(ratio)) if ratio == int(ratio) else repr(float(ratio))


def finite_or_none(figure: float) -> float | None:
    return figure if math.isfinite(figure) else None
