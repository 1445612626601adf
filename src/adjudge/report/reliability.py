"""Tables on the reliability of a test collection: swap rate, discriminative power, pseudo-judgments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ..comparison.reliability.discriminative_power import DiscriminativePower
from ..comparison.reliability.pseudo_judgments import PseudoJudgments
from ..comparison.reliability.swap_rate import NO_FIT, Fit, SwapRate
from ..core.english import rounded
from ..words import trust
from .text_table import TextTable, best_of, json_text, lines_of

SHOWN = (0, 1, 2, 3, 4, 5, 7, 10)
"""Bins that begin a column of the table, the last bin besides: more do not fit a terminal. CSV and JSON have all."""


def swap_text(result: SwapRate, form: str, rate: float, *, colour: bool) -> str:
    """The table of swap rates with what it means; CSV is every bin of every size, one a row."""
    if form == "csv":
        return swap_rows(result).csv()
    says = [trust.reading_of_swaps(result)]
    if any(not math.isnan(fit.a) for fit in result.fits):
        says.append(trust.extrapolation(result.topics))
    table = swap_table(result, rate).form(form, colour=colour)
    return f"{table}\n{lines_of([*says, result.conclusion(rate)], form)}"


def swap_table(result: SwapRate, rate: float) -> TextTable:
    """Sizes by differences, in coarser bins; below them what is extrapolated, and the curves it lies on."""
    last = result.comparisons.shape[1] - 1
    starts = [start for start in SHOWN if start < last] + [last]
    ends = [*starts[1:], last + 1]
    comparisons, swaps = result.merge_bins(starts)
    merged = np.where(comparisons > 0, swaps / np.maximum(comparisons, 1), np.nan)
    shares = np.column_stack([result.overall, merged])
    fits = [result.fits[start] if end == start + 1 else NO_FIT for start, end in zip(starts, ends, strict=True)]
    *safe, whole = result.thresholds(rate)
    edges = [f"{edge:.6g}" for edge in result.edges[starts]]
    header = ["topics", "all", *edges[:-1], f"≥{edges[-1]}", f"≤{rate * 100:g}% from"]
    rows = [
        [str(size), *(rounded(share * 100, 1) for share in row), _edge(threshold.difference)]
        for size, row, threshold in zip(result.sizes, shares.tolist(), safe, strict=True)
    ]
    if any(not math.isnan(fit.a) for fit in result.fits):
        at_all = [rounded(fit(result.topics) * 100, 1) for fit in fits]
        rows.append([f"{result.topics}, fit", "", *at_all, _edge(whole.difference)])
        rows.append(["a, in %", "", *(rounded(fit.a * 100, 1) for fit in fits), ""])
        rows.append(["b", "", *(rounded(fit.b, 3) for fit in fits), ""])
    return TextTable(header, rows, 1)


def _edge(difference: float) -> str:
    return "" if math.isnan(difference) else f"{difference:.6g}"


def swap_rows(result: SwapRate) -> TextTable:
    """One row for every size and bin, then the extrapolated ones with the parameters of their curves."""
    header = ["topics", "extrapolated", "from", "to", "comparisons", "swaps", "rate", "a", "b"]
    edges: list[float | None] = [*result.edges.tolist(), None]
    bins = list(pairwise(edges))
    exact: list[list[object]] = []
    for n, compared, swapped, rates in zip(
        result.sizes, result.comparisons.tolist(), result.swaps.tolist(), result.rates.tolist(), strict=True
    ):
        columns = zip(bins, compared, swapped, rates, strict=True)
        exact += [[n, "no", *edge, c, s, _number(r), None, None] for edge, c, s, r in columns]
    exact += [
        [result.topics, "yes", *edge, None, None, _number(fit(result.topics)), _number(fit.a), _number(fit.b)]
        for edge, fit in zip(bins, result.fits, strict=True)
    ]
    return TextTable(header, [[str(cell) for cell in row] for row in exact], 0, exact=exact)


def swap_json(result: SwapRate, rate: float) -> str:
    data = {
        "measure": result.measure,
        "systems": list(result.systems),
        "topics": result.topics,
        "trials": result.trials,
        "bins": {"width": result.width, "from": result.edges.tolist()},
        "sizes": [
            {
                "topics": size,
                "rate": _number(overall),
                "bins": [
                    {"from": edge, "comparisons": compared, "swaps": swapped, "rate": _number(share)}
                    for edge, compared, swapped, share in zip(*columns, strict=True)
                ],
            }
            for size, overall, *columns in zip(
                result.sizes,
                result.overall.tolist(),
                [result.edges.tolist()] * len(result.sizes),
                result.comparisons.tolist(),
                result.swaps.tolist(),
                result.rates.tolist(),
                strict=True,
            )
        ],
        "extrapolated": {
            "topics": result.topics,
            "curve": "a * exp(-b * topics)",
            "bins": [
                {"from": edge, **_fit(fit, result.topics)}
                for edge, fit in zip(result.edges.tolist(), result.fits, strict=True)
            ],
        },
        "most": rate,
        "thresholds": [
            {name: _number(value) for name, value in threshold._asdict().items()}
            for threshold in result.thresholds(rate)
        ],
        "conclusion": result.conclusion(rate),
    }
    return json_text(data)


def _fit(fit: Fit, topics: int) -> dict[str, float | None]:
    numbers = {"rate": fit(topics), "a": fit.a, "b": fit.b, "residual": fit.residual}
    return {name: _number(value) for name, value in numbers.items()}


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def pseudo_text(result: PseudoJudgments, form: str, digits: int, *, colour: bool) -> str:
    """The systems from best to worst without judgments, beside their places with them; CSV is the table alone."""
    table = pseudo_table(result, digits).form(form, colour=colour)
    return table if form == "csv" else f"{table}\n{lines_of([result.conclusion()], form)}"


def pseudo_table(result: PseudoJudgments, digits: int) -> TextTable:
    order = [result.systems.index(system) for system in result.ranking]
    header = ["system", f"pseudo {result.measure}", "sd", "rank"]
    figures, deviations = result.figures[order].tolist(), result.deviations[order].tolist()
    ranks = result.ranks[order].tolist()
    exact: list[list[object]] = [list(row) for row in zip(result.ranking, figures, deviations, ranks, strict=True)]
    if result.truth is not None and result.true_ranks is not None:
        header += [result.measure, "true rank"]
        real = zip(exact, result.truth[order].tolist(), result.true_ranks[order].tolist(), strict=True)
        exact = [[*row, figure, rank] for row, figure, rank in real]
    rows = [[rounded(cell, digits) if isinstance(cell, float) else str(cell) for cell in row] for row in exact]
    whole = [[_number(cell) if isinstance(cell, float) else cell for cell in row] for row in exact]
    marked: Sequence[str] = [result.better, "", "", result.better, ""][: len(header) - 1]
    columns = [[row[c] for row in exact] for c in range(1, len(header))]
    best = best_of(columns, marked, rows)  # type: ignore[arg-type]
    return TextTable(header, rows, 1, best, whole)


def pseudo_json(result: PseudoJudgments) -> str:
    truth, true_ranks = result.truth, result.true_ranks
    data = {
        "measure": result.measure,
        "topics": list(result.topics),
        "pool": dict(zip(result.topics, result.pooled.tolist(), strict=True)),
        "share": {"mean": result.share, "sd": result.sd},
        "trials": len(result.per_trial),
        "systems": [
            {
                "system": system,
                "figure": _number(float(result.figures[s])),
                "sd": _number(float(result.deviations[s])),
                "rank": int(result.ranks[s]),
                "true_figure": None if truth is None else _number(float(truth[s])),
                "true_rank": None if true_ranks is None else int(true_ranks[s]),
                "per_trial": [_number(figure) for figure in result.per_trial[:, s].tolist()],
            }
            for s, system in enumerate(result.systems)
        ],
        "ranking": list(result.ranking),
        "tau_b": _number(result.correlation("tau_b")),
        "tau_ap_b": _number(result.correlation("tau_ap_b")),
        "conclusion": result.conclusion(),
    }
    return json_text(data)


def power_text(powers: Sequence[DiscriminativePower], form: str, digits: int, *, colour: bool) -> str:
    """The measures, most discriminative first, and what that means."""
    ordered = sorted(powers, key=lambda power: -power.share)
    rows, whole = [], []
    for power in ordered:
        numbers = [power.share, power.required, power.spread]
        rows.append([power.measure, f"{power.significant:,} of {power.pairs:,}", f"{power.share:.1%}"])
        rows[-1] += [rounded(number, digits) for number in numbers[1:]]
        whole.append([power.measure, power.significant, power.pairs, *numbers])
    if form == "csv":
        header = ["measure", "significant", "pairs", "share", "required difference", "range of means"]
        return TextTable(header, whole, 1, exact=whole).csv()  # type: ignore[arg-type]
    header = ["measure", "significant pairs", "share", "required difference", "range of means"]
    table = TextTable(header, rows, 1).form(form, colour=colour)
    return f"{table}\n{lines_of([trust.power(ordered[0])], form)}"


def power_json(powers: Sequence[DiscriminativePower]) -> str:
    data = [
        {
            "measure": power.measure,
            "test": power.test,
            "alpha": power.alpha,
            "significant": power.significant,
            "pairs": power.pairs,
            "share": power.share,
            "required_difference": _number(power.required),
            "range_of_means": _number(power.spread),
            "p": power.p.tolist(),
        }
        for power in powers
    ]
    return json_text(data)
