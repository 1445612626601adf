"""What the tables and lists of the page mean, and where its figures come from, in words.

The charts have theirs in ``captions``; a sentence that holds names is a list of pieces here too.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..comparison.verdict import ALPHA, Comparison
from ..core.english import figure, quantity
from ..experiment.findings import Findings
from .speech import Name, sentence
from .verdicts import first_test

STANDING = {1: "significantly better than", 0: "not told apart from", -1: "significantly worse than"}
"""How a system stands to the one that marks are against."""


@sentence
def systems_table(findings: Findings, measure: str) -> list[str]:
    """What the figures of the table of systems are."""
    part = findings.first
    text = f"Mean over {quantity(len(part.topics), 'topic')}; {measure} with 95 % bootstrap interval"
    if len(part.scores.columns) == 1:
        return [text, "."]
    on = [" on ", Name(part.version)] if findings.several else []
    return [text, ", then the other measures", *on, "."]


@sentence
def standing(verdict: int, reference: str) -> str:
    """What a mark says."""
    return f"{STANDING[verdict]} {reference}"


@sentence
def same_mark(baseline: str) -> list[str]:
    """What the sign for level systems means."""
    against = [" the baseline ", Name(baseline)] if baseline else [" the best of its column"]
    return [" cannot be told apart from", *against, ", "]


@sentence
def worse_mark() -> str:
    """What the sign for worse systems means."""
    return " is worse than it, "


@sentence
def better_mark(comparison: Comparison) -> str:
    """What the sign for better systems means, and by which test."""
    return f" better: {first_test(comparison)}, {ALPHA:.0%}, on the main measure. Bold: the best of a column. "


@sentence
def definitions_as_tips() -> str:
    """Where the measures are explained; a link to the list follows."""
    return "Names of measures have their definitions as tips, and all of them are "


@sentence
def work_done(steps: Sequence[float], peak: float, software: str) -> str:
    """How many steps there were, from their seconds, with the largest memory in MB and what ran."""
    done = f"{quantity(len(steps), 'step')}, {duration(sum(steps))} of work" if steps else "no step was timed"
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
    """Where all digits are."""
    return "Figures are rounded here; scores and verdicts beside this page have all digits."


@sentence
def no_relevant_document() -> str:
    """For a topic without a target."""
    return "No relevant document is known."


@sentence
def measure_unknown() -> str:
    """For a column of scores that is no measure of ours."""
    return "Not a measure that adjudge knows: taken from the scores as it is."


@sentence
def better_way(better: str) -> str:
    """Which values of a measure are good: ``high``, ``low``, or nothing is said."""
    return {"high": " High values are good.", "low": " Low values are good."}.get(better, "")
