"""Value of known-item systems for every price of reading.

V/c = x·G − W with x = v/c: a line for each system, so two systems are level at one x at most, and the best ones over
all x are the upper envelope of the lines. All is exact: G and W are whole numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from .ranks import KnownItem


@dataclass(frozen=True)
class BreakEven:
    """Break-even point of two systems as an item found becomes worth more compared with a document read."""

    first: str
    second: str
    at: float
    """v/c where both are worth the same, (W_A − W_B) / (G_A − G_B). Below 0 no price gets there; NaN if both find
    equally many, so that the price of an item does not matter."""
    below: str
    """The system that is worth more for v/c from 0 up to ``at``; empty if there is no such v/c."""
    above: str
    """Who is worth more for every greater v/c; empty if the two are level for every v and c."""


@dataclass(frozen=True)
class Interval:
    """A range of v/c in which the same system is worth most, or several that are level throughout."""

    low: float
    high: float
    """Infinite for the last one."""
    best: tuple[str, ...]
    level: tuple[str, ...]
    """All that are worth most at exactly ``low``."""


def break_even(item: KnownItem, first: int, second: int) -> BreakEven:
    """Two systems, by their numbers."""
    a, b = item.systems[first], item.systems[second]
    more = int(item.found[first] - item.found[second])
    work = int(item.work[first] - item.work[second])
    if more == 0:
        return BreakEven(a, b, math.nan, "", "" if work == 0 else a if work < 0 else b)
    above, below = (a, b) if more > 0 else (b, a)
    at = work / more
    return BreakEven(a, b, at + 0.0, below if at > 0 else "", above)


def break_evens(item: KnownItem) -> tuple[BreakEven, ...]:
    """Every pair of systems."""
    count = len(item.systems)
    return tuple(break_even(item, a, b) for a in range(count) for b in range(a + 1, count))


def partition(item: KnownItem) -> tuple[Interval, ...]:
    """The whole axis v/c from 0 to infinity, by who is worth most."""
    lines = [(int(g), int(w)) for g, w in zip(item.found, item.work, strict=True)]

    def names_of(wanted: set[tuple[int, int]]) -> tuple[str, ...]:
        return tuple(s for s, line in zip(item.systems, lines, strict=True) if line in wanted)

    crossings: list[tuple[Fraction, tuple[int, int], set[tuple[int, int]]]] = []
    x = Fraction(0)
    while True:
        top = max(g * x - w for g, w in lines)
        level = {(g, w) for g, w in lines if g * x - w == top}
        best = max(level)  # of those that meet at x the steepest is above the others right after it
        crossings.append((x, best, level))
        steeper = [Fraction(w - best[1], g - best[0]) for g, w in lines if g > best[0]]
        if not steeper:
            break
        x = min(steeper)
    ends = [float(low) for low, _, _ in crossings[1:]] + [math.inf]
    return tuple(
        Interval(float(low), high, names_of({best}), names_of(level))
        for (low, best, level), high in zip(crossings, ends, strict=True)
    )
