"""Tables of predictors: correlations with systems, and what choosing by them gains."""

from __future__ import annotations

import math
from dataclasses import asdict

from ..comparison.known_item.prediction import Choice, Link, Prediction
from ..core.english import p_text, rounded
from ..words import forecasts
from ..words.omissions import more_choices, more_correlations
from .text_table import TextTable, json_text, lines_of


def strength(tau: float) -> float:
    return -1.0 if math.isnan(tau) else abs(tau)


def links_table(result: Prediction, most: int | None = None) -> TextTable:
    """Correlations, the largest first; all of them and in their order for scripts."""
    links = list(result.links)
    if most is not None:
        links = sorted(links, key=lambda link: -strength(link.tau))[:most]
    header = ["predictor", "with", "tau_b", f"{result.confidence * 100:g}%", "p", "corrected"]
    rows = [
        [link.predictor, link.outcome, rounded(link.tau, 2), interval_text(link), p_text(link.raw), p_text(link.p)]
        for link in links
    ]
    return TextTable(header, rows, 2)


def interval_text(link: Link) -> str:
    return "" if math.isnan(link.low) else f"{rounded(link.low, 2)} to {rounded(link.high, 2)}"


def gain(choice: Choice) -> float:
    return choice.chosen - choice.always


def choices_table(result: Prediction, most: int | None = None) -> TextTable:
    """Choices, the largest gain first."""
    choices = list(result.choices)
    if most is not None:
        choices = sorted(choices, key=lambda choice: -gain(choice))[:most]
    header = ["predictor", "better", "other", "always", "chosen", "gain", "oracle", "switched", "p", "corrected"]
    rows = [
        [
            c.predictor,
            c.better,
            c.other,
            rounded(c.always, 4),
            rounded(c.chosen, 4),
            rounded(gain(c), 4),
            rounded(c.oracle, 4),
            str(c.switched),
            p_text(c.raw),
            p_text(c.p),
        ]
        for c in choices
    ]
    return TextTable(header, rows, 3)


def as_csv(result: Prediction) -> str:
    """Every correlation, one a line."""
    header = ["predictor", "system", "against", "tau_b", "low", "high", "p", "corrected"]
    exact = [[k.predictor, k.system, k.against, k.tau, k.low, k.high, k.raw, k.p] for k in result.links]
    return TextTable(header, [], 3, exact=exact).csv()


def as_text(result: Prediction, form: str, most: int, *, colour: bool) -> str:
    """The whole as a page; CSV is all correlations."""
    if form == "csv":
        return as_csv(result)
    pages = []
    for more, table, count in (
        (more_correlations, links_table(result, most), len(result.links)),
        (more_choices, choices_table(result, most), len(result.choices)),
    ):
        if table.rows:
            pages.append(table.form(form, colour=colour))
        if count > most:
            pages.append(lines_of([more(count - most, count)], form))
    lines = [forecasts.how_tested(result)]
    if result.permutations:
        lines.append(forecasts.smallest_detectable(result.detectable))
    if result.choices:
        lines.append(forecasts.rule_of_choice())
    pages += [lines_of([line], form) for line in (*lines, result.conclusion())]
    return "\n".join(pages)


def as_json(result: Prediction) -> str:
    item = result.item
    data = {
        "questions": len(item.questions),
        "systems": dict(zip(item.systems, item.mrr.tolist(), strict=True)),
        "permutations": result.permutations,
        "samples": result.samples,
        "level": result.confidence,
        "detectable_tau_b": result.detectable,
        "values": {
            predictor: dict(zip(item.questions, row, strict=True))
            for predictor, row in zip(result.predictors, result.values.tolist(), strict=True)
        },
        "correlations": [asdict(link) for link in result.links],
        "choices": [asdict(choice) for choice in result.choices],
        "notes": list(map(str, (*item.notes, *result.notes))),
        "conclusion": result.conclusion(),
    }
    return json_text(data)
