"""Several folders of results, in words."""

from __future__ import annotations

from ..core.english import listing, p_value, quantity, signed
from ..experiment.results_history import PlanChange, ResultsHistory, ResultsStep, SystemChange
from .speech import sentence

NAMED = 4


@sentence
def results_history_conclusion(result: ResultsHistory) -> str:
    """What the last step did to the systems that both folders have."""
    return f"{quantity(len(result.entries), 'folder')}. {step_in_words(result.steps[-1], result.measure)}"


@sentence
def step_in_words(step: ResultsStep, measure: str) -> str:
    """What changed from one folder to another, and for whom."""
    start = f"From {step.before} to {step.after}"
    if not step.topics:
        return f"{start}: no topic in common, so no figure can be compared."
    if not step.systems:
        return f"{start}: no system in common, so no figure can be compared."
    by = {verdict: [change for change in step.systems if change.verdict == verdict] for verdict in VERDICTS}
    parts = []
    for verdict in ("better", "worse"):
        if by[verdict]:
            named = listing([_change(change) for change in by[verdict]], NAMED)
            parts.append(f"{verdict} on {measure}: {named}")
    if by["undecided"]:
        parts.append(f"{quantity(len(by['undecided']), 'system')} without a significant difference")
    if by["same"]:
        parts.append(f"{quantity(len(by['same']), 'system')} the same on every topic")
    test = "t test, holm" if len(step.systems) > 1 else "t test"
    return f"{start}: {'; '.join(parts)} ({quantity(step.topics, 'common topic')}, {test})."


VERDICTS = ("better", "worse", "undecided", "same")


def _change(change: SystemChange) -> str:
    return f"{change.system} ({signed(change.difference)}, {p_value(change.p)})"


@sentence
def topics_of_step(step: ResultsStep) -> str:
    """Topics that only one of two folders has; empty if both have the same."""
    parts = [
        f"{quantity(count, 'topic')} only in {name}"
        for count, name in ((step.only_before, step.before), (step.only_after, step.after))
        if count
    ]
    left = f"No verdict on {listing(step.left_out, NAMED)}: too few judged topics answered." if step.left_out else ""
    text = f"{listing(parts)}, left out of the comparison." if parts else ""
    return f"{text} {left}".strip()


@sentence
def change_in_words(change: PlanChange) -> str:
    """One thing that differs between two plans."""
    if change.kind == "input":
        return f"{change.name}: other content"
    what = f"system {change.name}" if change.kind == "system" else change.name
    if not change.before:
        return f"{what}: new" if change.kind == "system" else f"{what}: {change.after} (not set before)"
    if not change.after:
        return f"{what}: gone" if change.kind == "system" else f"{what}: not set any more ({change.before} before)"
    return f"{what}: {change.before} → {change.after}"


@sentence
def changes_heading(step: ResultsStep) -> str:
    """How many things differ between the plans."""
    if not step.changes:
        return f"{step.before} → {step.after}: nothing changed in plan, systems and inputs."
    count = len(step.changes)
    return f"{step.before} → {step.after}: {quantity(count, 'change')} in plan, systems and inputs."
