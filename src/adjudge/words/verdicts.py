"""What a comparison of systems found, in words."""

from __future__ import annotations

from ..comparison.verdict import ALPHA, Comparison
from ..core.english import listing, p_text, quantity
from .speech import sentence

RIVALS, OTHERS = 3, 5
"""Systems named beside the leader, and in other lists."""


@sentence
def comparison_conclusion(result: Comparison) -> str:
    """What the first test says at 5 %, in a sentence or two."""
    test = first_test(result)
    if result.baselines:
        return " ".join(_against(result, baseline, test) for baseline in result.baselines)
    if all(not d.wins and not d.losses for d in result.differences):
        return f"All systems have the same {result.measure} on every topic."
    if len(result.systems) == 2:
        return _two(result, test)
    best = result.systems[result.order()[0]]
    significant = sum(d.p[0] < ALPHA for d in result.differences)
    rivals = [d for d in result.differences if best in {d.a, d.b}]
    close = [d.b if d.a == best else d.a for d in rivals if d.p[0] >= ALPHA]
    beaten = [d.b for d in rivals if d.p[0] < ALPHA and d.a == best and d.favours[0] < 0]
    clear = "" if beaten else " and is better than every other system"
    apart = f", but cannot be told apart from {listing(close, RIVALS)}"
    lead = f"{best} leads on {result.measure}{apart if close else clear}"
    if beaten:
        lead += f"{' and' if close else ', but'} is worse by this test than {listing(beaten, OTHERS)}"
    return f"{lead}; {significant} of {len(result.differences)} pairs differ at {ALPHA:.0%} ({test})."


def first_test(result: Comparison) -> str:
    """The first test, and how its p were corrected."""
    return result.tests[0] + ("" if result.corrections[0] == "none" else f", {result.corrections[0]}")


def _two(result: Comparison, test: str) -> str:
    pair = result.differences[0]
    p = f"p = {p_text(pair.p[0])} ({test})."
    if pair.p[0] >= ALPHA:
        topics = f"with {result.topics} topics"
        return f"{pair.a} and {pair.b} cannot be told apart on {result.measure} {topics}: {p}"
    if pair.favours[0] >= 0:
        return f"{pair.a} is better than {pair.b} on {result.measure}: {p}"
    return f"{pair.b} is better than {pair.a} on {result.measure}, although its mean is not: {p}"


def _against(result: Comparison, baseline: str, test: str) -> str:
    pairs = [(d.a, d) if d.b == baseline else (d.b, d) for d in result.differences if baseline in {d.a, d.b}]
    sides = {name: d.favours[0] if name == d.a else -d.favours[0] for name, d in pairs if d.p[0] < ALPHA}
    ahead, behind = ([name for name, side in sides.items() if side * way > 0] for way in (1, -1))
    parts = [
        f"better are {listing(ahead, OTHERS)}" if ahead else "none is better",
        f"worse are {listing(behind, OTHERS)}" if behind else "none is worse",
        f"{len(pairs) - len(sides)} of {len(pairs)} cannot be told apart from it",
    ]
    return f"Against {baseline} {'; '.join(parts)} ({result.measure}, {test}, {ALPHA:.0%})."


@sentence
def how_compared(result: Comparison) -> str:
    """Over how many topics, how p were corrected, and on what scale the differences are."""
    done = [f"p {t} corrected by {c}" for t, c in zip(result.tests, result.corrections, strict=True) if c != "none"]
    done += [f"p {t} is for all pairs together" for t in result.tests if t.startswith("tukey")]
    corrected = ", ".join(done) or "no correction of p for the number of pairs"
    scale = "" if result.scale == "mean" else f" Differences are on the scale of {result.scale}."
    return f"{quantity(result.topics, 'topic')}; {corrected}; * below {ALPHA:g}.{scale}"
