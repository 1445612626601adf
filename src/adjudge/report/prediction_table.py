"""What predictors are worth, as people and scripts want to see it."""

from __future__ import annotations

import math
from dataclasses import asdict

from ..comparison.known_item.prediction import Choice, Link, Prediction
from ..core.english import p_text, rounded
from .text_table import TextTable, json_text, said


def strength(tau: float) -> float:
    return -1.0 if math.isnan(tau) else abs(tau)


def links_table(result: Prediction, most: int | None = None) -> TextTable:
    """Correlations, the largest first; all of them and in their order for scripts."""
    links = list(result.links)
    if most is not None:
        links = sorted(links, key=lambda link: -strength(link.tau))[:most]
    header = ["predictor", "with", "tau_b", f"{result.level * 100:g}%", "p", "corrected"]
    rows = [
        [link.predictor, link.outcome, rounded(link.tau, 2), spread(link), p_text(link.raw), p_text(link.p)]
        for link in links
    ]
    return TextTable(header, rows, 2)


def spread(link: Link) -> str:
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
    for title, table, count in (
        ("correlations", links_table(result, most), len(result.links)),
        ("choices", choices_table(result, most), len(result.choices)),
    ):
        if table.rows:
            pages.append(table.form(form, colour=colour))
        if count > most:
            pages.append(said([f"{count - most:,} more {title}: --rows {count} or --format json"], form))
    how = [f"tau_b over {len(result.item.questions):,} questions"]
    if result.samples:
        how.append(f"intervals from {result.samples:,} bootstrap samples of them")
    if result.permutations:
        how.append(
            f"p from {result.permutations:,} permutations, corrected after Holm for {len(result.links):,} correlations "
            f"and {len(result.choices):,} choices"
        )
    pages.append(said([f"{', '.join(how)}."], form))
    if result.permutations:
        what = "With so many questions and comparisons only a tau_b of about"
        pages.append(said([f"{what} {result.detectable:.2f} or more can be told from chance."], form))
    if result.choices:
        rule = "A choice is by a threshold on the predictor, learned from all other questions"
        pages.append(said([f"{rule}; always is the better of the two systems."], form))
    return "\n".join([*pages, said([result.conclusion()], form)])


def as_json(result: Prediction) -> str:
    item = result.item
    data = {
        "questions": len(item.questions),
        "systems": dict(zip(item.systems, item.mrr.tolist(), strict=True)),
        "permutations": result.permutations,
        "samples": result.samples,
        "level": result.level,
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
