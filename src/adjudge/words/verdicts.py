"""Say what a comparison of systems found."""

from __future__ import annotations

from ..comparison.verdict import ALPHA, Comparison
from ..core.english import listing, p_value, plural, quantity
from .speech import sentence

RIVALS, OTHERS = 3, 5
"""Systems named beside the leader, and in other lists."""


@sentence
def comparison_conclusion(result: Comparison) -> str:
    """Give the result of the first test at 5%, in a sentence or two."""
    test = first_test(result)
    if result.baselines:
        return " ".join(_against(result, baseline, test) for baseline in result.baselines)
    if all(not d.wins and not d.losses for d in result.differences):
        return f"{'Both' if len(result.systems) == 2 else 'All'} systems have the same {result.measure} on every topic."
    if len(result.systems) == 2:
        return _two(result, test)
    best = result.systems[result.order()[0]]
    significant = sum(d.p[0] < ALPHA for d in result.differences)
    rivals = [d for d in result.differences if best in {d.a, d.b}]
    close = [d.b if d.a == best else d.a for d in rivals if d.p[0] >= ALPHA]
    beaten = [d.b for d in rivals if d.p[0] < ALPHA and d.a == best and d.favours[0] < 0]
    clear = "" if beaten else " and is significantly better than every other system"
    apart = f", but is not significantly different from {listing(close, RIVALS)}"
    lead = f"{best} leads on {result.measure}{apart if close else clear}"
    if beaten:
        lead += f"{' and' if close else ', but'} is significantly worse by this test than {listing(beaten, OTHERS)}"
    differ = plural(significant, "differs", "differ")
    share = f"{significant:,} of {quantity(len(result.differences), 'pair')} {differ} significantly"
    return f"{lead}; {share} at {ALPHA:.0%} ({test})."


def first_test(result: Comparison) -> str:
    """Name the first test and the correction of its p-values; a single pair needs none."""
    bare = result.corrections[0] == "none" or len(result.differences) == 1
    return result.tests[0] + ("" if bare else f", {result.corrections[0]}")


def _two(result: Comparison, test: str) -> str:
    pair = result.differences[0]
    p = f"{p_value(pair.p[0])} ({test})."
    if pair.p[0] >= ALPHA:
        topics = f"with {quantity(result.topics, 'topic')}"
        return f"{pair.a} and {pair.b} do not differ significantly on {result.measure} {topics}: {p}"
    if pair.favours[0] >= 0:
        return f"{pair.a} is significantly better than {pair.b} on {result.measure}: {p}"
    return f"{pair.b} is significantly better than {pair.a} on {result.measure}, although its mean is not: {p}"


def _against(result: Comparison, baseline: str, test: str) -> str:
    pairs = [(d.a, d) if d.b == baseline else (d.b, d) for d in result.differences if baseline in {d.a, d.b}]
    sides = {name: d.favours[0] if name == d.a else -d.favours[0] for name, d in pairs if d.p[0] < ALPHA}
    ahead, behind = ([name for name, side in sides.items() if side * way > 0] for way in (1, -1))
    how = f"({result.measure}, {test}, {ALPHA:.0%})"
    if not pairs:
        return f"No system was compared with {baseline}."
    if len(pairs) == 1:
        other = pairs[0][0]
        if not sides:
            return f"{other} does not differ significantly from {baseline} {how}."
        return f"{other} is significantly {'better' if ahead else 'worse'} than {baseline} {how}."
    parts = [
        f"{listing(names, OTHERS)} {plural(len(names), 'is', 'are')} significantly {way}"
        for names, way in ((ahead, "better"), (behind, "worse"))
        if names
    ]
    rest = len(pairs) - len(sides)
    if rest == len(pairs):
        parts = [f"none of {rest:,} systems differs significantly"]
    elif rest:
        parts.append(f"{rest:,} of {len(pairs):,} {plural(rest, 'does', 'do')} not differ significantly")
    return f"Compared with {baseline}: {'; '.join(parts)} {how}."


@sentence
def how_compared(result: Comparison) -> str:
    """Give the number of topics, the correction of p-values and the scale of the differences."""
    done = [f"p {t} corrected by {c}" for t, c in zip(result.tests, result.corrections, strict=True) if c != "none"]
    done += [f"p {t} holds for all pairs together" for t in result.tests if t.startswith(("tukey", "anova"))]
    corrected = f"; {', '.join(done) or 'p-values are not corrected for the number of pairs'}"
    if len(result.differences) == 1:
        corrected = ""  # there is nothing to correct for
    scale = "" if result.scale == "mean" else f" Differences are on the scale of {result.scale}."
    return f"{quantity(result.topics, 'topic')}{corrected}; * significant: p < {ALPHA:g}.{scale}"


@sentence
def letters_read(result: Comparison, *, bold: bool = True) -> str:
    """Say how the letters beside the figures of a table for a paper are read."""
    how = f"p < {ALPHA:g}, {first_test(result)}, {quantity(result.topics, 'topic')}"
    says = f"Letters beside a figure name the systems that it is significantly better than ({how})"
    return f"{says}; the best figure of a column is bold." if bold else f"{says}."


@sentence
def symbols_read(result: Comparison, *, bold: bool = True) -> str:
    """Say how the symbols beside the figures of a table for a paper are read."""
    how = f"p < {ALPHA:g}, {first_test(result)}, {quantity(result.topics, 'topic')}"
    says = f"▲ marks figures that are significantly better than {result.baselines[0]}, ▼ those that are worse ({how})"
    return f"{says}; the best figure of a column is bold." if bold else f"{says}."
