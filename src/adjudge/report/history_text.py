"""A history of results as people and scripts want to see it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from ..core.english import p_text, percent, rounded, signed
from ..experiment.results_history import ResultsHistory, ResultsStep
from ..words.history_in_words import change_in_words, changes_heading, topics_of_step
from .figures import PAPER, Figure, noise_figure
from .text_table import TextTable, json_text, lines_of


def history_table(result: ResultsHistory, digits: int = 4) -> TextTable:
    """A row for each system, a column for each folder."""
    labels = [entry.label for entry in result.entries]
    figures = [entry.figures for entry in result.entries]
    columns = [[own.get(name, float("nan")) for name in result.systems] for own in figures]
    way = "high" if result.direction > 0 else "low"
    return TextTable.of_numbers([result.measure, *labels], result.systems, columns, digits=digits, better=way)


def folders_table(result: ResultsHistory) -> TextTable:
    """A row for each folder: what it is, and how far the judgments cover its runs."""
    header = ["folder", "title", "systems", "topics", "documents", "least answered", "judged@10"]
    rows, exact = [], []
    for entry in result.entries:
        covered = entry.coverage.values()
        answered = min((each.answered for each in covered), default=entry.topics)
        shares = [each.judged for each in covered if each.answered]
        judged = float(np.mean(shares)) if shares else float("nan")
        counts = [len(entry.specs), entry.topics, entry.documents]
        cells = [*map(str, counts[:2]), f"{entry.documents:,}" if entry.documents else ""]
        rows.append([entry.label, entry.title, *cells, f"{answered}/{entry.topics}", percent(judged)])
        exact.append([entry.label, entry.title, *counts, answered, judged])
    return TextTable(header, rows, 2, exact=exact)


def step_table(step: ResultsStep, digits: int = 4) -> TextTable:
    """A row for each system that both folders have."""
    header = ["system", step.before, step.after, "difference", "low", "high", "p", "wins", "losses", "verdict"]
    rows, exact = [], []
    for change in step.systems:
        numbers = [change.difference, change.low, change.high]
        cells = [rounded(change.before, digits), rounded(change.after, digits)]
        cells += ["" if np.isnan(x) else f"{x:+.{digits}f}" for x in numbers]
        verdict = f"{change.verdict} (same run)" if change.same_run else change.verdict
        rows.append([change.system, *cells, p_text(change.p), str(change.wins), str(change.losses), verdict])
        row: list[object] = [change.system, change.before, change.after, *numbers, change.p]
        exact.append([*row, change.wins, change.losses, change.verdict])
    return TextTable(header, rows, 1, exact=exact)


def losers_line(step: ResultsStep) -> list[str]:
    """For each system that got worse, the topics on which it loses most."""
    return [
        f"{change.system} loses most on " + ", ".join(f"{topic} ({signed(gap)})" for topic, gap in change.losers)
        for change in step.systems
        if change.verdict == "worse" and change.losers
    ]


def as_text(result: ResultsHistory, form: str, digits: int = 4, *, colour: bool = False) -> str:
    """In one of the forms of a table: the folders, the history, and the last step; as CSV the history."""
    if form == "json":
        return json_text(as_data(result))
    if form == "csv":
        return history_table(result, digits).csv()
    last = result.steps[-1]
    pages = [folders_table(result).form(form, colour=colour), history_table(result, digits).form(form, colour=colour)]
    pages += [
        lines_of([changes_heading(step), *(f"  {change_in_words(change)}" for change in step.changes)], form)
        for step in result.steps
    ]
    if last.systems:
        pages.append(step_table(last, digits).form(form, colour=colour))
    lines = [result.conclusion(), topics_of_step(last), *losers_line(last)]
    return "\n".join([*pages, lines_of([line for line in lines if line], form)])


def as_data(result: ResultsHistory) -> dict[str, Any]:
    """All facts, for a script."""
    return {
        "measure": result.measure,
        "alpha": result.alpha,
        "folders": [
            {
                "folder": entry.label,
                "title": entry.title,
                "version": entry.version,
                "topics": entry.topics,
                "documents": entry.documents,
                "systems": dict(entry.specs),
                "figures": entry.figures,
                "intervals": dict(zip(entry.scores.systems, entry.intervals.tolist(), strict=True)),
                "coverage": {name: each._asdict() for name, each in entry.coverage.items()},
            }
            for entry in result.entries
        ],
        "steps": [
            {
                "before": step.before,
                "after": step.after,
                "changes": [change._asdict() for change in step.changes],
                "topics": step.topics,
                "only_before": step.only_before,
                "only_after": step.only_after,
                "left_out": list(step.left_out),
                "systems": [
                    {**asdict(change), "difference": change.difference, "losers": [list(x) for x in change.losers]}
                    for change in step.systems
                ],
            }
            for step in result.steps
        ],
        "notes": list(map(str, result.notes)),
        "conclusion": result.conclusion(),
    }


def history_figure(result: ResultsHistory, *, width: float = PAPER, title: str = "") -> Figure:
    """A line for each system over the folders, with intervals."""
    names = result.systems
    means = np.full((len(names), len(result.entries)), np.nan)
    ends = np.full((*means.shape, 2), np.nan)
    for e, entry in enumerate(result.entries):
        for name, mean, interval in zip(entry.scores.systems, entry.figures.values(), entry.intervals, strict=True):
            means[names.index(name), e], ends[names.index(name), e] = mean, interval
    return noise_figure(
        names,
        [entry.label for entry in result.entries],
        means,
        ends,
        measure=result.measure,
        better="high" if result.direction > 0 else "low",
        width=width,
        title=title or f"{result.measure} over {len(result.entries)} results",
    )
