"""What would change the order: another scale, another measure, another recall, another version."""

from __future__ import annotations

import math
import re
from itertools import pairwise

import numpy as np

from ...comparison.scale.sensitivity import Sensitivity
from ...core.english import figure, percent, quantity, signed
from ...core.judged import Floats
from ...correlation import tau_b
from ...experiment.findings import Findings, VersionFindings
from ...words.scale_changes import change, untried
from ..figures import (
    Figure,
    correlation_matrix_figure,
    noise_figure,
    rank_moves_figure,
    ranks_of,
    recall_precision_figure,
)
from .markup import Html, disclosed, joined, listed, named, shortened, started, tag
from .parts import Room, Section, average_definition, each_version, measure_name, plot, scrolled, section, table
from .systems import LONG

SWAPS = 6
"""Sentences about pairs that change places; more can be opened."""

MORE_SWAPS = 60

STOPS: tuple[tuple[str, float | None, str], ...] = (
    ("box_cox", 2.0, "squares"),
    ("", None, "mean"),
    ("box_cox", 0.5, "roots"),
    ("log", 1e-5, "geometric"),
    ("box_cox", -0.5, "power −½"),
    ("box_cox", -1.0, "harmonic"),
    ("logit", 1e-5, "log-odds"),
    ("rank", None, "ranks"),
)
"""Stations on the way from the high end of the scale to its low end, then two that go elsewhere."""


def scales_section(findings: Findings, room: Room) -> Section | None:
    if all(view.sensitivity is None for view in findings.parts):
        return None
    return section("scales", "On another scale", each_version(findings, room, "rank moves", chart))


def chart(view: VersionFindings) -> Html | None:
    result = view.sensitivity
    if result is None:
        return None
    how = (
        "A line a system, its place under each average, the best on top. Averaging assumes that a difference counts "
        "the same everywhere on the scale: squares let the high end count more, roots and the geometric mean the low "
        "end, the harmonic mean lower still. Lines that cross are conclusions that rest on that choice."
    )
    return plot(moves_drawn(view, result), result.conclusion(), how, swaps(result), averages_table(view))


def moves_drawn(view: VersionFindings, result: Sensitivity) -> Figure:
    names, figures = stations(view, result)
    return rank_moves_figure(
        result.systems,
        names,
        ranks_of(figures, view.column.better),
        baseline=view.baseline,
        title=f"Ranks of the systems under other averages of {shortened(view.main)}",
    )


def stations(
    view: VersionFindings, result: Sensitivity
) -> tuple[list[str], np.ndarray[tuple[int, int], np.dtype[np.float64]]]:
    """Names and figures of the columns: transformations that were tried, then the other averages of the plan."""
    rows = {row.transformation: row for row in result.rows}
    names, figures = [], []
    for kind, parameter, name in STOPS:
        if not kind:
            names.append(name)
            figures.append(result.means)
            continue
        for spec, row in rows.items():
            if re.match(rf"{kind}\b", spec) and (parameter is None or _parameter(spec, kind) == parameter):
                names.append(name)
                figures.append(row.figures)
                break
    m = view.measure
    for spec, table_ in view.figures.items():
        if spec not in {"mean"} and not spec.startswith("gm") and not np.isnan(table_[:, m]).any():
            names.append(spec)
            figures.append(np.asarray(table_)[:, m])
    return names, np.array(figures, np.float64)


def _parameter(spec: str, kind: str) -> float | None:
    """The parameter along which a family goes: the power, or ε."""
    match = re.search(r"power=([-+\d.e]+)" if kind == "box_cox" else r"eps=([-+\d.e]+)", spec)
    return float(match[1]) if match else None


def swaps(result: Sensitivity) -> Html | None:
    """Which pairs change places and where, one sentence a pair."""
    first_swaps = {(swap.leader, swap.other): swap for swap in reversed(result.swaps)}
    sentences = [started(f"{change(swap)}.", 500) for swap in list(first_swaps.values())[::-1]]
    skipped = [tag("p", f"Not tried: {untried(family, result.measure)}.", class_="note") for family in result.skipped]
    if not sentences:
        return joined(skipped)
    few, rest = sentences[:SWAPS], sentences[SWAPS : SWAPS + MORE_SWAPS]
    hidden = len(sentences) - SWAPS - len(rest)
    more = f"{len(rest):,} more pairs" + (
        f" of {len(sentences) - SWAPS:,}; verdicts.json has all" if hidden > 0 else ""
    )
    return joined(
        [
            tag("h3", "Pairs that change places"),
            listed(few, class_="swaps"),
            disclosed(more, listed(rest, class_="swaps")) if rest else None,
            *skipped,
        ]
    )


