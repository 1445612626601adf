"""Which known-item system is worth most, for every price of reading.

V/c = x·G − W with x = v/c: a line for each system, so two systems are level at one x at most, and the best ones over
all x are the upper envelope of the lines. All is exact: G and W are whole numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from .ranks import KnownItem


@dataclass(frozen=True)
class BreakEven:
    """Where two systems change places as an item found becomes worth more against a document read."""

    first: str
    second: str
    at: float
    """v/c where both are worth the same, (W_A − W_B) / (G_A − G_B). Below 0 no price gets there; NaN if both find
    equally many, so that the price of an item does not matter."""
    below: str
    """Who is worth more for v/c from 0 up to ``at``; empty if there is no such v/c."""
    above: str
    """Who is worth more for every greater v/c; empty if the two are level for every v and c."""

    def sentence(self) -> str:
        other = self.second if self.above == self.first else self.first
        if not self.above:
            return f"{self.first} and {self.second} are level whatever v and c are."
        if self.below:
            return f"{self.below} is worth more than {self.above} up to v/c = {number(self.at)}, less above it."
        if self.at == 0:
            return f"{self.above} is worth more than {other} as soon as v is above 0."
        why = "it finds as many for less reading" if math.isnan(self.at) else "it finds more for less reading"
        return f"{self.above} is worth more than {other} for all v and c above 0: {why}."


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

    def named(wanted: set[tuple[int, int]]) -> tuple[str, ...]:
        return tuple(s for s, line in zip(item.systems, lines, strict=True) if line in wanted)

    found: list[tuple[Fraction, tuple[int, int], set[tuple[int, int]]]] = []
    x = Fraction(0)
    while True:
        top = max(g * x - w for g, w in lines)
        level = {(g, w) for g, w in lines if g * x - w == top}
        best = max(level)  # of those that meet at x the steepest is above the others right after it
        found.append((x, best, level))
        steeper = [Fraction(w - best[1], g - best[0]) for g, w in lines if g > best[0]]
        if not steeper:
            break
        x = min(steeper)
    ends = [float(low) for low, _, _ in found[1:]] + [math.inf]
    return tuple(
        Interval(float(low), high, named({best}), named(level))
        for (low, best, level), high in zip(found, ends, strict=True)
    )


def told(parts: Sequence[Interval]) -> str:
    """The partition in words: ``up to v/c = 400 A is worth most, above it B``."""
    first, last = parts[0], parts[-1]
    if len(parts) == 1:
        text = f"{listing(first.best)} {are(first.best)} worth most for all v and c above 0"
    else:
        text = f"up to v/c = {number(first.high)} {listing(first.best)} {are(first.best)} worth most, "
        text += "".join(f"from there to {number(part.high)} {listing(part.best)}, " for part in parts[1:-1])
        text += f"above it {listing(last.best)}"
    known: set[str] = set()
    for part in parts:
        extra = [system for system in part.level if system not in known.union(part.best)]
        if extra:
            text += f"; at exactly {number(part.low)} {listing(extra)} {are(extra)} level with the best"
        known = set(part.best)
    return text


def are(systems: Sequence[str]) -> str:
    return "is" if len(systems) == 1 else "are"


def listing(names: Sequence[str]) -> str:
    """``A`` · ``A and B`` · ``A, B and C``"""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def number(value: float) -> str:
    """As people read it: 400, 33.3333, 1,200,000."""
    return f"{value:,.0f}" if value == round(value) else f"{value:,.6g}" if abs(value) < 1e6 else f"{value:,.1f}"
