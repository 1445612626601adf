"""Topic set size designs as people and scripts want to see them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ..comparison.judging_plan import JudgingPlan
from ..comparison.topic_design import TopicDesign
from ..words.topic_plans import design_question, topic_count, variance_line
from .text_table import TextTable, json_text, lines_of


def design_table(design: TopicDesign) -> TextTable:
    """A row for each of the three designs."""
    kinds = {"t": design.by_t, "anova": design.by_anova, "interval": design.by_interval}
    rows = [[kind, design_question(kind, design), topic_count(number)] for kind, number in kinds.items()]
    exact: list[list[object]] = [[kind, design_question(kind, design), number] for kind, number in kinds.items()]
    return TextTable(["design", "such that", "topics"], rows, 2, exact=exact)


def as_text(design: TopicDesign, form: str, *, colour: bool = False) -> str:
    """In one of the forms of a table."""
    if form == "json":
        return json_text(as_data(design))
    if form == "csv":
        return design_table(design).csv()
    lines = [design.conclusion(), variance_line(design)]
    return "\n".join([design_table(design).form(form, colour=colour), lines_of(lines, form)])


def plan_table(plan: JudgingPlan) -> TextTable:
    """A row for each depth of the pool."""
    rows, exact = [], list[list[object]]()
    for row in plan.rows:
        topics = (row.design.by_t, row.design.by_anova, row.design.by_interval)
        total = row.total(row.design.by_t)
        counts = [topic_count(number) for number in topics]
        figures = [f"{row.judgments:.1f}", f"{row.design.variance:.4g}", *counts]
        rows.append([str(row.depth), *figures, "unknown" if total is None else f"{total:,}"])
        exact.append([row.depth, row.judgments, row.design.variance, *topics, total])
    header = ["pool depth", "judgments a topic", "variance", "topics (t)", "(anova)", "(interval)", "judgments in all"]
    return TextTable(header, rows, 0, exact=exact)


def plan_text(plan: JudgingPlan, form: str, *, colour: bool = False) -> str:
    """In one of the forms of a table."""
    if form == "json":
        return json_text(plan_data(plan))
    if form == "csv":
        return plan_table(plan).csv()
    return "\n".join([plan_table(plan).form(form, colour=colour), lines_of([plan.conclusion()], form)])


def plan_data(plan: JudgingPlan) -> dict[str, Any]:
    """All facts, for a script."""
    rows = [{**asdict(row), "total": row.total(row.design.by_t)} for row in plan.rows]
    return {"rows": rows, "conclusion": plan.conclusion()}


def as_data(design: TopicDesign) -> dict[str, Any]:
    """All facts, for a script."""
    return {**asdict(design), "conclusion": design.conclusion()}
