"""How far judges agree, and what that does to systems, in words."""

from __future__ import annotations

import math

from ..comparison.judge_agreement import Estimate, JudgeComparison, RankingChange
from ..core.english import listing, percent, quantity
from .speech import sentence

NAMED = 3
"""Systems and topics named in a list."""


@sentence
def estimate_text(estimate: Estimate) -> str:
    """A figure with its interval in a cell."""
    if math.isnan(estimate.value):
        return ""
    if math.isnan(estimate.low):
        return f"{estimate.value:.3f}"
    return f"{estimate.value:.3f} ({estimate.low:.3f} to {estimate.high:.3f})"


@sentence
def judge_comparison_conclusion(result: JudgeComparison) -> str:
    """How far the judges agree, and whether they put the systems in the same order."""
    if len(result.judges) == 2:
        (pair,) = result.pairs
        documents = quantity(pair.common, "common document")
        text = f"{pair.a} and {pair.b} give the same grade to {percent(pair.agreement.value)} of {documents}"
        text += f"; kappa {estimate_text(pair.kappa['none']) or 'has no value: there is nothing to differ in'}."
    else:
        alpha = estimate_text(result.alpha["ordinal"]) or "no value"
        text = f"{len(result.judges)} judges: Krippendorff's alpha {alpha} (ordinal)."
    changes = [ranking_change(change, result.measure) for change in result.rankings[:NAMED]]
    favours = [group_favour(change, result) for change in result.rankings[:NAMED] if change.favour is not None]
    return " ".join([text, *changes, *favours, *judged_alone(result)])


@sentence
def judged_alone(result: JudgeComparison) -> list[str]:
    """That rankings differ by more than grades, if documents count that one of two judges alone has judged."""
    shown = result.rankings[:NAMED]
    told = [
        f"{quantity(each.alone, 'document')} that only {each.a} or only {each.b} judged" for each in shown if each.alone
    ]
    return [f"The rankings also rest on {listing(told)}: --common leaves these out."] if told else []


@sentence
def ranking_change(change: RankingChange, measure: str) -> str:
    """How alike two judges rank the systems, and who gains and loses most."""
    if not change.correlations:
        return f"One system only: {change.a} and {change.b} rank nothing."
    found = change.correlations[-1]
    alike = f"{found.coefficient} {estimate_text(Estimate(found.value, found.low, found.high))}"
    moved = sorted(change.ranks, key=change.gain)
    gains = [f"{s} (+{change.gain(s)})" for s in reversed(moved) if change.gain(s) > 0][:NAMED]
    losses = [f"{s} (−{-change.gain(s)})" for s in moved if change.gain(s) < 0][:NAMED]
    systems = quantity(len(change.ranks), "system")
    text = f"By {measure} {change.a} and {change.b} rank {systems} with {alike}"
    if math.isnan(found.value):
        text = f"How alike {change.a} and {change.b} rank {systems} by {measure} cannot be told: one has them all level"
    if not gains and not losses:
        return f"{text}; no system changes its rank."
    gain = f"{listing(gains) or 'none'} {'gain' if len(gains) > 1 else 'gains'} ranks"
    return f"{text}; under {change.b} {gain}, {listing(losses) or 'none'} {'lose' if len(losses) > 1 else 'loses'}."


@sentence
def group_favour(change: RankingChange, result: JudgeComparison) -> str:
    """Whether a judge favours a group of systems."""
    if change.favour is None:
        return ""
    group, figure = listing(result.group, NAMED), estimate_text(change.favour)
    if change.favour.low > 0 or change.favour.high < 0:
        who, over = (group, "the others") if change.favour.value > 0 else ("the others", group)
        return f"{change.b} favours {who} over {over}: {result.measure} changes by {figure} more for {group}."
    return f"{change.b} is not shown to favour {group}: {result.measure} changes by {figure} more for them."


@sentence
def intervals_of_judges(samples: int) -> str:
    """What the intervals are over."""
    return f"Intervals: 95%, bootstrap over topics ({samples:,} samples)."
