"""Captions of the tables and lists of the page, and of where its figures come from.

The charts have theirs in ``captions``; a sentence that holds names is a list of pieces here too.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..comparison.verdict import ALPHA, Comparison
from ..core.english import figure, quantity
from ..experiment.findings import Findings
from .headlines import on_version
from .speech import Name, sentence
from .verdicts import first_test

STANDING = {
    1: "significantly better than",
    0: "not significantly different from",
    -1: "significantly worse than",
}
"""The comparison of a system with the one that marks refer to."""


@sentence
def systems_table(findings: Findings, measure: str) -> list[str]:
    """Explain the figures of the table of systems."""
    part = findings.first
    text = f"Mean over {quantity(len(part.topics), 'topic')}; {measure} with its 95% bootstrap interval"
    if len(part.scores.columns) == 1:
        return [text, "."]
    on = [" ", *on_version(part.version)] if findings.several else []
    return [text, ", then the other measures", *on, "."]


@sentence
def standing(verdict: int, reference: str) -> str:
    """Explain a mark."""
    return f"{STANDING[verdict]} {reference}"


@sentence
def same_mark(baseline: str) -> list[str]:
    """Explain the sign for systems that do not differ significantly."""
    against = [" the baseline ", Name(baseline)] if baseline else [" the best of its column"]
    return [" not significantly different from", *against, "; "]


@sentence
def worse_mark() -> str:
    """Explain the sign for worse systems."""
    return " significantly worse; "


@sentence
def better_mark(comparison: Comparison) -> str:
    """Explain the sign for better systems, and name the test."""
    test = f"{first_test(comparison)}, {ALPHA:.0%}, on {comparison.measure}"
    return f" significantly better ({test}). The best value of a column is bold. "


@sentence
def definitions_as_tips() -> str:
    """Say where the measures are explained; a link to the list follows."""
    return "Point at the name of a measure to see its definition; all of them are "


@sentence
def work_done(steps: Sequence[float], peak: float, software: str) -> str:
    """Sum up the steps from their seconds, the largest memory in MB and the software."""
    done = f"{quantity(len(steps), 'step')}, {duration(sum(steps))} of work" if steps else "No step was timed"
    memory = f", {figure(peak, 3)} MB at most" if peak > 0 else ""
    return f"{done}{memory}; {software}." if software else f"{done}{memory}."


def duration(seconds: float) -> str:
    """Seconds, minutes or hours.

    >>> duration(7), duration(150), duration(7200)
    ('7.00 s', '2 min 30 s', '2 h 0 min')
    """
    if seconds < 90:
        return f"{figure(seconds, 2)} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


@sentence
def figures_rounded() -> str:
    """Say where all digits are."""
    return "Numbers are rounded on this page; scores.parquet and verdicts.json have all digits."


@sentence
def no_relevant_document() -> str:
    """Stand in the place of the relevant documents of a topic that has none."""
    return "No relevant document is known."


@sentence
def measure_unknown() -> str:
    """Describe a column of scores that is not a measure of adjudge."""
    return "Not a measure of adjudge: the values come from the scores as they were given."


@sentence
def better_way(better: str) -> str:
    """Say which values of a measure are good: ``high`` or ``low``; empty if neither."""
    return {"high": " High values are good.", "low": " Low values are good."}.get(better, "")


@sentence
def run_from_elsewhere(several: bool = False) -> str:
    """Describe a system of which only its run is known."""
    return f"{'Runs' if several else 'A run'} made elsewhere: only the ranked lists are known."


@sentence
def system_parameters(parameters: Sequence[tuple[str, str]], *, defaults: bool) -> str:
    """List the parameters of a system, or say that all have their default values."""
    if not parameters:
        return ""
    listed = ", ".join(f"{name} = {value}" for name, value in parameters)
    return f"{'Default parameters' if defaults else 'Parameters'}: {listed}."


@sentence
def files_explained() -> str:
    """Introduce the files that the page was made from."""
    return "The page was made from these files, which stand beside it as long as the folder is kept whole."


FILES = {
    "scores.parquet": "every score: version, system, topic, measure, value",
    "verdicts.json": "means, intervals, tests and curves with all digits",
    "results.csv": "the main table for spreadsheets",
    "results.txt": "the main table and the findings as text",
    "results.md": "the same as Markdown",
    "results.tex": "the same for LaTeX",
    "provenance.json": "software, settings, digests of the inputs, time and memory",
    "plan.json": "the plan with all its settings",
    "judgments.txt": "the judgments of the topics that count",
}
"""What each file beside the page holds."""


@sentence
def file_contents(name: str) -> str:
    """Say what a file beside the page holds."""
    return FILES.get(name, "")


@sentence
def history_explained() -> str:
    """Explain the chart of a history."""
    return (
        "One line for each system, a column for each folder in the order in which they were given; intervals of 95%, "
        "bootstrap over topics. Topics and judgments may differ between folders: the steps below take common ones."
    )


@sentence
def step_explained() -> str:
    """Explain the table of a step."""
    return (
        "Means over the topics that both folders have, each by its own judgments; difference with its interval, p of "
        "the paired t test corrected by Holm for the number of systems, and topics won and lost."
    )
