"""Comparisons of judges as people and scripts want to see them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ..comparison.judge_agreement import JudgeComparison, JudgePair, RankingChange
from ..core.english import rounded
from ..words.judges_in_words import estimate_text, intervals_of_judges
from .text_table import TextTable, json_text, lines_of

MOVED, TOPICS = 10, 5
"""Systems and topics that are shown; JSON has all."""


def pairs_of_judges(result: JudgeComparison) -> TextTable:
    """A row for each pair of judges."""
    header = ["judge", "against", "topics", "common", "only first", "only second", "agreement", "overlap", "kappa"]
    header += ["linear kappa", "quadratic kappa"]
    rows = []
    for pair in result.pairs:
        counts = [str(n) for n in (pair.topics, pair.common, pair.only_a, pair.only_b)]
        figures = [pair.agreement, pair.overlap, *(pair.kappa[name] for name in ("none", "linear", "quadratic"))]
        rows.append([pair.a, pair.b, *counts, *map(estimate_text, figures)])
    return TextTable(header, rows, 2)


def confusion_table(result: JudgeComparison, pair: JudgePair) -> TextTable:
    """Documents by the grades of two judges."""
    header = [f"{pair.a} \\ {pair.b}", *map(str, result.grades), "agreement"]
    rows = [
        [str(grade), *map(str, row), rounded(pair.by_grade[grade], 3)]
        for grade, row in zip(result.grades, pair.confusion, strict=True)
    ]
    return TextTable(header, rows, 1)


def topics_table(pair: JudgePair) -> TextTable:
    """The topics on which two judges agree least."""
    header = [f"{pair.a} and {pair.b} agree least on topic", "common", "agreement", "overlap", "kappa"]
    rows = [
        [each.topic, str(each.common), *(rounded(x, 3) for x in (each.agreement, each.overlap, each.kappa))]
        for each in pair.by_topic[:TOPICS]
    ]
    return TextTable(header, rows, 1)


def systems_table(result: JudgeComparison, change: RankingChange, digits: int) -> TextTable:
    """The systems whose ranks differ most."""
    header = ["system", f"{result.measure} {change.a}", f"{result.measure} {change.b}"]
    header += [f"rank {change.a}", f"rank {change.b}", "gain"]
    order = sorted(change.ranks, key=lambda s: (-abs(change.gain(s)), change.ranks[s]))[:MOVED]
    rows = [
        [s, *(rounded(x, digits) for x in change.means[s]), *map(str, change.ranks[s]), f"{change.gain(s):+d}"]
        for s in order
    ]
    return TextTable(header, rows, 1)


def as_text(result: JudgeComparison, form: str, digits: int, *, colour: bool = False) -> str:
    """In one of the forms of a table."""
    if form == "json":
        return json_text(as_data(result))
    if form == "csv":
        return pairs_of_judges(result).csv()
    alphas = TextTable(["Krippendorff's alpha", "value"], [[k, estimate_text(v)] for k, v in result.alpha.items()], 1)
    tables = [pairs_of_judges(result), alphas]
    for pair in result.pairs:
        tables.append(confusion_table(result, pair))
        if pair.topics > 1:
            tables.append(topics_table(pair))
    for change in result.rankings:
        tables.append(systems_table(result, change, digits))
        topics = [[t, rounded(x, digits)] for t, x in list(change.topics.items())[:TOPICS]]
        tables.append(TextTable(["topics that differ most", f"mean difference in {result.measure}"], topics, 1))
    pages = [table.form(form, colour=colour) for table in tables]
    pages.append(lines_of([result.conclusion(), intervals_of_judges(result.samples)], form))
    return "\n".join(pages)


def as_data(result: JudgeComparison) -> dict[str, Any]:
    """All facts, for a script."""
    return {**asdict(result), "conclusion": result.conclusion()}
