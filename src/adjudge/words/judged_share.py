"""Say how much of the runs the judgments cover."""

from __future__ import annotations

from collections.abc import Mapping

from ..core.coverage import Coverage
from ..core.english import listing, percent, plural, quantity
from .speech import sentence

NAMED = 3
"""Systems named in a list."""


@sentence
def coverage_line(name: str, coverage: Coverage) -> str:
    """Say how many judged topics a run answers, and how much of what it puts first was judged."""
    judged = f"; {percent(coverage.judged)} of its first {coverage.depth} documents are judged"
    answered = f"{name} answers {coverage.answered:,} of {quantity(coverage.topics, 'judged topic')}"
    return f"{answered}{judged if coverage.answered else ''}."


@sentence
def coverage_summary(coverage: Mapping[str, Coverage]) -> str:
    """Say which systems answer all judged topics, and the judged share of their first documents; may be empty."""
    if not coverage:
        return ""
    few = sorted((name for name, each in coverage.items() if each.answered < each.topics), key=lambda n: coverage[n])
    topics = quantity(next(iter(coverage.values())).topics, "judged topic")
    if few:
        named = [f"{name} answers {coverage[name].answered:,} of {topics}" for name in few[:NAMED]]
        rest = len(few) - NAMED
        others = [f"{quantity(rest, 'other system')} {plural(rest, 'does', 'do')} not answer all"] if rest > 0 else []
        answered = listing([*named, *others])
    else:
        answered = f"All systems answer all {topics}"
    known = {name: each.judged for name, each in coverage.items() if each.answered}
    if not known:
        return f"{answered}."
    low, high = min(known, key=lambda n: known[n]), max(known, key=lambda n: known[n])
    depth = next(iter(coverage.values())).depth
    shares = percent(known[low])
    if percent(known[high]) != shares:
        shares = f"from {shares} ({low}) to {percent(known[high])} ({high})"
    return f"{answered}; of the first {depth} documents {shares} are judged."