def averages_table(view: VersionFindings) -> Html:
    """The main measure under every average of the plan."""
    specs = list(view.figures)
    head = ["system", *(tag("abbr", named(spec, 24), title=average_definition(spec) or None) for spec in specs)]
    m = view.measure
    rows = [[named(view.systems[s]), *(figure(float(view.figures[spec][s, m])) for spec in specs)] for s in view.order]
    label = f"Averages of {shortened(view.main)}"
    return disclosed(
        label, scrolled(table(head, rows, class_="sortable"), label, class_="long" if len(rows) > 40 else "")
    )


def agreement_section(findings: Findings, room: Room) -> Section | None:
    def make(view: VersionFindings) -> Html | None:
        drawn = agreement_drawn(view)
        if drawn is None:
            return None
        how = (
            "Each cell is the rank correlation τ_b between the orders in which two measures put the systems: 1 is the "
            "same order, 0 none in common, −1 the reverse. A measure that agrees with no other measures something else."
        )
        return plot(drawn, agreement_found(view), how)

    body = each_version(findings, room, "agreement of measures", make)
    return section("agreement", "Do the measures agree?", body) if body else None


def ordering(view: VersionFindings) -> tuple[list[int], Floats]:
    """The measures that order the systems at all, and their agreement."""
    agreement = np.asarray(view.agreement, float)
    comparable = [m for m in range(len(agreement)) if not np.isnan(np.delete(agreement[m], m)).all()]
    return comparable, agreement[np.ix_(comparable, comparable)]


def agreement_drawn(view: VersionFindings) -> Figure | None:
    comparable, part = ordering(view)
    if len(comparable) < 2:
        return None
    names = [view.scores.columns[m].name for m in comparable]
    return correlation_matrix_figure(names, part, title="Agreement of measures about the order of the systems")


def agreement_found(view: VersionFindings) -> Html:
    comparable, part = ordering(view)
    columns = view.scores.columns
    rows, cols = np.triu_indices(len(comparable), 1)
    values = part[rows, cols]
    known = np.flatnonzero(~np.isnan(values))
    if not len(known):
        return joined(["No two measures order the systems."])
    low = known[int(values[known].argmin())]
    a, b = (columns[comparable[int(side[low])]] for side in (rows, cols))
    text: list[object] = [
        measure_name(a),
        " and ",
        measure_name(b),
        f" agree least, τ_b = {values[low]:.2f}",
    ]
    same = int((values[known] >= 1 - 1e-12).sum())
    if same:
        text.append(f"; {same} of {quantity(len(known), 'pair')} of measures give the same order")
    return joined([*text, f". The mean over all pairs is {values[known].mean():.2f}."])


RECALLS = tuple(f"{level / 10:g}" for level in range(11))


def recall_precision_section(findings: Findings, room: Room) -> Section | None:
    def make(view: VersionFindings) -> Html | None:
        drawn = recall_precision_drawn(view)
        if drawn is None:
            return None
        precision = np.asarray(view.precision, float)
        how = (
            "Interpolated precision at a recall is the highest precision at that recall or a higher one; mean over "
            "topics. To the left is what a reader sees first, to the right what it takes to find everything."
        )
        rows = [[named(view.systems[s]), *(figure(float(x), 3) for x in precision[s])] for s in view.order]
        data = table(["system", *RECALLS], rows, class_="sortable")
        label = "The eleven points"
        return plot(
            drawn,
            crossing(view, precision),
            how,
            disclosed(label, scrolled(data, label, class_="long" if len(rows) > LONG else "")),
        )

    body = each_version(findings, room, "recall-precision curves", make)
    return section("recall-precision", "Recall and precision", body) if body else None


def recall_precision_drawn(view: VersionFindings) -> Figure | None:
    precision = np.asarray(view.precision, float)
    if precision.shape != (len(view.systems), 11) or np.isnan(precision).all():
        return None
    return recall_precision_figure(
        view.systems,
        precision,
        baseline=view.baseline,
        title="Interpolated precision at eleven levels of recall",
    )


