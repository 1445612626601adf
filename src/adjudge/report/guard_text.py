"""The verdict of the gate as people, scripts and GitHub's job summary want to see it."""

from __future__ import annotations

from typing import Any

from ..comparison.noninferiority import FAIL, PASS, UNDECIDED, GuardedMeasure, GuardResult
from ..core.english import p_text, rounded
from ..core.visible import visible
from ..words.judged_share import coverage_line
from ..words.regression import guard_verdict, guarded_measure, how_guarded, verdict_word
from .text_table import TextTable, json_text, lines_of

GUARD_FORMS = ("table", "csv", "json", "md", "latex", "github")
LOST = 5
"""Topics shown that lose most; JSON has all."""

ALERTS = {PASS: ("✅", "TIP"), FAIL: ("❌", "CAUTION"), UNDECIDED: ("⚠️", "WARNING")}
"""A sign for the heading, and the kind of alert that GitHub colours."""


def guard_table(result: GuardResult, digits: int = 4) -> TextTable:
    """A row for each measure."""
    bound = f"{1 - result.alpha:.0%}"
    header = [
        "measure",
        "verdict",
        "baseline",
        "run",
        "difference",
        f"above ({bound})",
        f"below ({bound})",
        "tolerance",
    ]
    header += ["p not worse", "p worse", "wins", "ties", "losses", "topics needed"]
    rows, exact = [], []
    for m in result.measures:
        figures = [rounded(x, digits) for x in (m.baseline, m.run)]
        bounds = [f"{x:+.{digits}f}" for x in (m.difference, m.low, m.high)]
        counts = [str(n) for n in (m.wins, m.ties, m.losses)]
        needed = "" if m.topics_needed is None else str(m.topics_needed)
        p = [p_text(m.p_not_worse), p_text(m.p_worse_corrected)]
        rows.append(
            [m.measure, verdict_word(m.verdict), *figures, *bounds, rounded(m.tolerance, digits), *p, *counts, needed]
        )
        numbers = [m.baseline, m.run, m.difference, m.low, m.high, m.tolerance, m.p_not_worse, m.p_worse_corrected]
        exact.append([m.measure, m.verdict, *numbers, m.wins, m.ties, m.losses, m.topics_needed])
    return TextTable(header, rows, 2, exact=exact)


def lost_table(measure: GuardedMeasure, digits: int, limit: int = LOST) -> TextTable:
    """The topics that lose most by the run."""
    rows = [
        [t.topic, rounded(t.before, digits), rounded(t.after, digits), f"{t.difference:+.{digits}f}"]
        for t in measure.most_lost(limit)
    ]
    return TextTable([f"{measure.measure} loses most on", "baseline", "run", "difference"], rows, 1)


def as_text(result: GuardResult, form: str, digits: int, *, colour: bool = False) -> str:
    """Format the result in one of GUARD_FORMS."""
    if form == "json":
        return json_text(as_data(result))
    if form == "csv":
        return guard_table(result, digits).csv()
    if form == "github":
        return as_summary(result, digits)
    pages = [guard_table(result, digits).form(form, colour=colour)] if result.measures else []
    pages += [
        table.form(form, colour=colour) for m in result.measures if m.losses and (table := lost_table(m, digits)).rows
    ]
    pages.append(lines_of([*sentences(result), how_guarded(result)], form))
    return "\n".join(pages)


def sentences(result: GuardResult) -> list[str]:
    """The verdict, what it rests on, and what the judgments cover."""
    measures = [guarded_measure(m, result) for m in result.measures]
    return [guard_verdict(result), *measures, *(coverage_line(*item) for item in result.coverage.items())]


def as_summary(result: GuardResult, digits: int) -> str:
    """Markdown as GitHub shows it in the summary of a job or a comment: a heading, an alert, the table, the topics."""
    sign, alert = ALERTS[result.verdict]
    first, *rest = (visible(line) for line in sentences(result))
    heading = f"## {sign} {visible(result.run)} against {visible(result.baseline)}: {verdict_word(result.verdict)}"
    pages = [heading, f"> [!{alert}]\n> {first}"]
    pages += [guard_table(result, digits).markdown().rstrip()] if result.measures else []
    pages.append("\n".join(f"- {line}" for line in rest))
    for m in result.measures:
        table = lost_table(m, digits)
        if table.rows:
            label = f"<summary>Topics that lose most {visible(m.measure)}</summary>"
            pages.append(f"<details>{label}\n\n{table.markdown()}\n</details>")
    pages.append(how_guarded(result))
    return "\n\n".join(pages) + "\n"


def as_data(result: GuardResult) -> dict[str, Any]:
    """All facts, for a script."""
    return {
        "verdict": result.verdict,
        "exit_code": result.exit_code,
        "baseline": result.baseline,
        "run": result.run,
        "topics": result.topics,
        "test": result.test,
        "correction": result.correction,
        "alpha": result.alpha,
        "power": result.power,
        "measures": {m.measure: _measure(m) for m in result.measures},
        "coverage": {name: each._asdict() for name, each in result.coverage.items()},
        "left_out": list(result.left_out),
        "notes": list(map(str, result.notes)),
        "conclusion": result.conclusion(),
    }


def _measure(m: GuardedMeasure) -> dict[str, Any]:
    plain = {name: value for name, value in vars(m).items() if name not in {"measure", "topics", "low", "high"}}
    topics = {t.topic: {"baseline": t.before, "run": t.after} for t in m.topics}
    return {**plain, "bounds": [m.low, m.high], "topics": topics}
