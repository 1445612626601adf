"""Tables of sensitivity: how a conclusion depends on the scale."""

from __future__ import annotations

import math
import re
from typing import Any

from ..comparison.scale.halves import BoostedHalves
from ..comparison.scale.sensitivity import Row, Sensitivity
from ..core.english import p_text, rounded
from ..words import scale_changes
from ..words.judged_share import coverage_summary
from ..words.omissions import more_changes
from .text_table import TextTable, json_text, lines_of

SENTENCES = 5
SHOWN = 4
"""Systems named in the order under a transformation; CSV and JSON name all."""


def halves_table(result: BoostedHalves) -> TextTable:
    """Table of what each average makes of a boost to all topics, and to the lower and the upper half of them."""
    exact, shown = [], []
    for system, own in result.rows.items():
        for row in own:
            figures = (row.before, row.all, row.low, row.high)
            exact.append([system, row.average, *figures])
            shown.append([system, row.average, *(rounded(figure, 4) for figure in figures)])
    header = ["system", f"average of {result.measure}", "before", f"all +{result.boost:g}", "lower half", "upper half"]
    return TextTable(header, shown, 2, exact=exact)


def is_round(row: Row) -> bool:
    """Parameters that a person would choose: quarters of a power, powers of ten for epsilon. CSV and JSON have all."""
    power = re.search(r"power=([-\d.e]+)", row.transformation)
    eps = re.search(r"eps=([-\d.e]+)", row.transformation)
    if power:
        return float(power[1]) * 4 % 1 == 0
    return eps is None or math.log10(float(eps[1])) % 1 == 0


def as_text(result: Sensitivity, form: str, pairs: int, *, colour: bool) -> str:
    rows = []
    for row in result.rows if form == "csv" else filter(is_round, result.rows):
        places = [f"{result.systems[s]} {rounded(float(row.figures[s]), 4)}" for s in row.order]
        visible_places = places if form == "csv" else places[:SHOWN]
        best = ", ".join(visible_places) + (", …" if len(visible_places) < len(places) else "")
        rows.append([row.transformation, str(row.swapped), best])
    head = [f"{result.measure} under", "pairs reversed", "order"]
    table = TextTable(head, rows, 3, keys=[head[0], "pairs turned", "order"])
    if form == "csv":
        return table.csv()
    swaps = [
        [
            s.leader,
            s.other,
            f"{s.difference:.4f}",
            p_text(s.p),
            s.family,
            bound(s.parameter, s.at),
            bound("", s.until),
            p_text(s.p_turned),
        ]
        for s in result.swaps[:pairs]
    ]
    pages = [table.form(form, colour=colour)]
    if swaps:
        header = ["ahead on the mean", "then ahead", "difference", "p", "under", "from", "to", "p then"]
        pages.append(TextTable(header, swaps, 2).form(form, colour=colour))
        first_swaps = {
            (s.leader, s.other): s for s in reversed(result.swaps[:pairs])
        }  # one sentence per pair, its first swap
        pages.append(lines_of([scale_changes.change(s) for s in list(first_swaps.values())[::-1][:SENTENCES]], form))
        hidden = len(result.swaps) - len(swaps)
        if hidden > 0:
            pages.append(lines_of([more_changes(hidden, len(result.swaps))], form))
    pages += [lines_of([scale_changes.not_tried(family, result.measure)], form) for family in result.skipped]
    lines = [result.conclusion(), coverage_summary(result.coverage)]
    return "\n".join([*pages, lines_of([line for line in lines if line], form)])


def bound(parameter: str, value: float) -> str:
    return "" if math.isnan(value) else f"{parameter} {value:.3g}".strip()


def as_json(result: Sensitivity) -> str:
    return json_text(as_data(result))


def as_data(result: Sensitivity) -> dict[str, Any]:
    """The same, for a larger document."""
    return {
        "measure": result.measure,
        "topics": result.topics,
        "means": dict(zip(result.systems, result.means.tolist(), strict=True)),
        "transformations": [
            {
                "transformation": row.transformation,
                "pairs_turned": row.swapped,
                "order": [result.systems[i] for i in row.order],
                "figures": dict(zip(result.systems, row.figures.tolist(), strict=True)),
            }
            for row in result.rows
        ],
        "swaps": [
            {
                "leader": s.leader,
                "other": s.other,
                "difference": s.difference,
                "family": s.family,
                "parameter": s.parameter or None,
                "at": None if math.isnan(s.at) else s.at,
                "until": None if math.isnan(s.until) else s.until,
                "p": None if math.isnan(s.p) else s.p,
                "p_turned": None if math.isnan(s.p_turned) else s.p_turned,
                "sentence": scale_changes.change(s),
            }
            for s in result.swaps
        ],
        "pairs": result.pairs,
        "stable": result.stable,
        "contradicted": result.contradicted,
        "skipped": [scale_changes.untried(family, result.measure) for family in result.skipped],
        "coverage": {name: each._asdict() for name, each in result.coverage.items()},
        "conclusion": result.conclusion(),
    }