def crossing(view: VersionFindings, precision: Floats) -> Html:
    """Who has the highest curve at which recall."""
    leaders: list[tuple[str, str]] = []
    for level, column in zip(RECALLS, precision.T, strict=True):
        if not np.isnan(column).all() and np.nanmax(column) > 0:
            leaders.append((level, view.systems[int(np.nanargmax(column))]))
    if not leaders:
        return joined(["No system finds anything relevant."])
    if (np.ptp(precision, axis=1) == 0).all():
        return joined(["The curves are flat, as they are with one relevant document a topic: they say what rr says."])
    if len(view.systems) == 1:
        return joined(
            ["Precision falls from ", figure(float(precision[0, 0]), 3), f" to {figure(float(precision[0, -1]), 3)}."]
        )
    runs = [leaders[0], *(after for before, after in pairwise(leaders) if before[1] != after[1])]
    if len(runs) == 1:
        return joined([named(runs[0][1]), " has the highest precision at every recall."])
    parts: list[object] = [named(runs[0][1]), " has the highest precision at the start"]
    for level, system in runs[1:4]:
        parts += [", ", named(system), f" from recall {level} on"]
    return joined([*parts, ", and the lead changes again." if len(runs) > 4 else "."])


def noise_section(findings: Findings, room: Room) -> Section | None:
    drawn = noise_drawn(findings)
    if drawn is None:
        return None
    view = findings.first
    across = "the share of wrong characters" if rates(findings) else "the versions in their order"
    known = any(v.errors for v in findings.parts)
    flat = "noise does not hurt" if known else "does the same on all of them"
    how = (
        f"To the right {across}, upwards the mean of each system with its 95 % interval. "
        f"A flat line is a system that {flat}."
    )
    head = ["version", "best system", joined(["its ", measure_name(view.column)]), "wrong characters", "wrong words"]
    rows = [
        [
            named(v.version),
            named(v.best),
            figure(float(v.means[v.order[0]])),
            *(percent(float(x)) for x in (v.errors or (math.nan, math.nan))),
        ]
        for v in findings.parts
    ]
    block = section(
        "noise",
        "Noise against effectiveness" if known else "From version to version",
        plot(drawn, losses(findings), how),
        scrolled(table(head, rows, labels=2), "Versions"),
    )
    room.needed(block.html)
    return block


def common(findings: Findings) -> list[str]:
    """The systems that all versions have."""
    return [system for system in findings.systems if all(system in view.place for view in findings.parts)]


def rates(findings: Findings) -> list[float] | None:
    """The share of wrong characters of each version, if it is known and tells them apart."""
    errors_of = [view.errors for view in findings.parts]
    shares = [math.nan if errors is None else float(errors.characters) for errors in errors_of]
    return shares if all(map(math.isfinite, shares)) and len(set(shares)) == len(shares) else None


def means_of(findings: Findings) -> Floats:
    """systems that all versions have × versions."""
    return np.array([[view.means[view.place[system]] for view in findings.parts] for system in common(findings)])


def noise_drawn(findings: Findings) -> Figure | None:
    systems = common(findings)
    if not findings.several or not systems:
        return None
    view = findings.first
    ends = [[v.intervals[v.place[system], v.measure] for v in findings.parts] for system in systems]
    return noise_figure(
        systems,
        [v.version for v in findings.parts],
        means_of(findings),
        np.array(ends),
        rates=rates(findings),
        measure=view.main,
        better=view.column.better,
        baseline=view.baseline,
        title=f"{shortened(view.main)} against the noise of the versions",
    )


def losses(findings: Findings) -> Html:
    """Who loses least and most from the first version to the worst, and whether the order stays."""
    systems, means = common(findings), means_of(findings)
    direction = findings.first.direction
    level = np.where(np.isnan(means), np.inf, direction * means).mean(axis=0)
    worst = int(level[1:].argmin()) + 1
    change = direction * (means[:, worst] - means[:, 0])
    text: list[object] = []
    if not np.isnan(change).all():
        least, most = int(np.nanargmax(change)), int(np.nanargmin(change))
        text += [
            "From ",
            named(findings.parts[0].version),
            " to ",
            named(findings.parts[worst].version),
            " ",
            named(systems[most]),
            f" changes most, {_step(means, most, worst)}",
        ]
        if len(systems) > 1:
            text += [
                ", ",
                named(systems[least]),
                f" {'least' if change[least] <= 0 else 'gains'}, {_step(means, least, worst)}",
            ]
        text.append(".")
    if len(systems) > 2 and not np.isnan(means).any():
        tau = float(tau_b(means[:, 0], means[:, worst]))
        if not math.isnan(tau):
            text.append(f" The order of the systems agrees by τ_b = {tau:.2f}.")
    return joined(text or [f"{shortened(findings.first.main)} has no value on some version."])


def _step(means: Floats, s: int, worst: int) -> str:
    before, after = float(means[s, 0]), float(means[s, worst])
    share = f" ({signed(100 * (after - before) / abs(before), 2)} %)" if before else ""
    return f"from {figure(before, 3)} to {figure(after, 3)}{share}"
